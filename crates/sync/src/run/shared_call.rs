//! Client for several concurrent pipelines. Requests of earlier groups go first. After a signal or a failure that would
//! affect all requests, no request starts.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::task::Context as TaskContext;

use futures_util::FutureExt as _;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::{Notify, oneshot};
use tulk_base::error::{Failure, Kind};
use tulk_base::stop::Stop;
use tulk_client::http::answer::Answer;
use tulk_client::http::request::Request;
use tulk_pipeline::Call;

use super::observer::SharedJournal;

/// Minimum number of requests that a group prepares ahead, because many may start together when answers arrive.
const MIN_PREPARED_REQUESTS: usize = 64;
/// Number of requests that a group prepares at a time. In between, it sends requests and reads answers.
const REQUESTS_PER_STEP: usize = 4;

/// Shares a client and its limit of requests in flight between groups.
pub struct SharedCall<'a, C> {
    client: &'a C,
    /// Started requests whose answers have not been handed to their groups.
    started: Cell<usize>,
    /// Ordered by group and age, so that groups finish one after the other, and the targets of a group are written while the
    /// next groups are sent.
    waiting: RefCell<BTreeMap<RequestOrder, WaitingRequest>>,
    requests_made: Cell<u64>,
    requests_made_at_last_notice: Cell<u64>,
    may_make_more: Notify,
    journal: SharedJournal,
    fatal: RefCell<Option<Failure>>,
    /// Failures of groups, by number. Their waiting requests are not sent.
    failed: RefCell<HashMap<usize, Failure>>,
    stop: &'a Stop,
}

/// Number of the group, and running number of the request.
type RequestOrder = (usize, u64);

struct WaitingRequest {
    request: Request,
    answer: oneshot::Sender<Result<Answer, Failure>>,
}

/// Requests in flight. A future completes when its answer is handed to the group.
pub type RequestsInFlight<'a> = FuturesUnordered<LocalBoxFuture<'a, ()>>;

impl<'a, C: Call> SharedCall<'a, C> {
    pub fn new(client: &'a C, journal: SharedJournal, stop: &'a Stop) -> Self {
        let (started, requests_made, requests_made_at_last_notice) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let may_make_more = Notify::new();
        let (waiting, fatal, failed) = (RefCell::default(), RefCell::default(), RefCell::default());
        Self {
            client,
            started,
            waiting,
            requests_made,
            requests_made_at_last_notice,
            may_make_more,
            journal,
            fatal,
            failed,
            stop,
        }
    }

    pub fn of_group(&self, number: usize) -> GroupCall<'_, 'a, C> {
        GroupCall { shared: self, number, open: Cell::new(0) }
    }

    /// Starts waiting requests in order, up to the current limit of requests in flight. Call it when no group can make
    /// progress: by then, a group that got an answer has queued its next request.
    pub fn start<'s>(&'s self, in_flight: &mut RequestsInFlight<'s>, task: &mut TaskContext<'_>) {
        while self.started.get() < self.client.concurrency().max(1) {
            let Some(((group, _), next)) = self.waiting.borrow_mut().pop_first() else { break };
            self.started.set(self.started.get() + 1);
            let WaitingRequest { request, answer } = next;
            if let Some(failure) = self.reason_not_to_send(group) {
                let _ = answer.send(Err(failure));
                continue;
            }
            // Poll now, so that the request is sent before more answers are read.
            let mut call = self.send(group, request, answer).boxed_local();
            if call.poll_unpin(task).is_pending() {
                in_flight.push(call);
            }
        }
        if self.requests_made_at_last_notice.replace(self.requests_made.get()) < self.requests_made.get() {
            self.may_make_more.notify_waiters();
        }
    }

    /// Returns whether fewer requests are waiting than may be in flight.
    pub fn has_room(&self) -> bool {
        self.waiting.borrow().len() < self.client.concurrency().max(1)
    }

    /// Sends a request, unless its group no longer waits for the answer.
    async fn send(&self, group: usize, request: Request, mut to: oneshot::Sender<Result<Answer, Failure>>) {
        let answer = tokio::select! {
            biased;
            answer = self.client.call(request) => answer,
            () = to.closed() => return,
        };
        if let Err(failure) = &answer {
            let status = failure.service.as_ref().and_then(|service| service.status);
            let is_about_language = failure.service.as_ref().is_some_and(|service| service.is_about_language());
            if matches!(failure.kind, Kind::Key | Kind::Quota) {
                self.fatal.borrow_mut().get_or_insert_with(|| failure.clone());
            } else if is_about_language || !matches!(status, Some(400 | 413)) {
                // The pipeline splits a request that the service refused with 400 or 413, and retries. Other failures end it.
                self.failed.borrow_mut().insert(group, failure.clone());
            }
        }
        let _ = to.send(answer);
    }

    /// Returns why a request is not sent: the key, the quota, a write error of the journal, a signal, or an earlier failure of
    /// the group.
    fn reason_not_to_send(&self, group: usize) -> Option<Failure> {
        let fatal = self.fatal.borrow().clone();
        let fatal = fatal.or_else(|| self.journal.failure());
        let fatal = fatal.or_else(|| self.stop.raised().map(|kind| Stop::failure(kind, None)));
        fatal.or_else(|| self.failed.borrow().get(&group).cloned())
    }
}

/// Updates the counters when a request is dropped, whether or not it was answered.
struct GroupRequest<'a, 'b, C> {
    shared: &'a SharedCall<'b, C>,
    order: RequestOrder,
    open: &'a Cell<usize>,
}

impl<C> Drop for GroupRequest<'_, '_, C> {
    fn drop(&mut self) {
        self.open.set(self.open.get().saturating_sub(1));
        let SharedCall { waiting, started, .. } = self.shared;
        if waiting.borrow_mut().remove(&self.order).is_none() {
            started.set(started.get().saturating_sub(1));
        }
    }
}

pub struct GroupCall<'a, 'b, C> {
    shared: &'a SharedCall<'b, C>,
    number: usize,
    open: Cell<usize>,
}

impl<C: Call> Call for GroupCall<'_, '_, C> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let shared = self.shared;
        let (sender, answer) = oneshot::channel();
        let order = (self.number, shared.requests_made.get());
        shared.requests_made.set(order.1 + 1);
        shared.waiting.borrow_mut().insert(order, WaitingRequest { request, answer: sender });
        self.open.set(self.open.get() + 1);
        // Drop this only after the pipeline has the answer, so that no other request starts before that.
        let _request = GroupRequest { shared, order, open: &self.open };
        answer.await.unwrap_or_else(|_| Err(Failure::internal("a request was dropped")))
    }

    fn concurrency(&self) -> usize {
        let ahead = (self.shared.client.concurrency() * 2).max(MIN_PREPARED_REQUESTS);
        ahead.min(self.open.get() + REQUESTS_PER_STEP)
    }

    async fn has_more_room(&self) {
        self.shared.may_make_more.notified().await;
    }
}
