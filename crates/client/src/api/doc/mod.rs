//! Document translation: upload, status and result. `src/commands/doc` takes a document from upload to result.
//! See `docs/service.md`, "Documents".

pub mod evaluation;
pub mod file_type;

use clap::{Args, value_parser};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::limits;
use tulk_base::secrets;

use self::evaluation::EvaluatedSegment;
use self::file_type::extension;
use super::assets::{AssetIds, broken_threshold};
use super::language_code::LangCode;
use super::translate::Formality;
use crate::http::answer::Answer;
use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::failures;
use crate::http::reply::{Empty, Reply};
use crate::http::request::{Method, Repeat, TimeLimit, Upload};
use crate::{Defaulted, OpenSet, OpenValue, OptionalFlag as _, Service};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<UploadDocument>(),
    KnownOperation::new::<CheckDocumentStatus>(),
    KnownOperation::new::<DownloadDocument>(),
];

/// Options of a document translation, as flags and as fields of the upload.
#[derive(Args, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentOptions {
    /// Formality of the translation
    #[arg(long, value_parser = Defaulted::parser(OpenValue::<Formality>::parser()), add = OpenSet::DEFAULTED, value_name = "HOW", help_heading = "Translation")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formality: Option<Defaulted<OpenValue<Formality>>>,
    /// Minimum translation-memory match (%) [default: 75]
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, help_heading = "Translation")]
    #[arg(value_parser = Defaulted::parser(value_parser!(i64)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation_memory_threshold: Option<Defaulted<i64>>,
    /// Format of the result; a PDF can become a docx
    #[arg(long, value_name = "FORMAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_format: Option<String>,
    /// Mark a docx or PDF result as machine-translated
    #[arg(long)]
    #[serde(rename = "enable_watermark", default, skip_serializing_if = "std::ops::Not::not")]
    pub watermark: bool,
    /// Conversion options, such as version:1,suppress-image-types:logo-photo
    ///
    /// Sent unchanged. Only pptx files have such options; the example leaves logos and photos unchanged.
    #[arg(long, value_name = "TEXT")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_conversion_options: Option<String>,
    /// Also evaluate the translation and show its score (beta)
    #[arg(long)]
    #[serde(rename = "enable_quality_evaluation", default, skip_serializing_if = "std::ops::Not::not")]
    pub evaluate: bool,
}

/// The fields of an upload except the file: everything that determines the result.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct DocumentParams {
    /// Target language, sent in upper case.
    #[serde(serialize_with = "LangCode::serialize_upper")]
    pub target_lang: LangCode,
    /// Source language, sent in upper case; detected if unset.
    #[serde(default, serialize_with = "LangCode::serialize_upper_opt", skip_serializing_if = "Option::is_none")]
    pub source_lang: Option<LangCode>,
    /// Style profile, glossaries, style rule list and translation memory.
    #[serde(flatten)]
    pub assets: AssetIds,
    /// All other options.
    #[serde(flatten)]
    pub options: DocumentOptions,
    /// Additional fields (`--param`).
    #[serde(flatten)]
    pub params: Map<String, Value>,
}

impl DocumentParams {
    /// Checks all rules that need no server. The file type follows from `filename`.
    pub fn check(&self, filename: &str) -> Result<(), Failure> {
        // Extensions that tulk does not know are left to the service.
        if extension(filename).is_empty() {
            return Err(Failure::usage("the file name has no extension, so the document type is unknown").hint(
                format!(
                    "known types: {}; --filename sends another name, --no-check sends the file anyway",
                    file_type::list()
                ),
            ));
        }
        if let Some(format) = &self.options.output_format {
            let bare = format.trim_start_matches('.').to_ascii_lowercase();
            if extension(filename) != bare && (extension(filename) != "pdf" || bare != "docx") {
                let extension = extension(filename);
                return Err(Failure::usage(format!(
                    "--output-format {format} is not available for type `{extension}`"
                ))
                .hint("only a PDF can be converted, to docx"));
            }
        }
        let broken = self.assets.broken_rule(self.source_lang.is_none());
        if let Some(rule) =
            broken.or_else(|| broken_threshold(self.options.translation_memory_threshold.given().copied()))
        {
            return Err(Failure::usage(rule.problem).hint(rule.hint));
        }
        Ok(())
    }
}

/// `POST /v2/document`: uploads a file. Not repeated if the service may have received it.
#[derive(Serialize, Clone, Debug)]
pub struct UploadDocument {
    /// Fields of the form.
    #[serde(flatten)]
    pub params: DocumentParams,
    /// File to upload.
    #[serde(skip)]
    pub file: Upload,
}

