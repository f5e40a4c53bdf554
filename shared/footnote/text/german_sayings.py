"""The German of what footnote says by itself, by its English form, and of what it counts.

What is counted is in the dative, behind "von" and "in", except for items and sentences. A value
whose name begins with "own" is footnote's own as well, and is said in German where a row has it.
"""

# Words that open a question in German, and none in English ("was", "wo", "war" may be either)
OPENS = {
    *("welche", "welcher", "welches", "welchen", "welchem", "wie", "wieviel", "wieviele", "wer"),
    *("wem", "wen", "wessen", "wann", "warum", "weshalb", "wieso", "worum", "wor\u00fcber"),
    *("wof\u00fcr", "womit", "nenne", "nennen", "liste", "listen", "zeige", "zeigen"),
    *("z\u00e4hle", "fasse", "fassen", "vergleiche", "vergleichen", "erkl\u00e4re", "beschreibe"),
    *("gib", "geben", "gibt", "zusammenfassung", "\u00fcberblick", "\u00fcbersicht", "kannst"),
    *("k\u00f6nnen", "ist", "sind", "haben", "bitte", "wurde", "wurden", "was ist", "was sind"),
    *("hallo", "moin", "guten", "danke", "hilfe"),
    *("was steht", "was sagt", "wo ist", "wo sind", "in wie", "in welchen", "in welchem"),
}
# Words of a computation, and of why a sentence is left out, wherever they stand outside of quotes
PIECES = {
    "change in percent": "\u00c4nderung in Prozent",
    "of them cited": "davon zitiert",
    "without a figure": "ohne Zahl",
    "joined by": "verbunden \u00fcber",
    "percentage points": "Prozentpunkte",
    "second largest": "zweitgr\u00f6\u00dfte",
    "third largest": "drittgr\u00f6\u00dfte",
    "second smallest": "zweitkleinste",
    "third smallest": "drittkleinste",
    "at least": "mindestens",
    "at most": "h\u00f6chstens",
    "has none": "hat keine",
    "has some": "hat welche",
    "is not": "ist nicht",
    "largest": "gr\u00f6\u00dfte",
    "smallest": "kleinste",
    "difference": "Differenz",
    "average": "Durchschnitt",
    "median": "Median",
    "ratio": "Verh\u00e4ltnis",
    "share": "Anteil",
    "sum": "Summe",
    "count": "Anzahl",
    "rows": "Zeilen",
    "where": "mit",
    "above": "\u00fcber",
    "below": "unter",
    "contains": "enth\u00e4lt",
    "after": "nach",
    "before": "vor",
    "until": "bis",
    "from": "ab",
    "third": "dritte",
    "and": "und",
    "by": "nach",
    "of": "von",
    "is": "ist",
}

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
    "row": ("Zeile", "Zeilen"),
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
    # -- documents, or rows that list them
    "{found} of {of} without \u201c{topic}\u201d. {read}{more}": (
        "{found} von {of} ohne \u201e{topic}\u201c. {read}{more}"
    ),
    "{items} of {of} in {tables} fit \u201c{condition}\u201d.": (
        "{items} von {of} in {tables} passen zu \u201e{condition}\u201c."
    ),
    "These are rows of a table, chosen by what its columns say.": (
        "Das sind Zeilen einer Tabelle, ausgew\u00e4hlt nach ihren Spalten."
    ),
    "{items} in {tables} for \u201c{condition}\u201d.": (
        "{items} in {tables} zu \u201e{condition}\u201c."
    ),
    "These are rows of a table, chosen by their words.": (
        "Das sind Zeilen einer Tabelle, ausgew\u00e4hlt nach ihren W\u00f6rtern."
    ),
    "{tables} lists such things in rows, but no column or row has all words of"
    " \u201c{condition}\u201d.": (
        "{tables} f\u00fchrt so etwas in Zeilen auf, aber keine Spalte oder Zeile hat alle"
        " W\u00f6rter von \u201e{condition}\u201c."
    ),
    "Left aside: {documents} that the name fits as well.": (
        "Auf den Namen passt noch mehr; in {documents} wurde nicht danach gesucht."
    ),
    "These are documents that are called so.": "Das sind Dokumente, die so hei\u00dfen.",
    "These are documents; none is called so, so all count.": (
        "Das sind Dokumente; keines hei\u00dft so, darum z\u00e4hlen alle."
    ),
    "Left aside: rows of {tables}, which list such things as well.": (
        "Nicht gez\u00e4hlt sind Zeilen von {tables}, die so etwas auch auff\u00fchren."
    ),
    # -- documents side by side
    "{one} and {other} say the same in one line.": (
        "{one} und {other} sagen in einer Zeile dasselbe."
    ),
    "{one} and {other} say the same in all {same} lines.": (
        "{one} und {other} sagen in allen {same} Zeilen dasselbe."
    ),
    "{one} and {other}, laid beside each other: {values} with another figure, date, name or limit,"
    " {worded} in other words, {left} only in {one}, {right} only in {other}, {same} the same.": (
        "{one} und {other} nebeneinander: {values} mit anderer Zahl, anderem Datum, Namen oder"
        " anderer Grenze, {worded} in anderen Worten, {left} nur in {one}, {right} nur in {other},"
        " {same} gleich."
    ),
    "{name} does not say anything about \u201c{topic}\u201d.": (
        "{name} sagt nichts zu \u201e{topic}\u201c."
    ),
    "Of what is compared only {one} speaks of \u201c{topic}\u201d: {lines}.": (
        "Von dem, was verglichen ist, spricht nur {one} von \u201e{topic}\u201c: {lines}."
    ),
    "Fewer than two of the documents have text that could be read, so nothing is compared.": (
        "Weniger als zwei der Dokumente haben Text, der zu lesen war: verglichen ist nichts."
    ),
    "Only lines that have the words of \u201c{topic}\u201d or stand under them are compared; of a"
    " document without such lines, those with one of the words. What says the same in other words"
    " is not found.": (
        "Verglichen werden nur Zeilen, die die W\u00f6rter von \u201e{topic}\u201c haben oder unter"
        " ihnen stehen, und aus einem Dokument ohne solche Zeilen die mit einem der W\u00f6rter."
        " Was dasselbe mit anderen W\u00f6rtern sagt, ist nicht gefunden."
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
    # -- replies without a source
    "Hello! Ask me about your documents; I answer with pointers to their pages.": (
        "Hallo! Frag mich etwas zu deinen Dokumenten; ich antworte mit Verweisen auf ihre Seiten."
    ),
    "You are welcome.": "Gern geschehen.",
    "I answer questions from your documents. Every sentence of an answer points at the page it"
    " comes from, and the pointer has been checked. Ask for a fact, a figure or a rule.": (
        "Ich beantworte Fragen aus deinen Dokumenten. Jeder Satz einer Antwort verweist auf"
        " die Seite, von der er stammt, und der Verweis ist gepr\u00fcft. Frag nach einer"
        " Tatsache, einer Zahl oder einer Regel."
    ),
    "What would you like to know about your documents?": (
        "Was m\u00f6chtest du \u00fcber deine Dokumente wissen?"
    ),
    "The table of documents answers this: ask again in a minute.": (
        "Das beantwortet die Tabelle der Dokumente: frag in einer Minute noch einmal."
    ),
    "What do you mean by \u201c{word}\u201d?": "Was meinst du mit \u201e{word}\u201c?",
    # -- what was not found
    "The documents do not say": "Die Dokumente sagen dazu nichts",
    "The documents do not say.": "Die Dokumente sagen dazu nichts.",
    "The documents do not say {rest}": "Die Dokumente sagen dazu nichts: {rest}",
    "No passage with these words was found": "Keine Stelle mit diesen W\u00f6rtern wurde gefunden",
    "No passage with these words was found.": (
        "Keine Stelle mit diesen W\u00f6rtern wurde gefunden."
    ),
    "Looked for: {rest}.": "Gesucht: {rest}.",
    "No passage with these words was found. Looked for: {rest}": (
        "Keine Stelle mit diesen W\u00f6rtern wurde gefunden. Gesucht: {rest}"
    ),
    "No sentence was found that surely states": "Es wurde kein Satz gefunden, der das sicher sagt",
    "No sentence was found that surely states what was asked.": (
        "Es wurde kein Satz gefunden, der das Gefragte sicher sagt."
    ),
    "No sentence was found that surely states: {rest}": (
        "Es wurde kein Satz gefunden, der das sicher sagt: {rest}"
    ),
    "This could not be looked up, as the search for it failed": (
        "Das war nicht nachzusehen, da die Suche danach fehlschlug"
    ),
    "This could not be looked up, as the search for it failed: {rest}": (
        "Das war nicht nachzusehen, da die Suche danach fehlschlug: {rest}"
    ),
    "This was not looked up, as the question's time or budget was over": (
        "Das wurde nicht nachgesehen, da Zeit oder Budget der Frage um war"
    ),
    "This was not looked up, as the question's time or budget was over: {rest}": (
        "Das wurde nicht nachgesehen, da Zeit oder Budget der Frage um war: {rest}"
    ),
    "No document that was asked has: {words}.": "Kein befragtes Dokument hat: {words}.",
    "{number} of {of} documents was asked.": "{number} von {of} Dokumenten wurde befragt.",
    "{number} of {of} documents were asked.": "{number} von {of} Dokumenten wurden befragt.",
    "{number} of more than {of} documents was asked.": (
        "{number} von mehr als {of} Dokumenten wurde befragt."
    ),
    "{number} of more than {of} documents were asked.": (
        "{number} von mehr als {of} Dokumenten wurden befragt."
    ),
    "Only documents that fit the filters were asked.": (
        "Nur Dokumente, die zu den Filtern passen, wurden befragt."
    ),
    "Nearest passages, not an answer": "N\u00e4chste Stellen, keine Antwort",
    "What was written did not hold against the documents. They may say it all the same.": (
        "Was geschrieben wurde, hielt den Dokumenten nicht stand. Sie k\u00f6nnen es trotzdem"
        " sagen."
    ),
    # -- how sentences were checked
    "word for word": "w\u00f6rtlich",
    "confirmed by rules": "von Regeln best\u00e4tigt",
    "in other words, confirmed by rules": "mit anderen Worten, von Regeln best\u00e4tigt",
    "confirmed by a model": "von einem Modell best\u00e4tigt",
    "not confirmed": "nicht best\u00e4tigt",
    "not confirmed: compare it with its quote": "nicht best\u00e4tigt: vergleiche es mit dem Zitat",
    "read by OCR": "von OCR gelesen",
    "read by OCR: compare with the page": "von OCR gelesen: vergleiche mit der Seite",
    "Its sentences: {counted}.": "Ihre S\u00e4tze: {counted}.",
    "({number} sentences did not hold and were left out.)": (
        "({number} S\u00e4tze hielten nicht stand und fehlen.)"
    ),
    "Compare [{n}] with the page: {own}.": "Vergleiche [{n}] mit der Seite: {own}.",
    "{figure}: the file's own text layer says {other}": (
        "{figure}: die Textebene der Datei sagt {other}"
    ),
    "OCR is not sure of this figure": "OCR ist sich dieser Zahl nicht sicher",
    "the file's own text layer says {other}": "die Textebene der Datei sagt {other}",
    "no passage": "keine Stelle",
    "not found": "nicht gefunden",
    "{figure}: OCR is not sure of this figure": "{figure}: OCR ist sich dieser Zahl nicht sicher",
    "and {more} more": "und {more} weitere",
    # -- computed and compared
    "Computed from these figures ({own}): {result}.": (
        "Aus diesen Zahlen berechnet ({own}): {result}."
    ),
    "Computed from these figures ({own}): {result} (the table says: {told}).": (
        "Aus diesen Zahlen berechnet ({own}): {result} (die Tabelle sagt: {told})."
    ),
    "Computed from these figures ({own}): {result}, and {more} more.": (
        "Aus diesen Zahlen berechnet ({own}): {result}, und {more} weitere."
    ),
    "Computed from these figures ({own}): {result}, and {more} more (the table says: {told}).": (
        "Aus diesen Zahlen berechnet ({own}): {result}, und {more} weitere (die Tabelle sagt:"
        " {told})."
    ),
    "Computed from these figures ({own}): {result}, then {next}.": (
        "Aus diesen Zahlen berechnet ({own}): {result}, dann {next}."
    ),
    "Computed from these figures ({own}): {result}, then {next} (the table says: {told}).": (
        "Aus diesen Zahlen berechnet ({own}): {result}, dann {next} (die Tabelle sagt: {told})."
    ),
    "Computed from these figures ({own}): {result}, then {next}, and {more} more.": (
        "Aus diesen Zahlen berechnet ({own}): {result}, dann {next}, und {more} weitere."
    ),
    "Computed from these figures ({own}): {result}, then {next}, and {more} more (the table says:"
    " {told}).": (
        "Aus diesen Zahlen berechnet ({own}): {result}, dann {next}, und {more} weitere (die"
        " Tabelle sagt: {told})."
    ),
    "Computed from these figures ({own}): {result} percentage points.": (
        "Aus diesen Zahlen berechnet ({own}): {result} Prozentpunkte."
    ),
    "The documents differ: {sides}.": "Die Dokumente widersprechen sich: {sides}.",
    "The first {shown} of {of} rows are shown.": (
        "Gezeigt werden die ersten {shown} von {of} Zeilen."
    ),
    "{lines} lines, this is the first": "{lines} Zeilen, dies ist die erste",
    "There is no chart: code has worked nothing out of a table for this question.": (
        "Es gibt kein Diagramm: f\u00fcr diese Frage wurde nichts aus einer Tabelle berechnet."
    ),
    "There is no chart: it needs two or more figures whose rows are cited.": (
        "Es gibt kein Diagramm: es braucht mindestens zwei Zahlen, deren Zeilen zitiert sind."
    ),
    "Compared by rules: lines are laid beside each other by their words, labels and headings."
    " What both documents say in quite other words stands here as two lines, each of one"
    " document alone.": (
        "Nach Regeln verglichen: Zeilen stehen nach W\u00f6rtern, Beschriftungen und"
        " \u00dcberschriften nebeneinander. Was beide Dokumente mit ganz anderen Worten sagen,"
        " steht hier als zwei Zeilen, jede aus nur einem Dokument."
    ),
    "Of a document only the first {most} lines are compared.": (
        "Von einem Dokument werden nur die ersten {most} Zeilen verglichen."
    ),
    # -- how it was searched
    "A model has read all of these documents and chosen the lines; they stand there as they"
    " are shown. It may have missed one.": (
        "Ein Modell hat alle diese Dokumente gelesen und die Zeilen gew\u00e4hlt; sie stehen"
        " dort, wie sie hier gezeigt werden. Es kann eine \u00fcbersehen haben."
    ),
    "A model has chosen the lines of the documents that it has read; it may have missed one."
    " Rules have read the others.": (
        "Ein Modell hat die Zeilen der Dokumente gew\u00e4hlt, die es gelesen hat; es kann"
        " eine \u00fcbersehen haben. Die anderen haben Regeln gelesen."
    ),
    "There are more than {most} documents to look through, more than one question does: they"
    " were searched instead. A collection, documents or filters narrow the scope.": (
        "Es sind mehr als {most} Dokumente durchzusehen, mehr als eine Frage schafft: sie"
        " wurden stattdessen durchsucht. Eine Sammlung, Dokumente oder Filter grenzen ein."
    ),
    "This list holds what the search found: there may be more in the documents.": (
        "Diese Liste enth\u00e4lt, was die Suche fand: in den Dokumenten kann mehr stehen."
    ),
    "Nothing is counted: these are what the search found, and there may be more.": (
        "Gez\u00e4hlt ist nichts: das ist, was die Suche fand, und es kann mehr geben."
    ),
    "The answer rests on the passages that the search found, not on the whole document.": (
        "Die Antwort beruht auf den Stellen, die die Suche fand, nicht auf dem ganzen Dokument."
    ),
    "Left out, as its confidence is below {least}: what was found for {rest}": (
        "Weggelassen, da die Sicherheit unter {least} liegt: was gefunden wurde zu {rest}"
    ),
    "The search stopped {own}. Not fully found: {rest}": (
        "Die Suche endete {own}. Nicht ganz gefunden: {rest}"
    ),
    "at the question's budget of {own}": "am Budget der Frage von {own}",
    "after {number} round, as time was short": "nach {number} Runde, da die Zeit knapp war",
    "after {number} rounds, as time was short": "nach {number} Runden, da die Zeit knapp war",
    "after {number} new plan": "nach {number} neuen Plan",
    "after {number} new plans": "nach {number} neuen Pl\u00e4nen",
    "{number} search": "{number} Suche",
    "{number} searches": "{number} Suchen",
    "{number} tokens": "{number} Token",
    "{number} dollars": "{number} Dollar",
    "Not looked up, because the search failed ({why}): {rest}": (
        "Nicht nachgesehen, da die Suche fehlschlug ({why}): {rest}"
    ),
    "Not looked up again, because the search failed ({why}): {rest}": (
        "Nicht noch einmal nachgesehen, da die Suche fehlschlug ({why}): {rest}"
    ),
    "The question is in another language ({asked}) than most of the documents ({there}), and"
    " the embedding model does not find across languages: ask in theirs, or set"
    " `EmbeddingModel` to multilingual.": (
        "Die Frage ist in einer anderen Sprache ({asked}) als die meisten Dokumente ({there}),"
        " und das Embedding-Modell findet nicht \u00fcber Sprachen hinweg: frag in ihrer, oder"
        " setze `EmbeddingModel` auf multilingual."
    ),
    "The embedding model is not available: the search went by words alone.": (
        "Das Embedding-Modell ist nicht erreichbar: gesucht wurde nur nach W\u00f6rtern."
    ),
    "The plan's filters or collection fit no document: the search went on without them.": (
        "Zu den Filtern oder der Sammlung des Plans passt kein Dokument: gesucht wurde ohne sie."
    ),
    "{strategy} found {found} of the {wanted} results wanted at least: {own}.": (
        "{strategy} fand {found} der mindestens gew\u00fcnschten {wanted} Treffer: {own}."
    ),
    "the search went on by {strategy}": "die Suche ging mit {strategy} weiter",
    "no other finds more here": "keine andere findet hier mehr",
    "{strategy}: no probability of its hits is known, so none was left out.": (
        "{strategy}: die Wahrscheinlichkeit ihrer Treffer ist nicht bekannt, darum fehlt keiner."
    ),
    "Nobody re-ranks such a question here: the hits are as the legs were fused. Set `Rerankers`.": (
        "Niemand ordnet eine solche Frage hier neu: die Treffer stehen so, wie die Teilsuchen"
        " verbunden wurden. Setze `Rerankers`."
    ),
    "The re-ranking model is not available: the hits are as the legs were fused.": (
        "Das Modell, das neu ordnet, ist nicht erreichbar: die Treffer stehen so, wie die"
        " Teilsuchen verbunden wurden."
    ),
    "No text has {pairs}: the search went for that.": (
        "So steht es in keinem Text: {pairs}. Gesucht wurde nach dem zweiten."
    ),
    "The model judged sub-questions that there are none of: those verdicts were left out.": (
        "Das Modell beurteilte Teilfragen, die es nicht gibt: diese Urteile z\u00e4hlen nicht."
    ),
    "The model gave no verdict on some sub-questions: rules judged what was found for them.": (
        "Das Modell gab zu einigen Teilfragen kein Urteil: Regeln beurteilten, was dazu"
        " gefunden wurde."
    ),
    "The planner's words were not shown: they said more than a greeting or a question may.": (
        "Die Worte des Planers werden nicht gezeigt: sie sagten mehr, als ein Gru\u00df oder"
        " eine R\u00fcckfrage darf."
    ),
    "Parts of the plan were dropped: they held links, markup, codes or instructions.": (
        "Teile des Plans fehlen: sie enthielten Links, Auszeichnungen, Codes oder Anweisungen."
    ),
    "The model's plan was to reply at once, but it had no reply: the question was looked up.": (
        "Das Modell wollte gleich antworten, hatte aber keine Antwort: die Frage wurde nachgesehen."
    ),
    "Sub-questions of the plan waited for each other: the first of them was looked up by itself.": (
        "Teilfragen des Plans warteten aufeinander: die erste wurde f\u00fcr sich nachgesehen."
    ),
    "The model's server takes no tools: the plan's searches were made instead.": (
        "Der Server des Modells nimmt keine Werkzeuge: stattdessen wurde nach dem Plan gesucht."
    ),
    "The model chose none of the places that it was shown: the plan's searches were made.": (
        "Das Modell w\u00e4hlte keine der gezeigten Stellen: es wurde nach dem Plan gesucht."
    ),
    "Looking for evidence ended after {turns} turns: {rest}": (
        "Die Suche nach Belegen endete nach {turns} Z\u00fcgen: {rest}"
    ),
    "No language model is configured: the answer is made of the documents' own sentences.": (
        "Kein Sprachmodell ist eingerichtet: die Antwort besteht aus S\u00e4tzen der Dokumente"
        " selbst."
    ),
    "The language model was not available ({why}): rules and quotations stood in.": (
        "Das Sprachmodell war nicht erreichbar ({why}): Regeln und Zitate sprangen ein."
    ),
    "The language model's reply was of no use ({own}): rules and quotations stood in.": (
        "Die Antwort des Sprachmodells war nicht zu gebrauchen ({own}): Regeln und Zitate"
        " sprangen ein."
    ),
    "ModelProfile is small: the model wrote the answer, rules planned, graded and checked.": (
        "ModelProfile ist small: das Modell schrieb die Antwort, Regeln planten, beurteilten"
        " und pr\u00fcften."
    ),
    "The question's budget of {own} was reached: rules and quotations stood in for the model.": (
        "Das Budget der Frage von {own} war erreicht: Regeln und Zitate sprangen f\u00fcr das"
        " Modell ein."
    ),
    "No price is known for {model}: its cost is not counted.": (
        "Kein Preis bekannt f\u00fcr {model}: die Kosten sind nicht gez\u00e4hlt."
    ),
    "The answer was cut: the model reached its limit of tokens.": (
        "Die Antwort wurde abgeschnitten: das Modell erreichte seine Grenze an Token."
    ),
    "The model's server does not say what it used: its tokens are not counted.": (
        "Der Server des Modells sagt nicht, was er verbraucht hat: die Token sind nicht"
        " gez\u00e4hlt."
    ),
    "The model writes tool calls as text, so none of its calls was made.": (
        "Das Modell schreibt Aufrufe von Werkzeugen als Text, darum wurde keiner ausgef\u00fchrt."
    ),
    "The model's server takes no JSON schema: JSON was asked for in words.": (
        "Der Server des Modells nimmt kein JSON-Schema: um JSON wurde mit Worten gebeten."
    ),
    "No provider answered: {why}.": "Kein Anbieter antwortete: {why}.",
    # -- why something is left out
    "no sentence of it holds against the documents": (
        "kein Satz davon h\u00e4lt den Dokumenten stand"
    ),
    "it says that the documents do not say, which rules decide in the small profile": (
        "sie sagt, dass die Dokumente nichts sagen, was im kleinen Profil Regeln entscheiden"
    ),
    "it was cut short: {why}": "sie wurde abgeschnitten: {why}",
    "it has a link, an address or markup that is not in its quote": (
        "ein Link, eine Adresse oder Auszeichnung darin steht nicht im Zitat"
    ),
    "no passage that it cites says so": "keine Stelle, die es zitiert, sagt das",
    "it cites nothing": "es zitiert nichts",
    "there is no passage {number}": "es gibt keine Stelle {number}",
    "what it cites is not there any more": "was es zitiert, gibt es nicht mehr",
    "it is an instruction, not a statement": "es ist eine Anweisung, keine Aussage",
    "\u201c{part}\u201d where the passage has \u201c{instead}\u201d ({own_about})": (
        "\u201e{part}\u201c, wo die Stelle \u201e{instead}\u201c hat ({own_about})"
    ),
    "figure": "Zahl",
    "period": "Zeitraum",
    "direction": "Richtung",
    "negation": "Verneinung",
    "comparison": "Vergleich",
    "certainty": "Gewissheit",
    "scope": "Umfang",
    "wording": "Wortlaut",
    "date": "Datum",
    "limit": "Grenze",
    "it leaves out \u201c{instead}\u201d ({own_about})": (
        "es l\u00e4sst \u201e{instead}\u201c weg ({own_about})"
    ),
    "\u201c{part}\u201d is not in the passage ({own_about})": (
        "\u201e{part}\u201c steht nicht in der Stelle ({own_about})"
    ),
    "\u201c{part}\u201d is not in the passage": "\u201e{part}\u201c steht nicht in der Stelle",
    "nothing in it can be compared": "nichts daran ist zu vergleichen",
    "there are more: an array has at most {most} objects": (
        "es gibt mehr: eine Liste hat h\u00f6chstens {most} Objekte"
    ),
    "its quote does not state it for this field": "das Zitat sagt es nicht f\u00fcr dieses Feld",
    "its quote does not state it": "das Zitat sagt es nicht",
    "its quote does not say so": "das Zitat sagt das nicht",
    "no passage states it clearly": "keine Stelle sagt es klar",
    "it is outside of the schema's limits": "es liegt au\u00dferhalb der Grenzen des Schemas",
    "it is no {type} that the schema allows": "es ist kein Wert ({type}), den das Schema erlaubt",
    "its quote is not in the passage": "das Zitat steht nicht in der Stelle",
    "its quote is longer than {most} sentences": "das Zitat ist l\u00e4nger als {most} S\u00e4tze",
    "it says neither yes nor no": "es sagt weder ja noch nein",
    "{number} values stand there": "{number} Werte stehen dort",
    "no such value stands there": "kein solcher Wert steht dort",
}
