//! Tests of kinds, exit codes and messages.

use std::io::{Error, ErrorKind};
use std::path::Path;

use super::*;

#[test]
fn every_kind_has_its_exit_code() {
    let table = [
        (Kind::PipeClosed, 0),
        (Kind::Planned, 0),
        (Kind::No, 1),
        (Kind::Usage, 2),
        (Kind::Key, 3),
        (Kind::NotFound, 4),
        (Kind::Refused, 5),
        (Kind::Quota, 6),
        (Kind::Busy, 7),
        (Kind::Network, 8),
        (Kind::Partly, 9),
        (Kind::Unfinished, 10),
        (Kind::Internal, 70),
        (Kind::Hangup, 129),
        (Kind::Interrupted, 130),
        (Kind::Terminated, 143),
    ];
    for (kind, code) in table {
        assert_eq!(kind.code(), code, "{kind:?}");
    }
}

#[test]
fn a_report_puts_context_before_the_failure() {
    let error = anyhow::Error::from(Failure::usage("no tab").at(Origin::at("a.tsv", 3, 1))).context("glossary kitchen");
    let report = ErrorReport::new(&error);
    assert_eq!(report.message, "glossary kitchen: a.tsv:3:1: no tab");
    assert_eq!(report.code(), 2);
}

#[test]
fn a_context_that_the_message_names_is_left_out() {
    let message = |context: &str, what: &str| {
        ErrorReport::new(&anyhow::Error::from(Failure::usage(what)).context(context.to_owned())).message
    };
    assert_eq!(message("/dev/full", "cannot write /dev/full: no space"), "cannot write /dev/full: no space");
    assert_eq!(message("out.txt", "cannot write out.txt"), "cannot write out.txt");
    assert_eq!(message("a.txt", "cannot write b/a.txt"), "a.txt: cannot write b/a.txt");
    assert_eq!(message("out", "cannot write out.txt: x"), "out: cannot write out.txt: x");
}

#[test]
fn an_error_without_a_failure_is_internal() {
    assert_eq!(ErrorReport::new(&anyhow::anyhow!("boom")).code(), 70);
}

#[test]
fn every_kind_has_its_name_in_json_errors() {
    let table = [
        (Kind::No, "no"),
        (Kind::Usage, "usage"),
        (Kind::Key, "key"),
        (Kind::NotFound, "not_found"),
        (Kind::Refused, "refused"),
        (Kind::Quota, "quota"),
        (Kind::Busy, "busy"),
        (Kind::Network, "network"),
        (Kind::Partly, "partly"),
        (Kind::Unfinished, "unfinished"),
        (Kind::Internal, "internal"),
        (Kind::Hangup, "stopped"),
        (Kind::Interrupted, "stopped"),
        (Kind::Terminated, "stopped"),
        (Kind::PipeClosed, "closed"),
        (Kind::Planned, "planned"),
    ];
    for (kind, word) in table {
        assert_eq!(kind.word(), word, "{kind:?}");
        assert_eq!(kind.is_stop(), word == "stopped", "{kind:?}");
        assert_eq!(kind.is_quiet(), matches!(word, "closed" | "planned"), "{kind:?}");
    }
}

#[test]
fn an_origin_shows_the_line_and_column_that_it_has() {
    assert_eq!(Origin::whole("a.txt").to_string(), "a.txt");
    assert_eq!(Origin::at("a.txt", 1, 0).to_string(), "a.txt:1");
    assert_eq!(Origin::at("a.txt", 7, 1).to_string(), "a.txt:7:1");
    assert_eq!(Origin::at("TEXT 2", 0, 3).to_string(), "TEXT 2");
}

#[test]
fn the_words_of_the_service_are_its_message_and_what_the_detail_adds() {
    let words = |message: Option<&str>, detail: Option<&str>| {
        let service = ServiceError {
            message: message.map(str::to_owned),
            detail: detail.map(str::to_owned),
            ..ServiceError::default()
        };
        service.words()
    };
    assert_eq!(words(Some("Bad request."), Some("entry 3")).as_deref(), Some("Bad request: entry 3"));
    assert_eq!(words(Some("Bad request: entry 3"), Some("entry 3.")).as_deref(), Some("Bad request: entry 3"));
    assert_eq!(words(Some(" No... "), None).as_deref(), Some("No"));
    assert_eq!(words(None, Some("entry 3")).as_deref(), Some("entry 3"));
    assert_eq!(words(Some("."), Some("entry 3")).as_deref(), Some("entry 3"));
    assert_eq!(words(Some(" "), None), None);
}

#[test]
fn the_cause_is_what_the_service_said_else_what_happened() {
    let failure = Failure::new(Kind::Refused, "the service refused the request: No");
    assert_eq!(failure.cause(), "the service refused the request: No");
    let service = ServiceError { message: Some("No.".to_owned()), ..ServiceError::default() };
    assert_eq!(failure.service(service).cause(), "No");
}

#[test]
fn the_failure_of_a_file_has_the_kind_of_its_cause() {
    let failure = |error: &Error| Failure::file("read", Path::new("a.txt"), error);
    let kinds = [
        (ErrorKind::NotFound, Kind::Usage),
        (ErrorKind::PermissionDenied, Kind::Usage),
        (ErrorKind::IsADirectory, Kind::Usage),
        (ErrorKind::NotADirectory, Kind::Usage),
        (ErrorKind::InvalidFilename, Kind::Usage),
        (ErrorKind::InvalidInput, Kind::Usage),
        (ErrorKind::AlreadyExists, Kind::Usage),
        (ErrorKind::InvalidData, Kind::Usage),
        (ErrorKind::BrokenPipe, Kind::PipeClosed),
        (ErrorKind::StorageFull, Kind::Internal),
        (ErrorKind::QuotaExceeded, Kind::Internal),
    ];
    for (cause, kind) in kinds {
        assert_eq!(failure(&cause.into()).kind, kind, "{cause:?}");
    }
    assert_eq!(failure(&Error::other("the disk is gone")).what, "cannot read a.txt: the disk is gone");
    #[cfg(unix)]
    assert_eq!(failure(&Error::from_raw_os_error(2)).what, "cannot read a.txt: No such file or directory");
}

#[test]
fn a_signal_inside_an_error_of_a_file_is_kept() {
    let read = |failure: Failure| Failure::file("read", Path::new("a.txt"), &Error::other(failure));
    for kind in [Kind::Hangup, Kind::Interrupted, Kind::Terminated] {
        assert_eq!(read(Failure::new(kind, "stopped")).to_string(), "stopped", "{kind:?}");
        assert_eq!(read(Failure::new(kind, "stopped")).kind, kind);
    }
    let other = read(Failure::new(Kind::Busy, "busy"));
    assert_eq!((other.kind, other.what.as_str()), (Kind::Internal, "cannot read a.txt: busy"));
}

#[test]
fn the_failures_with_a_name_have_their_kinds() {
    let failures = [
        (Failure::usage("x"), Kind::Usage, "x"),
        (Failure::internal("x"), Kind::Internal, "x"),
        (Failure::pipe_closed(), Kind::PipeClosed, "the reader of stdout closed the pipe"),
        (Failure::printed(Kind::Partly), Kind::Partly, ""),
    ];
    for (failure, kind, what) in failures {
        assert_eq!((failure.kind, failure.what.as_str()), (kind, what));
    }
    assert_eq!(Failure::usage("x").hint("y").hint.as_deref(), Some("y"));
}