impl Endpoint for UploadDocument {
    type Reply = DocumentHandle;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v2/document";
    const REPEAT: Repeat = Repeat::UntilArrived;
    const TIME_LIMIT: TimeLimit = TimeLimit::Idle;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.params.check(&self.file.filename)
    }

    fn upload(&self) -> Option<Upload> {
        Some(self.file.clone())
    }
}

/// Reply to an upload. The document can be accessed only with this handle. Has no `Debug` because the key is a secret.
#[derive(Deserialize, Clone)]
pub struct DocumentHandle {
    /// ID of the document.
    pub document_id: String,
    /// Key of the document. All later requests need it.
    #[serde(deserialize_with = "secrets::text")]
    pub document_key: String,
    /// ID of the job that evaluates the translation, if an evaluation was requested.
    #[serde(default)]
    pub quality_evaluation_job_id: Option<String>,
}

impl Reply for DocumentHandle {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        let handle: Self =
            serde_json::from_slice(&answer.body).map_err(|e| failures::unusable(answer, &e.to_string()))?;
        if handle.document_id.is_empty() {
            return Err(failures::unusable(answer, "the document ID is empty"));
        }
        Ok(handle)
    }

    fn planned() -> Option<Self> {
        Some(Self {
            document_id: "<document_id>".to_owned(),
            document_key: "<document_key>".to_owned(),
            quality_evaluation_job_id: Some("<quality_evaluation_job_id>".to_owned()),
        })
    }
}

/// `POST /v2/document/{document_id}`: requests the status of a document.
#[derive(Serialize, Clone)]
pub struct CheckDocumentStatus {
    /// ID of the document.
    pub document_id: String,
    /// Key of the document.
    pub document_key: String,
}

impl Endpoint for CheckDocumentStatus {
    type Reply = DocumentStatusReply;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v2/document/{document_id}";
}

/// `POST /v2/document/{document_id}/result`: downloads the translated file. Never repeated, because it works only once.
#[derive(Serialize, Clone)]
pub struct DownloadDocument {
    /// ID of the document.
    pub document_id: String,
    /// Key of the document.
    pub document_key: String,
}

impl Endpoint for DownloadDocument {
    type Reply = Empty;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v2/document/{document_id}/result";
    const REPEAT: Repeat = Repeat::Never;
    const TIME_LIMIT: TimeLimit = TimeLimit::Idle;
}

/// State of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentState {
    /// Waiting for translation.
    Queued,
    /// Being translated.
    Translating,
    /// Ready for download.
    Done,
    /// Failed. This state is final.
    Error,
    /// A state that tulk does not know.
    Other(String),
}

/// Status of a document.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DocumentStatus {
    /// ID of the document.
    pub document_id: String,
    /// `queued`, `translating`, `done`, `error`, or a newer value.
    pub status: String,
    /// Estimated remaining time in seconds. Any JSON value, because very large and invalid values occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_remaining: Option<Value>,
    /// Billed characters, once the document is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billed_characters: Option<u64>,
    /// Reason for a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Reason for a failure, in an alternative field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// Score of the translation. Not sent by the service: tulk adds it from the evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_score: Option<f64>,
    /// Evaluated segments. Not sent by the service: tulk adds them from the evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_segments: Option<WithRaw<Vec<EvaluatedSegment>>>,
}

impl DocumentStatus {
    /// Parses `status`.
    pub fn state(&self) -> DocumentState {
        match self.status.as_str() {
            "queued" => DocumentState::Queued,
            "translating" => DocumentState::Translating,
            "done" => DocumentState::Done,
            "error" => DocumentState::Error,
            other => DocumentState::Other(other.to_owned()),
        }
    }

    /// Returns the estimated remaining time. `None` if it is missing or implausible: negative, not a number, or over a day.
    pub fn estimate(&self) -> Option<std::time::Duration> {
        let seconds = self.seconds_remaining.as_ref()?.as_f64()?;
        let estimate = std::time::Duration::try_from_secs_f64(seconds).ok()?;
        (estimate <= limits::ESTIMATE_MAX).then_some(estimate)
    }

    /// Returns the reason for a failure, without a full stop.
    pub fn reason(&self) -> &str {
        let given = [&self.message, &self.error_message].into_iter().flatten().map(|text| text.trim());
        given.filter(|text| !text.is_empty()).map(|text| text.trim_end_matches('.')).next().unwrap_or("no reason given")
    }
}

/// Reply with a status, which keeps the service's JSON.
#[derive(Debug, Clone)]
pub struct DocumentStatusReply(pub WithRaw<DocumentStatus>);

