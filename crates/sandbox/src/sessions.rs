//! The sessions of a sandbox: each test that sends a name has its own objects, usage, limits and faults.
//!
//! A session is made at the first request with its name. Above 1,000 sessions, the one that was used longest ago is removed
//! with everything it stores. Requests without a name share one session, which is never removed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use axum::http::HeaderMap;
use data_encoding::HEXLOWER;
use tulk_base::error::Failure;

use super::app::App;
use super::auth;
use super::memories::{self, SandboxMemory};
use super::options::SandboxOptions;
use super::phrases::Phrases;
use super::recent_requests::RecentRequests;
use super::reply::Refusal;
use super::request_log::RequestLog;
use super::seed::Seed;
use super::state::{StateStore, database_failure, kind};

/// Maximum number of sessions with a name.
const SESSIONS_MAX: usize = 1000;

/// All sessions of one sandbox, and what they share. Cheap to clone.
#[derive(Clone)]
pub struct Sessions(Arc<SessionsParts>);

/// The parts of a sandbox that all sessions share.
pub struct SessionsParts {
    /// Settings of new sessions.
    pub options: Arc<SandboxOptions>,
    pub(super) request_log: Option<RequestLog>,
    /// The requests of all sessions that arrived last.
    pub(super) recent: Arc<RecentRequests>,
    files: SharedFiles,
    state: Arc<StateStore>,
    unnamed: RwLock<App>,
    named: Mutex<NamedSessions>,
}

/// What is read from the files named in the options.
pub(super) struct SharedFiles {
    /// Fixed answers to exact texts.
    pub(super) phrases: Arc<Phrases>,
    /// Translation memories.
    pub(super) memories: Arc<[Arc<SandboxMemory>]>,
    /// What every session begins with.
    pub(super) seed: Option<Arc<Seed>>,
}

/// The sessions with a name.
#[derive(Default)]
struct NamedSessions {
    by_name: HashMap<SessionName, NamedSession>,
    /// Number of requests so far: the order in which sessions were used.
    requests: u64,
}

struct NamedSession {
    app: App,
    /// Value of `requests` at its last request.
    last_request: u64,
}

impl Deref for Sessions {
    type Target = SessionsParts;

    fn deref(&self) -> &SessionsParts {
        &self.0
    }
}

impl Sessions {
    /// Opens the state and reads the files named in the options.
    pub fn open(options: SandboxOptions) -> Result<Self, Failure> {
        if options.rate_limit.is_some_and(|rate| !(rate.is_finite() && rate > 0.0)) {
            return Err(Failure::usage("the rate limit must be greater than 0"));
        }
        if !options.keys.iter().chain(&options.admin_keys).all(|key| auth::can_be_sent(key)) {
            return Err(Failure::usage("an accepted key must be printable ASCII text without spaces"));
        }
        let dir = options.state_dir.as_deref().filter(|_| !options.ephemeral);
        let files = SharedFiles {
            phrases: Arc::new(options.phrases.as_deref().map(Phrases::open).transpose()?.unwrap_or_default()),
            memories: options.memories.as_deref().map(memories::read_file).transpose()?.unwrap_or_default().into(),
            seed: options.seed_file.as_deref().map(|path| Seed::open(path, &options)).transpose()?.map(Arc::new),
        };
        let state = Arc::new(StateStore::open(dir)?);
        if let Some(seed) = &files.seed {
            seed.apply(&state).map_err(|error| database_failure(&error))?;
        }
        let request_log = options.record.as_deref().map(RequestLog::open).transpose()?;
        let options = Arc::new(options);
        let unnamed = App::new(SessionName::default(), Arc::clone(&options), Arc::clone(&state), &files);
        let sessions = Self(Arc::new(SessionsParts {
            options,
            request_log,
            recent: Arc::default(),
            files,
            state,
            unnamed: RwLock::new(unnamed),
            named: Mutex::default(),
        }));
        sessions.remove_surplus().map_err(|error| database_failure(&error))?;
        Ok(sessions)
    }
}

impl SessionsParts {
    /// Returns the new path of a damaged database that was set aside.
    pub fn damaged(&self) -> Option<&Path> {
        self.state.damaged()
    }

