//! Quality evaluation of a document (beta): the job started by an upload with `enable_quality_evaluation`, its report and its score.
//! See `docs/service.md`, "Quality evaluation".

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::limits;

use crate::http::answer::Answer;
use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::reply::Reply;
use crate::http::request::Method;
use crate::http::{failures, retry};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[KnownOperation::new::<PollEvaluation>()];

/// `GET /v1/quality-evaluations/{job_id}` (beta): requests the evaluation of a document.
#[derive(Serialize, Clone, Debug)]
pub struct PollEvaluation {
    /// ID of the job, from the reply to the upload.
    pub job_id: String,
}

impl Endpoint for PollEvaluation {
    type Reply = EvaluationPoll;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v1/quality-evaluations/{job_id}";
    const ANSWER_BYTES: Option<usize> = Some(limits::EVALUATION_ANSWER_BYTES);
}

/// State of an evaluation.
#[derive(Debug)]
pub enum EvaluationPoll {
    /// Not ready. Contains the time to wait before the next request, if the service sent one.
    Processing(Option<Duration>),
    /// The evaluated segments, as the service sent them.
    Done(WithRaw<Vec<EvaluatedSegment>>),
    /// The evaluation failed, for this reason.
    Failed(String),
}

#[derive(Deserialize)]
struct EvaluationBody {
    status: String,
    segments: Option<WithRaw<Vec<EvaluatedSegment>>>,
    error: Option<EvaluationError>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct EvaluationError {
    code: String,
    message: String,
}

impl Reply for EvaluationPoll {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        let body: EvaluationBody =
            serde_json::from_slice(&answer.body).map_err(|e| failures::unusable(answer, &e.to_string()))?;
        match (body.status.as_str(), body.segments) {
            ("done", Some(segments)) => Ok(Self::Done(segments)),
            ("done", None) => Err(failures::unusable(answer, "the evaluation has no segments")),
            ("error", _) => {
                let EvaluationError { code, message } = body.error.unwrap_or_default();
                let words = [message, code].into_iter().find(|text| !text.trim().is_empty());
                Ok(Self::Failed(words.unwrap_or_else(|| "no reason given".to_owned())))
            }
            _ => Ok(Self::Processing(retry::retry_after(answer))),
        }
    }
}

/// An evaluated segment of the document. Has only the fields that tulk uses.
#[derive(Deserialize, Clone, Debug)]
pub struct EvaluatedSegment {
    /// Score from 0 to 100.
    #[serde(default)]
    pub segment_score: Option<f64>,
    /// Issues found in the segment.
    #[serde(default)]
    pub errors: Vec<EvaluationIssue>,
}

/// An issue in a segment. Has only the fields that tulk uses.
#[derive(Deserialize, Clone, Debug)]
pub struct EvaluationIssue {
    /// `Accuracy`, `Fluency`, `Style`, `Miscellaneous`, `InternalTQEError` or a newer value.
    #[serde(rename = "type", default)]
    pub category: String,
    /// `Critical`, `Major`, `Minor` or a newer value.
    #[serde(default)]
    pub severity: String,
}

impl EvaluatedSegment {
    /// Returns whether the service evaluated the segment. It skips segments that are too long.
    pub fn is_evaluated(&self) -> bool {
        !self.errors.iter().any(|issue| issue.category == "InternalTQEError")
    }
}

/// Returns the score of a document: the mean score of its evaluated segments, to one decimal. `None` if there are none.
pub fn score(segments: &[EvaluatedSegment]) -> Option<f64> {
    let scores = segments.iter().filter(|segment| segment.is_evaluated()).filter_map(|segment| segment.segment_score);
    mean(&scores.collect::<Vec<_>>())
}

/// Returns the mean to one decimal. `None` for an empty slice.
pub fn mean(scores: &[f64]) -> Option<f64> {
    // There are far fewer than 2^52 scores.
    #[allow(clippy::cast_precision_loss)]
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    (!scores.is_empty()).then_some((mean * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use reqwest::header::{HeaderMap, RETRY_AFTER};

    use super::*;

    fn read(status: u16, body: &'static str) -> Result<EvaluationPoll, Failure> {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, "7".parse().unwrap())]);
        EvaluationPoll::read(&Answer::new(status, headers, Bytes::from(body)))
    }

    fn segments(json: &'static str) -> Vec<EvaluatedSegment> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn reads_the_state_from_the_status_field() {
        let processing = read(202, r#"{"job_id":"J","status":"processing"}"#).unwrap();
        assert!(matches!(processing, EvaluationPoll::Processing(Some(wait)) if wait == Duration::from_secs(7)));
        assert!(matches!(read(202, r#"{"status":"waiting"}"#).unwrap(), EvaluationPoll::Processing(Some(_))));
        let EvaluationPoll::Done(done) =
            read(200, r#"{"status":"done","segments":[{"new":1.50,"errors":[]}]}"#).unwrap()
        else {
            panic!("the evaluation is done")
        };
        assert_eq!(done.raw().get(), r#"[{"new":1.50,"errors":[]}]"#);
        for (error, reason) in [
            (r#","error":{"code":"evaluation_failed","message":"Too odd."}"#, "Too odd."),
            (r#","error":{"code":"evaluation_failed"}"#, "evaluation_failed"),
            ("", "no reason given"),
        ] {
            let body: &str = Box::leak(format!(r#"{{"status":"error"{error}}}"#).into_boxed_str());
            assert!(matches!(read(200, body).unwrap(), EvaluationPoll::Failed(why) if why == reason), "{error}");
        }
        for body in ["", "{}", "[]", r#"{"status":"done"}"#, r#"{"status":"done","segments":[1]}"#] {
            assert!(read(200, body).is_err(), "{body}");
        }
    }

    #[test]
    fn the_score_is_the_mean_of_the_evaluated_segments() {
        let three = r#"[{"segment_score":100,"errors":[]},{"segment_score":91.5},{"errors":[]}]"#;
        assert_eq!(score(&segments(three)), Some(95.8));
        let too_large = r#"[{"segment_score":80},
            {"segment_score":0,"errors":[{"type":"InternalTQEError","sub_type":"SegmentTooLarge","severity":"Minor"}]}]"#;
        assert_eq!(score(&segments(too_large)), Some(80.0));
        assert_eq!(score(&segments("[]")), None);
    }
}
