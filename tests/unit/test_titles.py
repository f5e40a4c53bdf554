"""Titles of documents of many fields, and what is none: the label of each is given by hand."""

import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.ingest.parse.builder import title
from footnote.ingest.parse.titles import is_cover_title, is_title

GOOD = """
Washington State ferry timetable
Washington, D.C.: a walking guide
Total quality management handbook
Total knee replacement: what to expect
Printer maintenance manual
Printmaking in the nineteenth century
Print culture and the early novel
Exhibition guide
Exhibitions and fairs 2026
Exhibit design for small museums
Contents insurance: terms and conditions
Content strategy
Title insurance for home buyers
Titles of nobility in Spain
Untitled Film Stills: a catalogue
Welcome pack for new employees
Welcome to the regional library
Book keeping for associations
Book of common prayer
Bookbinding by hand
Form and function in architecture
Form follows function
Forms of address
Document retention policy
Documents of the Congress of Vienna
Documentation of the test rig
Slide rules and how to use them
Slide guitar for beginners
Layout of kitchens
Sheet metal bending tables
Sheet music catalogue
Table tennis rules
Table of isotopes
Tables for navigation
Page turners: reading groups in Leeds
United States history to 1865
United States v. Nixon
The United States and Cuba
Securities and Exchange Commission v. Howey
Securities law in a nutshell
Microsoft Word for lawyers
Microsoft Excel: pivot tables
PowerPoint presentations that work
Word document comparison: a tutorial
arXiv: thirty years of preprints
Draft horse breeds
Draft animals in Anatolia
Home rule for Scotland
Home economics
Index fossils of the Jurassic
Index funds compared
Cover crops for cold climates
Confidential enquiry into maternal deaths
None but the brave
Default risk of municipal bonds
Figure drawing
Figure skating judging manual
Schedule of fees
Schedules of reinforcement
Annexation of Crimea: a chronology
Appendix vermiformis: surgery and history
Attachment theory
Scan planning for MRI
Image processing for microscopes
My title fight
Subtotal colectomy
Total
""".strip().splitlines()[:-1] + """
FAQ
RFC 2616
ISO 9001
ISO-9001
COVID-19
Duck
Ünal
Q3 results
Minutes of the works council, 12 March
Tarifvertrag für den öffentlichen Dienst
Druckerhandbuch
Dokumentation der Prüfstände
Tabellenkalkulation für Einsteiger
Seitenweise Sagen
Exposition universelle de 1889
Feuille de route
Table ronde sur l’énergie
Documentos históricos de Lima
Hojas de seguridad
Manuale di manutenzione
Libro de recetas
Складской учёт
Документы о границе
Руководство по ремонту насосов
取扱説明書
印刷機の保守
目次の作り方
打印机维修手册
프린터 설명서
דוח שנתי
تقرير سنوي
""".strip().splitlines()  # fmt: skip
BAD = """
untitled
Untitled-1
Untitled document
Unbenannt
Sans titre
無題
Document1
Document 3
Dokument1
Documento 2
Документ1
Presentation1
Präsentation2
PowerPoint Presentation
Microsoft PowerPoint Presentation
Microsoft Word - draft.doc
Microsoft Word - Document1
Word Document
Microsoft Word Document
New Microsoft Word Document
Slide 1
Folie 12
Diapositive 3
Layout 1
Sheet1
Sheet 2
Tabelle1
Feuil1
Hoja1
Book1
Book 12
Mappe1
Title
Title page
Click to add title
Insert title here
Title of each class
Title of presentation
Contents
Table of contents
TABLE OF CONTENTS
Inhaltsverzeichnis
目次
Print
Welcome
Home
Total
Exhibit 99.1
EXHIBIT 10.4
Annex 2
Appendix 3
Page 4
Table 3
Figure 2.1
arXiv:2305.12744v1 [cs.CL] 22 May 2023
doi:10.1000/182
https://example.org/report
www.example.org
report_final.docx
annual.report.pdf
logo.indd
0001045810-22-000166
a5879805d70c854ea4361e43a84e3bb2
IMG_20240312
12345
2024
—
""".strip().splitlines()
NO_COVER = [
    "FORM 10-K", "Form 8-K", "Form W-9", "Form 1040", "Washington, D.C. 20549",
    "New York, NY 10017-2038", "Palo Alto, California 94304", "Total revenue $ 5,466",
    "Total assets 1,204 1,187", "Table 2: Emissions by sector", "Subtotal (12)",
]  # fmt: skip


def test_the_labels_are_many_and_of_many_fields():
    assert len(set(GOOD)) >= 80
    assert len(set(BAD)) >= 40


@pytest.mark.parametrize("text", GOOD)
def test_a_title_of_any_field_is_one(text):
    assert is_title(text)
    assert is_cover_title(text)
    assert title([text], "file.pdf") == text


@pytest.mark.parametrize("text", BAD)
def test_what_names_no_document_is_no_title(text):
    assert not is_title(text)
    assert title([text], "The real name.pdf") == "The real name"


@pytest.mark.parametrize("text", NO_COVER)
def test_what_stands_on_a_cover_beside_the_title_is_none(text):
    assert not is_cover_title(text)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            [
                ("UNITED STATES", 18), ("SECURITIES AND EXCHANGE COMMISSION", 18),
                ("Washington, D.C. 20549", 12), ("FORM 10-K", 18), ("ANNUAL REPORT", 10),
                ("Harbour Bicycles, Inc.", 16), ("Delaware", 10),
            ],
            "Harbour Bicycles, Inc.",
        ),
        (
            [("Department of Fisheries", 16), ("Form 27-B", 14), ("Application for a boat", 14)],
            "Application for a boat",
        ),
        ([("UNITED STATES", 20), ("In forty maps", 20)], "UNITED STATES In forty maps"),
        ([("Washington State ferries", 20), ("From May", 10)], "Washington State ferries"),
        ([("Exhibition guide", 20), ("Hall 4", 12)], "Exhibition guide"),
        ([("Total quality management", 20), ("A handbook", 12)], "Total quality management"),
    ],
)  # fmt: skip
def test_a_cover_s_largest_lines_are_the_title(lines, expected):
    file = pymupdf.open()
    page = file.new_page()
    for i, (text, size) in enumerate(lines):
        page.insert_text((72, 80 + 40 * i), text, fontsize=size)
    assert parse(file.tobytes(), "file.pdf").document.title == expected
