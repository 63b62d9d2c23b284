//! Tests of language detection on short sentences.

use std::collections::HashSet;

use super::*;

/// Short sentences by language. A few are almost the same in a related language and may be detected as that language.
const SENTENCES: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "The kettle is on the stove.",
            "Where is the station?",
            "Good morning!",
            "I have two cats.",
            "Save changes",
            "Hello, world",
            "Tea",
            "kettle",
            "one",
            "OK",
            "Settings",
            "tea cup",
            "x",
            "A",
            "Error: file not found",
            "user name",
            "Log in",
        ],
    ),
    (
        "de",
        &[
            "Der Kessel steht auf dem Herd.",
            "Guten Morgen!",
            "Wo ist der Bahnhof?",
            "Ich habe zwei Katzen.",
            "Bitte warten",
            "Datei nicht gefunden",
            "Ich bin nicht da und das ist gut",
        ],
    ),
    (
        "fr",
        &[
            "La bouilloire est sur le feu.",
            "Où est la gare ?",
            "J'ai deux chats.",
            "Bonjour tout le monde",
            "Il fait froid.",
            "Je suis ici.",
        ],
    ),
    ("es", &["La tetera está en el fuego.", "¿Dónde está la estación?", "Tengo dos gatos.", "Buenos días"]),
    ("it", &["Il bollitore è sul fuoco.", "Dove si trova la stazione?", "Ho due gatti.", "Buongiorno a tutti"]),
    ("pt", &["A chaleira está no fogão.", "Onde fica a estação?", "Eu tenho dois gatos.", "Bom dia"]),
    ("nl", &["De ketel staat op het vuur.", "Waar is het station?", "Ik heb twee katten.", "Goedemorgen"]),
    ("pl", &["Czajnik stoi na kuchence.", "Gdzie jest dworzec?", "Mam dwa koty.", "Dzień dobry"]),
    ("cs", &["Konvice je na sporáku.", "Kde je nádraží?", "Mám dvě kočky.", "Dobrý den"]),
    ("sk", &["Kanvica je na sporáku.", "Kde je stanica?", "Mám dve mačky.", "Dobrý deň"]),
    ("sl", &["Čajnik je na štedilniku.", "Kje je postaja?", "Imam dve mački.", "Dober dan"]),
    ("sv", &["Kitteln står på spisen.", "Var ligger stationen?", "Jag har två katter.", "God morgon"]),
    ("da", &["Kedlen står på komfuret.", "Hvor ligger stationen?", "Jeg har to katte.", "Godt at se dig"]),
    ("nb", &["Kjelen står på komfyren.", "Hvor er stasjonen?", "Jeg har to katter.", "Takk for sist"]),
    ("fi", &["Kattila on liedellä.", "Missä asema on?", "Minulla on kaksi kissaa.", "Hyvää huomenta"]),
    ("et", &["Katel on pliidil.", "Kus on jaam?", "Mul on kaks kassi.", "Tere hommikust"]),
    ("lv", &["Tējkanna ir uz plīts.", "Kur ir stacija?", "Man ir divi kaķi.", "Labrīt"]),
    ("lt", &["Virdulys yra ant viryklės.", "Kur yra stotis?", "Aš turiu dvi kates.", "Labas rytas"]),
    ("hu", &["A vízforraló a tűzhelyen van.", "Hol van az állomás?", "Két macskám van.", "Jó reggelt"]),
    ("ro", &["Ceainicul este pe foc.", "Unde este gara?", "Am două pisici.", "Bună ziua"]),
    ("tr", &["Çaydanlık ocağın üstünde.", "İstasyon nerede?", "İki kedim var.", "Günaydın"]),
    ("id", &["Ketel ada di atas kompor.", "Di mana stasiun?", "Saya punya dua kucing.", "Selamat pagi"]),
    ("vi", &["Ấm nước ở trên bếp.", "Nhà ga ở đâu?", "Tôi có hai con mèo."]),
    ("ru", &["Чайник стоит на плите.", "Где вокзал?", "У меня две кошки.", "Доброе утро"]),
    ("uk", &["Чайник стоїть на плиті.", "Де вокзал?", "У мене дві кішки.", "Добрий ранок"]),
    ("bg", &["Чайникът е на печката.", "Къде е гарата?", "Имам две котки.", "Добро утро"]),
    ("el", &["Ο βραστήρας είναι στη φωτιά."]),
    ("he", &["הקומקום על הכיריים."]),
    ("ar", &["الغلاية على الموقد."]),
    ("th", &["กาน้ำอยู่บนเตา"]),
    ("ja", &["やかんが火にかかっています。", "駅はどこですか。"]),
    ("ko", &["주전자가 불 위에 있어요."]),
    ("zh", &["水壶在炉子上。", "车站在哪里?"]),
];

#[test]
fn nearly_every_short_sentence_is_detected() {
    let all: Vec<(&str, &str)> =
        SENTENCES.iter().flat_map(|(code, texts)| texts.iter().map(|text| (*code, *text))).collect();
    let wrong: Vec<String> = all
        .iter()
        .filter(|(code, text)| detect(text) != *code)
        .map(|(code, text)| format!("{text}: {}, not {code}", detect(text)))
        .collect();
    assert!(all.len() > 120 && wrong.len() * 12 <= all.len(), "{} of {}: {wrong:#?}", wrong.len(), all.len());
    for (code, texts) in SENTENCES {
        assert!(texts.iter().any(|text| detect(text) == *code), "{code}");
    }
}

