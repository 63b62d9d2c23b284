//! The seed file: the initial objects of each session, and the reset to them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::SandboxOptions;
use crate::sessions::Sessions;

const SEED: &str = r#"
[[glossaries]]
name = "Kitchen"
[[glossaries.dictionaries]]
source_lang = "en"
target_lang = "de"
entries = { kettle = "Wasserkocher", "tea pot" = "Teekanne" }
[[glossaries.dictionaries]]
source_lang = "en"
target_lang = "fr"
entries_file = "fr.csv"

[[style_rules]]
id = "11111111-2222-4333-8444-555555555555"
name = "House style"
language = "DE"
configured_rules.punctuation.periods_in_academic_degrees = "do_not_use"
[[style_rules.custom_instructions]]
label = "Polite"
prompt = "Be polite."

[[translation_memories]]
name = "Manuals"
source_language = "en"
target_languages = ["de"]
segments = [{ source = "Close the lid.", target_lang = "de", target = "Schließen Sie den Deckel." }]

[[style_profiles]]
name = "Manuals, German"
industry = "Kitchens"
glossaries = ["Kitchen"]
style_rules = ["11111111-2222-4333-8444-555555555555"]
translation_memories = ["Manuals"]

[[developer_keys]]
key = "small-key"
label = "small"
character_limit = 10
document_limit = 1

[[developer_keys]]
label = "old"
deactivated = true

[[usage]]
text_characters = 7
documents = 2

[[usage]]
key = "small-key"
text_characters = 4

[[usage]]
day = 2026-01-02
tag = "docs"
source_lang = "EN"
target_lang = "de"
text_characters = 1000
"#;

fn write_seed(dir: &Path, text: &str) -> PathBuf {
    std::fs::write(dir.join("fr.csv"), "kettle,bouilloire\n").unwrap();
    let path = dir.join("seed.toml");
    std::fs::write(&path, text).unwrap();
    path
}

fn options(seed_file: PathBuf, state_dir: Option<&Path>) -> SandboxOptions {
    let team_document_limit = Some(100);
    let state_dir = state_dir.map(Path::to_owned);
    SandboxOptions { seed_file: Some(seed_file), state_dir, team_document_limit, ..SandboxOptions::default() }
}

async fn get(server: &TestServer, session: &str, path: &str) -> Value {
    let request = server.get(path).header("X-Tulk-Sandbox-Session", session);
    answer(request.send().await.unwrap()).await.1
}

async fn glossary_names(server: &TestServer, session: &str) -> Vec<String> {
    let glossaries = get(server, session, "/v3/glossaries").await;
    let list = glossaries["glossaries"].as_array().unwrap();
    list.iter().map(|glossary| glossary["name"].as_str().unwrap().to_owned()).collect()
}

async fn translate_as(server: &TestServer, key: &str, body: Value) -> (u16, Value) {
    let request = server.client.post(format!("{}/v2/translate", server.base)).json(&body);
    answer(request.header("Authorization", format!("Service-Auth-Key {key}")).send().await.unwrap()).await
}

#[tokio::test]
async fn every_session_begins_with_the_seed() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let server = TestServer::start(options(write_seed(dir.path(), SEED), None)).await;
    for session in ["", "one"] {
        let glossaries = get(&server, session, "/v3/glossaries").await;
        let glossary = &glossaries["glossaries"][0];
        assert_eq!(glossary["glossary_id"], "d98e82ae-3ccb-50a7-8f9d-fef00d2817c9");
        assert_eq!(
            glossary["dictionaries"],
            json!([{"source_lang": "en", "target_lang": "de", "entry_count": 2},
                   {"source_lang": "en", "target_lang": "fr", "entry_count": 1}])
        );
        let style = get(&server, session, "/v3/style_rules/11111111-2222-4333-8444-555555555555").await;
        assert_eq!(
            (&style["name"], &style["language"], &style["version"]),
            (&json!("House style"), &json!("de"), &json!(1))
        );
        assert_eq!(style["custom_instructions"][0]["label"], "Polite");
        assert!(style["creation_time"].as_str().unwrap().starts_with("20"), "{style}");
        let memories = get(&server, session, "/v3/translation_memories").await;
        assert_eq!(memories["translation_memories"][0]["segment_count"], 1);
        let profiles = get(&server, session, "/v3/style_profiles").await;
        let profile = &profiles["style_profiles"][0];
        assert_eq!((&profile["name"], &profile["industry"]), (&json!("Manuals, German"), &json!("Kitchens")));
        assert_eq!(profile["glossary_ids"], json!([glossary["glossary_id"]]));
        assert_eq!(profile["style_rule_ids"], json!([style["style_id"]]));
        let memory = &memories["translation_memories"][0]["translation_memory_id"];
        assert_eq!(profile["translation_memory_ids"], json!([memory]));
        assert!(profile["updated_time"].as_str().unwrap().starts_with("20"), "{profile}");
        let usage = get(&server, session, "/v2/usage").await;
        assert_eq!((&usage["character_count"], &usage["team_document_count"]), (&json!(11), &json!(2)));
        let keys = get(&server, session, "/v2/admin/developer-keys").await;
        let keys: Vec<_> = keys.as_array().unwrap().iter().map(|key| (&key["label"], &key["is_deactivated"])).collect();
        assert_eq!(keys, [(&json!("small"), &json!(false)), (&json!("old"), &json!(true))]);
        let tags = "/v2/admin/analytics/custom-tags?start_date=2026-01-01&end_date=2026-01-03";
        let tags = get(&server, session, tags).await;
        assert_eq!(tags["custom_tag_usage_report"]["usage"][0]["breakdown"]["text_translation_characters"], 1000);
        let pairs = "/v2/admin/analytics/language-pairs?start_date=2026-01-01&end_date=2026-01-03";
        let pairs = &get(&server, session, pairs).await["language_pair_usage_report"]["language_pair_usages"];
        assert_eq!((&pairs[0]["source_language"], &pairs[0]["target_language"]), (&json!("en"), &json!("de")));
        assert_eq!(pairs[0]["usage"]["total_characters"], 1000);
    }
    let body = json!({"text": ["kettle"], "source_lang": "en", "target_lang": "de"});
    assert_eq!(translate_as(&server, "small-key", body.clone()).await.0, 200);
    let (status, refused) = translate_as(&server, "small-key", body).await;
    assert_eq!((status, &refused["detail"]), (456, &json!("the character limit of the key is 10")));
}