    /// Returns the session of requests without a name.
    pub fn unnamed(&self) -> App {
        self.unnamed.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a session, which is made if it is new.
    pub fn get(&self, name: &SessionName) -> Result<App, Refusal> {
        if name.is_unnamed() {
            return Ok(self.unnamed());
        }
        if let Some(app) = self.named().touch(name) {
            return Ok(app);
        }
        let state = Arc::new(self.state.of_session(name.as_str()));
        state.set_used()?;
        if let Some(seed) = &self.files.seed {
            seed.apply(&state)?;
        }
        let app = App::new(name.clone(), Arc::clone(&self.options), state, &self.files);
        let (app, removed) = self.named().insert(app);
        if let Some(removed) = removed {
            removed.state.clear()?;
        }
        self.remove_surplus()?;
        Ok(app)
    }

    /// Returns whether a session is in use, or stored by an earlier run.
    pub(super) fn exists(&self, name: &SessionName) -> Result<bool, Refusal> {
        Ok(self.named().by_name.contains_key(name) || self.state.has_session(name.as_str())?)
    }

    /// Returns the options of a session, without making it.
    pub(super) fn options_of(&self, name: &SessionName) -> Arc<SandboxOptions> {
        if name.is_unnamed() {
            return Arc::clone(&self.unnamed().options);
        }
        let named = self.named();
        let options = named.by_name.get(name).map_or(&self.options, |session| &session.app.options);
        Arc::clone(options)
    }

    /// Changes the options of a session: `change` gets its options and those of new sessions. If it fails, nothing changes.
    ///
    /// Requests that are being answered keep the options that they began with.
    pub(super) fn change_options(
        &self,
        name: &SessionName,
        change: impl FnOnce(&mut SandboxOptions, &SandboxOptions) -> Result<(), Refusal>,
    ) -> Result<App, Refusal> {
        let change_of = |app: &App| {
            let mut options = SandboxOptions::clone(&app.options);
            change(&mut options, &self.options)?;
            Ok(app.with_options(options))
        };
        if name.is_unnamed() {
            let mut unnamed = self.unnamed.write().unwrap_or_else(PoisonError::into_inner);
            *unnamed = change_of(&unnamed)?;
            return Ok(unnamed.clone());
        }
        let used = self.get(name)?;
        let mut named = self.named();
        // Another session may have taken its place in the meantime.
        let Some(session) = named.by_name.get_mut(name) else { return change_of(&used) };
        session.app = change_of(&session.app)?;
        Ok(session.app.clone())
    }

    /// Returns a session to its start: the objects and the usage of the seed file, and the options of new sessions.
    pub(super) fn reset(&self, name: &SessionName) -> Result<(), Refusal> {
        self.get(name)?.reset()?;
        self.change_options(name, |options, of_server| {
            *options = of_server.clone();
            Ok(())
        })?;
        Ok(())
    }

    /// Returns the names of all sessions with a name, in use or stored by an earlier run.
    pub(super) fn names(&self) -> Result<BTreeSet<SessionName>, Refusal> {
        let stored = self.state.sessions()?;
        let mut names: BTreeSet<SessionName> = stored.iter().filter_map(|name| SessionName::new(name).ok()).collect();
        names.extend(self.named().by_name.keys().cloned());
        Ok(names)
    }

    /// Returns the keys that administrators created in any session.
    pub(super) fn developer_keys(&self) -> Result<Vec<String>, Refusal> {
        Ok(self.state.ids_of_all_sessions(kind::DEVELOPER_KEY)?)
    }

    /// Returns what a session stores, without making it.
    pub(super) fn state_of(&self, name: &SessionName) -> StateStore {
        self.state.of_session(name.as_str())
    }

    /// Empties all sessions, and removes those with a name.
    pub(super) fn reset_all(&self) -> Result<(), Refusal> {
        let names = self.names()?;
        self.named().by_name.clear();
        names.iter().try_for_each(|name| self.state_of(name).clear())?;
        self.reset(&SessionName::default())
    }

    /// Removes stored sessions that this process does not use, if there are too many. The one that was started longest ago goes first.
    fn remove_surplus(&self) -> rusqlite::Result<()> {
        let stored = self.state.sessions()?;
        let surplus = stored.len().saturating_sub(SESSIONS_MAX);
        if surplus == 0 {
            return Ok(());
        }
        let in_use: HashSet<SessionName> = self.named().by_name.keys().cloned().collect();
        let is_in_use = |name: &str| SessionName::new(name).is_ok_and(|name| in_use.contains(&name));
        for name in stored.iter().filter(|name| !is_in_use(name)).take(surplus) {
            // A file that cannot be removed only takes space.
            let _ = self.state.of_session(name).clear();
        }
        Ok(())
    }

    fn named(&self) -> MutexGuard<'_, NamedSessions> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NamedSessions {
    /// Returns a session, and records its use.
    fn touch(&mut self, name: &SessionName) -> Option<App> {
        self.requests += 1;
        let session = self.by_name.get_mut(name)?;
        session.last_request = self.requests;
        Some(session.app.clone())
    }

    /// Adds a session, unless another request has just made it. Returns it, and the session that had to go for it.
    fn insert(&mut self, app: App) -> (App, Option<App>) {
        if let Some(app) = self.touch(&app.session) {
            return (app, None);
        }
        let mut removed = None;
        if self.by_name.len() >= SESSIONS_MAX {
            let oldest =
                self.by_name.iter().min_by_key(|(_, session)| session.last_request).map(|(name, _)| name.clone());
            removed = oldest.and_then(|name| self.by_name.remove(&name)).map(|session| session.app);
        }
        self.by_name.insert(app.session.clone(), NamedSession { app: app.clone(), last_request: self.requests });
        (app, removed)
    }
}

/// Header with the name of the session.
pub(super) const SESSION_HEADER: &str = "x-tulk-sandbox-session";
/// Maximum length of a name, in bytes.
const NAME_MAX: usize = 128;

/// The name of a session. Empty for requests without one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionName(String);

impl SessionName {
    /// Reads the name of the session of a request.
    pub fn of_request(headers: &HeaderMap) -> Result<Self, Refusal> {
        let mut values = headers.get_all(SESSION_HEADER).iter();
        let Some(value) = values.next() else { return Ok(Self::default()) };
        if values.next().is_some() {
            return Err(Refusal::bad("A request belongs to one session: send its header once."));
        }
        Self::new(value.to_str().map_err(|_| invalid())?)
    }

