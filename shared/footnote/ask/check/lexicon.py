"""The words on which the check of a sentence depends: tables, and nothing else.

The tables are in English throughout. Conditions and limits are in German too, negations and
directions in a few languages more; for scales see figures.py. A word in none of these tables is
compared by its stem, and differs from every other.
"""

import re
from collections.abc import Mapping
from decimal import Decimal

from footnote.text.language import STOPWORDS
from footnote.text.terms import ENGLISH_NUMBERS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


UP, DOWN, NOT = "<up>", "<down>", "<not>"
OVER, UNDER, AT_LEAST, AT_MOST = "<over>", "<under>", "<at least>", "<at most>"
MULTIPLES: Mapping[str, Decimal] = {
    "<halved>": Decimal("0.5"),
    "<twofold>": Decimal(2),
    "<threefold>": Decimal(3),
    "<fourfold>": Decimal(4),
}
"""Word for a multiple, as a key → how many times as much it says."""
LIMITS = frozenset({OVER, UNDER, AT_LEAST, AT_MOST})
ABOUT, BECAUSE = "<about>", "<because>"

_NUMBERS = "|".join(name for name, n in ENGLISH_NUMBERS.items() if n)
_BEFORE_A_FIGURE = (
    r"(?=\s+(?:an?\s+)?(?:[$\u20ac\u00a3\u00a5\d]|USD|EUR|GBP|US\$|<about>"
    rf"|(?:{_NUMBERS})\b))"
)
_BEFORE_A_DATE = r"(?=(?: on)? (?:\d|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec))"
_BEFORE_A_MULTIPLE = rf"(?=\s+(?:{'|'.join(MULTIPLES)}))"
_BEFORE_A_SHARE = r"(?=\s+(?:(?:an?|one|the)\s+)?(?:half|third|quarter|fifth|tenth|<\w+ \w+>))"

PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?<![\w<-])(?:{pattern})(?![\w>-])", re.IGNORECASE), f" {key} ")
    for pattern, key in (
        (r"not only", ""),
        (r"(years?|months|weeks|quarters?|period) end(?:ed|ing)" + _BEFORE_A_DATE, r"\1"),
        (r"other than", "except"),
        (
            r"(?:move|propose|demand|request|recommend|suggest|insist)(?:d|s|ed)? that",
            "<wants>",
        ),
        (r"two times", "twice"),
        (r"half a(?= (?:million|billion|percent)\b)", "0.5"),
        (r"(?:one|an?)(?= (?:hundred|thousand|million|billion)\b)", "1"),
        (
            r"(?:fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|neglect(?:s|ed)?) to",
            f"{NOT} <refused>",
        ),
        (r"(all|every|none|nobody|nothing)((?: [a-z]+s)?) but", r"\1\2 except"),
        (r"(a|one) (third|quarter|fifth|tenth)(?= of (?!(?:fiscal )?\d))", r"<one \2>"),
        (
            (
                r"(two|three|four|five|seven|nine)[ -](third|quarter|fourth|fifth|eighth|tenth)s"
                r"(?= of)"
            ),
            r"<\1 \2>",
        ),
        (r"halv(?:ed|es|ing)", "<halved>"),
        (r"doubl(?:ed|es|ing)", "<twofold>"),
        (r"(?:tripl|trebl)(?:ed|es|ing)", "<threefold>"),
        (r"quadrupl(?:ed|es|ing)", "<fourfold>"),
        (
            rf"(?:{_NUMBERS}|\d+) times as (?:many|much|high|large|big|long)(?: as)?",
            "<times as much>",
        ),
        (r"(?:no|not) (?:more|greater|higher|later) than", AT_MOST),
        (r"(?:no|not) (?:less|fewer|lower|earlier) than", AT_LEAST),
        (r"(?:more|greater|higher) than" + _BEFORE_A_FIGURE, OVER),
        (r"more than" + _BEFORE_A_MULTIPLE, OVER),
        (r"(?:less|fewer|lower) than" + _BEFORE_A_FIGURE, UNDER),
        (r"in excess of|exceed(?:s|ed|ing)?", OVER),
        (r"(?:over|above)" + _BEFORE_A_FIGURE, OVER),
        (r"(?:under|below)" + _BEFORE_A_FIGURE, UNDER),
        (r"(?:mehr als|über)" + _BEFORE_A_FIGURE, OVER),
        (r"(?:weniger als|unter)" + _BEFORE_A_FIGURE, UNDER),
        (rf"(?:never|not|{NOT})((?: +[a-z]+){{0,2}}?) +{OVER}", rf"\1 {AT_MOST}"),
        (rf"(?:never|not|{NOT})((?: +[a-z]+){{0,2}}?) +{UNDER}", rf"\1 {AT_LEAST}"),
        (r"at least|a minimum of|mindestens|wenigstens", AT_LEAST),
        (r"(?:up to )?a maximum of|at most|höchstens|maximal|bis zu", AT_MOST),
        (r"up to" + _BEFORE_A_FIGURE, AT_MOST),
        (r"up to" + _BEFORE_A_SHARE, AT_MOST),
        (
            (
                r"(?:about|around|some|roughly|circa|nearly|almost|rund|etwa|ungefähr|knapp)"
                + _BEFORE_A_FIGURE
            ),
            ABOUT,
        ),
        (r"approximately", ABOUT),
        (
            r"(?:primarily|mainly|largely|principally|chiefly|mostly|predominantly)",
            "<mainly>",
        ),
        (
            (
                r"(?:due|owing|thanks|attribut(?:able|ed)) to|because(?: of)?|driven by|caused by"
                r"|as a (?:result|consequence) of|on account of|resulting from|weil|wegen|aufgrund"
            ),
            BECAUSE,
        ),
        (
            (
                r"(?:as )?compar(?:ed|ing) (?:to|with)|versus|vs\.?|relative to|as against"
                r"|in comparison (?:to|with)|(?<!vote )(?<!votes )(?<!voted )against(?= the)"
            ),
            "<compared>",
        ),
        (r"in (?:accordance|line|conformity|compliance) with", "<by>"),
        (r"prior to|before", "<before>"),
        (r"subsequent to|following|after", "<after>"),
        (r"in order to|so as to", "to"),
        (r"(?:with respect|with regard|in regard|in relation|relating|related) to", "<on>"),
        (r"in connection with|regarding|concerning", "<on>"),
        (r"as well as|in addition to|along with|together with", "and"),
        (
            (
                r"year[- ](?:over|on)[- ]year|yoy|the year before|(?:from|than|over|<compared>)"
                r" (?:a year (?:ago|earlier)|(?:the )?(?:prior|previous|last|preceding) year)"
            ),
            "<a year ago>",
        ),
        (r"quarter[- ](?:over|on)[- ]quarter|qoq|sequentially", "<a quarter ago>"),
        (
            r"(?:the )?united states(?: of america)?|u\.s\.a?\.?|usa|(?-i:US)(?!\$)",
            "<United States>",
        ),
        (r"(?:the )?united kingdom|u\.k\.?|great britain|uk", "<United Kingdom>"),
        (r"(?:the )?european union|e\.u\.|eu", "<European Union>"),
        (r"chief executive(?: officer)?", "CEO"),
        (r"chief financial officer", "CFO"),
        (r"cash (?:flows? )?provided by", "cash inflow"),
        (r"cash (?:flows? )?used (?:in|for|by)", "cash outflow"),
        (r"a number of|a variety of|various|several", "<several>"),
        (r"have to|has to|must|(?:is|are) required to|shall", "<must>"),
        (r"(?:is|are|was|were|be|been|being) able to", "can"),
        (r"in addition,|for (?:example|instance),", ""),
        (r"such as|for example|for instance|e\.g\.", "<such as>"),
        (r"(?:this|the current) (?:fiscal )?(year|quarter|month|week)", r"<this \1>"),
        (r"next (?:fiscal )?(year|quarter|month|week)", r"<next \1>"),
        (r"(?:last|previous|prior) (?:fiscal )?(year|quarter|month|week)", r"<last \1>"),
        (r"per cent|pct\.?", "percent"),
        (r"per annum", "<per year>"),
        (
            (
                r"(?:an?|per|each|every) (year|quarter|month|week|day|hour|minute)"
                r"(?! (?:ago|earlier|later|before|and)\b)"
            ),
            r"<per \1>",
        ),
    )
)
"""Phrase → the key it stands for, in this order: later ones see what earlier ones have made."""

NEGATIONS = _words(
    "not no never none nor neither without unable nobody nothing hardly"
    " nicht kein keine keinen keiner keinem nie niemals ohne weder"
    " ne pas aucun aucune jamais sans ningun ninguna ninguno nunca sin"
    " nessun nessuno nessuna mai senza non geen niet nooit zonder nao nenhum nenhuma sem"
)

