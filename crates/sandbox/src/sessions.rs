//! Sessions: each test that sends a session name has its own objects, usage, limits and faults.
//!
//! The first request with a name creates the session. Above 1,000 sessions, the least recently used one is removed with
//! everything it stores. Requests without a name share one session, which is never removed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use axum::http::HeaderMap;
use data_encoding::HEXLOWER;
use tulk_base::error::Failure;

use super::app::App;
use super::auth;
use super::memories::{self, StoredMemory};
use super::options::SandboxOptions;
use super::phrases::Phrases;
use super::recent_requests::RecentRequests;
use super::reply::Refusal;
use super::request_log::RequestLog;
use super::seed::Seed;
use super::state::{StateStore, database_failure, kind};

const SESSIONS_MAX: usize = 1000;

/// All sessions of a sandbox and what they share. Cheap to clone.
#[derive(Clone)]
pub struct Sessions(Arc<SessionsParts>);

pub struct SessionsParts {
    pub options: Arc<SandboxOptions>,
    pub(super) request_log: Option<RequestLog>,
    pub(super) recent: Arc<RecentRequests>,
    files: SharedFiles,
    state: Arc<StateStore>,
    unnamed: RwLock<App>,
    named: Mutex<NamedSessions>,
}

/// The contents of the files named in the options.
pub(super) struct SharedFiles {
    pub(super) phrases: Arc<Phrases>,
    pub(super) memories: Arc<[Arc<StoredMemory>]>,
    pub(super) seed: Option<Arc<Seed>>,
}

#[derive(Default)]
struct NamedSessions {
    by_name: HashMap<SessionName, NamedSession>,
    /// Number of requests so far, which orders sessions by last use.
    requests: u64,
}

struct NamedSession {
    app: App,
    /// Value of `requests` at the session's last request.
    last_request: u64,
}

impl Deref for Sessions {
    type Target = SessionsParts;

    fn deref(&self) -> &SessionsParts {
        &self.0
    }
}

impl Sessions {
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
    /// Returns the new path of a damaged database, if one was set aside.
    pub fn damaged_database_path(&self) -> Option<&Path> {
        self.state.damaged_database_path()
    }

    pub fn unnamed(&self) -> App {
        self.unnamed.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a session, creating it if it is new.
    pub fn get(&self, name: &SessionName) -> Result<App, Refusal> {
        if name.is_unnamed() {
            return Ok(self.unnamed());
        }
        if let Some(app) = self.lock_named().touch(name) {
            return Ok(app);
        }
        let state = Arc::new(self.state.of_session(name.as_str()));
        state.record_use()?;
        if let Some(seed) = &self.files.seed {
            seed.apply(&state)?;
        }
        let app = App::new(name.clone(), Arc::clone(&self.options), state, &self.files);
        let (app, removed) = self.lock_named().insert(app);
        if let Some(removed) = removed {
            removed.state.clear()?;
        }
        self.remove_surplus()?;
        Ok(app)
    }

    /// Returns whether a session is in use, or was stored by an earlier run.
    pub(super) fn exists(&self, name: &SessionName) -> Result<bool, Refusal> {
        Ok(self.lock_named().by_name.contains_key(name) || self.state.has_session(name.as_str())?)
    }

    pub(super) fn options_of(&self, name: &SessionName) -> Arc<SandboxOptions> {
        if name.is_unnamed() {
            return Arc::clone(&self.unnamed().options);
        }
        let named = self.lock_named();
        let options = named.by_name.get(name).map_or(&self.options, |session| &session.app.options);
        Arc::clone(options)
    }

    /// `change` gets the current options and those of new sessions. If it fails, nothing changes. Requests that are in flight keep
    /// their options.
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
        let mut named = self.lock_named();
        // The session may have been removed in the meantime, to make room for a new one.
        let Some(session) = named.by_name.get_mut(name) else { return change_of(&used) };
        session.app = change_of(&session.app)?;
        Ok(session.app.clone())
    }

    /// Resets a session to the objects and usage of the seed file and to the options of new sessions.
    pub(super) fn reset(&self, name: &SessionName) -> Result<(), Refusal> {
        self.get(name)?.reset()?;
        self.change_options(name, |options, of_server| {
            *options = of_server.clone();
            Ok(())
        })?;
        Ok(())
    }