#[test]
fn detect_certain_is_never_wrong_in_languages_with_writing_support() {
    for (code, texts) in SENTENCES.iter().filter(|(code, _)| languages::find_target("write", code).is_some()) {
        for text in *texts {
            assert!(detect_certain(text).is_none_or(|found| found == *code), "{text}: {:?}", detect_certain(text));
        }
        assert!(texts.iter().any(|text| detect_certain(text).is_some()) || ["ko", "zh"].contains(code), "{code}");
    }
    for text in
        ["we was late becuase of rain", "Teh kettel ist on teh stove", "Error: file not found", "main.rs: utils.rs"]
    {
        assert!(detect_certain(text).is_none_or(|found| found == "en"), "{text}: {:?}", detect_certain(text));
    }
}

#[test]
fn judges_how_certain_the_language_is() {
    for (text, judgment) in [
        ("The kettle is on the stove.", Detected("en")),
        ("Der Kessel steht auf dem Herd.", Detected("de")),
        ("Dobrý den, jak se máte?", Detected("cs")),
        ("<b>Où est la gare ?</b>", Detected("fr")),
        ("Где находится вокзал?", Detected("ru")),
        ("駅はどこですか", Detected("ja")),
        ("ქართული ენა", Detected("ka")),
        ("आप कैसे हैं", Detected("hi")),
        ("Qx", Unsure("en")),
        ("Lorem", Unsure("en")),
        ("", NoLanguage),
        ("12 + 30 = 42 🙂", NoLanguage),
        ("<p>1</p>", NoLanguage),
        ("ᚠᚢᚦᚨᚱᚲ", Unsupported),
        ("ሰላም ለዓለም", Unsupported),
        ("ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", Unsupported),
    ] {
        assert_eq!(judge(text), judgment, "{text}");
    }
}

#[test]
fn every_auto_detection_language_can_be_detected() {
    let known: Vec<&str> = Lang::all().iter().filter_map(|lang| supported_code(*lang)).collect();
    let has = |language: &&languages::SandboxLanguage| {
        language
            .support_on("translate_text")
            .is_some_and(|support| support.source && support.has_feature("auto_detection"))
    };
    for language in languages::all().iter().filter(has) {
        assert!(known.contains(&language.lang), "{}", language.lang);
    }
    assert_eq!(WORDS.values().flatten().collect::<HashSet<_>>().len(), include_str!("words.txt").lines().count());
}

#[test]
fn a_word_unique_to_a_language_decides() {
    for (text, code) in [
        ("Ich am the only one", "en"),
        ("Xyzzy und plugh", "de"),
        ("Xyzzy és plugh", "hu"),
        ("Xyzzy och plugh", "sv"),
        ("Xyzzy ikke plugh noe", "nb"),
        ("Xyzzy ikke plugh noget", "da"),
    ] {
        assert_eq!(detect(text), code, "{text}");
    }
}

#[test]
fn tags_are_not_words() {
    for (text, code) in [
        ("<a>x</a>", "en"),
        ("<p class='der die das'>Hello</p>", "en"),
        ("<the>Guten Morgen</the>", "de"),
        ("<имя>Hello</имя> <!-- это не слова -->", "en"),
        ("1 < 2 und nicht mehr", "de"),
        ("<und", "de"),
    ] {
        assert_eq!(detect(text), code, "{text}");
    }
}

#[test]
fn the_script_of_most_letters_decides() {
    for (text, code) in [
        ("The word чай means tea.", "en"),
        ("Слово tea на английском — чай.", "ru"),
        ("東京タワーはiPhoneで撮れます。", "ja"),
        ("", "en"),
        ("12345 !?", "en"),
        ("a", "en"),
    ] {
        assert_eq!(detect(text), code, "{text}");
    }
}

#[test]
fn ignores_tags_placeholders_and_addresses() {
    for (text, code) in [
        ("<p title=\"der die das und ist\">I have two cats.</p>", "en"),
        ("<style>.der .die .das .und { ist: nicht }</style><p>The kettle is on</p>", "en"),
        ("<script>var der, die, das, und, ist</script> Où est la gare ?", "fr"),
        ("<!-- the and is of to you --><b>Wo ist der Bahnhof?</b>", "de"),
        ("{the_and_is} {of} %(you)s Wo ist der Bahnhof?", "de"),
        ("Wo ist der Bahnhof? https://example.org/the/and/is/of/to/you/with/this", "de"),
        ("&the;&and;&of; Il fait froid.", "fr"),
        ("3 < 4 und das ist nicht gut", "de"),
        ("<scripted>Je suis ici.</scripted>", "fr"),
    ] {
        assert_eq!(detect(text), code, "{text}");
    }
}

#[test]
fn looks_at_the_start_of_a_long_text() {
    let text =
        format!("{}{}", "Der Kessel steht auf dem Herd. ".repeat(100), "The kettle is on the stove. ".repeat(200_000));
    assert_eq!(detect(&text), "de");
    assert_eq!(sample(&text).chars().count(), SAMPLE_BYTES_MAX);
    assert_eq!(detect(&"<p>".repeat(300_000)), "en");
}
