//! Which language short sentences are in.

use super::*;
use crate::languages;

/// Short sentences. Some are the same but for a letter in the next language: those may be wrong, and few are.
const SENTENCES: &[(&str, &[&str])] = &[
    (
        "EN",
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
        "DE",
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
        "FR",
        &[
            "La bouilloire est sur le feu.",
            "Où est la gare ?",
            "J'ai deux chats.",
            "Bonjour tout le monde",
            "Il fait froid.",
            "Je suis ici.",
        ],
    ),
    ("ES", &["La tetera está en el fuego.", "¿Dónde está la estación?", "Tengo dos gatos.", "Buenos días"]),
    ("IT", &["Il bollitore è sul fuoco.", "Dove si trova la stazione?", "Ho due gatti.", "Buongiorno a tutti"]),
    ("PT", &["A chaleira está no fogão.", "Onde fica a estação?", "Eu tenho dois gatos.", "Bom dia"]),
    ("NL", &["De ketel staat op het vuur.", "Waar is het station?", "Ik heb twee katten.", "Goedemorgen"]),
    ("PL", &["Czajnik stoi na kuchence.", "Gdzie jest dworzec?", "Mam dwa koty.", "Dzień dobry"]),
    ("CS", &["Konvice je na sporáku.", "Kde je nádraží?", "Mám dvě kočky.", "Dobrý den"]),
    ("SK", &["Kanvica je na sporáku.", "Kde je stanica?", "Mám dve mačky.", "Dobrý deň"]),
    ("SL", &["Čajnik je na štedilniku.", "Kje je postaja?", "Imam dve mački.", "Dober dan"]),
    ("SV", &["Kitteln står på spisen.", "Var ligger stationen?", "Jag har två katter.", "God morgon"]),
    ("DA", &["Kedlen står på komfuret.", "Hvor ligger stationen?", "Jeg har to katte.", "Godt at se dig"]),
    ("NB", &["Kjelen står på komfyren.", "Hvor er stasjonen?", "Jeg har to katter.", "Takk for sist"]),
    ("FI", &["Kattila on liedellä.", "Missä asema on?", "Minulla on kaksi kissaa.", "Hyvää huomenta"]),
    ("ET", &["Katel on pliidil.", "Kus on jaam?", "Mul on kaks kassi.", "Tere hommikust"]),
    ("LV", &["Tējkanna ir uz plīts.", "Kur ir stacija?", "Man ir divi kaķi.", "Labrīt"]),
    ("LT", &["Virdulys yra ant viryklės.", "Kur yra stotis?", "Aš turiu dvi kates.", "Labas rytas"]),
    ("HU", &["A vízforraló a tűzhelyen van.", "Hol van az állomás?", "Két macskám van.", "Jó reggelt"]),
    ("RO", &["Ceainicul este pe foc.", "Unde este gara?", "Am două pisici.", "Bună ziua"]),
    ("TR", &["Çaydanlık ocağın üstünde.", "İstasyon nerede?", "İki kedim var.", "Günaydın"]),
    ("ID", &["Ketel ada di atas kompor.", "Di mana stasiun?", "Saya punya dua kucing.", "Selamat pagi"]),
    ("VI", &["Ấm nước ở trên bếp.", "Nhà ga ở đâu?", "Tôi có hai con mèo."]),
    ("RU", &["Чайник стоит на плите.", "Где вокзал?", "У меня две кошки.", "Доброе утро"]),
    ("UK", &["Чайник стоїть на плиті.", "Де вокзал?", "У мене дві кішки.", "Добрий ранок"]),
    ("BG", &["Чайникът е на печката.", "Къде е гарата?", "Имам две котки.", "Добро утро"]),
    ("EL", &["Ο βραστήρας είναι στη φωτιά."]),
    ("HE", &["הקומקום על הכיריים."]),
    ("AR", &["الغلاية على الموقد."]),
    ("TH", &["กาน้ำอยู่บนเตา"]),
    ("JA", &["やかんが火にかかっています。", "駅はどこですか。"]),
    ("KO", &["주전자가 불 위에 있어요."]),
    ("ZH", &["水壶在炉子上。", "车站在哪里?"]),
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
fn the_languages_with_automatic_detection_are_known() {
    let mut detected: Vec<&str> = LANGUAGES.iter().map(|language| language.code).collect();
    detected.sort_unstable();
    let has = |language: &&languages::SandboxLanguage| {
        language.on("translate_text").is_some_and(|support| support.has("auto_detection"))
    };
    let mut served: Vec<String> = languages::all().iter().filter(has).map(languages::SandboxLanguage::upper).collect();
    served.push("TH".to_owned());
    served.sort_unstable();
    assert_eq!(detected, served);
}

#[test]
fn a_word_that_only_one_language_has_decides() {
    for (text, code) in [
        ("Ich am the only one", "EN"),
        ("Xyzzy und plugh", "DE"),
        ("Xyzzy és plugh", "HU"),
        ("Xyzzy och plugh", "SV"),
        ("Xyzzy ikke plugh noe", "NB"),
        ("Xyzzy ikke plugh noget", "DA"),
    ] {
        assert_eq!(detect(text), code, "{text}");
    }
}

#[test]
fn tags_are_not_words() {
    for (text, code) in [
        ("<a>x</a>", "EN"),
        ("<p class='der die das'>Hello</p>", "EN"),
        ("<the>Guten Morgen</the>", "DE"),
        ("<имя>Hello</имя> <!-- это не слова -->", "EN"),
        ("1 < 2 und nicht mehr", "DE"),
        ("<der", "DE"),
    ] {
        assert_eq!(detect(text), code, "{text}");
    }
}

#[test]
fn most_letters_decide_about_the_script() {
    for (text, code) in [
        ("The word чай means tea.", "EN"),
        ("Слово tea на английском — чай.", "RU"),
        ("東京タワーはiPhoneで撮れます。", "JA"),
        ("", "EN"),
        ("12345 !?", "EN"),
        ("a", "EN"),
    ] {
        assert_eq!(detect(text), code, "{text}");
    }
}

#[test]
fn looks_at_the_words_between_tags_and_placeholders_alone() {
    for (text, code) in [
        ("<p title=\"der die das und ist\">I have two cats.</p>", "EN"),
        ("<style>.der .die .das .und { ist: nicht }</style><p>The kettle is on</p>", "EN"),
        ("<script>var der, die, das, und, ist</script> Où est la gare ?", "FR"),
        ("<!-- the and is of to you --><b>Wo ist der Bahnhof?</b>", "DE"),
        ("{the_and_is} {of} %(you)s Wo ist der Bahnhof?", "DE"),
        ("Wo ist der Bahnhof? https://example.org/the/and/is/of/to/you/with/this", "DE"),
        ("&the;&and;&of; Il fait froid.", "FR"),
        ("3 < 4 und das ist nicht gut", "DE"),
        ("<scripted>Je suis ici.</scripted>", "FR"),
    ] {
        assert_eq!(detect(text), code, "{text}");
    }
}

#[test]
fn looks_at_the_start_of_a_long_text() {
    let text =
        format!("{}{}", "Der Kessel steht auf dem Herd. ".repeat(100), "The kettle is on the stove. ".repeat(200_000));
    assert_eq!(detect(&text), "DE");
    assert_eq!(sample(&text).chars().count(), SAMPLE_BYTES_MAX);
    assert_eq!(detect(&"<p>".repeat(300_000)), "EN");
}
