"""The commonest of the same in other languages: German, French, Spanish, Portuguese, Italian, Dutch,
Polish, Russian, Chinese, Japanese, Korean. Letters stand without accents, as `spoken` leaves them.
"""

OTHERS = (
    # German
    (
        r"\b(?:ignorier|missacht|vergiss|vergesse|verwirf|ubergeh|uberschreib)\w*(?: sie)? (?!keine)"
        r"(?:\w+ ){0,5}(?:anweisung|instruktion|regel|vorgabe|befehl|prompt|richtlinie|anleitung)\w*\b"
        r"(?<=n)(?! (?:ist|sind|wird|werden|fuhrt|kann))"
    ),
    (
        r"\b(?:be)?antworte(?:n sie)? (?:\w+ )?(?:(?:immer|nur|ausschliesslich|stets|ab jetzt|ab sofort"
        r"|noch) ){1,3}(?:auf \w+ \w+ )?(?:mit|in|dass|das|den)\b"
    ),
    (
        r"\b(?:be)?antworte(?:n sie)? (?:auf )?(?:jede\w*|alle|samtliche) (?:\w+ )?frage\w* (?:\w+ ){0,2}"
        r"(?:mit|nur|stets|immer)\b(?! (?:ja|nein|einem kreuz))"
    ),
    r"\bdu bist (?:jetzt|nun|ab jetzt|ab sofort|von nun an|kein\w*|ein ki|eine ki)\b",
    r"\b(?:ab|von) (?:jetzt|sofort|nun)(?: an)? (?:antworte|bist du|sagst du|antwortest|ignorier)\w*\b",
    r"\b(?:nenne|zitiere|gib|erwahne)(?: sie)? (?:keine|nie) (?:quelle|beleg|zitat|fundstelle)\w*\b",
    r"\bgib (?:nur|ausschliesslich|lediglich) (?:\w+ ){1,6}(?:aus|zuruck)\b",
    r"\bverrate (?:mir |uns )?(?:deine|den|die) (?:\w+ )?(?:system ?prompt|anweisungen)\b",
    # French
    (
        r"\b(?:ignor|oubli|neglig)(?:e|ez|er|ons) (?:\w+ ){0,4}(?:instruction|consigne|regle|directive"
        r"|ordre|commande)s?(?: \w+){0,2} (?:precedent|anterieur|ci dessus|initial|systeme|ulterieur)\w*"
    ),
    r"\b(?:ne )?(?:tiens|tenez) (?:pas|aucun) compte (?:\w+ ){0,4}(?:instruction|consigne|regle)s?\b",
    (
        r"\b(?:ignor|oubli)(?:e|ez) (?:toutes )?(?:tes|vos|toutes les|tout ce qui precede)(?: \w+)?"
        r" ?(?:instructions|consignes|regles|$)"
    ),
    (
        r"\brepond(?:s|ez|re) (?:\w+ )?(?:uniquement|seulement|toujours|exclusivement|desormais)"
        r" (?:par|avec|en|que|au|a)\b"
    ),
    (
        r"\brepond(?:s|ez|re) a (?:toutes? (?:les )?|chaque |n importe quelle )questions? (?:\w+ ){0,2}"
        r"(?:par|avec)\b"
    ),
    (
        r"\btu es (?:maintenant|desormais|a present)\b|\bvous etes (?:maintenant|desormais) (?:une? )?"
        r"(?:ia|pirate|assistant|modele|robot|chatbot)\b"
    ),
    (
        r"\b(?:ne )?(?:cite|citez|mentionne|mentionnez|donne|donnez) (?:aucune?|pas (?:de|les|tes|vos))"
        r" (?:source|reference|citation)s?\b"
    ),
    # Spanish and Portuguese
    (
        r"(?<!no )(?<!nao )\b(?:ignor|olvid|omit|desatiend|desconsider|descart|esquec)(?:a|e|en|es|em|as"
        r"|ar|elle|i|o)\b (?:\w+ ){0,4}(?:instruc(?:cion|tion|c?o)es|reglas|regras|indicaciones|ordenes"
        r"|ordens|directrices|diretrizes|comandos)(?: \w+){0,2} (?:anterior\w*|previ[ao]s|de arriba|acima"
        r"|iniciales|del sistema|do sistema|precedentes)\b"
    ),
    r"\bha[zg]a?n? caso omiso (?:\w+ ){0,3}(?:instrucciones|reglas|indicaciones)\b",
    (
        r"\brespond(?:e|a|er|an) (?:\w+ )?(?:solo|solamente|unicamente|siempre|exclusivamente|apenas"
        r"|somente|sempre) (?:con|com|en|em|que|la|a|o)\b"
    ),
    (
        r"\brespond(?:e|a|er|an) a (?:todas? (?:las |as )?|cada |cualquier |qualquer )(?:pregunta|pergunta)s?"
        r" (?:\w+ ){0,2}(?:con|com)\b"
    ),
    (
        r"\b(?:ahora eres|a partir de ahora (?:eres|responde|seras)|agora (?:voce e|tu es)|a partir de"
        r" agora (?:voce|responda))\b"
    ),
    (
        r"\bn(?:o|ao) (?:cites|cite|citar|menciones|mencione|indiques) (?:ninguna |nenhuma |las |as |los |os"
        r" |tus )?(?:fuente|fonte|referencia|cita)s?\b"
    ),
    # Italian
    (
        r"(?<!non )\b(?:ignor|dimentic|trascur)(?:a|ate|are|hi) (?:\w+ ){0,4}(?:istruzioni|regole"
        r"|indicazioni|direttive|comandi)(?: \w+){0,2} (?:precedent[ei]|sopra|iniziali|di sistema)\b"
    ),
    (
        r"\brispond(?:i|ete|ere|a) (?:\w+ )?(?:solo|soltanto|sempre|unicamente|esclusivamente) (?:con|in|che"
        r"|la)\b"
    ),
    r"\brispond(?:i|ete|ere|a) a (?:tutte le|ogni|qualsiasi) domand[ae] (?:\w+ ){0,2}con\b",
    r"\b(?:ora|adesso) sei (?:un|una|il|libero)\b|\bd ora in poi (?:sei|rispondi|ignora)\b",
    r"\bnon (?:citare|menzionare|indicare) (?:alcuna |nessuna |le |la )?font[ei]\b",
    # Dutch and Polish
    (
        r"\b(?:negeer|vergeet|veronachtzaam) (?:\w+ ){0,3}(?:vorige|eerdere|voorgaande|bovenstaande|alle|je)"
        r" (?:\w+ ){0,2}(?:instructies|aanwijzingen|regels|opdrachten|richtlijnen)\b"
    ),
    (
        r"\b(?:be)?antwoord (?:altijd|alleen|uitsluitend|voortaan|(?:op )?(?:elke|iedere|alle) vra\w+) (?:\w+"
        r" ){0,2}?(?:met|in|dat)\b|\bje bent (?:nu|vanaf nu) (?:een|geen)\b|\bnoem geen bronnen\b"
    ),
    (
        r"\b(?:zignoruj|ignoruj|zapomnij|pomin)\w* (?:\w+ ){0,3}(?:poprzedni|wczesniejsz|powyzsz|wszystki)\w*"
        r" (?:\w+ ){0,2}(?:instrukcj|polecen|zasad|regu)\w*"
    ),
    r"\bodpowiadaj (?:tylko|zawsze|wyłącznie|wylacznie|na (?:kazde|wszystkie))\b|\bjestes teraz\b",
    # Russian
    (
        r"\b(?:игнорируи|забудь|отбрось|не обращаи внимания на)\w* (?:\w+ ){0,4}(?:инструкци|указани|правил"
        r"|команд|предписани)\w*"
    ),
    (
        r"\bотвечаи\w* (?:только|всегда|на (?:все|кажды|любо)\w*)\b|\bты теперь\b|\bне (?:указываи|упоминаи)"
        r"\w* источник\w*"
    ),
    # Chinese, Japanese, Korean: no blanks between words
    (
        r"(?:忽略|无视|忽視|無視|忘记|忘記|不要理会|不要遵守)[^ ]{0,8}(?:之前|以上|先前|前面|此前|上述|所有|一切|系统)[^ ]{0,8}"
        r"(?:指令|指示|说明|說明|提示|规则|規則|命令|要求)"
    ),
    (
        r"(?:你|您)(?:现在|現在|从现在起|從現在起)是|(?:只|仅|僅)(?:回答|回复|回覆|输出|輸出)|(?:不要|请勿|無需|无需)(?:引用|注明)"
        r"[^ ]{0,4}(?:来源|來源|出处)|(?:用|以)[^ ]{1,20}回答(?:所有|每个|每一个|任何)(?:问题|問題)"
    ),
    r"(?:以前|これまて|今まて|上記|前|すへて|全て)[^ ]{0,8}(?:指示|命令|指令|フロンフト|ルール|規則)[^ ]{0,6}(?:無視|忘れ)",
    r"(?:이전|위의|앞의|모든)[^.]{0,12}(?:지시|명령|지침|프롬프트|규칙)[^.]{0,4}(?:무시|잊)",
)
