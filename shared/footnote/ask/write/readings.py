"""Cuts a claim into the sentences that are checked one by one."""

from footnote.ask.write.claims import Claim
from footnote.ask.write.not_said import is_denial
from footnote.ask.write.sources import Sources
from footnote.text.quotes import locate
from footnote.text.sentences import sentences


def cut(claim: Claim, sources: Sources) -> list[Claim]:
    """Cuts a claim into its sentences. All cite what stands at its end.

    One that stands verbatim in a passage remains whole. A sentence that denies cites nothing.
    """
    spans = sentences(claim.text)
    if len(spans) < 2 or any(locate(claim.text, said) for said in sources.texts(claim.markers)):
        return [claim]
    found = [
        claim._replace(text=claim.text[start:end], new_line=claim.new_line and not n)
        for n, (start, end) in enumerate(spans)
    ]
    *before, last = found
    return [*(one._replace(markers=()) if is_denial(one.text) else one for one in before), last]
