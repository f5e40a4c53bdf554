"""The letters beyond ASCII of each language: the frequent ones, and the others."""

_REST_OF_HEBREW = (
    "גדזחטכךםןסעפףצץק₪"
    "\u05b0\u05b1\u05b2\u05b3\u05b4\u05b5\u05b6\u05b7\u05b8\u05b9\u05bb\u05bc\u05be\u05c1\u05c2\u05f3\u05f4"
)
_REST_OF_THAI = (
    "ขคจชซฐณถธบปผฝพฟภศษหฬฮฯำแโใไๆฉฌญฎฏฑฒฆฃฅฤ฿๐๑๒๓๔๕๖๗๘๙"
    "\u0e34\u0e36\u0e37\u0e38\u0e39\u0e3a\u0e47\u0e4a\u0e4b\u0e4c"
)
ALPHABETS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    language: (frozenset(common), frozenset(others))
    for language, (common, others) in {
        "ca": ("àèéíòóç", "úïü·"),
        "cs": ("áčéěířšůýž", "ďňóťúäöü"),
        "da": ("æøå", "éüö"),
        "de": ("äöüß", "éàèç"),
        "es": ("áéíóñ", "úü"),
        "et": ("äõöü", "šž"),
        "fi": ("äö", "åšž"),
        "fr": ("éèàêç", "âîôùûëïüœÿ"),
        "hr": ("čćđšž", ""),
        "hu": ("áéíóöőü", "úű"),
        "is": ("áæéíóöþð", "úý"),
        "it": ("àèéìòù", "íîóú"),
        "lt": ("čėšųž", "ąęįū"),
        "lv": ("āčēīļšū", "ģķņžōŗ"),
        "nl": ("éë", "èïüöáóêàçí"),
        "no": ("æøå", "éòôóüêà"),
        "pl": ("ąćęłńóśżź", "éüö"),
        "pt": ("áãçéíóê", "àâôõúü"),
        "ro": ("ăâîșțşţ", "éöü"),  # also with a cedilla, as older encodings have it
        "sk": ("áčéíľšťúýž", "äďĺňóôŕěřů"),
        "sl": ("čšž", "ćđ"),
        "sv": ("äåö", "éüèà"),
        "tr": ("çğıöşü", "âîûi̇"),
        "bg": ("аеиноврст", "бгджзйклмпуфхцчшщъьюя"),
        "mk": ("аеиноврст", "бгдѓжзѕјклљмњпќуфхцчџшѐѝ"),
        "ru": ("аеиноврстл", "бгдёжзйкмпуфхцчшщъыьэюя"),
        "sr": ("аеиноврст", "бгдђжзјклљмњпћуфхцчџш"),
        "uk": ("аеиноврсті", "бгґдєжзйїклмпуфхцчшщьюя"),
        "el": ("αεηικλνοπρστυωάέήίόύώς", "βγδζθμξφχψ"),
        "he": ("אבהוילמנרשת", _REST_OF_HEBREW),
        "ar": ("ابتدرسعفلمنهوية", "أإآئءؤةىثجحخذزشصضطظغقك،؛؟ـًٌٍَُِّْ"),
        "fa": ("ابتدرسنمهوی", "آئءثجچحخذزژشصضطظعغفقکگپلأؤ،؛؟\u200cيك"),
        "th": ("กนรอเงมยลวดทสตะ\u0e31\u0e35\u0e48\u0e49", _REST_OF_THAI),
    }.items()
}

FREQUENT_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(said.split())
    for language, said in {
        "et": "ei ja kas kui ka mis ning oma on see või üle",
        "he": "אל את אם הוא היא זה זו יש כי לא לפני מה על עם של",
        "hr": "ako bez bila bilo biti ga ili ima ja je kako kao koja koje koji na nije ova ovaj od"
        " se su što te već za",
        "is": "að af eða ekki en er frá fyrir hefur með og sem til um það við",
        "sk": "ak ako alebo aj bez ktorá ktoré ktorý má na nie od po pre pri sa sú to v za zo že",
        "sl": "ali brez če in iz je ki kot na ni od po pri se so ta to tudi za že",
    }.items()
}
"""Frequent words of languages that `STOPWORDS` lacks, because no text is assigned to them."""

FREQUENT_SIMPLIFIED = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
    "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前"
    "开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重"
    "并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常"
    "先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报"
    "才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼"
    "书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术"
    "领共确传师观清今切院让识候带导争运请输入选择删除添加文件用户密码错误必须字段值显示搜索更改保存"
)
FREQUENT_TRADITIONAL = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過"
    "發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前"
    "開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重"
    "並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常"
    "先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報"
    "才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼"
    "書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術"
    "領共確傳師觀清今切院讓識候帶導爭運請輸入選擇刪除添加文件用戶密碼錯誤必須字段值顯示搜索更改保存"
)
FREQUENT_HANGUL = frozenset(
    "이다의는에을를가고로한은하지도서기사리대인아자시어나라일정보수그게들만해제주전상부장과년성원신으구"
    "여스있것동조안관었용국등비소트오세위저내면모공우니습합까요거무계실방문화음경결제입력선택오류"
)
"""The most frequent characters: a text read in the wrong encoding has few of them."""
