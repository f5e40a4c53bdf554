"""Recognises questions for all that somebody must do: "What are the duties of the tenant?"."""

import re

from footnote.text.terms import terms

_DUTIES = r"(?:obligations|duties|responsibilities|commitments)"
_ENGLISH = re.compile(
    rf"(?:what|which) are (?:all )?(?:of )?(?:the )?(?:main |key )?{_DUTIES} of (?P<of>.{{2,100}})"
    rf"|what are (?:all )?(?:of )?(?P<own>.{{2,100}}?)['\u2019]s? (?:main |key )?{_DUTIES}"
    rf"|(?:what|which) {_DUTIES} (?:does|do) (?P<have>.{{2,100}}?) (?:have|bear|assume|take on)"
    r"|what (?:must|shall) (?P<must>(?!not\b).{2,100}?) do"
    r"|what (?:does|do) (?P<has>.{2,100}?) (?:have|need) to do"
    r"|what (?:is|are) (?P<bound>.{2,100}?) (?:obliged|required|obligated|bound) to do"
    r"|what (?:is|are) (?P<charged>.{2,100}?) responsible for",
    re.IGNORECASE,
)
_PFLICHTEN = r"(?:ver)?pflicht(?:ung)?en"
_GERMAN = re.compile(
    rf"welche {_PFLICHTEN} (?:hat|haben|\u00fcbernimmt|\u00fcbernehmen|treffen) (?P<hat>.{{2,100}})"
    r"|was (?:alles )?(?:muss|m\u00fcssen) (?P<muss>.{2,100}?) (?:alles )?"
    r"(?:tun|machen|leisten|erf\u00fcllen)"
    r"|wozu (?:ist|sind) (?P<ist>.{2,100}?) verpflichtet"
    r"|wozu verpflichte[nt] sich (?P<sich>.{2,100})"
    r"|wof\u00fcr (?:ist|sind) (?P<fuer>.{2,100}?) verantwortlich",
    re.IGNORECASE,
)
_IN_A_CASE = re.compile(
    r"\b(?:regarding|concerning|about|when|if|as|during|after|before|while|bei|wenn|falls|w\u00e4hrend"
    r"|nach|vor|bez\u00fcglich|in case|im fall\w*)\b",
    re.IGNORECASE,
)


def duty_topic(question: str) -> str:
    """Returns "obligations of the tenant" of a question for all duties of one; "" of any other.

    What one must do in a certain case is another question: a passage says it.
    """
    plain = " ".join(question.split()).strip(" ?!.")
    for form, topic in ((_ENGLISH, "obligations of {}"), (_GERMAN, "Pflichten: {}")):
        if asked := form.fullmatch(plain):
            who = next(filter(None, asked.groupdict().values())).strip()
            return topic.format(who) if terms(who) and not _IN_A_CASE.search(who) else ""
    return ""