impl Reply for DocumentStatusReply {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        Ok(Self(WithRaw::read(answer)?))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn params(json: &str) -> DocumentParams {
        serde_json::from_str(json).unwrap()
    }

    fn status(json: &str) -> DocumentStatus {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn accepts_every_file_name_with_an_extension() {
        let plain = params(r#"{"target_lang":"de"}"#);
        for extension in ["docx", "DOCX", "odt", "zip", "new"] {
            assert!(plain.check(&format!("a.b.{extension}")).is_ok(), "{extension}");
        }
        for name in ["a", ".docx", "a.docx/b", "docx"] {
            assert!(plain.check(name).is_err(), "{name}");
        }
    }

    #[test]
    fn only_a_pdf_can_be_converted() {
        let to_docx = params(r#"{"target_lang":"de","output_format":"docx"}"#);
        assert!(to_docx.check("a.pdf").is_ok());
        assert!(to_docx.check("a.docx").is_ok(), "the format of the source is always possible");
        assert!(to_docx.check("a.html").is_err());
        assert!(params(r#"{"target_lang":"de","output_format":"txt"}"#).check("a.pdf").is_err());
    }

    #[test]
    fn options_without_a_watermark_serialize_as_in_earlier_versions() {
        let old = r#"{"target_lang":"DE","formality":"more"}"#;
        assert_eq!(serde_json::to_string(&params(old)).unwrap(), old);
        assert!(!params(old).options.watermark);
        let marked = r#"{"target_lang":"DE","enable_watermark":true}"#;
        assert_eq!(serde_json::to_string(&params(marked)).unwrap(), marked);
        assert_ne!(params(marked), params(r#"{"target_lang":"DE"}"#));
    }

    #[test]
    fn keeps_additional_fields_unchanged() {
        let json = r#"{"target_lang":"DE","formality":"rude","enable_watermark":true,"new":["a",1],"on":false}"#;
        let params = params(json);
        assert_eq!(serde_json::to_string(&params).unwrap(), json);
        assert_eq!(params.options.formality, Some(Defaulted::Set(OpenValue::Other("rude".to_owned()))));
        assert_eq!(params.params.keys().collect::<Vec<_>>(), ["new", "on"]);
    }

    #[test]
    fn a_glossary_needs_the_source_language() {
        let bare = r#"{"target_lang":"de","glossary_id":"x"}"#;
        assert!(params(bare).check("a.txt").unwrap_err().what.contains("source language"));
        assert!(params(r#"{"target_lang":"de","source_lang":"en","glossary_id":"x"}"#).check("a.txt").is_ok());
        let six = r#"{"target_lang":"de","source_lang":"en","glossary_ids":["1","2","3","4","5","6"]}"#;
        assert!(params(six).check("a.txt").unwrap_err().what.contains("limit is 5"));
        let threshold = r#"{"target_lang":"de","translation_memory_threshold":101}"#;
        assert!(params(threshold).check("a.txt").unwrap_err().what.contains("between 0 and 100"));
    }

    #[test]
    fn sends_only_the_given_options() {
        let file =
            Upload { path: "a.txt".into(), filename: "a.txt".into(), bytes: 1, field: "file".into(), observer: None };
        let upload = UploadDocument { params: params(r#"{"target_lang":"pt_br","formality":"prefer_more"}"#), file };
        let json = serde_json::to_string(&upload).unwrap();
        assert_eq!(json, r#"{"target_lang":"PT-BR","formality":"prefer_more"}"#);
    }

    #[test]
    fn an_implausible_estimate_is_ignored() {
        for (seconds, sane) in [
            ("4", Some(Duration::from_secs(4))),
            ("86400", Some(Duration::from_secs(86_400))),
            ("86401", None),
            ("2147483647", None),
            ("99999999999999999999999", None),
            ("-3", None),
            (r#""soon""#, None),
            ("null", None),
        ] {
            let json = format!(r#"{{"document_id":"a","status":"translating","seconds_remaining":{seconds}}}"#);
            assert_eq!(status(&json).estimate(), sane, "{seconds}");
        }
    }

    #[test]
    fn reads_the_reason_from_either_field() {
        let both = r#"{"document_id":"a","status":"error","message":"The file is empty.","error_message":"other"}"#;
        assert_eq!(status(both).reason(), "The file is empty");
        assert_eq!(status(r#"{"document_id":"a","status":"error","error_message":"Broken"}"#).reason(), "Broken");
        assert_eq!(status(r#"{"document_id":"a","status":"error","message":""}"#).reason(), "no reason given");
    }
}
