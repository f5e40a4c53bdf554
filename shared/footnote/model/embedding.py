"""What vectors are made with: only where all of it is equal are they compared with each other."""

from footnote.model.identity import Value, digest


class Fingerprint(Value):
    """Says what makes the vectors of an index generation.

    `document` and `query` say how the model is told what a text is: an input type, or a prefix.
    Where it is told nothing they are empty. `short` is true where the model's own vectors are
    wider.
    """

    model: str
    dimensions: int
    revision: str = ""
    quantisation: str = "float32"
    document: str = ""
    query: str = ""
    short: bool = False
    bound: bool = False
    """The model's name stands for its bytes, so it needs nothing added to be unique."""

    @property
    def name(self) -> str:
        """Names the vectors in the index and in caches: another name, another field and folder."""
        return self.model if self.bound else f"{self.model}-{digest(self.told)[:8]}"

    @property
    def told(self) -> str:
        """Says it all in one line, as a generation records it and errors show it."""
        width = f"{self.dimensions} dimensions" + (", shortened" if self.short else "")
        kinds = f"document as '{self.document}', query as '{self.query}'"
        if not (self.document or self.query):
            kinds = "one type of input"
        revision = f"revision {self.revision}" if self.revision else "no revision told"
        return f"{self.model}; {revision}; {self.quantisation}; {width}; {kinds}"