    /// Returns the names of all named sessions: those in use, and those stored by an earlier run.
    pub(super) fn names(&self) -> Result<BTreeSet<SessionName>, Refusal> {
        let stored = self.state.sessions()?;
        let mut names: BTreeSet<SessionName> = stored.iter().filter_map(|name| SessionName::new(name).ok()).collect();
        names.extend(self.lock_named().by_name.keys().cloned());
        Ok(names)
    }

    pub(super) fn developer_keys(&self) -> Result<Vec<String>, Refusal> {
        Ok(self.state.ids_of_all_sessions(kind::DEVELOPER_KEY)?)
    }

    pub(super) fn state_of(&self, name: &SessionName) -> StateStore {
        self.state.of_session(name.as_str())
    }

    /// Removes all named sessions, and resets the unnamed one.
    pub(super) fn reset_all(&self) -> Result<(), Refusal> {
        let names = self.names()?;
        self.lock_named().by_name.clear();
        names.iter().try_for_each(|name| self.state_of(name).clear())?;
        self.reset(&SessionName::default())
    }

    /// If too many sessions are stored, removes the earliest-started ones that this process does not use.
    fn remove_surplus(&self) -> rusqlite::Result<()> {
        let stored = self.state.sessions()?;
        let surplus = stored.len().saturating_sub(SESSIONS_MAX);
        if surplus == 0 {
            return Ok(());
        }
        let in_use: HashSet<SessionName> = self.lock_named().by_name.keys().cloned().collect();
        let is_in_use = |name: &str| SessionName::new(name).is_ok_and(|name| in_use.contains(&name));
        for name in stored.iter().filter(|name| !is_in_use(name)).take(surplus) {
            // A file that cannot be removed only wastes space.
            let _ = self.state.of_session(name).clear();
        }
        Ok(())
    }

    fn lock_named(&self) -> MutexGuard<'_, NamedSessions> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NamedSessions {
    /// Returns a session and records its use.
    fn touch(&mut self, name: &SessionName) -> Option<App> {
        self.requests += 1;
        let session = self.by_name.get_mut(name)?;
        session.last_request = self.requests;
        Some(session.app.clone())
    }

    /// Adds a session, unless another request has just created it. Returns it, and the session that was removed to make
    /// room.
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

pub(super) const SESSION_HEADER: &str = "x-tulk-sandbox-session";
const NAME_MAX: usize = 128;

/// The name of a session; empty for requests without a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionName(String);

impl SessionName {
    pub fn of_request(headers: &HeaderMap) -> Result<Self, Refusal> {
        let mut values = headers.get_all(SESSION_HEADER).iter();
        let Some(value) = values.next() else { return Ok(Self::default()) };
        if values.next().is_some() {
            return Err(Refusal::bad_request("A request belongs to one session: send its header once."));
        }
        Self::new(value.to_str().map_err(|_| invalid_name())?)
    }

    /// Checks a name: at most 128 printable ASCII characters. Surrounding spaces are removed. An empty name means
    /// the unnamed session.
    pub fn new(name: &str) -> Result<Self, Refusal> {
        let name = name.trim();
        let is_printable = name.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if name.len() > NAME_MAX || !is_printable {
            return Err(invalid_name());
        }
        Ok(Self(name.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_unnamed(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the session to a token or URL, for requests that cannot send the header.
    pub fn add_to_token(&self, token: String) -> String {
        if self.is_unnamed() { token } else { format!("{token}.{}", HEXLOWER.encode(self.0.as_bytes())) }
    }

    /// Returns the session of a token from [`add_to_token`](Self::add_to_token), or the unnamed session if the token has no
    /// valid session name.
    pub fn of_token(token: &str) -> Self {
        let name = token.split_once('.').and_then(|(_, name)| HEXLOWER.decode(name.as_bytes()).ok());
        name.and_then(|name| Self::new(std::str::from_utf8(&name).ok()?).ok()).unwrap_or_default()
    }
}

fn invalid_name() -> Refusal {
    Refusal::bad_request(format!("The name of a session has at most {NAME_MAX} printable ASCII characters."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_session() {
        for name in ["", "a", "Test 7: names.and dots"] {
            let session = SessionName::new(name).unwrap();
            assert_eq!(SessionName::of_token(&session.add_to_token("0A1B".to_owned())), session, "{name}");
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
