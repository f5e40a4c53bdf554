"""A small file in each format that has no sample, made here; all of them are about one shop."""

import json
from email.message import EmailMessage

TSV = b"product\tprice\nHeron\t3690\nBadger\t5348\n"
BIKES = [
    {"name": "Heron", "price": 3690.50, "maker": {"city": "Ulm"}},
    {"name": "Badger", "price": 5348, "maker": {"city": "Gent"}},
]
JSON = json.dumps({
    "title": "Bikes of the shop",
    "note": "All prices are with tax and are good until the end of the year.",
    "bikes": BIKES,
    "opening_hours": {"summer": ["9 to 18", "10 to 16"]},
}).encode()  # fmt: skip
JSONL = b"\n".join(json.dumps(bike).encode() for bike in BIKES)

XML = b"""<?xml version="1.0" encoding="utf-8"?>
<stock xmlns="urn:shop" date="2026-02-02"><title>What is in the shop</title>
<bike n="1"><name>Heron</name><price currency="EUR">3690.50</price></bike>
<bike n="2"><name>Badger</name><price currency="EUR">5348</price></bike></stock>"""


def message(subject, text, *, sender="Ann Ärmel <ann@shop.example>"):
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, sender, "Bob <bob@shop.example>"
    made["Date"] = "Mon, 02 Feb 2026 10:00:00 +0100"
    made.set_content(text)
    return made


def mail():
    made = message("Delivery of the Herons", "The bikes will be at the shop on Monday morning.")
    made.add_attachment(
        b"# Load\n\nThis is what we will bring.\n\n| bike | n |\n|---|---|\n| Heron | 3 |\n",
        maintype="text", subtype="markdown", filename="load für Bob.md",
    )  # fmt: skip
    made.add_attachment(b"\x89PNG\r\n\x1a\n", maintype="image", subtype="png", filename="logo.png")
    made.add_attachment(message("Re: delivery", "That is fine with us."))
    return made.as_bytes()


def mailbox(*messages):
    line = b"From ann@shop.example Mon Feb  2 10:00:00 2026\n"
    return b"\n\n".join(line + message.replace(b"\nFrom ", b"\n>From ") for message in messages)


FILES = {
    "prices.tsv": TSV,
    "bikes.json": JSON,
    "bikes.jsonl": JSONL,
    "stock.xml": XML,
    "delivery.eml": mail(),
    "letters.mbox": mailbox(mail(), message("Thanks", "It was good to meet you.").as_bytes()),
}
