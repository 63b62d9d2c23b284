//! Streams under way: how far each session is, kept over its reconnections, and who holds its connection.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::measure::Measure;
use super::script::Script;
use super::session::Config;
use super::sound::Sound;
use crate::sandbox::reply::Refusal;

/// How far a stream is.
pub struct Progress {
    /// Measures the audio.
    pub measure: Measure,
    /// Playing time received, in microseconds.
    pub position_us: u64,
    /// Minutes charged.
    pub minutes: u64,
    /// What was heard.
    pub script: Script,
    /// Speaks.
    pub sound: Option<Sound>,
    /// Faults that have happened, by their place in the options.
    pub faulted: Vec<usize>,
    /// The last concluded messages, for the fault that repeats them.
    pub last: Vec<(&'static str, serde_json::Value)>,
    /// The client has said that it is done.
    pub ended: bool,
    /// Connections so far.
    pub connections: u32,
}

/// One session's place.
#[derive(Clone)]
pub struct Live {
    /// Held by the open connection.
    pub progress: Arc<tokio::sync::Mutex<Progress>>,
    /// Tells the open connection to go.
    pub kick: Arc<Notify>,
}

static LIVE: LazyLock<Mutex<HashMap<String, Live>>> = LazyLock::new(Mutex::default);

fn all() -> MutexGuard<'static, HashMap<String, Live>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of a session, made at its first connection.
pub fn enter(session_id: &str, config: &Config) -> Result<Live, Refusal> {
    let measure = Measure::new(&config.content_type).ok_or_else(|| Refusal::internal("no measure"))?;
    let sound = config.spoken.as_ref().and_then(|(_, content_type)| Sound::new(content_type));
    let mut all = all();
    let live = all.entry(session_id.to_owned()).or_insert_with(|| Live {
        progress: Arc::new(tokio::sync::Mutex::new(Progress {
            measure,
            position_us: 0,
            minutes: 0,
            script: Script::default(),
            sound,
            faulted: Vec::new(),
            last: Vec::new(),
            ended: false,
            connections: 0,
        })),
        kick: Arc::new(Notify::new()),
    });
    Ok(live.clone())
}

/// Closes the open connection of a session, if there is one.
pub fn kick(session_id: &str) {
    if let Some(live) = all().get(session_id) {
        live.kick.notify_waiters();
    }
}

/// Forgets a session.
pub fn leave(session_id: &str) {
    all().remove(session_id);
}
