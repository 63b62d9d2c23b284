//! The state and services of a session, used by every handler.
//!
//! The middleware finds the session of a request and attaches its [`App`], which handlers take as an extractor.

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
use super::rate_limits::{CallCounter, RateLimiter};
use super::reply::Refusal;
use super::seed::Seed;
use super::sessions::{SessionName, Sessions, SharedFiles};
use super::state::StateStore;

/// The sandbox as one session sees it. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<AppParts>);

pub struct AppParts {
    pub session: SessionName,
    pub options: Arc<SandboxOptions>,
    pub state: Arc<StateStore>,
    pub glossaries: GlossaryIndex,
    pub memories: MemoryStore,
    pub phrases: Arc<Phrases>,
    pub quota: Quota,
    pub call_counter: Arc<CallCounter>,
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
    /// Returns the language of a text as a base code in upper case. If the text contains a phrase, the phrase
    /// determines the language; otherwise it is detected.
    pub fn detect(&self, text: &str) -> String {
        self.phrases.source_language(text).unwrap_or_else(|| detect(text).to_ascii_uppercase())
    }

    /// Resets the session to the objects and the usage of the seed file, and clears the counts of faults and limits.
    pub fn reset(&self) -> Result<(), Refusal> {
        self.state.clear()?;
        if !self.session.is_unnamed() {
            self.state.record_use()?;
        }
        if let Some(seed) = &self.seed {
            seed.apply(&self.state)?;
        }
        self.faults.reset();
        self.call_counter.reset();
        if let Some(limiter) = &self.rate_limiter {
            limiter.reset();
        }
        Ok(())
    }
}

impl App {
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
            call_counter: Arc::default(),
            faults: Arc::new(fault_injector(&options)),
            rate_limiter: options.rate_limit.map(|rate| Arc::new(RateLimiter::new(rate))),
            seed: files.seed.clone(),
            session,
            state,
            options,
        }))
    }

    /// Returns the session with other options. Its usage is kept. The counts of faults restart if the options for faults change, and the
    /// rate limit restarts if it changes.
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
            call_counter: Arc::clone(&self.call_counter),
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

/// The stored files of an upload; removed when dropped.
pub struct UploadedFiles {
    pub app: App,
    pub names: Vec<String>,
}

impl Drop for UploadedFiles {
    fn drop(&mut self) {
        self.names.iter().for_each(|name| self.app.state.remove_file(name));
    }
}
