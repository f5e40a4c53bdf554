"""What documents that mean to instruct an answering system say in English, as regular expressions
over words in small letters with one blank between them.

Each names the system, its instructions, its answers or its sources: that is what tells it from an
instruction for people. Repetitions are bounded, so that time grows with the text and no faster.
"""

_NOT = r"(?<!not )(?<!never )(?<!n t )(?<!cannot )(?<!ont )"
_DROP = (
    rf"{_NOT}\b(?:ignore|ignoring|disregard|disregarding|forget|override|overrule|bypass|neglect"
    r"|discard|(?:pay )?no attention to|set aside|do not (?:follow|obey|heed)"
    r"|don t (?:follow|obey|heed)|stop (?:following|obeying)) "
)
_ANY = r"(?:(?:all|any|each|every|of|the|these|those|this|that|my|your|our|its|other|and|or) ){0,5}"
_EARLIER = (
    r"(?:previous|previously given|prior|earlier|preceding|above|foregoing|former|original|initial"
    r"|system|developer|aforementioned|hidden|built in)"
)
_TOLD = (
    r"(?:instructions?|prompts?|rules?|guidelines?|guardrails?|directions|directives?|commands?"
    r"|constraints?|restrictions?|programming|orders)"
)
_ASKED = r"(?:question|query|querie|prompt|message|input)s?"
_REPLY = r"(?:answer|reply|response|output|completion|summary)"
_SAY = r"(?:answer|respond|reply|say|claim|state|output|write|print|repeat|return|insist)"
_US = r"(?:ai|a i|llm|language model|chat ?bot|chatgpt|gpt|claude|gemini|copilot|assistant|bot)s?"

