//! The languages that the sandbox detects, with their most common words and the letters that few others use.

use whatlang::Lang;

/// What the detection knows about a language.
pub(super) struct KnownLanguage {
    /// Base code in upper case.
    pub(super) code: &'static str,
    /// Its name in the detector.
    pub(super) lang: Lang,
    /// Common words in lower case, separated by spaces.
    pub(super) words: &'static str,
    /// Letters that hardly any other language of its script uses.
    pub(super) letters: &'static str,
}

const fn language(code: &'static str, lang: Lang, letters: &'static str, words: &'static str) -> KnownLanguage {
    KnownLanguage { code, lang, words, letters }
}

/// The languages with automatic detection. English comes first: it wins if nothing speaks for another language.
pub(super) const LANGUAGES: &[KnownLanguage] = &[
    language(
        "EN",
        Lang::Eng,
        "",
        "the and is of to you with this that are for it not have a i we he she they my your his her our was were be been \
         will would can could do does did what where when how why who there here on in at from by or but if an as no yes \
         please thank thanks hello good morning all has had please don't it's i'm two three log",
    ),
    language(
        "DE",
        Lang::Deu,
        "ß",
        "der die das und ist nicht ein eine einen einem einer ich sie er wir ihr mit auf zu guten gut von den dem des für im \
         sind war haben habe hat kann wird werden auch aber oder wenn wie was wo wer bitte danke hallo ja nein morgen heute \
         uns mein meine dein kein keine sich noch schon sehr hier nach bei aus um es zum zur über möchte zwei drei",
    ),
    language(
        "FR",
        Lang::Fra,
        "œù",
        "le la les et est une un des je vous nous il elle ils pas pour dans bonjour du de au aux ce cette ces que qui sur avec \
         ne sont était être avoir ai as a mais ou où comment pourquoi merci oui non mon ma mes ton votre notre très bien plus \
         tout fait s'il plaît c'est j'ai n'est d'un d'une qu'il l'eau l'air chez suis ici salut deux trois",
    ),
    language(
        "ES",
        Lang::Spa,
        "ñ¿¡",
        "el la los las y es una un por con para que no hola está muy de del en se lo al como más pero sus su me mi tu yo él \
         ella nosotros son fue ser tiene tengo hay este esta esto qué dónde cómo cuándo gracias favor buenos días buenas si sí \
         también todo bien estoy están le dos tres",
    ),
    language(
        "IT",
        Lang::Ita,
        "",
        "il lo la gli le i e è una un uno che per con non sono di della del dei delle nel nella ciao da in si mi ti ci io tu \
         lui lei noi come dove quando perché anche ma o ho hai ha abbiamo grazie buongiorno molto bene questo questa quello \
         più sera giorno prego essere c'è al alla dal sul due tre",
    ),
    language(
        "PT",
        Lang::Por,
        "ãõ",
        "o os a as e é uma um que não para com você do da dos das em no na nos nas por se eu ele ela nós eles meu minha seu \
         sua como onde quando porque mas ou mais muito bem obrigado obrigada bom dia olá está estou são foi ser tem tenho isso \
         este esta ao à também sim dois duas três",
    ),
    language(
        "NL",
        Lang::Nld,
        "",
        "de het een en is niet van ik je met voor dat zijn hallo op te in aan er maar om hij zij ze wij we jullie u was heeft \
         hebben heb kan wordt ook of als hoe waar wat wie goed goedemorgen dank bedankt ja nee mijn jouw onze geen naar bij uit \
         deze dit zeer graag alstublieft vandaag morgen nog wel twee drie",
    ),
    language(
        "PL",
        Lang::Pol,
        "łąęśźż",
        "i w nie się na jest że do to dzień dobry jak czy z o co za po od ale dla są był była być mam ma ja ty on ona my wy \
         oni ten ta te tego gdzie kiedy dlaczego dziękuję proszę tak bardzo dobrze już tylko przez przy jestem mój moja \
         lub albo jej jego cześć dwa dwie trzy",
    ),
    language(
        "CS",
        Lang::Ces,
        "řěů",
        "a je se na že to není dobrý den jsem jak pro ale s v z do o co by si mi už jen tak za po být byl byla jsou mám má já \
         ty on ona my vy oni ten ta kde kdy proč děkuji prosím ano ne velmi dobře můj moje nebo ahoj také ve který která dva dvě tři",
    ),
    language(
        "SK",
        Lang::Slk,
        "ľĺŕô",
        "a je sa na že to nie dobrý deň som ako pre ale s v z do o čo by si mi už len tak za po byť bol bola sú mám má ja ty \
         on ona my vy oni ten tá kde kedy prečo ďakujem prosím áno veľmi dobre môj moja alebo ahoj aj vo ktorý ktorá nemám dva dve tri",
    ),
    language(
        "SL",
        Lang::Slv,
        "",
        "in je se na da to ni dober dan sem kako za pa s v z do o kaj bi si mi že samo tako po biti bil bila so imam ima jaz \
         ti on ona mi vi oni ta kje kdaj zakaj hvala prosim ja ne zelo dobro moj moja ali živjo tudi ki ker danes dve trije",
    ),
    language(
        "SV",
        Lang::Swe,
        "",
        "och är att det en ett inte jag som på för med hej av den de i till har var vi du han hon ni kan ska vill om men eller \
         när hur vad vem tack ja nej mycket bra god morgon min mitt din sig från också här där mig dig efter vid så idag två tre står ligger",
    ),
    language(
        "DA",
        Lang::Dan,
        "",
        "og er at det en et ikke jeg som på til med hej af den de i for har var vi du han hun kan skal vil om men eller når \
         hvordan hvad hvor hvem tak ja nej meget godt god morgen min mit din sig fra også her der mig dig efter ved så dag \
         ligger noget gerne to tre står",
    ),
    language(
        "NB",
        Lang::Nob,
        "",
        "og er at det en et ei ikke jeg som på til med hei av den de i for har var vi du han hun kan skal vil om men eller når \
         hvordan hva hvor hvem takk ja nei veldig bra god morgen min mitt din seg fra også her der meg deg etter ved så dag \
         ligger noe gjerne to tre står",
    ),
    language(
        "FI",
        Lang::Fin,
        "",
        "ja on ei se että minä hän oli kun niin mutta hei tämä ovat olen olet me te he sinä mitä missä milloin miten miksi \
         kiitos kyllä hyvää huomenta päivää hyvin hyvä myös tai jos vain nyt kuin en ole minun sinun mikä kuka siellä täällä \
         paljon kanssa tänään kaksi kolme",
    ),
    language(
        "ET",
        Lang::Est,
        "õ",
        "ja on ei see et ma ta oli kui aga tere mis kas üks ning olen sa me te nad mina sina kus millal kuidas miks aitäh jah \
         hommikust päevast hästi hea väga ka või siis ainult nüüd minu sinu kes siin seal palju koos täna ole palun kaks kolm",
    ),
    language(
        "LV",
        Lang::Lav,
        "ģķļņēī",
        "un ir ka tas nav es tu viņš viņa mēs jūs ar par no uz kas kur kad kā kāpēc paldies lūdzu jā nē ļoti labi labdien \
         labrīt šis šī bet vai arī tikai man tev mans mana ļaudis ja pie būt bija šodien divi trīs",
    ),
    language(
        "LT",
        Lang::Lit,
        "ėųįū",
        "ir yra kad tai nėra aš tu jis ji mes jūs su apie iš į kas kur kada kaip kodėl ačiū prašau taip ne labai gerai laba \
         diena labas rytas šis ši bet ar arba tik man tau mano tavo prie būti buvo šiandien du dvi trys",
    ),
    language(
        "HU",
        Lang::Hun,
        "őű",
        "a az és nem hogy egy van jó napot meg is de ez már vagy mert ha csak én te ő mi ti ők mit hol mikor hogyan miért \
         köszönöm kérem igen reggelt nagyon jól szia ki lesz volt lehet kell ezt azt itt ott ma nincs két három",
    ),
    language(
        "RO",
        Lang::Ron,
        "țșţşă",
        "și este nu în o un la cu pe că bună ziua de mai sunt am ai are eu tu el ea noi voi ei ce unde când cum cine \
         mulțumesc da foarte bine din pentru dar sau dacă mea meu ta acest această fost fi să se lui casa vă rog azi două trei",
    ),
    language(
        "TR",
        Lang::Tur,
        "ığİ",
        "ve bir bu için ile değil ne ben çok var merhaba daha gibi mi mı sen o biz siz onlar nerede nasıl neden teşekkür \
         ederim evet hayır iyi günaydın lütfen da de ama veya çünkü yok olan kadar şey bugün yarın benim senin iki üç",
    ),
    language(
        "ID",
        Lang::Ind,
        "",
        "dan yang di ini itu tidak dengan untuk saya ada ke dari apa akan kamu anda dia kami kita mereka bagaimana mana kapan \
         mengapa terima kasih selamat pagi siang baik sangat bisa sudah belum juga atau tetapi pada adalah bukan hari rumah dua tiga",
    ),
    language(
        "VI",
        Lang::Vie,
        "ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
        "và là của không có tôi bạn anh chị em chúng một này cho với được trong đã sẽ đang rất cảm ơn xin chào ở đâu khi nào \
         như thế người ngày hôm nay",
    ),
    language(
        "RU",
        Lang::Rus,
        "ыэё",
        "и в не на я что он она оно это как мы вы они с по но все у за от да нет где когда почему спасибо пожалуйста привет \
         здравствуйте очень хорошо мой моя есть был была быть сегодня для или если только меня тебя добрый день утро два две три у",
    ),
    language(
        "UK",
        Lang::Ukr,
        "іїєґ",
        "і й в не на я що він вона воно це як ми ви вони з по але все у за від так ні де коли чому дякую будь ласка привіт \
         дуже добре мій моя є був була бути сьогодні для або якщо тільки мене тебе добрий день ранок та два дві три",
    ),
    language(
        "BG",
        Lang::Bul,
        "ъ",
        "и в не на аз ти той тя то какво това как ние вие те с по но всички у за от да къде кога защо благодаря моля здравей \
         здравейте много добре мой моя има няма съм си е сме сте са беше бъде днес за или ако само мен теб добър ден добро \
         утро се ще ли който две три имам",
    ),
    language("EL", Lang::Ell, "", ""),
    language("HE", Lang::Heb, "", ""),
    language("AR", Lang::Ara, "", ""),
    language("TH", Lang::Tha, "", ""),
    language("JA", Lang::Jpn, "", ""),
    language("KO", Lang::Kor, "", ""),
    language("ZH", Lang::Cmn, "", ""),
];
