//! A client for several pipelines at once: after a signal, or a failure that all requests would meet, none starts.

use std::cell::{Cell, RefCell};

use tokio::sync::Notify;

use super::observer::{SharedJournal, lock_journal};
use crate::error::{Failure, Kind};
use crate::http::answer::Answer;
use crate::http::request::Request;
use crate::pipeline::Call;
use crate::stop::Stop;

/// The client of all languages. Together they have as many requests in flight as one would.
pub struct SharedCall<'a, C> {
    client: &'a C,
    in_flight: Cell<usize>,
    /// Notified when a request has ended.
    ended: Notify,
    journal: SharedJournal,
    fatal: RefCell<Option<Failure>>,
    stop: &'a Stop,
}

impl<'a, C: Call> SharedCall<'a, C> {
    pub fn new(client: &'a C, journal: SharedJournal, stop: &'a Stop) -> Self {
        Self { client, in_flight: Cell::new(0), ended: Notify::new(), journal, fatal: RefCell::default(), stop }
    }

    /// Waits until a request may start. How many may be in flight depends on how the service copes.
    async fn place(&self) -> RequestPlace<'_, 'a, C> {
        while self.in_flight.get() >= self.client.concurrency().max(1) {
            self.ended.notified().await;
        }
        self.in_flight.set(self.in_flight.get() + 1);
        RequestPlace(self)
    }

    /// Returns why no request is sent: the key, the quota, a journal that cannot keep what is paid for, or a signal.
    fn obstacle(&self) -> Option<Failure> {
        let fatal = self.fatal.borrow().clone();
        let fatal =
            fatal.or_else(|| lock_journal(&self.journal).as_ref().and_then(|journal| journal.failure().cloned()));
        fatal.or_else(|| self.stop.raised().map(|kind| Stop::failure(kind, None)))
    }
}

/// A request in flight, until it is dropped.
struct RequestPlace<'a, 'b, C>(&'a SharedCall<'b, C>);

impl<C> Drop for RequestPlace<'_, '_, C> {
    fn drop(&mut self) {
        let SharedCall { in_flight, ended, .. } = self.0;
        in_flight.set(in_flight.get().saturating_sub(1));
        // Each looks for itself whether it may start now.
        ended.notify_waiters();
    }
}

impl<C: Call> Call for SharedCall<'_, C> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        // The pipeline reads the answer before any other one can take the place.
        let _place = self.place().await;
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
