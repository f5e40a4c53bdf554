"""The fingerprint of vectors: only vectors with equal fingerprints are compared."""

from footnote.model.identity import Value, digest


class Fingerprint(Value):
    """Names the model and settings that make an index generation's vectors.

    `document` and `query` are the input types or prefixes that tell the model a text's kind; ""
    where the model takes none. `short` is true where the model's own vectors are wider.
    """

    model: str
    dimensions: int
    revision: str = ""
    quantisation: str = "float32"
    document: str = ""
    query: str = ""
    short: bool = False
    bound: bool = False
    """The model's name stands for its bytes, so it is unique without more."""

    @property
    def name(self) -> str:
        """The vectors' name in the index and in caches: another name, another field and folder."""
        return self.model if self.bound else f"{self.model}-{digest(self.told)[:8]}"

    @property
    def told(self) -> str:
        """The fingerprint in one line, for a generation's record and for errors."""
        width = f"{self.dimensions} dimensions" + (", shortened" if self.short else "")
        kinds = f"document as '{self.document}', query as '{self.query}'"
        if not (self.document or self.query):
            kinds = "one type of input"
        revision = f"revision {self.revision}" if self.revision else "no revision told"
        return f"{self.model}; {revision}; {self.quantisation}; {width}; {kinds}"
