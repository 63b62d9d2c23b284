//! Sessions that have been connected: the progress of each stream, and a signal that closes its open connection.
//!
//! This state is kept in memory: it survives reconnections, but not a restart of the sandbox. Sessions that never end
//! are removed by age.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::audio_meter::AudioMeter;
use super::parameters::SessionParameters;
use super::speech::SpeechEncoder;
use super::transcript::ScriptedTranscriber;
use crate::reply::Refusal;

/// How long a session is kept after its last connection was opened.
pub const KEPT_AFTER_CONNECTION: Duration = Duration::from_secs(6 * 3600);

pub struct StreamProgress {
    pub meter: AudioMeter,
    /// Playing time received, in microseconds.
    pub position_us: u64,
    pub billed_minutes: u64,
    pub transcriber: ScriptedTranscriber,
    /// Encodes the speech; `None` unless a spoken language was requested.
    pub speech: Option<SpeechEncoder>,
    /// Faults that have already happened, as indices into the options.
    pub past_faults: Vec<usize>,
    /// The last messages with concluded segments, for the fault that repeats them.
    pub last_concluded: Vec<(&'static str, serde_json::Value)>,
    /// Whether the client has sent `end_of_source_media`.
    pub has_ended: bool,
    pub connections: u32,
}

/// A session that has been connected at least once.
#[derive(Clone)]
pub struct LiveSession {
    /// Locked while a connection is open.
    pub progress: Arc<tokio::sync::Mutex<StreamProgress>>,
    pub disconnect_signal: Arc<Notify>,
    last_connected: Instant,
}

static LIVE_SESSIONS: LazyLock<Mutex<HashMap<String, LiveSession>>> = LazyLock::new(Mutex::default);

fn lock_sessions() -> MutexGuard<'static, HashMap<String, LiveSession>> {
    LIVE_SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a session, and creates it at its first connection.
pub fn connect(session_id: &str, parameters: &SessionParameters) -> Result<LiveSession, Refusal> {
    let meter = AudioMeter::new(&parameters.content_type)
        .ok_or_else(|| Refusal::internal(format!("stored content type '{}'", parameters.content_type)))?;
    let speech = parameters.spoken.as_ref().and_then(|(_, content_type)| SpeechEncoder::new(content_type));
    let mut sessions = lock_sessions();
    let now = Instant::now();
    remove_old(&mut sessions, now);
    let session = sessions.entry(session_id.to_owned()).or_insert_with(|| LiveSession {
        progress: Arc::new(tokio::sync::Mutex::new(StreamProgress {
            meter,
            position_us: 0,
            billed_minutes: 0,
            transcriber: ScriptedTranscriber::default(),
            speech,
            past_faults: Vec::new(),
            last_concluded: Vec::new(),
            has_ended: false,
            connections: 0,
        })),
        disconnect_signal: Arc::new(Notify::new()),
        last_connected: now,
    });
    session.last_connected = now;
    Ok(session.clone())
}

/// Removes sessions whose last connection was opened more than [`KEPT_AFTER_CONNECTION`] ago. No connection lasts that long.
fn remove_old(sessions: &mut HashMap<String, LiveSession>, now: Instant) {
    sessions.retain(|_, session| now.saturating_duration_since(session.last_connected) < KEPT_AFTER_CONNECTION);
}

/// Closes the open connection of a session, if any.
pub fn disconnect(session_id: &str) {
    if let Some(session) = lock_sessions().get(session_id) {
        session.disconnect_signal.notify_waiters();
    }
}

/// Removes a session and closes its open connection.
pub fn remove(session_id: &str) {
    if let Some(session) = lock_sessions().remove(session_id) {
        session.disconnect_signal.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::voice::framing::MessageFraming;

    fn is_live(id: &str) -> bool {
        lock_sessions().contains_key(id)
    }

    #[test]
    fn a_session_is_removed_when_it_is_over_or_old() {
        let parameters = SessionParameters {
            content_type: "audio/auto".into(),
            framing: MessageFraming::Json,
            source: "en".into(),
            is_source_known: true,
            targets: Vec::new(),
            spoken: None,
            glossary_id: None,
            formality: None,
            tag: None,
        };
        let [over, lost] = ["test-over", "test-lost"];
        assert!(connect(over, &parameters).is_ok() && connect(lost, &parameters).is_ok());
        remove(over);
        assert!(!is_live(over) && is_live(lost));
        let age = |age: Duration| {
            let mut sessions = HashMap::from_iter([(lost.to_owned(), lock_sessions().get(lost).unwrap().clone())]);
            remove_old(&mut sessions, Instant::now() + age);
            sessions.len()
        };
        assert_eq!((age(KEPT_AFTER_CONNECTION / 2), age(KEPT_AFTER_CONNECTION)), (1, 0));
        remove(lost);
    }
}
