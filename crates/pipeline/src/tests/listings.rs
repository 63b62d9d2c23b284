//! Tests of results as JSON, JSONL and rows.

use super::*;

fn listed(
    bytes: &[u8],
    format: InputFormat,
    limit: BatchLimit,
    targets: &[&str],
    writer: impl Fn(&[String]) -> Box<dyn ResultWriter>,
) -> String {
    let names: Vec<String> = targets.iter().map(|t| (*t).to_owned()).collect();
    let jobs: Vec<Job> = targets.iter().map(|t| Job { keeps_objects: true, ..job(t, limit) }).collect();
    let out = SharedOutput::default();
    let sink = Sink { targets: TargetIndex::all(jobs.len()), writer: writer(&names), to: out.to() };
    let client = service(upper);
    let input = PipelineInput::new(pipe(bytes, 100), format);
    assert_complete(&block_on(run(input, &jobs, vec![sink], &RunOptions::default(), &client, &Stop::default())));
    out.text()
}

#[test]
fn json_lists_the_objects_of_the_service() {
    let format = InputFormat::lines();
    let one = listed(b"a\n\nb\n", format.clone(), batch_limit(1), &["de"], |t| results::json("translations", t, false));
    let object = |text: &str| format!(r#"{{"detected_source_language":"EN","text":"{text}"}}"#);
    assert_eq!(one, format!("{{\"translations\":[{},{{\"text\":\"\"}},{}]}}\n", object("<A>"), object("<B>")));
    let none = listed(b"", format.clone(), batch_limit(1), &["de"], |t| results::json("translations", t, false));
    assert_eq!(none, "{\"translations\":[]}\n");
    let two = listed(b"a\n", format, batch_limit(1), &["de", "fr"], |t| results::json("translations", t, false));
    let list = |lang: &str| format!("{{\"target_lang\":\"{lang}\",\"translations\":[{}]}}", object("<A>"));
    assert_eq!(two, format!("[{},{}]\n", list("de"), list("fr")));
}

#[test]
fn jsonl_has_entry_and_target() {
    let out = listed(b"a\n\nb\n", InputFormat::lines(), batch_limit(5), &["de", "fr"], |t| results::jsonl(t, false));
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({"entry": 1, "target_lang": "de", "detected_source_language": "EN", "text": "<A>"}));
    assert_eq!(lines[3], json!({"entry": 3, "target_lang": "fr", "detected_source_language": "EN", "text": "<B>"}));
}

#[test]
fn a_split_text_is_one_result_in_every_listing() {
    let text = "one. two. three.\n\nfour. five.\n";
    let limit = BatchLimit { entries: 50, bytes: 60 };
    let joined = "<ONE. TWO. THREE.>\n\n<FOUR. FIVE.>";
    let object = json!({"detected_source_language": "EN", "text": joined});
    let read = |out: String| -> Value { serde_json::from_str(&out).unwrap() };
    let format = InputFormat::text();
    let one =
        read(listed(text.as_bytes(), format.clone(), limit, &["de"], |t| results::json("translations", t, false)));
    assert_eq!(one, json!({"translations": [object]}));
    let two = read(listed(text.as_bytes(), format.clone(), limit, &["de", "fr"], |t| {
        results::json("translations", t, false)
    }));
    assert_eq!(two[1], json!({"target_lang": "fr", "translations": [object]}));
    let rows = listed(text.as_bytes(), format.clone(), limit, &["de", "fr"], |t| {
        results::rows(t, &InputFormat::text(), true, ResultColumns::default())
    });
    let cell = joined.replace('\n', "\\n");
    assert_eq!(rows, format!("target_lang\ttext\nde\t{cell}\nfr\t{cell}\n"));
    let lines = listed(text.as_bytes(), format, limit, &["de", "fr"], |t| results::jsonl(t, false));
    let second: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    let expected = json!({"entry": 1, "target_lang": "fr", "detected_source_language": "EN", "text": joined});
    assert_eq!(second, expected);
}
