"""Decides which words of a planner or a grader are shown.

Both read names and texts of documents, so any of their words may be an attacker's. A greeting or a
question back may consist of the user's words, footnote's own and courtesy. A plan may have no link,
markup, code or instruction that the user did not bring.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.guard.screen import (
    blank_out,
    codes,
    content_words,
    find_foreign,
    is_instruction,
    is_unsafe,
    safe_name,
)
from footnote.errors import BadRequestError
from footnote.metadata.conditions import parse_filters
from footnote.metadata.filters import as_text
from footnote.model import Scalar
from footnote.text.own_words import ABOUT, CLARIFY, OWN_TEXTS
from footnote.text.sentences import sentences
from footnote.text.terms import numbers

MAX_REPLY = 300  # characters of a greeting, or of a question back
MAX_SENTENCES = 3  # sentences
NOT_SHOWN = "The planner's words were not shown: they said more than a greeting or a question may."
DROPPED = "Parts of the plan were dropped: they held links, markup, codes or instructions."

_COURTESY = content_words(
    "hello hi hey welcome thanks thank please glad happy pleasure sorry good morning afternoon"
    " evening"
    " day great sure okay today anytime goodbye bye see nice meet help helps assist assistant"
    " system"
    " footnote feel free let know ready here always need anything else everything more further"
    " start"
    " you're i'm it's let's don't just simply also able cannot file files document documents"
    " question questions answer answers"
    " search find look read cite cited citation citations source sources page pages passage"
    " upload add"
    " added uploaded collection information content name named called work works"
    " stellen mir hallo guten tag morgen abend willkommen danke bitte gern gerne freut mich schoen"
    " schön helfen"
    " hilfe fragen frage stellen antworten antwort dokument dokumente dokumenten unterlagen seite"
    " seiten"
    " quelle quellen beantworte beantworten ihren ihre deinen deine dir ihnen mehr noch etwas"
    " finden"
    " moi bonjour bonsoir salut bienvenue merci plaisir aide aider question questions réponse"
    " réponses"
    " répondre réponds document documents page pages source sources vos posez puis poser prie rien"
    " qué hola buenos días buenas tardes noches bienvenido gracias nada gusto placer ayuda ayudar"
    " ayudarle"
    " pregunta preguntas respuesta respuestas respondo documento documentos página páginas fuente"
    " fuentes haga puedo"
    " ciao buongiorno buonasera benvenuto grazie prego piacere aiuto aiutare domanda domande"
    " risposta"
    " risposte rispondo documento documenti pagina pagine fonte fonti posso"
)
_CLARIFYING = content_words(
    "which what year years period quarter month date document documents file files report reports"
    " version mean means meant ask asking refer referring looking interested specify specific tell"
    " clarify clarification detail details example like want need please could exactly part section"
    " topic subject company product person place country name names one ones compare question know"
    " understand unclear sorry rephrase between earlier previous last first figure number value"
    " unit"
    " exact kind type"
    " welche welches welcher welchen jahr zeitraum dokument datei bericht meinen meinst meinten"
    " genau"
    " genauer bitte frage präzisieren gemeint möchten wissen beziehen person firma thema"
    " quel quelle quels quelles année période document fichier rapport voulez dire pouvez préciser"
    " question parlez savoir sujet exactement"
    " qué cuál cuáles año período documento archivo informe quiere decir puede precisar pregunta"
    " refiere"
    " saber exactamente tema"
    " quale quali anno periodo documento file rapporto intende dire può precisare domanda riferisce"
    " sapere esattamente argomento"
)
_GRADING = (
    "no passage passages document documents state states stated say says give gives mention clearly"
    " figure figures value amount total date year period quarter name names unit reason definition"
    " detail details missing found only part answer question table text evidence does not enough"
)


class UserWords(NamedTuple):
    """The words that a user brings: the question, the session's history, names of documents.

    `history` has (question, answer), oldest first.
    """

    question: str
    history: Sequence[tuple[str, str]] = ()
    documents: Sequence[str] = ()

    @property
    def said(self) -> tuple[str, ...]:
        """The user's own words, and those names of documents that are no attack."""
        names = (name for name in self.documents if safe_name(name))
        return (self.question, *(question for question, _ in self.history), *names)

    @property
    def known(self) -> tuple[str, ...]:
        """The texts of `said` and the earlier answers, which have been checked."""
        return (*self.said, *(answer for _, answer in self.history))


