//! Properties of the complete pipeline: echo changes nothing, no body exceeds a limit, and after a failure the output is a prefix.

use std::cell::RefCell;

use proptest::prelude::*;

use super::resume::to_file;
use super::*;

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-c. ]{0,6}",
        3 => Just("\n".to_owned()),
        2 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
        1 => Just("\0".to_owned()),
        1 => Just("\u{feff}".to_owned()),
        1 => "\\PC{0,4}",
        1 => any::<char>().prop_map(String::from),
        1 => Just("\n\n".to_owned()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn echo_changes_nothing_and_no_body_exceeds_a_limit(
        text in any_text(),
        step in 1usize..50,
        entries in 1usize..5,
        bytes in 60usize..200,
        mode in 0usize..3,
        context_lines in 0usize..3,
        context in prop::option::of("[a\"\\\\é漢\u{1}\n]{0,60}"),
    ) {
        let format = [InputFormat::text(), InputFormat::lines(), InputFormat::nul()][mode].clone();
        let mut client = service(echo);
        client.jitter = true;
        let options = RunOptions { context_lines, ..RunOptions::default() };
        let job = Job { context, ..job("de", BatchLimit { entries, bytes }) };
        let (out, report) = run_job(pipe(text.as_bytes(), step), format, job, &options, &client);
        match report.ended_by {
            // The context leaves no room, or a record does not fit into a request.
            Some(failure) => {
                let no_room = failure.what.contains("leave no space for text");
                prop_assert!(no_room || (mode > 0 && failure.what.contains("the limit is")), "{}", failure);
                prop_assert!(text.as_bytes().starts_with(&out));
            }
            None => prop_assert_eq!(out, text.as_bytes()),
        }
        prop_assert!(client.sizes.borrow().iter().all(|size| *size <= bytes));
        for body in client.sent.borrow().iter() {
            let texts = texts(body);
            prop_assert!(!texts.is_empty() && texts.len() <= entries);
            prop_assert!(texts.iter().all(|t| !t.trim().is_empty() && t.trim() == t));
        }
    }

    #[test]
    fn after_a_fault_the_output_is_a_prefix_of_whole_entries(
        lines in prop::collection::vec("[a-d]{0,3}", 1..60),
        faults in prop::collection::vec(0usize..30, 1..3),
        entries in 1usize..4,
    ) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let whole: Vec<String> = lines
            .iter()
            .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("<{}>\n", line.to_uppercase()) })
            .collect();
        let mut client = service(|number, body| {
            if faults.contains(&number) { Err(refusal(503, Kind::Busy)) } else { upper(number, body) }
        });
        client.jitter = true;
        let (out, report) = run_stream(text.as_bytes(), InputFormat::lines(), batch_limit(entries), &RunOptions::default(), &client);
        let rows = out.lines().count();
        prop_assert_eq!(out, whole[..rows].concat());
        if report.targets[0].failure.is_none() {
            prop_assert_eq!(rows, lines.len());
        } else {
            prop_assert_eq!(report.targets[0].next.clone().unwrap().line, rows as u64 + 1);
        }
    }

    #[test]
    fn resume_ends_with_the_same_file_after_any_number_of_failures(
        lines in prop::collection::vec("[a-z]{0,4}", 1..60),
        faults in prop::collection::vec(0usize..8, 1..6),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut existing = ExistingPart::Refuse;
        let answered = RefCell::new(Vec::new());
        for fault in faults.iter().copied().chain([usize::MAX]) {
            let mut client = service(|number, body| {
                if number == fault {
                    return Err(refusal(503, Kind::Busy));
                }
                answered.borrow_mut().extend(texts(body));
                upper(number, body)
            });
            client.jitter = true;
            let report = to_file(&path, &text, existing, &InputFormat::lines(), &client).unwrap();
            prop_assert!(report.ended_by.is_none(), "{:?}", report.ended_by);
            existing = ExistingPart::Resume;
            if report.targets[0].failure.is_none() {
                break;
            }
        }
        let expected: String = lines
            .iter()
            .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("<{}>\n", line.to_uppercase()) })
            .collect();
        prop_assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    }
}