_DIRECTIONS: Mapping[str, str] = {
    UP: "increase increases increased increasing increasingly rise rises rose risen rising grow"
    " grows grew grown growing growth climb climbs climbed climbing higher up upward upwards expand"
    " expands expanded expanding expansion surge surged surges jump jumped raise raised raises"
    " raising strengthen strengthened stieg steigt gestiegen steigerung erhöht erhöhte zunahme"
    " augmenté augmentation hausse aumentó aumento aumentato crecimiento crescita",
    DOWN: "decrease decreases decreased decreasing decline declines declined declining fall falls"
    " fell fallen falling drop drops dropped dropping reduce reduces reduced reducing reduction"
    " reductions lower down downward downwards shrink shrinks shrank shrunk shrinking contraction"
    " contracted lowered lowering weaken weakened sank sinkt gesunken rückgang verringert"
    " diminué diminution baisse disminuyó disminución diminuito calo",
}
DIRECTIONS: Mapping[str, str] = {
    word: key for key, words in _DIRECTIONS.items() for word in words.split()
}
"""Word → UP or DOWN."""


def _by_word(groups: str) -> dict[str, str]:
    """Maps each word of a line to the line's first word."""
    lines = (line.split() for line in groups.strip().splitlines())
    return {word: line[0] for line in lines for word in line}


SYNONYMS: Mapping[str, str] = _by_word("""
use uses used using utilize utilizes utilized utilizing utilise utilised
begin begins began begun beginning start starts started starting commence commences commenced
end ends ended ending finish finishes finished conclude concludes concluded
buy buys bought purchase purchases purchased acquire acquires acquired acquiring acquisition
sell sells sold
get gets got obtain obtains obtained receive receives received
show shows showed shown indicate indicates indicated
help helps helped assist assists assisted
further additional extra
enough sufficient
big large
entire whole full complete
worldwide globally global
annual annually yearly
staff personnel employee employees worker workers workforce
company companies corporation corporations firm firms corp
client clients customer customers
revenue revenues turnover
allow allows allowed allowing permit permits permitted enable enables enabled
need needs needed require requires required
build builds built construct constructs constructed
make makes made making
give gives gave given provide provides provided providing offer offers offered offering
found founded establish establishes established
study studies studied investigate investigates investigated examine examines examined
ability capability capacity
consider considers considered discuss discusses discussed
manufacture manufactures manufactured produce produces produced
inform informs informed notify notifies notified
terminate terminates terminated cancel cancels cancelled canceled
repair repairs repaired fix fixes fixed
deliver delivers delivered supply supplies supplied
choose elect elects elected
complete completes completed
buyer purchaser
home house
near nearby
reach reaches reached attain attains attained
keep keeps kept retain retains retained
happen happens happened occur occurs occurred
significant significantly substantial substantially considerable considerably
now currently presently
previously formerly
main primary principal
total overall aggregate
partly partially
film movie
car cars automobile automobiles
doctor physician
lawyer attorney
agreement contract
rent rents rented lease leases leased
located based situated headquartered
called named entitled titled
announce announces announced announcement
launch launches launched introduce introduces introduced
pay pays paid paying
spend spends spent spending
lead leads led leading
hold holds held holding
win wins won winning
write writes wrote written writing
become becomes became
choose chooses chose chosen select selects selected
bring brings brought
say says said state states stated
go goes went gone
take takes took taken
know knows knew known
believe believes believed think thinks thought
find finds
lose loses lost
die dies died death
marry marries married marriage
approve approves approved approval
record records recorded recognize recognizes recognized recognise recognises recognised
program programs programme programmes
center centers centre centres
organization organizations organisation organisations
labor labour
favorable favourable
unfavorable unfavourable
often frequently
rarely seldom
kid kids child children
shareholder shareholders stockholder stockholders
incorporated inc
limited ltd
""")
"""Word → the word that stands for all of its meaning or grammar."""

_PAIRS = """
gain loss, profit loss, income loss, income expense, revenue cost, positive negative,
positively negatively, favorable unfavorable, favorably unfavorably, include exclude,
inflow outflow, asset liability, surplus deficit, success failure, successful unsuccessful,
advantage disadvantage, <up> <down>, <over> <under>, <at least> <at most>,
<before> <after>, <over> <at most>, <under> <at least>, early late, earlier later, old young,
old new, older younger, large small, larger smaller, largest smallest, high low, highest lowest,
more less, more fewer, most least, strong weak, stronger weaker, stronger weaken, best worst,
better worse,
first last, begin stop, advance arrears, maximum minimum,
buy sell, audited unaudited, lend borrow, credit debit,
receivable payable, accept reject, approve deny, allow prohibit, win lose, open close,
enter leave, import export, long short, majority minority, always never, all no, all none,
all some, domestic foreign, domestic international, short-term long-term, current non-current,
taxable tax-exempt, public private, permanent temporary, mandatory optional, buyer seller,
lender borrower, lessor lessee, landlord tenant, employer employee, plaintiff defendant,
guilty innocent, north south, east west, left right, male female, men women, day night,
inside outside, internal external, direct indirect, basic diluted
"""