ENGLISH = (
    # drop what you were told
    rf"{_DROP}{_ANY}(?:and )?{_EARLIER} (?:and {_EARLIER} )?(?:\w+ ){{0,2}}{_TOLD}\b",
    (
        rf"{_NOT}\b(?:ignore|disregard|forget) (?:all|any|every|each) (?:of )?(?:the |these |those )?"
        r"(?:other )?(?:instructions|rules|guidelines|prompts|guardrails|directives)\b"
    ),
    rf"{_DROP}(?:all |any |everything in )?(?:of )?your (?:\w+ ){{0,2}}(?:{_TOLD}|training)\b",
    (
        rf"{_DROP}(?:everything|anything|all|whatever|what) (?:that )?(?:(?:you|i|we|they|has|have|had"
        r"|been|were|was|is|else) ){0,4}(?:above|before|told|said|written|previously|earlier|so far"
        r"|learned|learnt|know|knew)\b"
    ),
    rf"{_DROP}(?:the |all )?(?:above|foregoing|preceding)(?: (?:and|instructions?|text|prompt)\b|$)",
    rf"{_DROP}(?:the |this |all |any )?(?:users? |user s )(?:\w+ )?(?:{_ASKED}|requests?)\b",
    rf"{_DROP}(?:the |all |any )?(?:other |remaining |real |actual )(?:passages?|sources?|{_ASKED})\b",
    (
        rf"\b(?:new|updated|real|actual|true|secret|hidden) (?:system )?(?:instructions?|prompt)"
        r" (?:for you|follow|you|your|override|begin|is|are to)\b"
    ),
    # reveal it
    (
        r"\b(?:reveal|print|show|repeat|output|display|disclose|leak|expose|recite|translate|summari[sz]e"
        r"|tell (?:me|us)|give (?:me|us)|what (?:is|are|was|were)) (?:(?:me|us|back|out|verbatim|all|of"
        r"|the|its|full|exact|entire|whole) ){0,4}(?:your|hidden|secret|system) (?:\w+ ){0,2}"
        r"(?:prompt|instructions|programming|guidelines)\b"
    ),
    (
        r"^(?:(?:the|new|begin|end|start|of|updated|override) ){0,3}system (?:prompt|override)\b"
        r"(?! (?:is|was|are|that|which|for|of|in|on|has|contains|consists|defines))"
    ),
    (
        r"\b(?:ignore|reveal|print|show|repeat|output|override|replace|change|leak|display|disclose)"
        r" (?:\w+ ){0,4}system prompt\b"
    ),
    # answer as this says
    (
        rf"{_NOT}\b(?:answer|respond|reply)(?: to)? (?:only )?(?:every|any|all|each|whatever|the)"
        rf" (?:of )?(?:\w+ ){{0,2}}{_ASKED} (?:\w+ ){{0,3}}(?:with|by saying|by stating|using only)\b"
    ),
    (
        rf"{_NOT}\b(?:answer|respond|reply) (?:to )?(?:everything|anything|everyone|all users|the user)"
        r" (?:\w+ ){0,2}(?:with|by|in)\b"
    ),
    (
        rf"{_NOT}\b(?:always|only|simply|just|must|now|solely|exclusively|instead|you (?:will|must|should"
        r"|shall)|and|please|then) (?:only |always |just )?(?:answer|respond|reply) (?:only |with only |"
        r"just |solely |exclusively |always |instead |with nothing but |nothing but )"
        r"(?:with|in|by|the|using|that|yes|no|as)\b"
    ),
    (
        r"^(?:please )?(?:answer|respond|reply|output|say|print|return) (?:only|nothing but|with only"
        r"|exclusively|solely|nothing except|just) (?:with|in|the|by|this|a|one|yes|no)\b"
    ),
    rf"\b(?:always|only) (?:answer|respond|reply) (?:with|that|in|by|as|like|\d+)\b",
    (
        r"\b(?:say|output|repeat|respond with|reply with|answer with|answer) (?:only |just )?the"
        r" (?:single |exact |secret |following |magic |code )*(?:word|phrase|string|token|sentence)s?\b"
    ),
    (
        rf"\b(?:begin|start|end|finish|conclude|close|prefix|precede|append|add|include|insert|put|place"
        rf"|embed|attach) (?:\w+ ){{0,8}}(?:(?:to|in|into|at the end of|after|before|of) )?(?:every|each"
        rf"|all|any|your) (?:of your )?(?:final |next )?(?:{_REPLY}s?|answers|replies|summaries)\b"
    ),
    (
        rf"\b(?:in|to|of) your (?:final |next |own )?(?:answer|output|summary) (?:to the user|you|must"
        r"|please|include|say|mention)\b"
    ),
    (
        rf"\byour (?:final |next |only |first )?{_REPLY} (?:must|should|shall|has to|is to|will) (?:only"
        r"|always|just|now|be exactly|be only|begin|start|end|say|consist|claim|state that)\b"
    ),
    (
        rf"\b(?:the |your )?(?:correct |right |only |true |final )?answer to (?:every|all|any|each"
        rf"|whatever|this|the user s) (?:\w+ )?{_ASKED} (?:is|must|should|shall|will)\b"
    ),
    (
        rf"\b(?:if|when|whenever|once|should) (?:you are |you re |you get |someone |somebody |anyone"
        rf" |anybody |the user |a user |users |the reader )?(?:be )?(?:ask|asks|asked|queried|prompted)"
        rf"(?: (?!and|for a|to|by the)\w+){{0,14}} (?:you (?:must|should|will) |always |only |just"
        rf" |simply |instead |please )?{_SAY} (?:only |just |with |that |it |the |yes|no\b|in |nothing|\d)"
    ),
    # be somebody else
    (
        r"\byou are (?:now|henceforth|from now on) (?:called|named|acting as|playing|operating as|free (?:of"
        r"|from)|unbound|unrestricted|uncensored|jailbroken|dan|evil|no longer (?:an?|bound)|in (?:developer"
        r"|debug|god|dan|jailbreak|unrestricted) mode|going to (?:answer|act|be|ignore)|(?:an?|the|my|our)"
        r" (?!member|customer|user|owner|holder|licen\w+|regist\w+|authori\w+|certified|qualified|share"
        r"|party|partner|parent|citizen|resident|student|employee|first|last|next|main|default|proud"
        r"|beneficiary|director|trustee|tenant|subscriber|part\b|step|same|full|fellow|new)\w+)"
    ),
    (
        r"\byou are (?:no longer|not) bound by (?:your|any|these|the|all) (?:\w+ )?(?:rules|guidelines"
        r"|instructions|restrictions|prompt)\b"
    ),
    (
        r"\byou are (?:now )?(?:an? |the )?(?:\w+ ){0,2}(?:ai|llm|language model|chat ?bot|dan|jailbroken"
        r"|unrestricted|uncensored|unfiltered)\b"
    ),
    (
        rf"\bas an? (?:ai|llm|(?:large )?language model|chat ?bot|ai (?:language )?(?:model|assistant))\b"
        r"(?: you| i| we| it|$| and| please| which| that| do| your)"
    ),
    (
        r"\b(?:act|behave|respond|reply|answer|talk|speak|write|pretend|roleplay|role play)(?: as)?"
        r"(?: if you (?:are|were|have)| as (?:an? )?| to be (?:an? )?| you are (?:an? )?| like (?:an? )?)"
        r" ?(?:\w+ )?(?:pirate|ai|assistant|dan|hacker|terminal|unrestricted|uncensored|evil|jailbroken"
        r"|no rules|no restrictions|chat ?bot|different (?:ai|model|assistant|system|bot)|poet|bot)\b"
    ),
    r"\bpretend (?:that )?(?:you|there are no|the (?:documents|passages|sources))\b",
    (
        r"\bfrom (?:now|here|this point|this moment) (?:on|onwards?|forward)(?: you (?:are|will (?:only|"
        r"always|answer|respond|reply|be|act)|must (?:only|always|answer|respond|reply|ignore|act|say))"
        r"| (?:only |always )?(?:answer|respond|reply|ignore|say|output|all (?:answers|replies|questions)"
        r"|every (?:answer|reply|question)))\b"
    ),
    (
        r"\b(?:enable|enter|activate|switch (?:in)?to|you are in|turn on) (?:the )?(?:developer|debug|god"
        r"|dan|jailbreak|unrestricted|admin|sudo) mode (?:and|where|without|now|in which|so)\b"
    ),
    r"\b(?:jailbreak|do anything now)\b",
    (
        rf"\b(?:attention|dear|hey|hello|hi|note to|notice to|message (?:to|for)|instructions? (?:to|for)"
        rf"|important for|warning to|memo to) (?:the |any |all |every )?(?:\w+ )?{_US}"
        r"(?: \w+)? (?:you|please|when|if|that|reading|ignore|do|who|which|must|should|your|only|always"
        r"|this|processing|summari[sz]ing|answering|say|answer|rank|rate|mark|treat|tell|include)\b"
    ),
    rf"\bif you are (?:an? |the )?(?:\w+ )?(?:{_US}|automated system)\b",
    (
        r"\b(?:the |any )?(?:ai|language model|llm|chat ?bot)(?: \w+)? (?:must|should|shall|has to"
        r"|is to|will) (?:now |always |only |then |instead )*(?:answer|reply|respond|say|ignore|output"
        r"|claim|tell|cite|state|recommend|mention|conclude)\b"
    ),
    # leave out the sources, trust this one
    (
        r"\b(?:do not|don t|dont|never|without|stop|must not|no need to) (?:ever )?(?:cite|citing|mention"
        r"|mentioning|giv(?:e|ing)|add|adding|includ(?:e|ing)|show|showing|provid(?:e|ing)|quot(?:e|ing)"
        r"|nam(?:e|ing)|us(?:e|ing)|refer(?:ence|encing)?(?: to)?) (?:any |your |the |a |an |it s |its )*"
        r"(?:sources?|citations?|citation markers?|markers?|footnotes?|references|passage numbers?)"
        r"(?:$| (?:and|or|in (?:your|the|any)|when answering|at all|whatsoever|for (?:your|any|this)))"
    ),
    r"\b(?:cite|quote|give|mention|name|use|with|include) no (?:sources?|citations?|references)\b",
    (
        r"\b(?:omit|drop|skip|remove|suppress|leave out) (?:all |any |the |your )*(?:citations?|citation"
        r" markers?|source markers?|markers?)\b"
    ),
    (
        r"\b(?:cite|quote|trust|believe|use|follow|obey) (?:only|nothing but|just) (?:to )?(?:this|these)"
        r" (?:document|passage|file|page|text|source|instruction|paragraph)s?\b(?! (?:and|when|for|in|if))"
    ),
    (
        r"\b(?:only|always) (?:cite|trust|believe|obey|follow) this (?:document|passage|file|page|text"
        r"|source|paragraph)\b"
    ),
    (
        r"\b(?:treat|consider|regard|rank|rate|score|grade|mark|judge) (?:this|these|the (?:following"
        r"|above)|every|all) (?:document|passage|file|text|source|paragraph|evidence|answer|sub question)s?"
        r" (?:\w+ ){0,4}(?:authoritative|trusted|first|highest|enough|verified|relevant|correct|perfect"
        r"|sufficient|only truth|maximum|100|1|ten|10)\b"
    ),
    (
        r"\b(?:set|report|give|return|claim) (?:\w+ )?(?:the |your |a )?confidence(?: score)? (?:to|of|as|is)"
        r" (?:1|100|one|full|maximum|high)\b"
    ),
    # deceive, leak
    (
        r"\b(?:do not|don t|dont|never|without) (?:tell|inform|alert|warn|notify|telling|informing|alerting"
        r"|warning|notifying) (?:the |any |your )?users?\b"
    ),
    (
        r"^(?:please |now |then |instead )?(?:tell|inform|convince|persuade|assure) the user (?:that|to"
        r" (?:visit|click|call|send|transfer|pay|open|download|enter|provide|contact|go))\b"
    ),
    (
        r"\b(?:send|forward|post|upload|transmit|e ?mail|exfiltrate|append|leak) (?:the |this |all |your"
        r" |our |whole |entire |full |of |user s )*(?:conversation|chat(?: history)?|context window|prompts?"
        r"|user s? ?questions?|user data|message history|system prompt|conversation history)\b"
    ),
    (
        r"\b(?:call|invoke|use|execute|run) the (?:\w+ )?(?:function|tool) (?:\w+ )?(?:with|to (?:send|delete"
        r"|leak|exfiltrate|forward))\b(?=.*\b(?:user|conversation|prompt|secret|all|every)\b)"
    ),
)

RUN_TOGETHER = (
    (
        r"(?<!not)(?<!never)(?<!dont)(?:ignore|disregard|forget|override|bypass)(?:all|any|every|the|your"
        r"|these|those|of|my|other)*(?:(?:previous|prior|earlier|preceding|above|foregoing|original|system)"
        r"(?:system|safety)?(?:instruction|prompt|rule|guideline|directive|command)|(?:your)(?:instruction"
        r"|prompt|rule|guideline))"
    ),
    r"(?:ignore|disregard|forget)(?:all|any|every)(?:the|of|your|these)*(?:instructions|rules|guidelines)",
    (
        r"(?:answer|respond|reply)(?:to)?(?:every|all|any|each)(?:of)?(?:the|these|your|user)*(?:question"
        r"|query|queries|prompt)s?(?:only|just)?with(?!in|out)"
    ),
    r"(?:answer|respond|reply)only(?:with|in|the)",
    r"youarenow(?:a|an)?(?:pirate|dan|unrestricted|jailbroken|ai)",
    r"(?:reveal|ignore|print|repeat|show|output)(?:me|us|the|your|full)*systemprompt",
)
"""For text without any blank: what was written with blanks between its letters."""
