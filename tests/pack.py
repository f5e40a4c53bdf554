"""A small folder of questions with known answers, of the form that `evals.retrieval` reads.

Each thing below is a document, a page or a text of its own, which one question asks for. There are
more than five, so that a search which ranks the wrong way round finds none of them in time.
"""

import json

from tests.pdfs import Pages

THINGS = {
    "anchor": "The anchor of the ferry weighs 900 kilograms and is made of cast iron.",
    "bridge": "The bridge over the canal opens at noon and closes an hour later.",
    "candle": "The candle factory melts beeswax in four copper kettles.",
    "donkey": "The donkey carries salt from the mine to the market on Fridays.",
    "engine": "The engine of the tractor burns nine litres of diesel each hour.",
    "forest": "The forest has beeches that were planted after the great storm.",
    "garden": "The garden grows medlars and quinces behind the northern wall.",
    "hammer": "The hammer of the mill strikes the paper pulp all night.",
    "island": "The island belongs to a family of lighthouse keepers.",
    "jacket": "The jacket of the guard has eleven buttons of horn.",
    "kettle": "The kettle whistles in the kitchen of the railway station.",
    "ladder": "The ladder in the library reaches the ninth shelf.",
}
GERMAN = {
    "anchor": "Der Anker der Fähre wiegt 900 Kilogramm und ist aus Gusseisen.",
    "bridge": "Die Brücke über den Kanal öffnet am Mittag.",
    "candle": "Die Kerzenfabrik schmilzt Bienenwachs in vier Kesseln.",
    "donkey": "Der Esel trägt Salz aus dem Bergwerk zum Markt.",
    "engine": "Der Motor des Traktors verbrennt neun Liter Diesel.",
    "forest": "Der Wald hat Buchen, die nach dem Sturm gepflanzt wurden.",
    "garden": "Im Garten wachsen Mispeln und Quitten hinter der Mauer.",
}


def write_pack(folder):
    """Writes all parts into `folder`, which is empty."""
    write_documents(folder)
    write_texts(folder / "text_retrieval" / "things")
    write_paragraphs(folder / "languages" / "xquad")
    write_translations(folder / "languages" / "bitcoin")
    return folder


def write_documents(folder):
    (folder / "docs").mkdir(parents=True)
    made = Pages()
    for name, text in THINGS.items():
        (folder / "docs" / f"{name}.md").write_text(f"# The {name}\n\n{text}\n")
        made.page(*lines(text))
    (folder / "docs" / "all.pdf").write_bytes(made.file.tobytes())
    (folder / "docs" / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    long = "\n\n".join(f"# {name}\n\n{text * 4}" for name, text in THINGS.items())
    (folder / "docs" / "long.md").write_text(long)
    start = long.index(THINGS["garden"])
    common = {"answerable": True, "scope": "corpus", "pages": []}
    rows = [
        common
        | {"source": "by name (made here)", "id": f"d-{name}", "question": text}
        | {"doc": f"{name}.md", "docs": [f"{name}.md"]}
        for name, text in THINGS.items()
    ]
    rows += [
        common
        | {"source": "pages", "id": f"p-{name}", "question": text, "scope": "document"}
        | {"doc": "all.pdf", "evidence": [{"doc": "all.pdf", "page": number}]}
        for number, (name, text) in enumerate(THINGS.items(), 1)
    ]
    rows += [
        common
        | {"source": "spans", "id": "s-1", "question": THINGS["garden"], "doc": "long.md"}
        | {"scope": "document", "spans": [[start, start + len(THINGS["garden"])]]},
        common | {"source": "pages", "id": "u-1", "question": "?", "answerable": False},
    ]
    write_lines(folder / "qa.jsonl", rows)


def lines(text):
    """Returns the lines of a page that is long enough for a chunk of its own."""
    return [(72, 120 + 24 * n, f"{text} {n}.") for n in range(16)]


def write_texts(folder):
    write_lines(
        folder / "corpus.jsonl",
        [
            {"_id": name, "title": name if name < "g" else "", "text": text}
            for name, text in THINGS.items()
        ],
    )
    asked = [{"_id": f"q-{name}", "text": text} for name, text in THINGS.items()]
    write_lines(folder / "queries.jsonl", [*asked, {"_id": "unjudged", "text": "nothing"}])
    judged = [f"q-{name}\t{name}\t1" for name in THINGS]
    (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judged]) + "\n")


def write_paragraphs(folder):
    both = {"en": {name: THINGS[name] for name in GERMAN}, "de": GERMAN}
    corpus = [
        {"id": f"{name}-{language}", "language": language, "title": "Things", "text": text}
        | {"paragraph": name}
        for language, texts in both.items()
        for name, text in texts.items()
    ]
    asked = [
        {"id": f"q-{row['id']}", "language": row["language"], "text": row["text"]}
        | {"paragraph": row["paragraph"], "gold": [row["id"]]}
        for row in corpus
    ]
    again = [row | {"id": f"{row['id']}-again", "text": "not the first"} for row in asked]
    write_lines(folder / "corpus.jsonl", corpus)
    write_lines(folder / "queries.jsonl", [*asked, *again])


def write_translations(folder):
    made = Pages()
    for text in GERMAN.values():
        made.page(*lines(text))
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "things_de.pdf").write_bytes(made.file.tobytes())
    rows = [
        {"id": f"b-{name}-{language}", "language": language, "target_language": "de"}
        | {"text": text, "gold": [{"doc": "things_de.pdf", "page": page}], "section": page}
        for page, (name, german) in enumerate(GERMAN.items(), 1)
        for language, text in (("de", german), ("en", THINGS[name]))
    ]
    write_lines(folder / "queries.jsonl", rows)


def write_lines(file, rows):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
