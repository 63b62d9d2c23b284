//! Tests of the layout of tables: what a terminal of a given width shows.

use proptest::prelude::*;

use super::*;
use crate::output::column::{Column, StatusWord};
use crate::output::view::Cell;

const STATUSES: &[StatusWord] =
    &[StatusWord::done("done"), StatusWord::working("uploaded").shown("working"), StatusWord::failed("failed")];

const DOCUMENTS: &[Column] = &[
    Column::id("document_id").header("ID"),
    Column::path("source").rank(0),
    Column::text("target_lang").header("TO"),
    Column::status("status", STATUSES).rank(0),
    Column::path("path").header("RESULT"),
    Column::time("created").header("STARTED"),
];

fn documents() -> Table {
    let mut table = Table::new(DOCUMENTS);
    for (id, to, status, path) in [
        ("32143FC136C999773E87847E7CB3BCA8", "de", "done", "/home/ada/report-2.de.txt"),
        ("D435EF5067B26DDB5810873905DF5F24", "fr", "uploaded", ""),
    ] {
        let source = "/home/ada/report-2.txt";
        table.push(vec![
            id.into(),
            source.into(),
            to.into(),
            status.into(),
            path.into(),
            "2026-11-21T19:54:07Z".into(),
        ]);
    }
    table
}

fn terminal(width: u16) -> TableLayout {
    let values = ValueStyle { terminal: true, utf8: true, current_dir: Some("/home/ada".into()), home: None };
    TableLayout { values, width: Some(width), ..TableLayout::default() }
}

#[test]
fn a_wide_terminal_shows_everything() {
    let expected = "\
ID                                SOURCE        TO  STATUS   RESULT           STARTED
32143FC136C999773E87847E7CB3BCA8  report-2.txt  de  done     report-2.de.txt  2026-11-21 19:54
D435EF5067B26DDB5810873905DF5F24  report-2.txt  fr  working                   2026-11-21 19:54
";
    for width in [94, 100, 200, 250] {
        assert_eq!(render(&documents(), &terminal(width)), expected, "{width}");
    }
}

#[test]
fn a_narrow_terminal_omits_columns_and_names_them() {
    let expected = "\
ID                                SOURCE        TO  STATUS   RESULT
32143FC136C999773E87847E7CB3BCA8  report-2.txt  de  done     report-2.de.txt
D435EF5067B26DDB5810873905DF5F24  report-2.txt  fr  working
not shown: created (wider terminal, --json, or --columns)
";
    assert_eq!(render(&documents(), &terminal(93)), expected);
    assert_eq!(render(&documents(), &terminal(80)), expected);
    let expected = "\
ID                                SOURCE        TO  STATUS
32143FC136C999773E87847E7CB3BCA8  report-2.txt  de  done
D435EF5067B26DDB5810873905DF5F24  report-2.txt  fr  working
not shown: path, created (wider terminal, --json, or --columns)
";
    assert_eq!(render(&documents(), &terminal(75)), expected);
}

#[test]
fn a_long_file_name_is_cut_before_columns_are_omitted() {
    let mut table = documents();
    table.rows[0][1] = "minutes/a very long name of a document about many things.txt".into();
    let expected = "\
ID                                SOURCE                    TO  STATUS   RESULT
32143FC136C999773E87847E7CB3BCA8  a very long…y things.txt  de  done     report-2.de.txt
D435EF5067B26DDB5810873905DF5F24  report-2.txt              fr  working
not shown: created (wider terminal, --json, or --columns)
";
    assert_eq!(render(&table, &terminal(88)), expected);
}

#[test]
fn a_very_narrow_terminal_gets_a_block_per_row() {
    let expected = "\
ID       32143FC136C999773E87847E7CB3BCA8
SOURCE   report-2.txt
TO       de
STATUS   done
RESULT   report-2.de.txt
STARTED  2026-11-21 19:54

ID       D435EF5067B26DDB5810873905DF5F24
SOURCE   report-2.txt
TO       fr
STATUS   working
STARTED  2026-11-21 19:54
";
    assert_eq!(render(&documents(), &terminal(50)), expected);
    assert_eq!(render(&documents(), &terminal(41)), expected);
    // The ID still fits next to its label.
    let narrow = render(&documents(), &terminal(40));
    assert!(narrow.starts_with("ID  32143FC136C999773E87847E7CB3BCA8\nSOURCE   report-2.txt\n"), "{narrow}");
}

