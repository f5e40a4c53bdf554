"""Sentences of our own in many languages, to tell languages and encodings by. Never deployed."""

SENTENCES: dict[str, tuple[str, ...]] = {
    "ar": (
        "تفتح المكتبة أبوابها كل يوم ما عدا يوم الجمعة.",
        "يجب على القارئ أن يعيد الكتاب بعد ثلاثة أسابيع.",
    ),
    "bg": (
        "Библиотеката е отворена всеки ден с изключение на неделя.",
        "Читателите могат да вземат книгите за три седмици и след това трябва да ги върнат.",
        "Който не спази срока, ще плати такса, освен ако това не е по вина на служителите.",
    ),
    "ca": (
        "La biblioteca és oberta cada dia excepte els diumenges i els dies de festa.",
        "Els lectors poden endur-se els llibres durant tres setmanes amb el seu carnet.",
        "Si no els tornen a temps, han de pagar una quantitat per cada dia que passi.",
    ),
    "cs": (
        "Knihovna je otevřena každý den kromě neděle a svátků.",
        "Čtenáři si mohou knihy půjčit na tři týdny, ale pak je musí vrátit.",
        "Kdo knihu nevrátí včas, zaplatí poplatek, který je uveden v ceníku.",
    ),
    "da": (
        "Biblioteket er åbent hver dag undtagen om søndagen, når der ikke er særlige møder.",
        "Læserne må låne bøgerne i tre uger, og de skal så blive leveret tilbage.",
        "Hvis bogen ikke bliver leveret efter fristen, skal låneren betale et gebyr af sin løn.",
    ),
    "de": (
        "Die Bücherei ist täglich außer sonntags geöffnet.",
        "Die Leser dürfen Bücher für drei Wochen ausleihen und müssen sie dann zurückgeben.",
        "Wer die Frist nicht einhält, zahlt eine Gebühr, die im Aushang steht.",
    ),
    "el": (
        "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα εκτός από την Κυριακή.",
        "Οι αναγνώστες μπορούν να δανειστούν βιβλία για τρεις εβδομάδες.",
    ),
    "en": (
        "The library is open every day except on Sundays and holidays.",
        "Readers may borrow books for three weeks and must then return them.",
        "Whoever misses the date pays a fee, which is shown at the door.",
    ),
    "es": (
        "La biblioteca está abierta todos los días menos los domingos y los días de fiesta.",
        "Los lectores pueden llevarse los libros durante tres semanas con su carné.",
        "Si no los devuelven a tiempo, tendrán que pagar una cantidad por cada día que pase.",
    ),
    "fa": (
        "کتابخانه هر روز به جز جمعه‌ها باز است.",
        "خوانندگان می‌توانند کتاب‌ها را برای سه هفته امانت بگیرند.",
    ),
    "fi": (
        "Kirjasto on avoinna joka päivä, mutta se ei ole auki sunnuntaina.",
        "Lukijat voivat lainata kirjoja kolmeksi viikoksi, ja sen jälkeen ne on palautettava.",
        "Jos kirjaa ei palauteta ajoissa, lainaaja maksaa maksun, joka on mainittu ovessa.",
    ),
    "fr": (
        "La bibliothèque est ouverte tous les jours, sauf le dimanche et les jours fériés.",
        "Les lecteurs peuvent emprunter des livres pour trois semaines avec leur carte.",
        "Ceux qui ne les rendent pas à temps doivent payer une somme qui est affichée à l’entrée.",
    ),
    "he": (
        "הספרייה פתוחה בכל יום חוץ משבת.",
        "הקוראים יכולים לשאול את הספרים לשלושה שבועות, ואחר כך עליהם להחזיר אותם.",
    ),
    "hi": (
        "पुस्तकालय रविवार को छोड़कर हर दिन खुला रहता है।",
        "पाठक तीन सप्ताह के लिए पुस्तकें ले सकते हैं।",
    ),
    "hu": (
        "A könyvtár minden nap nyitva van, de vasárnap és ünnepnapokon nem.",
        "Az olvasók három hétre vihetnek el könyveket, és azután vissza kell hozniuk őket.",
        "Ha valaki nem hozza vissza időben a könyvet, akkor díjat kell fizetnie.",
    ),
    "id": (
        "Perpustakaan ini buka setiap hari kecuali hari Minggu.",
        "Para pembaca dapat meminjam buku tiga minggu dan harus mengembalikannya setelah itu.",
        "Jika buku tidak dikembalikan pada waktunya, peminjam harus membayar untuk setiap hari.",
    ),
    "it": (
        "La biblioteca è aperta tutti i giorni, ma non la domenica e nei giorni di festa.",
        "I lettori possono prendere i libri per tre settimane con la loro tessera.",
        "Chi non li riporta in tempo deve pagare una somma che è scritta all'ingresso.",
    ),
    "ja": (
        "図書館は日曜日を除いて毎日開いています。",
        "読者は三週間まで本を借りることができます。",
    ),
    "ko": (
        "도서관은 일요일을 제외하고 매일 문을 엽니다.",
        "독자는 책을 삼 주 동안 빌릴 수 있습니다.",
    ),
    "lt": (
        "Biblioteka yra atidaryta kiekvieną dieną, bet ne sekmadieniais.",
        "Skaitytojai gali pasiimti knygas trims savaitėms, o po to jas turi grąžinti.",
        "Jei knyga nėra grąžinta laiku, už kiekvieną dieną reikia mokėti, kaip nurodyta.",
    ),
    "lv": (
        "Bibliotēka ir atvērta katru dienu, bet ne svētdienās un svētku dienās.",
        "Lasītāji var ņemt grāmatas uz trim nedēļām, un pēc tam tās ir jāatdod.",
        "Ja grāmata nav atdota laikā, tad par katru dienu jāmaksā summa, kas ir norādīta.",
    ),
    "mk": (
        "Библиотеката е отворена секој ден освен во недела и на празници.",
        "Читателите може да ги земат книгите за три недели, а потоа треба да ги вратат.",
        "Кој не ќе го почитува рокот, ќе плати сума што е наведена на влезот.",
    ),
    "ms": (
        "Perpustakaan ini dibuka pada setiap hari kecuali hari Ahad kerana kakitangan bercuti.",
        "Pembaca boleh meminjam buku tiga minggu dan selepas itu perlu dipulangkan.",
        "Jika buku tidak dipulangkan, perlu membayar bagi setiap hari, iaitu seringgit.",
    ),
    "nl": (
        "De bibliotheek is elke dag open, maar niet op zondag of op feestdagen.",
        "De lezers kunnen boeken drie weken lenen en ze moeten die dan weer terugbrengen.",
        "Wie te laat is, betaalt een bedrag dat bij de deur staat; privé is het gratis.",
    ),
    "no": (
        "Biblioteket er åpent hver dag, men ikke om søndagen.",
        "Leserne kan låne bøkene i tre uker, og etter det må de bli levert tilbake.",
        "Hvis boken ikke blir levert etter fristen, må låneren betale, og det står hva det er.",
    ),
    "pl": (
        "Biblioteka jest czynna codziennie, ale nie w niedzielę i święta.",
        "Czytelnicy mogą wypożyczać książki na trzy tygodnie, a potem muszą je zwrócić.",
        "Kto nie odda książki w terminie, zapłaci opłatę, która jest podana przy wejściu.",
    ),
    "pt": (
        "A biblioteca está aberta todos os dias, mas não aos domingos e nos dias de festa.",
        "Os leitores podem levar os livros por três semanas com o seu cartão.",
        "Se não os devolverem a tempo, terão de pagar uma quantia que está afixada na entrada.",
    ),
    "ro": (
        "Biblioteca este deschisă în fiecare zi, dar nu și duminica.",
        "Cititorii pot lua cărțile acasă pentru trei săptămâni, iar după aceea le aduc la loc.",
        "Cine nu aduce cartea la timp plătește o sumă care este afișată la intrare.",
    ),
    "ru": (
        "Библиотека открыта каждый день, кроме воскресенья и праздников.",
        "Читатели могут брать книги на три недели, а потом их надо вернуть.",
        "Тот, кто не вернёт книгу вовремя, заплатит сумму, указанную у входа.",
    ),
    "sr": (
        "Библиотека је отворена сваки дан, али не и недељом.",
        "Читаоци могу да узму књиге на три недеље, а после тога их морају вратити.",
        "Ко не врати књигу на време, платиће износ који је наведен на улазу.",
    ),
    "sv": (
        "Biblioteket är öppet varje dag, men inte på söndagar och när det är helg.",
        "Läsarna får låna böckerna i tre veckor, och efter det ska de lämnas tillbaka.",
        "Om boken inte är lämnad i tid måste låntagaren betala en avgift som står vid dörren.",
    ),
    "th": (
        "ห้องสมุดเปิดทุกวันยกเว้นวันอาทิตย์",
        "ผู้อ่านยืมหนังสือได้สามสัปดาห์แล้วต้องนำมาคืน",
    ),
    "tr": (
        "Kütüphane pazar günleri dışında her gün açıktır.",
        "Okuyucular kitapları üç hafta için alabilir ve sonra geri getirmelidir.",
        "Kitabı zamanında getirmeyenler, girişte yazılı olan ücreti öder.",
    ),
    "uk": (
        "Бібліотека відкрита щодня, крім неділі та свят.",
        "Читачі можуть брати книги на три тижні, а потім їх треба повернути.",
        "Той, хто не поверне книгу вчасно, сплатить суму, яку вказано біля входу.",
    ),
    "zh": ("图书馆除了星期日以外每天都开放。", "读者可以借书三个星期，然后必须归还。"),
    "zh-Hant": ("圖書館除了星期日以外每天都開放。", "讀者可以借書三個星期，然後必須歸還。"),
    "et": (
        "Raamatukogu on avatud iga päev, kuid mitte pühapäeval.",
        "Lugejad võivad raamatuid laenutada kolmeks nädalaks ja siis need tagastada.",
    ),
    "hr": (
        "Knjižnica je otvorena svaki dan, ali ne i nedjeljom.",
        "Čitatelji mogu posuditi knjige na tri tjedna, a nakon toga ih moraju vratiti.",
        "Tko ne vrati knjigu na vrijeme, plaća iznos koji je naveden na ulazu u čitaonicu.",
    ),
    "is": (
        "Bókasafnið er opið alla daga nema á sunnudögum og það er ókeypis.",
        "Lesendur mega fá bækur að láni í þrjár vikur og verða þá að skila þeim.",
    ),
    "sk": (
        "Knižnica je otvorená každý deň okrem nedele a sviatkov.",
        "Čitatelia si môžu knihy požičať na tri týždne, ale potom ich musia vrátiť.",
        "Kto nevráti knihu včas, zaplatí poplatok, ktorý je uvedený pri vchode.",
    ),
    "sl": (
        "Knjižnica je odprta vsak dan razen ob nedeljah in praznikih.",
        "Bralci si lahko knjige izposodijo za tri tedne, potem pa jih morajo vrniti.",
        "Kdor knjige ne vrne pravočasno, plača znesek, ki je naveden pri vhodu v čitalnico.",
    ),
}
