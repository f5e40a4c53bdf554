"""Small texts of our own in fourteen languages, and questions in other forms of their words.

Each language has five documents: a policy, a contract, leave, sales, brakes. They share words, so
that only what a question asks for finds its document. `Query.shows` says what the question tests.
"""

from typing import Literal, NamedTuple

type Topic = Literal["insurance", "contract", "leave", "sales", "brakes"]


class Query(NamedTuple):
    text: str
    topic: Topic
    shows: str


class Language(NamedTuple):
    name: str
    documents: dict[Topic, tuple[str, ...]]  # sentences
    queries: tuple[Query, ...]
    joint: str = " "  # between two sentences


LANGUAGES: dict[str, Language] = {
    "en": Language(
        "English",
        {
            "insurance": (
                "The policy covers the warehouse against flooding and fire.",
                "Damage to the goods must be reported to the insurer within seven days.",
            ),
            "contract": (
                "Either party may terminate the supply agreement with three months' notice.",
                "The supplier replaces batteries that were delivered with defects.",
            ),
            "leave": (
                "Each employee has a right to thirty days of paid leave.",
                "Children's illness counts as leave only after the fifth day.",
            ),
            "sales": (
                "In 2025 the company sold 10,840 bicycles, more than in the year before.",
                "Revenue grew because the shops in the north opened earlier.",
            ),
            "brakes": (
                "The brakes of every bicycle are checked once a year in the workshop.",
                "Worn pads must be changed before the bicycle goes back to its owner.",
            ),
        },
        (
            Query("insured warehouses", "insurance", "plural"),
            Query("damaged goods reporting", "insurance", "participle, gerund"),
            Query("terminating an agreement", "contract", "gerund"),
            Query("defective battery delivery", "contract", "singular of -ies"),
            Query("leave for employees", "leave", "plural"),
            Query("child ill", "leave", "possessive"),
            Query("growing revenues 2025", "sales", "plural, number"),
            Query("checking a brake", "brakes", "gerund, singular"),
        ),
    ),
    "de": Language(
        "German",
        {
            "insurance": (
                "Die Gebäudeversicherung deckt das Lager gegen Hochwasser und Feuer.",
                "Schäden an den Waren sind dem Versicherer innerhalb von sieben Tagen zu melden.",
            ),
            "contract": (
                "Der Liefervertrag kann von beiden Seiten mit drei Monaten Frist gekündigt werden.",
                "Der Lieferant ersetzt Akkus, die mit Mängeln geliefert wurden.",
            ),
            "leave": (
                "Alle Mitarbeiterinnen und Mitarbeiter haben Anspruch auf dreißig Urlaubstage.",
                "Die Krankheit eines Kindes zählt erst nach dem fünften Tag als Urlaub.",
            ),
            "sales": (
                "Im Jahr 2025 hat die Gesellschaft 10.840 Fahrräder verkauft, mehr als im Vorjahr.",
                "Der Umsatz ist gewachsen, weil die Läden im Norden früher geöffnet haben.",
            ),
            "brakes": (
                "Die Bremsen werden einmal im Jahr in der Werkstatt geprüft.",
                "Abgenutzte Beläge sind zu wechseln, bevor das Rad wieder auf die Straße geht.",
            ),
        },
        (
            Query("Versicherung des Gebäudes", "insurance", "head of a compound"),
            Query("Schaden an einer Ware", "insurance", "umlaut of the plural"),
            Query("Verträge kündigen", "contract", "plural head of a compound, participle"),
            Query("mangelhafter Akku", "contract", "singular"),
            Query("wie viel Urlaub hat ein Mitarbeiter", "leave", "first part of a compound"),
            Query("kranke Kinder", "leave", "plural, adjective"),
            Query("verkaufte Fahrraeder", "sales", "ae for ä, participle"),
            Query("Umsatzwachstum im Laden", "sales", "compound in the question"),
            Query("Bremse prüfen", "brakes", "singular, infinitive"),
            Query("Strasse", "brakes", "ss for ß"),
        ),
    ),
    "fr": Language(
        "French",
        {
            "insurance": (
                "L'assurance couvre l'entrepôt contre les inondations et les incendies.",
                "Les dégâts doivent être déclarés à l'assureur dans les sept jours.",
            ),
            "contract": (
                "Toute partie peut résilier le contrat de livraison avec trois mois de préavis.",
                "Le fournisseur remplace les batteries livrées avec des défauts.",
            ),
            "leave": (
                "Tous les employés ont droit à trente jours de congés payés.",
                "La maladie d'un enfant ne compte comme congé qu'après le cinquième jour.",
            ),
            "sales": (
                "En 2025, l'entreprise a vendu 10 840 vélos, plus que l'année d'avant.",
                "Le chiffre d'affaires a augmenté: les magasins du nord ont ouvert cet été.",
            ),
            "brakes": (
                "Les freins de chaque vélo sont vérifiés une fois par an à l'atelier.",
                "Les plaquettes usées doivent être changées avant de rendre le vélo.",
            ),
        },
        (
            Query("l'inondation d'un entrepôt", "insurance", "elision, singular"),
            Query("entrepot assure", "insurance", "no accents"),
            Query("résiliation du contrat", "contract", "noun of a verb"),
            Query("fournisseurs de batterie", "contract", "plural, singular"),
            Query("congé de l'employée", "leave", "elision, feminine"),
            Query("enfants malades", "leave", "plural"),
            Query("ventes de velos de l'entreprise 2025", "sales", "no accents, elision"),
            Query("magasin ouvert l’ete", "sales", "typographic apostrophe, no accents"),
            Query("vérifier le frein", "brakes", "infinitive, singular"),
        ),
    ),
    "es": Language(
        "Spanish",
        {
            "insurance": (
                "La póliza cubre el almacén contra inundaciones e incendios.",
                "Los daños en la mercancía se deben comunicar a la aseguradora en siete días.",
            ),
            "contract": (
                "Ambas partes pueden rescindir el contrato de suministro con tres meses de plazo.",
                "El proveedor sustituye las baterías que se entregaron con defectos.",
            ),
            "leave": (
                "Todos los empleados tienen derecho a treinta días de vacaciones pagadas.",
                "La enfermedad de un niño solo cuenta como permiso después del quinto día.",
            ),
            "sales": (
                "En 2025 la empresa vendió 10.840 bicicletas, más que en el año anterior.",
                "Los ingresos crecieron porque las tiendas del norte abrieron antes.",
            ),
            "brakes": (
                "Los frenos de cada bicicleta se revisan una vez al año en el taller.",
                "Las pastillas gastadas se deben cambiar antes de devolver la bicicleta.",
            ),
        },
        (
            Query("almacenes inundación", "insurance", "plural, singular"),
            Query("polizas de almacen", "insurance", "no accents, plural"),
            Query("contratos rescindidos", "contract", "plural, participle"),
            Query("batería con defecto", "contract", "singular"),
            Query("¿cuántas vacaciones tiene un empleado?", "leave", "inverted mark, singular"),
            Query("niños enfermos", "leave", "plural"),
            Query("bicicletas vendidas por las empresas", "sales", "plural, participle"),
            Query("tienda del norte", "sales", "singular"),
            Query("revisión del freno", "brakes", "singular"),
        ),
    ),
    "zh": Language(
        "Chinese",
        {
            "insurance": (
                "本保险单承保仓库的水灾和火灾损失。",
                "货物损坏应当在七天之内通知保险公司。",
            ),
            "contract": (
                "任何一方都可以提前三个月通知对方，解除供货合同。",
                "供应商负责更换有缺陷的电池。",
            ),
            "leave": (
                "每位员工每年享有三十天的带薪休假。",
                "孩子生病从第五天开始才算休假。",
            ),
            "sales": (
                "２０２５年公司销售了10,840辆自行车，比上一年增加。",
                "由于北方的商店提前开业，营业收入和税都增长了。",
            ),
            "brakes": (
                "每辆自行车的刹车每年在车间检查一次。",
                "磨损的刹车片必须更换，然后才能交还车主。",
            ),
        },
        (
            Query("仓库水灾", "insurance", "two words without a blank"),
            Query("保险", "insurance", "a word of two characters"),
            Query("合同", "contract", "a word of two characters"),
            Query("如何解除供货合同？", "contract", "a question"),
            Query("电池缺陷", "contract", "other order"),
            Query("员工休假多少天", "leave", "a question"),
            Query("2025年销售", "sales", "narrow digits for wide ones"),
            Query("税", "sales", "a word of one character"),
            Query("刹车检查", "brakes", "other order"),
        ),
        "",
    ),
    "ja": Language(
        "Japanese",
        {
            "insurance": (
                "この保険は倉庫の水害と火災を補償します。",
                "商品の損害は七日以内に保険会社へ報告してください。",
            ),
            "contract": (
                "供給契約は三か月前の通知により、どちらの当事者からも解約できます。",
                "欠陥のあるバッテリーは供給者が交換します。",
            ),
            "leave": (
                "社員には年間三十日の有給休暇があります。",
                "子どもの病気は五日目から休暇として数えます。",
            ),
            "sales": (
                "２０２５年に会社は１０，８４０台の自転車を販売しました。",
                "北部の店舗が早く開店したので、売上高が伸びました。",
            ),
            "brakes": (
                "自転車のブレーキは年に一度、工場で点検します。",
                "すり減ったパッドは車の持ち主に返す前に取り替えます。",
            ),
        },
        (
            Query("倉庫の水害", "insurance", "a phrase"),
            Query("保険", "insurance", "a word of two characters"),
            Query("契約を解約する方法", "contract", "a verb form"),
            Query("ﾊﾞｯﾃﾘｰの欠陥", "contract", "half-width katakana"),
            Query("有給休暇は何日ですか", "leave", "a question"),
            Query("子ども 病気", "leave", "with a blank"),
            Query("2025年の販売台数", "sales", "narrow digits for wide ones"),
            Query("店", "sales", "a word of one character"),
            Query("ブレーキ点検", "brakes", "katakana and kanji"),
        ),
        "",
    ),
    "ko": Language(
        "Korean",
        {
            "insurance": (
                "이 보험은 창고의 홍수와 화재 피해를 보상합니다.",
                "상품의 손해는 칠 일 이내에 보험사에 알려야 합니다.",
            ),
            "contract": (
                "양 당사자는 세 달 전에 통지하고 공급계약을 해지할 수 있습니다.",
                "공급자는 결함이 있는 배터리를 교환합니다.",
            ),
            "leave": (
                "모든 직원에게는 삼십 일의 유급휴가가 있습니다.",
                "아이가 아프면 닷새째부터 휴가로 계산합니다.",
            ),
            "sales": (
                "2025년에 회사는 자전거 10,840대를 판매했습니다.",
                "북부 매장이 일찍 문을 열어서 매출이 늘었습니다.",
            ),
            "brakes": (
                "자전거의 브레이크는 해마다 한 번 공장에서 점검합니다.",
                "닳은 패드는 자전거를 돌려주기 전에 갈아야 합니다.",
            ),
        },
        (
            Query("창고 홍수", "insurance", "no particles"),
            Query("보험", "insurance", "a word of two characters"),
            Query("계약 해지", "contract", "part of a compound"),
            Query("배터리의 결함은", "contract", "other particles"),
            Query("직원 휴가", "leave", "part of a compound, no particles"),
            Query("회사가 판매한 자전거", "sales", "other endings"),
            Query("２０２５년 매출", "sales", "wide digits for narrow ones"),
            Query("브레이크를 점검", "brakes", "other particle"),
        ),
    ),
    "ar": Language(
        "Arabic",
        {
            "insurance": (
                "تغطي وثيقة التأمين المستودع ضد الفيضانات والحرائق.",
                "يجب الإبلاغ عن أضرار البضائع خلال سبعة أيام.",
            ),
            "contract": (
                "يحق لكل طرف إنهاء عقد التوريد بإشعار مدته ثلاثة أشهر.",
                "يستبدل المورد البطاريات التي سلمت وبها عيوب.",
            ),
            "leave": (
                "لكل موظف الحق في ثلاثين يوما من الإجازة المدفوعة.",
                "مرض الطفل لا يحسب إجازة إلا بعد اليوم الخامس.",
            ),
            "sales": (
                "باعت الشركة في عام ٢٠٢٥ أكثر من عشرة آلاف دراجة.",
                "ارتفعت الإيرادات لأن متاجر الشمال فتحت مبكرا.",
            ),
            "brakes": (
                "تفحص مكابح كل دراجة مرة واحدة في السنة داخل الورشة.",
                "يجب تغيير البطانات البالية قبل إعادة الدراجة إلى صاحبها.",
            ),
        },
        (
            Query("تأمين مستودع", "insurance", "without the article"),
            Query("للمستودع والتأمين", "insurance", "other clitics"),
            Query("فَيَضان", "insurance", "diacritics, singular"),
            Query("العقد وإنهاؤه", "contract", "article, suffix"),
            Query("بطارية", "contract", "singular"),
            Query("اجازة الموظفين", "leave", "alef without hamza, plural"),
            Query("إيرادات الشركة 2025", "sales", "European digits"),
            Query("متجر في الشمال", "sales", "a word in common"),
            Query("فحص المكابح بالورشة", "brakes", "article, clitic"),
        ),
    ),
    "ru": Language(
        "Russian",
        {
            "insurance": (
                "Полис страхования защищает склад от наводнения и пожара.",
                "О повреждении товара нужно сообщить страховщику в течение семи дней.",
            ),
            "contract": (
                "Каждая сторона может расторгнуть договор поставки, предупредив за три месяца.",
                "Поставщик заменяет аккумуляторы, которые были доставлены с дефектами.",
            ),
            "leave": (
                "Каждый сотрудник имеет право на тридцать дней оплачиваемого отпуска.",
                "Болезнь ребёнка считается отпуском только после пятого дня.",
            ),
            "sales": (
                "В 2025 году компания продала 10 840 велосипедов, больше, чем годом раньше.",
                "Выручка выросла, потому что магазины на севере открылись раньше.",
            ),
            "brakes": (
                "Тормоза каждого велосипеда проверяют один раз в год в мастерской.",
                "Изношенные колодки надо заменить, прежде чем вернуть велосипед владельцу.",
            ),
        },
        (
            Query("страхование складов", "insurance", "genitive plural"),
            Query("наводнением", "insurance", "instrumental"),
            Query("расторжение договора", "contract", "genitive"),
            Query("дефект аккумулятора", "contract", "singular, genitive"),
            Query("отпуск сотрудников", "leave", "genitive plural"),
            Query("о болезни ребенка", "leave", "е for ё, prepositional"),
            Query("компанией проданы велосипеды", "sales", "instrumental, plural"),
            Query("магазинов севера", "sales", "genitive plural"),
            Query("проверка тормозов", "brakes", "genitive plural"),
        ),
    ),
    "el": Language(
        "Greek",
        {
            "insurance": (
                "Το ασφαλιστήριο καλύπτει την αποθήκη από πλημμύρες και πυρκαγιές.",
                "Οι ζημιές στα εμπορεύματα δηλώνονται μέσα σε επτά ημέρες.",
            ),
            "contract": (
                "Κάθε μέρος μπορεί να καταγγείλει τη σύμβαση προμήθειας πριν από τρεις μήνες.",
                "Ο προμηθευτής αντικαθιστά τις μπαταρίες που έχουν ελαττώματα.",
            ),
            "leave": (
                "Όλοι οι εργαζόμενοι δικαιούνται τριάντα ημέρες άδεια με αποδοχές.",
                "Η ασθένεια του παιδιού υπολογίζεται μετά την πέμπτη ημέρα.",
            ),
            "sales": (
                "Το 2025 η εταιρεία πούλησε 10.840 ποδήλατα, περισσότερα από πέρυσι.",
                "Τα έσοδα αυξήθηκαν επειδή τα καταστήματα του βορρά άνοιξαν νωρίτερα.",
            ),
            "brakes": (
                "Τα φρένα κάθε ποδηλάτου ελέγχονται μία φορά τον χρόνο στο συνεργείο.",
                "Τα φθαρμένα τακάκια αλλάζονται πριν από την παράδοση.",
            ),
        },
        (
            Query("αποθηκη πλημμυρα", "insurance", "no accents, singular"),
            Query("συμβάσεις προμήθειας", "contract", "plural"),
            Query("ΜΠΑΤΑΡΙΕΣ", "contract", "capitals"),
            Query("άδειες εργαζομένων", "leave", "genitive plural"),
            Query("πωλήσεις της εταιρείας 2025", "sales", "genitive"),
            Query("φρένο", "brakes", "singular"),
        ),
    ),
    "he": Language(
        "Hebrew",
        {
            "insurance": (
                "הפוליסה מבטחת את המחסן מפני שיטפון ושריפה.",
                "על נזק לסחורה יש להודיע לחברת הביטוח בתוך שבעה ימים.",
            ),
            "contract": (
                "כל צד רשאי לבטל את חוזה האספקה בהודעה של שלושה חודשים מראש.",
                "הספק מחליף סוללות שנמסרו עם פגמים.",
            ),
            "leave": (
                "כל עובד זכאי לשלושים ימי חופשה בתשלום.",
                "מחלה של ילד נחשבת רק מהיום החמישי.",
            ),
            "sales": (
                "בשנת 2025 מכרה החברה 10,840 אופניים, יותר מאשר בשנה הקודמת.",
                "ההכנסות גדלו כי החנויות בצפון נפתחו מוקדם.",
            ),
            "brakes": (
                "הבלמים נבדקים פעם בשנה בסדנה.",
                "רפידות שחוקות יש להחליף לפני ההחזרה.",
            ),
        },
        (
            Query("ביטוח למחסן", "insurance", "other prefixes"),
            Query("החוזה", "contract", "article"),
            Query("חופשה לעובד", "leave", "prefix"),
            Query("הכנסות חנויות", "sales", "without the article"),
            Query("בלמים", "brakes", "without the article"),
        ),
    ),
    "hi": Language(
        "Hindi",
        {
            "insurance": (
                "यह बीमा गोदाम को बाढ़ और आग से बचाता है।",
                "माल की क्षति की सूचना सात दिनों में देनी होगी।",
            ),
            "contract": (
                "कोई भी पक्ष तीन महीने की सूचना देकर आपूर्ति अनुबंध समाप्त कर सकता है।",
                "आपूर्तिकर्ता खराब बैटरी बदल देता है।",
            ),
            "leave": (
                "हर कर्मचारी को तीस दिनों की छुट्टी मिलती है।",
                "बच्चे की बीमारी पाँचवें दिन के बाद ही गिनी जाती है।",
            ),
            "sales": (
                "२०२५ में कंपनी ने दस हज़ार साइकिलें बेचीं।",
                "उत्तर की दुकानें जल्दी खुलीं, इसलिए आय बढ़ी।",
            ),
            "brakes": (
                "हर साइकिल के ब्रेक की जाँच साल में एक बार कार्यशाला में होती है।",
                "घिसे पैड बदलना ज़रूरी है।",
            ),
        },
        (
            Query("गोदामों का बीमा", "insurance", "oblique plural"),
            Query("अनुबंधों", "contract", "oblique plural"),
            Query("कर्मचारियों की छुट्टियाँ", "leave", "plural"),
            Query("2025 में दुकान", "sales", "European digits, singular"),
            Query("ब्रेक जांच", "brakes", "anusvara for chandrabindu"),
        ),
    ),
    "th": Language(
        "Thai",
        {
            "insurance": (
                "กรมธรรม์ประกันภัยนี้คุ้มครองคลังสินค้าจากน้ำท่วมและไฟไหม้",
                "ต้องแจ้งความเสียหายของสินค้าภายในเจ็ดวัน",
            ),
            "contract": (
                "แต่ละฝ่ายบอกเลิกสัญญาจัดหาได้โดยแจ้งล่วงหน้าสามเดือน",
                "ผู้จัดหาเปลี่ยนแบตเตอรี่ที่ชำรุด",
            ),
            "leave": (
                "พนักงานทุกคนมีสิทธิลาพักร้อนสามสิบวัน",
                "การเจ็บป่วยของลูกนับเป็นวันลาตั้งแต่วันที่ห้า",
            ),
            "sales": (
                "ในปี ๒๐๒๕ บริษัทขายจักรยานมากกว่าหนึ่งหมื่นคัน",
                "รายได้เพิ่มขึ้นเพราะร้านทางภาคเหนือเปิดเร็วขึ้น",
            ),
            "brakes": (
                "เบรกของจักรยานทุกคันตรวจสอบปีละครั้งที่โรงซ่อม",
                "ผ้าเบรกที่สึกต้องเปลี่ยนก่อนส่งคืน",
            ),
        },
        (
            Query("ประกันภัยน้ำท่วม", "insurance", "inside a run of letters"),
            Query("สัญญา", "contract", "inside a run of letters"),
            Query("พนักงาน ลาพักร้อน", "leave", "with a blank"),
            Query("รายได้บริษัท 2025", "sales", "European digits"),
            Query("ตรวจสอบเบรก", "brakes", "other order"),
        ),
    ),
    "tr": Language(
        "Turkish",
        {
            "insurance": (
                "Poliçe, depoyu sel ve yangına karşı sigorta eder.",
                "Mallardaki hasarlar yedi gün içinde bildirilmelidir.",
            ),
            "contract": (
                "Taraflar üç ay önceden bildirerek tedarik sözleşmesini feshedebilir.",
                "Tedarikçi, kusurlu olarak teslim edilen bataryaları değiştirir.",
            ),
            "leave": (
                "Her çalışanın otuz gün ücretli izin hakkı vardır.",
                "Çocuğun hastalığı ancak beşinci günden sonra izin sayılır.",
            ),
            "sales": (
                "Şirket 2025'te bir önceki yıldan daha çok, 10.840 bisiklet sattı.",
                "Kuzeydeki mağazalar daha erken açıldığı için gelirler arttı.",
            ),
            "brakes": (
                "Bisikletlerin frenleri yılda bir kez atölyede kontrol edilir.",
                "Aşınmış balatalar teslimden önce yenilenir.",
            ),
        },
        (
            Query("depo sigortası", "insurance", "bare noun, possessive"),
            Query("SİGORTALAR", "insurance", "capital dotted i, plural"),
            Query("sözleşmenin feshi", "contract", "genitive"),
            Query("çalışanların izinleri", "leave", "plural"),
            Query("2025 bisiklet satışı", "sales", "number without its ending"),
            Query("fren kontrolü", "brakes", "singular"),
        ),
    ),
}