    /// Checks a name: at most 128 printable ASCII characters. A name of spaces alone is no name.
    pub fn new(name: &str) -> Result<Self, Refusal> {
        let name = name.trim();
        let is_printable = name.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if name.len() > NAME_MAX || !is_printable {
            return Err(invalid());
        }
        Ok(Self(name.to_owned()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this is the session of requests without a name.
    pub fn is_unnamed(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the session to a token or an address, for requests that cannot carry the header.
    pub fn mark(&self, token: String) -> String {
        if self.is_unnamed() { token } else { format!("{token}.{}", HEXLOWER.encode(self.0.as_bytes())) }
    }

    /// Returns the session of a marked token; the unnamed one if it has none, or none that can be read.
    pub fn of_token(token: &str) -> Self {
        let name = token.split_once('.').and_then(|(_, name)| HEXLOWER.decode(name.as_bytes()).ok());
        name.and_then(|name| Self::new(std::str::from_utf8(&name).ok()?).ok()).unwrap_or_default()
    }
}

fn invalid() -> Refusal {
    Refusal::bad(format!("The name of a session has at most {NAME_MAX} printable ASCII characters."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_session() {
        for name in ["", "a", "Test 7: names.and dots"] {
            let session = SessionName::new(name).unwrap();
            assert_eq!(SessionName::of_token(&session.mark("0A1B".to_owned())), session, "{name}");
        }
        for token in ["0A1B.xyz", "0A1B.0", "0A1B.00", ".", ""] {
            assert!(SessionName::of_token(token).is_unnamed(), "{token}");
        }
    }

    #[test]
    fn refuses_long_names_and_control_characters() {
        assert!(SessionName::new(&"a".repeat(128)).is_ok());
        for name in [&"a".repeat(129), "a\tb", "ä"] {
            assert!(SessionName::new(name).is_err(), "{name}");
        }
    }
}
