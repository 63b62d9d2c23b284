//! `error` messages of a stream as failures.

use tulk_base::error::{Failure, Kind, ServiceError};

use tulk_client::api::voice::message::VoiceStreamError;

/// Returns the failure for an `error` message.
pub fn stream_failure(error: &VoiceStreamError) -> Failure {
    let kind = match error.error_code {
        401 | 403 => Kind::Key,
        456 => Kind::Quota,
        429 | 500..=599 => Kind::Busy,
        _ => Kind::Refused,
    };
    let message = if error.error_message.is_empty() { "no message" } else { &error.error_message };
    Failure::new(kind, format!("the service ended the stream: {}", message.trim_end_matches('.'))).service(
        ServiceError {
            status: u16::try_from(error.error_code).ok(),
            message: Some(error.error_message.clone()),
            code: Some(error.reason_code.to_string()),
            request: Some(error.request_type.clone()).filter(|request| !request.is_empty()),
            ..ServiceError::default()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_keeps_the_message_and_the_codes_of_the_service() {
        let error = VoiceStreamError {
            request_type: "source_media_chunk".into(),
            error_code: 400,
            reason_code: 4_000_403,
            error_message: "Audio format not supported".into(),
        };
        let failure = stream_failure(&error);
        assert_eq!(failure.kind, Kind::Refused);
        assert_eq!(failure.what, "the service ended the stream: Audio format not supported");
        let service = failure.service.unwrap();
        assert_eq!(service.code.as_deref(), Some("4000403"));
        assert_eq!((service.status, service.request.as_deref()), (Some(400), Some("source_media_chunk")));
        assert_eq!(stream_failure(&VoiceStreamError { error_code: 429, ..error }).kind, Kind::Busy);
    }
}
