"""footnote's texts about itself: all that it ever says without a source."""

GREETING = "Hello! Ask me about your documents; I answer with pointers to their pages."
THANKS = "You are welcome."
ABOUT = (
    "I answer questions from your documents. Every sentence of an answer points at the page it"
    " comes from, and the pointer has been checked. Ask for a fact, a figure or a rule."
)
CLARIFY = "What would you like to know about your documents?"
NOT_SAID = "The documents do not say"
OWN_TEXTS = (GREETING, THANKS, ABOUT, CLARIFY)
