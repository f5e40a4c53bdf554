"""footnote: answers from your own documents, every sentence with a checked pointer to its page."""

__version__ = "0.1.0"
