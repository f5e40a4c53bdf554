"""The German of what footnote says by itself, by its English form, and of what it counts.

What is counted is in the dative, behind "von" and "in", except for items and sentences.
"""

NOUNS = {
    "document": ("Dokument", "Dokumenten"),
    "file": ("Datei", "Dateien"),
    "report": ("Bericht", "Berichten"),
    "contract": ("Vertrag", "Vertr\u00e4gen"),
    "agreement": ("Vereinbarung", "Vereinbarungen"),
    "invoice": ("Rechnung", "Rechnungen"),
    "letter": ("Brief", "Briefen"),
    "policy": ("Richtlinie", "Richtlinien"),
    "minute": ("Protokoll", "Protokollen"),
    "item": ("Eintrag", "Eintr\u00e4ge"),
    "sentence": ("Satz", "S\u00e4tze"),
    "line": ("Zeile", "Zeilen"),
}
GERMAN = {
    # -- a scope that was read whole
    "Key sentences of {named}, {sentences} in all. {read}": (
        "Kerns\u00e4tze aus {named}, zusammen {sentences}. {read}"
    ),
    "{found} of {of} has \u201c{topic}\u201d. {read}{more}": (
        "\u201e{topic}\u201c steht in {found} von {of}. {read}{more}"
    ),
    "{found} of {of} have \u201c{topic}\u201d. {read}{more}": (
        "\u201e{topic}\u201c steht in {found} von {of}. {read}{more}"
    ),
    "{items} for \u201c{topic}\u201d, in {found} of {of}. {read}{more}": (
        "{items} zu \u201e{topic}\u201c, in {found} von {of}. {read}{more}"
    ),
    " The first {shown} are shown.": " Gezeigt werden die ersten {shown}.",
    "Neither the model nor the rules have found anything for \u201c{topic}\u201d.": (
        "Weder das Modell noch die Regeln haben etwas zu \u201e{topic}\u201c gefunden."
    ),
    "The model that has read the documents has found nothing for \u201c{topic}\u201d.": (
        "Das Modell, das die Dokumente gelesen hat, hat nichts zu \u201e{topic}\u201c gefunden."
    ),
    "Nothing that was read lists \u201c{topic}\u201d, so nothing is counted.": (
        "Nichts von dem, was gelesen wurde, z\u00e4hlt \u201e{topic}\u201c auf. Darum steht hier"
        " keine Zahl."
    ),
    "No sentence was found in what was read.": ("In dem, was gelesen wurde, steht kein Satz."),
    "None of the {documents} documents that were read has a row, an item of a list or a sentence"
    " with all of \u201c{topic}\u201d.": (
        "Keines der {documents} gelesenen Dokumente hat eine Zeile, einen Listenpunkt oder einen"
        " Satz mit allen W\u00f6rtern von \u201e{topic}\u201c."
    ),
    "The document that was read does not have a row, an item of a list or a sentence with all of"
    " \u201c{topic}\u201d.": (
        "Das gelesene Dokument hat keine Zeile, keinen Listenpunkt und keinen Satz mit allen"
        " W\u00f6rtern von \u201e{topic}\u201c."
    ),
    "It was read whole.": "Es wurde ganz gelesen.",
    "All {of} documents were read whole.": "Alle {of} Dokumente wurden ganz gelesen.",
    "All {of} documents were read whole: {shared}. {again}": (
        "Alle {of} Dokumente wurden ganz gelesen: {shared}. {again}"
    ),
    "{read} of {of} ({shared}) were read whole: {why}.": (
        "{read} von {of} ({shared}) wurden ganz gelesen: {why}."
    ),
    "{read} of {of} were read whole: {why}.": "{read} von {of} wurden ganz gelesen: {why}.",
    "{read} of {of} was read whole: {why}.": "{read} von {of} wurde ganz gelesen: {why}.",
    "{number} by a model, the others by rule, as more would have cost more than the question may": (
        "{number} von einem Modell, die anderen nach Regeln, da mehr mehr gekostet h\u00e4tte, als"
        " die Frage kosten darf"
    ),
    "Asked again, it goes on from there.": "Wird noch einmal gefragt, geht es dort weiter.",
    "one question takes no more": "mehr liest eine Frage nicht",
    "then the question's time was over": "dann war die Zeit der Frage um",
    "reading more would have cost more than the question may": (
        "mehr h\u00e4tte mehr gekostet, als die Frage kosten darf"
    ),
    "the others could not be read now": "die anderen waren jetzt nicht zu lesen",
    "Found by words, without a model: an item is a row, an item of a list or a sentence that has"
    " the words \u201c{topic}\u201d or stands under them. What says the same in other words is not"
    " counted.": (
        "Nach W\u00f6rtern gefunden, ohne Modell: ein Eintrag ist eine Zeile, ein Listenpunkt oder"
        " ein Satz, der die W\u00f6rter \u201e{topic}\u201c hat oder unter ihnen steht. Was"
        " dasselbe mit anderen W\u00f6rtern sagt, ist nicht gez\u00e4hlt."
    ),
    "These are the documents' own sentences, chosen by how much of their wording the rest has, and"
    " by place. No model has written a summary.": (
        "Das sind S\u00e4tze der Dokumente selbst, ausgew\u00e4hlt danach, wie viele ihrer"
        " W\u00f6rter die \u00fcbrigen haben, und nach ihrer Stelle. Kein Modell hat eine"
        " Zusammenfassung geschrieben."
    ),
    # -- documents side by side
    "{one} and {other} say the same in all {same} lines.": (
        "{one} und {other} sagen in allen {same} Zeilen dasselbe."
    ),
    "{one} and {other}, laid beside each other: {values} with another figure, date, name or limit,"
    " {worded} in other words, {left} only in {one}, {right} only in {other}, {same} the same.": (
        "{one} und {other} nebeneinander: {values} mit anderer Zahl, anderem Datum, Namen oder"
        " anderer Grenze, {worded} in anderen Worten, {left} nur in {one}, {right} nur in {other},"
        " {same} gleich."
    ),
    "Fewer than two of the documents speak of \u201c{topic}\u201d: nothing is compared.": (
        "Weniger als zwei der Dokumente sprechen von \u201e{topic}\u201c: verglichen ist nichts."
    ),
    "Fewer than two of the documents have text that could be read, so nothing is compared.": (
        "Weniger als zwei der Dokumente haben Text, der zu lesen war: verglichen ist nichts."
    ),
    "Only lines that have a word of \u201c{topic}\u201d or stand under one are compared.": (
        "Verglichen werden nur Zeilen, die ein Wort von \u201e{topic}\u201c haben oder unter einem"
        " stehen."
    ),
    # -- the table of documents
    "This was counted in the table of documents, among those that you may read: no text was"
    " searched.": (
        "Gez\u00e4hlt wurde in der Tabelle der Dokumente, unter denen, die du lesen darfst; kein"
        " Text wurde durchsucht."
    ),
    "The year of a document is that of its attribute year, date or published, else the only one in"
    " its name.": (
        "Das Jahr eines Dokuments ist das seines Attributs year, date oder published, sonst das"
        " einzige in seinem Namen."
    ),
    "No document is there that you may read.": "Es gibt kein Dokument, das du lesen darfst.",
    "No document meets this: {conditions}.": "Kein Dokument erf\u00fcllt dies: {conditions}.",
    "There is {number} document.": "Es gibt {number} Dokument.",
    "There are {number} documents.": "Es gibt {number} Dokumente.",
    "{number} document meets this: {conditions}.": (
        "{number} Dokument erf\u00fcllt dies: {conditions}."
    ),
    "{number} documents meet this: {conditions}.": (
        "{number} Dokumente erf\u00fcllen dies: {conditions}."
    ),
    "at least {number}": "mindestens {number}",
    "Together they have {pages} pages.": "Zusammen haben sie {pages} Seiten.",
    "Together they have {size} as files.": "Zusammen sind sie als Dateien {size} gro\u00df.",
    "By status: {statuses}.": "Nach Stand: {statuses}.",
    "Only the first {seen} documents, by name, were looked at: there are more.": (
        "Nur die ersten {seen} Dokumente nach Namen wurden angesehen: es gibt mehr."
    ),
    "Shown: {shown} of them, {order}.": "Gezeigt: {shown} davon, {order}.",
    "first by name": "die ersten nach Namen",
    "those added last": "die zuletzt hinzugef\u00fcgten",
    "those added first": "die zuerst hinzugef\u00fcgten",
    "those changed last": "die zuletzt ge\u00e4nderten",
    "those changed first": "die zuerst ge\u00e4nderten",
    "those largest": "die gr\u00f6\u00dften",
    "those smallest": "die kleinsten",
    "those longest": "die l\u00e4ngsten",
    "those shortest": "die k\u00fcrzesten",
    "documents": "Dokumente",
    "document": "Dokument",
    "collection": "Sammlung",
    "status": "Stand",
    "format": "Format",
    "language": "Sprache",
    "pages": "Seiten",
    "size": "Gr\u00f6\u00dfe",
    "year": "Jahr",
    "readers": "Leser",
    "added": "hinzugef\u00fcgt",
    "updated": "ge\u00e4ndert",
    "reason": "Grund",
    "unknown": "unbekannt",
    "none": "keine",
    "no known year": "kein bekanntes Jahr",
    "no known language": "keine bekannte Sprache",
    "no error": "kein Fehler",
    "everybody": "alle",
    "folder": "Ordner",
    "name has": "Name enth\u00e4lt",
    "name": "Name",
    "changed": "ge\u00e4ndert",
    "or": "oder",
    "since {day}": "seit {day}",
    "before {day}": "vor {day}",
    "from {first} until before {end}": "von {first} bis vor {end}",
    "at least {value}": "mindestens {value}",
    "at most {value}": "h\u00f6chstens {value}",
    "and": "und",
    "in progress": "in Arbeit",
    "may be read by {who}": "lesbar f\u00fcr {who}",
    "not everybody": "nicht alle",
    "with warnings": "mit Warnungen",
    "the question was limited to the collection {name}": (
        "die Frage war auf die Sammlung {name} begrenzt"
    ),
    "the question was limited to {number} named documents": (
        "die Frage war auf {number} genannte Dokumente begrenzt"
    ),
    "the question was limited by filters": "die Frage war durch Filter begrenzt",
}