#[test]
fn a_file_name_is_kept_while_its_directory_is_cut() {
    let mut table = Table::new(&[Column::id("id"), Column::path("path"), Column::name("name")]);
    table.push(vec!["a1".into(), "/srv/projects/2026/annual/report.txt".into(), "Annual report of the board".into()]);
    assert_eq!(
        render(&table, &terminal(50)),
        "ID  PATH                    NAME\na1  /srv/proje…/report.txt  Annual report of the …\n"
    );
    let ascii = TableLayout { values: ValueStyle { utf8: false, ..terminal(1).values }, ..terminal(50) };
    assert_eq!(
        render(&table, &ascii),
        "ID  PATH                    NAME\na1  /srv/pro.../report.txt  Annual report of th...\n"
    );
}

#[test]
fn a_message_is_cut_only_after_columns_are_omitted() {
    let mut table = Table::new(&[Column::id("id"), Column::text("message").rank(0).minimum(20), Column::text("rule")]);
    table.push(vec!["a1".into(), "an entry needs a tab between source and target".into(), "columns".into()]);
    let shown = |width| render(&table, &terminal(width)).lines().nth(1).unwrap().to_owned();
    assert_eq!(shown(36), "a1  an entry needs a tab b…  columns");
    assert_eq!(shown(33), "a1  an entry needs a ta…  columns");
    assert_eq!(shown(32), "a1  an entry needs a tab betwee…");
}

#[test]
fn named_columns_are_all_shown() {
    let layout = |width| TableLayout { keep_all: true, ..terminal(width) };
    let mut table = Table::new(&[
        Column::id("id"),
        Column::text("message"),
        Column::time("created"),
        Column::flag("ready").usual("true"),
    ]);
    table.push(vec!["a1".into(), "".into(), "2026-11-21T19:54:07Z".into(), true.into()]);
    assert_eq!(render(&table, &layout(40)), "ID  MESSAGE  CREATED           READY\na1           2026-11-21 19:54  ✓\n");
    assert_eq!(render(&table, &layout(30)), "ID       a1\nMESSAGE\nCREATED  2026-11-21 19:54\nREADY    ✓\n");
    assert_eq!(render(&table, &terminal(28)), "ID  CREATED\na1  2026-11-21 19:54\n");
}

#[test]
fn counts_are_grouped_on_a_terminal_and_sums_are_the_last_row() {
    let mut table = Table::new(&[Column::name("tag"), Column::count("characters"), Column::number("line")])
        .with_totals(vec!["total".into(), 1_234_567u64.into(), "".into()]);
    table.push(vec!["mobile".into(), 1_234_567u64.into(), 2026u64.into()]);
    let expected = "\
TAG     CHARACTERS  LINE
mobile   1,234,567  2026
total    1,234,567
";
    assert_eq!(render(&table, &terminal(80)), expected);
    let pipe = "\
TAG     CHARACTERS  LINE
mobile     1234567  2026
total      1234567
";
    assert_eq!(render(&table, &TableLayout::default()), pipe);
}

#[test]
fn a_period_of_all_rows_is_below_the_table() {
    const COLUMNS: &[Column] =
        &[Column::name("counter"), Column::time("start_time").period(), Column::time("end_time").period()];
    let mut table = Table::new(COLUMNS);
    let (start, end) = ("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z");
    table.push(vec!["text".into(), start.into(), end.into()]);
    table.push(vec!["voice".into(), start.into(), end.into()]);
    assert_eq!(render(&table, &terminal(80)), "COUNTER\ntext\nvoice\n2026-11-01 to 2026-12-01\n");
    table.push(vec!["write".into(), start.into(), "2026-12-02T00:00:00Z".into()]);
    assert!(render(&table, &terminal(80)).starts_with("COUNTER  START TIME        END TIME\n"));
    let mut table = Table::new(&[Column::name("tag")]).with_period(Some("2026-11-01"), Some("2026-11-21"));
    table.push(vec!["mobile".into()]);
    assert_eq!(render(&table, &terminal(80)), "TAG\nmobile\n2026-11-01 to 2026-11-21\n");
}