def _opposites(pairs: str) -> dict[str, frozenset[str]]:
    made: dict[str, set[str]] = {}
    for pair in pairs.split(","):
        # an opposite that is written with a blank is one key: "<at least>"
        one, other = re.findall(r"<[^<>]+>|\S+", pair)
        made.setdefault(one, set()).add(other)
        made.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in made.items()}


OPPOSITES: Mapping[str, frozenset[str]] = _opposites(_PAIRS)
"""Key or stem → those that say the contrary."""

HEDGES = _words(
    "will shall can could may might would should if unless expect expects expected anticipate"
    " anticipates anticipated plan plans planned intend intends intended propose proposed proposes"
    " seek seeks potential potentially possible possibly probable probably likely"
    " unlikely alleged allegedly"
    " reportedly estimated projected forecast target targeted hopes hoped aims aimed tries tried"
    " attempt attempted deny denies denied false falsely hypothetical hypothetically except"
    " whether ask asks asked doubt doubts doubted dispute disputes disputed wrong untrue incorrect"
    " wants almost nearly virtually postpone postpones postponed postponing"
    " wenn falls sofern ob kann können könnte könnten dürfte soll sollen sollte sollten"
    " würde voraussichtlich geplant angeblich vielleicht möglicherweise wahrscheinlich bestreitet"
    " bezweifelt bestritt bezweifelte"
)
"""Words without which a statement would be firmer."""

DENIALS = _words(
    "false untrue wrong incorrect withdrawn disproved disproven refuted unknown unproven unfounded"
    " against rumour rumor myth according subject pending assuming widerlegt falsch unbekannt"
)
"""Words that may take a statement back, wherever they stand in its sentence."""

NEGATIVE = frozenset(
    {"loss", "lose", "expens", "outflow", "deficit", "negativ", "cost", "outlay", DOWN}
)
"""Keys of words by which a figure is below zero, or to be subtracted."""

STRINGS = _words("if unless provided except wenn falls sofern")
"""Words that let a statement hold in some cases only."""

CONDITIONS = _words(
    "if unless except provided only when until but however not"
    " wenn falls sofern solange soweit nur bis außer aber nicht"
)
"""Words behind a statement that may take it back."""

RESTRICTIONS = _words(
    "non-gaap adjusted pro-forma comparable organic diluted deferred former acting interim"
    " unaudited preliminary partial partially only half quarter some few certain most nur"
)
"""Modifiers whose omission makes a statement wider."""

GENERIC = _words(
    "company group business firm organization corporation document report filing file text passage"
    " source statement according noted reports stated says said amounted amount came stood totaled"
    " totalled figure value number year period quarter"
)
"""Words that a sentence may add without saying more."""

LITTLE = (
    STOPWORDS["en"]
    - _words("all any some more most no not other such than before after under may can could")
    - _words("would should might will if")
) | _words(
    "fiscal year years period am being itself themselves upon onto into per via within"
    " during through throughout between among amongst while whereas respectively also additionally"
    " moreover however furthermore thereby therefore thus hence approximately both us me him"
    " my mine ours yours theirs whom is isn nevertheless nonetheless besides indeed still dr prof"
)
"""Words that carry no part of a statement; of these, only `RELATIONS` are compared."""

PRONOUNS = _words("it he she they we i you")
POSSESSIVES = _words("my our your their its his her")
_PREPOSITIONS = _words("of in on at by for from with to into as about among per or that be is was")
RELATIONS: Mapping[str, str] = {
    word: word for word in PRONOUNS | POSSESSIVES | _PREPOSITIONS
} | _by_word("""
in during throughout within im
on upon onto an auf
at bei
by durch
for für
from von vom aus
to zu zum zur
with mit
among amongst between
per via through
as als
or oder
be been being
is are am
was were
that which who whom where
he him
they them
we us
i me
my mine
our ours
your yours
their theirs
""")
"""Little word → the relation that it says between the words around it."""