def choose_reply(kind: str, reply: str, user: UserWords) -> tuple[str, tuple[str, ...]]:
    """Returns the text to answer with at once, and notes on it.

    The text is the planner's greeting or question back if that may be shown, else footnote's own.
    """
    text = " ".join(reply.split())
    if text in OWN_TEXTS:
        return text, ()
    if kind == "clarify":
        may_be_shown = _is_question_back(text, user)
        return (text, ()) if may_be_shown else (CLARIFY, (NOT_SHOWN,) if text else ())
    may_be_shown = _is_greeting(text, user)
    return (text, ()) if may_be_shown else (ABOUT, (NOT_SHOWN,) if text else ())


def has_content(question: str) -> bool:
    """Returns whether a question asks for more than a greeting or facts about footnote itself."""
    return bool(content_words(question) - _COURTESY - content_words(" ".join(OWN_TEXTS)))


def keep_safe(texts: Iterable[str], known: Iterable[str]) -> list[str]:
    """Keeps the texts that an attacker cannot have written, as each that is part of a known one."""
    texts_known = tuple(known)
    all_known = "\n".join(texts_known)
    return [text for text in texts if text in all_known or not is_unsafe(text, texts_known)]


def keep_named(documents: Iterable[str], known: Iterable[str]) -> list[str]:
    """Keeps the file names that the user gave: a planner has no others to give."""
    all_known = "\n".join(known).casefold()
    return [name for name in documents if name.strip() and name.strip().casefold() in all_known]


def keep_filters(filters: Mapping[str, object], known: Sequence[str]) -> dict[str, object]:
    """Keeps the filters of a planner if the user said each of their values, else returns none.

    A planner knows no attributes: a value that the user did not say is a guess, or an attacker's.
    """
    try:
        parse_filters(filters)
    except BadRequestError:
        return {}
    all_known = "\n".join(known).casefold()
    leaves = list(_leaves(filters))
    names = [name for name, _ in leaves]
    is_said = all(
        as_text(value).casefold() in all_known for _, value in leaves if value is not None
    )
    return dict(filters) if is_said and len(keep_safe(names, known)) == len(names) else {}


def _leaves(given: object, name: str = "") -> Iterator[tuple[str, Scalar | None]]:
    """Yields each value of filters with its name, None for the value of `exists`."""
    match given:
        case Mapping():
            for key, inner in given.items():
                yield from _leaves(inner, str(key))
        case list() | tuple():
            for inner in given:
                yield from _leaves(inner, name)
        case str() | int() | float():
            yield name, None if name == "exists" else given


def blank_missing(text: str, known: Iterable[str]) -> str:
    """Returns what a grader misses, with words that no `known` text has blanked out.

    The grader has read passages, and may repeat an attacker's words.
    """
    return blank_out(text, (*known, _GRADING)).strip() if text.strip() else ""


def _is_greeting(text: str, user: UserWords) -> bool:
    """Returns whether a text speaks of footnote and the question alone, and not of the world."""
    known = _COURTESY | content_words(" ".join((user.question, *OWN_TEXTS)))
    return _is_plain(text, user) and not numbers(text) and content_words(text) <= known


def _is_question_back(text: str, user: UserWords) -> bool:
    users = content_words(" ".join(user.said))
    earlier = content_words(" ".join(user.known)) - _names(text)
    known = users | earlier | _CLARIFYING | _COURTESY
    figures_are_known = numbers(text) <= numbers(" ".join(user.said))
    return (
        text.endswith(("?", "\uff1f"))
        and _is_plain(text, user)
        and figures_are_known
        and content_words(text) <= known
    )


def _is_plain(text: str, user: UserWords) -> bool:
    is_short = bool(text) and len(text) <= MAX_REPLY and len(sentences(text)) <= MAX_SENTENCES
    return (
        is_short
        and not find_foreign(text, user.said)
        and not is_instruction(text)
        and codes(text) <= codes(" ".join(user.said))
    )


def _names(text: str) -> set[str]:
    """Returns words that are written like names or codes; no earlier answer vouches for them."""
    tokens = (token.strip(".,;:!?()'\"") for token in text.split()[1:])
    return {
        word
        for token in tokens
        if token[:1].isupper() or not token.isalpha()
        for word in content_words(token)
    }