#[test]
fn headers_and_notes_are_dim_and_statuses_have_colour() {
    let layout = TableLayout { color: true, ..terminal(75) };
    let expected = "\
\u{1b}[2mID                                SOURCE        TO  STATUS\u{1b}[0m
32143FC136C999773E87847E7CB3BCA8  report-2.txt  de  \u{1b}[32mdone\u{1b}[0m
D435EF5067B26DDB5810873905DF5F24  report-2.txt  fr  \u{1b}[1;33mworking\u{1b}[0m
\u{1b}[2mnot shown: path, created (wider terminal, --json, or --columns)\u{1b}[0m
";
    assert_eq!(render(&documents(), &layout), expected);
    let block = render(&documents(), &TableLayout { color: true, ..terminal(40) });
    assert!(block.contains("\u{1b}[2mSTATUS\u{1b}[0m   \u{1b}[32mdone\u{1b}[0m\n"), "{block}");
}

#[test]
fn one_object_has_one_line_per_field() {
    let mut table = Table::new(&[Column::id("id"), Column::name("name"), Column::text("note"), Column::text("prompt")]);
    table.push(vec![
        "a1".into(),
        "kitchen\tx".into(),
        "".into(),
        "Write short sentences, and no more than ten words.".into(),
    ]);
    table.is_object = true;
    let expected = "\
ID      a1
NAME    kitchen\\tx
PROMPT  Write short sentences, and no
        more than ten words.
";
    assert_eq!(render(&table, &terminal(40)), expected);
}

#[test]
fn a_table_without_rows_is_empty() {
    assert_eq!(render(&Table::new(DOCUMENTS), &terminal(80)), "");
}

#[test]
fn wide_characters_stay_aligned() {
    let mut table = Table::new(&[Column::name("name"), Column::text("to")]);
    for name in ["kitchen", "日本語", "e\u{301}te\u{301}", "👩‍👩‍👧‍👦 family", "🇩🇪 flag", "שלום", "नमस्ते"]
    {
        table.push(vec![name.into(), "|".into()]);
    }
    let text = render(&table, &terminal(80));
    let columns: Vec<usize> = text.lines().skip(1).map(|line| line.split('|').next().unwrap().width()).collect();
    assert_eq!(columns, [11; 7], "{text}");
}

fn any_text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "a",
        "word",
        " ",
        " ",
        "日本",
        "e\u{301}",
        "👩‍👩‍👧‍👦",
        "🇩🇪",
        "שלום",
        "/",
        "\t",
        "\u{1b}",
        "\u{202e}",
        "ー",
        "한국어",
        "\u{200b}",
        "नमस्ते",
        "…",
    ]);
    prop::collection::vec(parts, 0..30).prop_map(|parts| parts.concat())
}

fn any_table() -> impl Strategy<Value = Table> {
    const COLUMNS: &[Column] = &[
        Column::id("id"),
        Column::name("name"),
        Column::path("path"),
        Column::status("status", STATUSES),
        Column::count("count"),
        Column::text("text").rank(4),
        Column::time("created"),
    ];
    let row = (prop::string::string_regex("[0-9a-f]{1,73}").unwrap(), any_text(), any_text(), any_text(), any::<u64>())
        .prop_map(|(id, name, path, text, count)| -> Vec<Cell> {
            let status = if count % 2 == 0 { "done" } else { "uploaded" };
            let created = if count % 3 == 0 { "" } else { "2026-11-21T19:54:07Z" };
            vec![id.into(), name.into(), path.into(), status.into(), count.into(), text.into(), created.into()]
        });
    prop::collection::vec(row, 1..6).prop_map(|rows| {
        let mut table = Table::new(COLUMNS);
        table.rows = rows;
        table
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_row_is_one_line_that_fits(table in any_table(), width in 40u16..=250, keep_all: bool) {
        let layout = TableLayout { keep_all, ..terminal(width) };
        let text = render(&table, &layout);
        let id = |row: &Vec<Cell>| row[0].text().to_owned();
        let ids: Vec<String> = table.rows.iter().map(id).collect();
        for id in &ids {
            prop_assert!(text.lines().any(|line| line.contains(id.as_str())), "{id} is missing in\n{text}");
        }
        let lines: Vec<&str> = text.lines().take_while(|line| !line.starts_with("not shown: ")).collect();
        let is_table = lines[0].contains("  NAME");
        if is_table {
            prop_assert_eq!(lines.len(), table.rows.len() + 1, "{}", &text);
        }
        for line in text.lines() {
            // In a block, a single word may be wider than the terminal.
            let value = line.get("CREATED  ".len()..).unwrap_or_default();
            let is_word = !is_table && !value.trim().contains(' ');
            prop_assert!(is_word || line.width() <= usize::from(width), "{} > {width}\n{text}", line.width());
        }
    }
}

#[test]
fn rendering_takes_linear_time() {
    let table = |count| {
        let mut table = Table::new(&[Column::id("id"), Column::name("name"), Column::path("path")]);
        let row = |n: usize| vec![n.to_string().as_str().into(), "Annual report".into(), "/srv/a/report.txt".into()];
        (0..count).for_each(|n| table.push(row(n)));
        table
    };
    tulk_growth::assert_linear("rows", 250, table, |table| {
        assert_eq!(render(table, &terminal(40)).lines().count(), table.rows.len() + 1);
    });
}
