//! What every handler of the sandbox works with: the state and the services of the session of a request.
//!
//! The middleware finds the session and attaches its `App` to the request, where handlers take it as an extractor.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::detect::detect;
use super::faults::FaultInjector;
use super::glossaries::GlossaryIndex;
use super::memories::MemoryStore;
use super::options::SandboxOptions;
use super::phrases::Phrases;
use super::quota::Quota;
use super::rate_limits::{CallLimits, RateLimiter};
use super::reply::Refusal;
use super::seed::Seed;
use super::sessions::{SessionName, Sessions, SharedFiles};
use super::state::StateStore;

/// The sandbox as one session sees it. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<AppParts>);

/// The parts of a session.
pub struct AppParts {
    /// Name of the session.
    pub session: SessionName,
    /// Settings.
    pub options: Arc<SandboxOptions>,
    /// Stored objects, counts and files.
    pub state: Arc<StateStore>,
    /// Glossaries, indexed for translation.
    pub glossaries: GlossaryIndex,
    /// Translation memories.
    pub memories: MemoryStore,
    /// Fixed answers to exact texts.
    pub phrases: Arc<Phrases>,
    /// Usage and its limits.
    pub quota: Quota,
    /// Calls per minute of operations that limit them.
    pub call_limits: Arc<CallLimits>,
    pub(super) faults: Arc<FaultInjector>,
    seed: Option<Arc<Seed>>,
    pub(super) rate_limiter: Option<Arc<RateLimiter>>,
}

impl Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

impl AppParts {
    /// Returns the language of a text, as a base code in upper case: that of its phrases, if it has any.
    pub fn detect(&self, text: &str) -> String {
        self.phrases.source_language(text).unwrap_or_else(|| detect(text).to_ascii_uppercase())
    }

    /// Returns the session to its start: only the objects and the usage of the seed file, and nothing that faults and limits
    /// have counted.
    pub fn reset(&self) -> Result<(), Refusal> {
        self.state.clear()?;
        if !self.session.is_unnamed() {
            self.state.set_used()?;
        }
        if let Some(seed) = &self.seed {
            seed.apply(&self.state)?;
        }
        self.faults.reset();
        self.call_limits.reset();
        if let Some(limiter) = &self.rate_limiter {
            limiter.reset();
        }
        Ok(())
    }
}

impl App {
    /// Creates the services of a session on its state.
    pub(super) fn new(
        session: SessionName,
        options: Arc<SandboxOptions>,
        state: Arc<StateStore>,
        files: &SharedFiles,
    ) -> Self {
        Self(Arc::new(AppParts {
            glossaries: GlossaryIndex::new(Arc::clone(&state), options.glossary_ready_delay),
            memories: MemoryStore::new(Arc::clone(&state), Arc::clone(&files.memories)),
            phrases: Arc::clone(&files.phrases),
            quota: Quota::new(Arc::clone(&state), Arc::clone(&options)),
            call_limits: Arc::default(),
            faults: Arc::new(fault_injector(&options)),
            rate_limiter: options.rate_limit.map(|rate| Arc::new(RateLimiter::new(rate))),
            seed: files.seed.clone(),
            session,
            state,
            options,
        }))
    }

    /// Returns the session with other options.
    ///
    /// What faults and limits have counted stays, unless their options change. Usage stays.
    pub(super) fn with_options(&self, options: SandboxOptions) -> Self {
        let old = &self.options;
        let has_same_faults = (&old.faults, old.latency, old.seed) == (&options.faults, options.latency, options.seed);
        let (state, options) = (&self.state, Arc::new(options));
        Self(Arc::new(AppParts {
            session: self.session.clone(),
            glossaries: GlossaryIndex::new(Arc::clone(state), options.glossary_ready_delay),
            memories: self.memories.clone(),
            phrases: Arc::clone(&self.phrases),
            quota: Quota::new(Arc::clone(state), Arc::clone(&options)),
            call_limits: Arc::clone(&self.call_limits),
            faults: if has_same_faults { Arc::clone(&self.faults) } else { Arc::new(fault_injector(&options)) },
            rate_limiter: if old.rate_limit == options.rate_limit {
                self.rate_limiter.clone()
            } else {
                options.rate_limit.map(|rate| Arc::new(RateLimiter::new(rate)))
            },
            seed: self.seed.clone(),
            state: Arc::clone(state),
            options,
        }))
    }
}

fn fault_injector(options: &SandboxOptions) -> FaultInjector {
    FaultInjector::new(options.faults.clone(), options.latency, options.seed)
}

impl FromRequestParts<Sessions> for App {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, sessions: &Sessions) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_else(|| sessions.unnamed()))
    }
}

/// The files of an upload; removed when dropped.
pub struct UploadedFiles {
    /// Session that stores them.
    pub app: App,
    /// Their names.
    pub names: Vec<String>,
}

impl Drop for UploadedFiles {
    fn drop(&mut self) {
        self.names.iter().for_each(|name| self.app.state.remove_file(name));
    }
}