#[tokio::test]
async fn a_reset_returns_to_the_seed() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let server = TestServer::start(options(write_seed(dir.path(), SEED), None)).await;
    let glossary = get(&server, "", "/v3/glossaries").await;
    let path = format!("/v3/glossaries/{}", glossary["glossaries"][0]["glossary_id"].as_str().unwrap());
    let delete =
        server.client.delete(format!("{}{path}", server.base)).header("Authorization", "Service-Auth-Key sandbox");
    assert_eq!(delete.send().await.unwrap().status(), 204);
    server.translate(json!({"text": ["abc"], "target_lang": "de"})).await;
    assert_eq!(glossary_names(&server, "").await, Vec::<String>::new());
    let reset = server.client.post(format!("{}/_sandbox/reset", server.base)).header("X-Tulk-Sandbox", "1");
    assert_eq!(reset.send().await.unwrap().status(), 204);
    assert_eq!(glossary_names(&server, "").await, ["Kitchen"]);
    assert_eq!(get(&server, "", "/v2/usage").await["character_count"], 11);
}

#[tokio::test]
async fn a_restart_keeps_changes_until_the_file_changes() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let state = dir.path().join("state");
    let file = write_seed(dir.path(), SEED);
    let server = TestServer::start(options(file.clone(), Some(&state))).await;
    let delete = |server: &TestServer, id: &str| {
        let request = server.client.delete(format!("{}/v3/style_rules/{id}", server.base));
        request.header("Authorization", "Service-Auth-Key sandbox").header("X-Tulk-Sandbox-Session", "one").send()
    };
    let id = "11111111-2222-4333-8444-555555555555";
    assert_eq!(delete(&server, id).await.unwrap().status(), 204);
    // The first server is still running: everything it has answered must be on disk.
    let server = TestServer::start(options(file.clone(), Some(&state))).await;
    let styles = |session: &'static str| {
        let server = &server;
        async move { get(server, session, "/v3/style_rules").await["style_rules"].as_array().unwrap().len() }
    };
    assert_eq!((styles("one").await, styles("").await), (0, 1));
    assert_eq!(get(&server, "", "/v2/usage").await["character_count"], 11, "the usage is written once");

    std::fs::write(&file, SEED.replace("House style", "New style")).unwrap();
    let server = TestServer::start(options(file, Some(&state))).await;
    let styles = get(&server, "one", "/v3/style_rules").await;
    assert_eq!(styles["style_rules"][0]["name"], "New style");
    assert_eq!(get(&server, "one", "/v2/usage").await["character_count"], 11);
}

