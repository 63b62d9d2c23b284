//! A client for several pipelines at once: after a failure that all requests would meet, none starts.

use std::cell::RefCell;

use tokio::sync::Semaphore;

use super::observer::{SharedJournal, lock_journal};
use crate::error::{Failure, Kind};
use crate::http::answer::Answer;
use crate::http::request::Request;
use crate::pipeline::Call;

/// The client of all languages. Together they have as many requests in flight as one would.
pub struct SharedCall<'a, C> {
    client: &'a C,
    places: Semaphore,
    journal: SharedJournal,
    fatal: RefCell<Option<Failure>>,
}

impl<'a, C: Call> SharedCall<'a, C> {
    pub fn new(client: &'a C, journal: SharedJournal) -> Self {
        let places = Semaphore::new(client.concurrency().max(1));
        Self { client, places, journal, fatal: RefCell::default() }
    }

    /// Returns why no request is sent: the key, the quota, or a journal that cannot keep what is paid for.
    fn obstacle(&self) -> Option<Failure> {
        let fatal = self.fatal.borrow().clone();
        fatal.or_else(|| lock_journal(&self.journal).as_ref().and_then(|journal| journal.failure().cloned()))
    }
}

impl<C: Call> Call for SharedCall<'_, C> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let _place = self.places.acquire().await;
        if let Some(failure) = self.obstacle() {
            return Err(failure);
        }
        let answer = self.client.call(request).await;
        if let Err(failure) = &answer
            && matches!(failure.kind, Kind::Key | Kind::Quota)
        {
            self.fatal.borrow_mut().get_or_insert_with(|| failure.clone());
        }
        answer
    }

    fn concurrency(&self) -> usize {
        self.client.concurrency()
    }
}
