//! `tulk langs detect`: detects the languages of texts, except blank ones. Sends up to 50 texts per request.

use std::io::Cursor;
use std::path::Path;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::value::to_raw_value;
use tulk_base::error::{Failure, Origin};
use tulk_base::files::is_special;
use tulk_base::json::{JsonObject, WithRaw};
use tulk_base::limits::{DETECT_TEXTS, TEXT_FILE};
use tulk_client::api::langs::{DetectLanguages, DetectedLanguage, DetectedLanguages};
use tulk_client::http::failures;
use tulk_client::http::reply::Reply as _;
use tulk_formats::input::source::Source;
use tulk_formats::input::whole;
use tulk_formats::{EntryLimit, InputFormat, Record};

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::inputs::structure::StructureArgs;
use crate::inputs::texts::TextInputArgs;
use crate::output::{Column, EmptyNote, Row, StatusWord};
use crate::outputs::OutputArgs;

/// Detect the language of texts (beta)
///
/// Each TEXT, file or line is one text. Only some accounts can use this operation. The service does not say whether it
/// bills the characters; check with `tulk usage`.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<InputLanguage>())]
#[command(after_help = "tulk langs detect \"Wo ist der Bahnhof?\"\n\
                        tulk langs detect --lines -i letter.txt --columns detected_language,text")]
pub struct LanguageDetectArgs {
    #[command(flatten)]
    pub inputs: TextInputArgs,
}

/// Statuses in the service's documentation.
const STATUSES: &[StatusWord] = &[
    StatusWord::done("success"),
    StatusWord::failed("insufficient_confidence").shown("not sure"),
    StatusWord::failed("unsupported_language").shown("unsupported"),
    StatusWord::failed("no_language_detected").shown("no language"),
];

#[derive(Serialize, Deserialize, Clone, Debug)]
struct InputLanguage {
    input: String,
    text: String,
    #[serde(flatten)]
    detected: DetectedLanguage,
}

impl Row for InputLanguage {
    const COLUMNS: &'static [Column] = &[
        Column::text("detected_language").header("LANGUAGE").rank(0),
        Column::status("detection_status", STATUSES).header("STATUS").usual("success"),
        Column::path("input").rank(2),
        Column::text("text").rank(0),
    ];
}

impl Run for LanguageDetectArgs {
    async fn run(mut self, ctx: &Context) -> Result<(), anyhow::Error> {
        self.inputs.check(ctx, &[], "detects the language of", || {
            Self::augment_args(clap::Command::new("tulk langs detect"))
        })?;
        self.inputs.read_directories(ctx, &StructureArgs::default(), &OutputArgs::default())?;
        self.inputs.announce_terminal(ctx);
        let texts = texts(&self.inputs)?;
        let client = ctx.client().await?;
        let mut rows: Vec<WithRaw<InputLanguage>> = Vec::with_capacity(texts.len());
        for texts in texts.chunks(DETECT_TEXTS) {
            let text = texts.iter().map(|(_, text)| text.as_str()).collect();
            let answer = client.call(client.prepare(&DetectLanguages { text })?).await?;
            let results = WithRaw::<DetectedLanguages>::read(&answer)?.into_typed().results;
            if results.len() != texts.len() {
                let why = format!("the number of results is {}, not {}", results.len(), texts.len());
                return Err(failures::unusable(&answer, &why).into());
            }
            for (text, result) in texts.iter().zip(&results) {
                rows.push(row(text, result)?);
            }
        }
        Ok(ctx.out.list_or_note(&rows, &EmptyNote::new("No text."))?)
    }
}

/// Returns the texts with their origins, without blank texts.
fn texts(args: &TextInputArgs) -> Result<Vec<(String, String)>, Failure> {
    let format = match (args.lines, args.nul) {
        (true, _) => InputFormat::lines(),
        (_, true) => InputFormat::nul(),
        _ => InputFormat::text(),
    };
    let sources = if args.are_texts() {
        vec![Source::texts(args.texts.clone())]
    } else if args.input.is_empty() {
        vec![source(Path::new("-"))?]
    } else {
        args.input.iter().map(|file| source(file)).collect::<Result<_, _>>()?
    };
    let mut texts = Vec::new();
    for source in sources {
        let mut source = source.lossy(args.lossy).strip_ansi(args.strip_ansi);
        // Practically unlimited, so no text is split.
        let limit = EntryLimit { bytes: usize::MAX / 2, body_bytes: usize::MAX / 2, enforced: false };
        let mut reader = format.reader(limit);
        let mut record = Record::default();
        while reader.read(&mut source, &mut record)? {
            if let Some(text) = record.text(0) {
                let place = Origin { column: 0, ..record.origin.clone() };
                texts.push((place.to_string(), text.to_owned()));
            }
            record.clear();
        }
    }
    Ok(texts)
}

/// Opens a file. Stdin (`-`) and pipes are read to the end here, so that a signal can interrupt the read.
fn source(file: &Path) -> Result<Source, Failure> {
    let name = match file {
        file if file == Path::new("-") => "stdin".to_owned(),
        file if is_special(file) => file.display().to_string(),
        _ => return Source::files([file]),
    };
    Ok(Source::reader(&name, Box::new(Cursor::new(whole::read_bytes(file, TEXT_FILE)?))))
}

fn row(
    (input, text): &(String, String),
    result: &WithRaw<DetectedLanguage>,
) -> Result<WithRaw<InputLanguage>, Failure> {
    let mut object = JsonObject::new();
    object.insert("input".to_owned(), to_raw_value(input)?);
    object.insert("text".to_owned(), to_raw_value(text)?);
    object.extend(serde_json::from_str::<JsonObject>(result.raw().get())?);
    Ok(WithRaw::parse(&serde_json::to_vec(&object)?)?)
}