#[test]
#[allow(clippy::too_many_lines)] // a table
fn a_wrong_seed_file_is_refused_with_the_location() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let glossary = |dictionary: &str| {
        format!("[[glossaries]]\nname = \"A\"\n[[glossaries.dictionaries]]\nsource_lang = \"en\"\n{dictionary}\n")
    };
    let cases = [
        ("[[glossary]]\n".to_owned(), "seed.toml:1:3: unknown field `glossary` (valid fields: glossaries, style_rules"),
        ("[[style_rule]]\n".to_owned(), "unknown field `style_rule` (did you mean `style_rules`?)"),
        (
            "[[glossaries]]\nnam = \"A\"\n".to_owned(),
            "seed.toml:2:1: unknown field `glossaries.nam` (did you mean `name`?)",
        ),
        (
            "\n[[style_rules]]\nname = \"A\"\nlanguage = \"xx\"\n".to_owned(),
            "seed.toml:2:1: Value for 'language' not supported. Supported: de, en",
        ),
        ("[[glossaries]]\nname = \"A\"\n".to_owned(), "seed.toml:1:1: At least one dictionary is needed"),
        ("[[glossaries]]\nid = \"7\"\nname = \"A\"\n".to_owned(), "seed.toml:1:1: the `id` is not a UUID: `7`"),
        (glossary("target_lang = \"de\""), "seed.toml:3:1: a dictionary needs either `entries` or `entries_file`"),
        (glossary("target_lang = \"de\"\nentries = 7"), "seed.toml:3:1: `entries` must be a table"),
        (
            glossary("target_lang = \"de\"\nentries = \"a\""),
            "seed.toml:3:1: Glossary entries are not valid: entry 1 has no tab",
        ),
        (
            glossary("target_lang = \"de\"\nentries = { \" a\" = \"b\" }"),
            "entry 1 has white space around its source phrase",
        ),
        (
            glossary("target_lang = \"en\"\nentries = { a = \"b\" }"),
            "Source and target language of a dictionary must differ",
        ),
        (glossary("target_lang = \"de\"\nentries_file = \"no.tsv\""), "cannot read "),
        (
            "[[developer_keys]]\nlabel = \"a\"\nkey = \"sandbox\"\n".to_owned(),
            "the developer key `a` is also accepted by --key",
        ),
        (
            "[[developer_keys]]\nlabel = \"a\"\n[[developer_keys]]\nlabel = \"a\"\n".to_owned(),
            "seed.toml:3:1: `a` has the same `key` as another one",
        ),
        (
            "[[style_profiles]]\nname = \"A\"\nglossaries = [\"No\"]\n".to_owned(),
            "seed.toml:1:1: Check 'glossary_ids': No does not exist",
        ),
        ("[[usage]]\nday = \"today\"\n".to_owned(), "seed.toml:1:1: invalid day `today`: write it as 2026-03-04"),
        ("[[usage]]\ntag = \"docs\"\n".to_owned(), "needs a `day` or `days_ago`"),
        (
            "[[usage]]\ndays_ago = 1\ntag = \"a b\"\ntext_characters = 1\n".to_owned(),
            "A reporting tag consists of ASCII characters",
        ),
        (
            "[[usage]]\nsource_lang = \"en\"\ntext_characters = 1\n".to_owned(),
            "usage needs both `source_lang` and `target_lang`, or neither",
        ),
        (
            "[[usage]]\nsource_lang = \"en\"\ntarget_lang = \"xx\"\ntext_characters = 1\n".to_owned(),
            "unknown language pair `en` and `xx`",
        ),
        ("[[usage]]\nday = 2026-02-30\n".to_owned(), "seed.toml:2:"),
        ("[[usage]]\nday = 7\ntext_characters = 1\n".to_owned(), "invalid day `7`: write it as 2026-03-04"),
        ("[[usage]]\n".to_owned(), "seed.toml:1:1: usage needs a count"),
        (
            "[[usage]]\ntext_characters = -1\n".to_owned(),
            "usage.text_characters: expected a whole number, found integer `-1`",
        ),
        ("[[usage]]\ntext_characters = 9223372036854775807\n".to_owned(), "a count must be at most 1000000000000"),
        (
            "[[usage]]\ndays_ago = 1\ntag = \"a\"\ndocument_characters = 1\n".to_owned(),
            "usage with a `tag` needs `text_characters`",
        ),
        (
            "[[usage]]\nkey = \"typo\"\ntext_characters = 1\n".to_owned(),
            "the `key` of usage is neither an accepted key nor a developer key (add it to [[developer_keys]]",
        ),
        (
            "[[translation_memories]]\nname = \"A\"\nsource_language = \"en\"\ntarget_languages = [\"de\"]\n\
             segments = [{ source = \"a\", target_lang = \"fr\", target = \"b\" }]\n"
                .to_owned(),
            "the language `fr` of a segment is not in `target_languages`",
        ),
        ("glossaries = 7\n".to_owned(), "seed.toml:1:14: glossaries: expected a list, found integer `7`"),
        ("x = \n".to_owned(), "seed.toml:1:"),
    ];
    for (text, expected) in cases {
        let failure = Sessions::open(options(write_seed(dir.path(), &text), None)).err().unwrap();
        let message = failure.hint.as_ref().map_or(failure.to_string(), |hint| format!("{failure} ({hint})"));
        assert!(message.contains(expected), "{text}\n{message}");
    }
}
