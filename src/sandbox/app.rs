//! The state that every handler of the sandbox receives.
//!
//! It owns the options, what is stored, and the services that work on it. Handlers get it by axum's `State`.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use super::detect::detect;
use super::faults::FaultInjector;
use super::glossaries::GlossaryCache;
use super::memories::MemoryStore;
use super::options::SandboxOptions;
use super::phrases::Phrases;
use super::quota::Quota;
use super::rate_limiter::RateLimiter;
use super::reply::Refusal;
use super::request_log::RequestLog;
use super::state::StateStore;
use crate::error::Failure;

/// One sandbox. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<AppParts>);

/// The parts of a sandbox.
pub struct AppParts {
    /// Settings.
    pub options: SandboxOptions,
    /// Stored objects, counts and files.
    pub state: Arc<StateStore>,
    /// Glossaries, indexed for translation.
    pub glossaries: GlossaryCache,
    /// Translation memories.
    pub memories: MemoryStore,
    /// Fixed answers to exact texts.
    pub phrases: Phrases,
    /// Usage and its limits.
    pub quota: Arc<Quota>,
    pub(super) faults: FaultInjector,
    pub(super) rate_limiter: Option<RateLimiter>,
    pub(super) request_log: Option<RequestLog>,
}

impl Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

impl AppParts {
    /// Returns the language of a text, as a base code in upper case: that of its phrases, if it has any.
    pub fn detect(&self, text: &str) -> Cow<'static, str> {
        self.phrases.source_language(text).map_or_else(|| Cow::Borrowed(detect(text)), Cow::Owned)
    }

    /// Removes everything that is stored, and forgets what faults and limits have counted.
    pub fn reset(&self) -> Result<(), Refusal> {
        self.quota.forget();
        self.state.clear()?;
        self.faults.reset();
        if let Some(limiter) = &self.rate_limiter {
            limiter.reset();
        }
        Ok(())
    }
}

impl App {
    /// Opens the state and reads the files named in the options.
    pub fn open(options: SandboxOptions) -> Result<Self, Failure> {
        if options.rate_limit.is_some_and(|rate| !(rate.is_finite() && rate > 0.0)) {
            return Err(Failure::usage("the rate limit must be greater than 0"));
        }
        let dir = options.state_dir.as_deref().filter(|_| !options.ephemeral);
        let state = Arc::new(StateStore::open(dir)?);
        Ok(Self(Arc::new(AppParts {
            glossaries: GlossaryCache::new(Arc::clone(&state), options.glossary_ready_delay),
            memories: MemoryStore::open(Arc::clone(&state), options.memories.as_deref())?,
            phrases: options.phrases.as_deref().map(Phrases::open).transpose()?.unwrap_or_default(),
            quota: Arc::new(Quota::new(Arc::clone(&state), options.character_limit, options.document_limit)),
            faults: FaultInjector::new(options.faults.clone(), options.latency, options.seed),
            rate_limiter: options.rate_limit.map(RateLimiter::new),
            request_log: options.record.as_deref().map(RequestLog::open).transpose()?,
            state,
            options,
        })))
    }
}
