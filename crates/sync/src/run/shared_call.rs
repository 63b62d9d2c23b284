//! A client for several pipelines at once: earlier groups are served first, and after a signal, or a failure that all requests would
//! meet, no request starts.

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

/// Number of requests of a group that are made at least before they can be sent: when answers come, many may start at once.
const MADE_AHEAD: usize = 64;
/// Number of requests that a group makes at a time. Before it makes more, requests leave, and answers are read.
const MADE_AT_ONCE: usize = 4;

/// The client of all groups. Together they have as many requests in flight as one would.
pub struct SharedCall<'a, C> {
    client: &'a C,
    /// The number of requests that were started and whose groups have not got their answers.
    started: Cell<usize>,
    /// The requests that wait for a place: by their groups, then in their order. So groups end one after the other, and the targets of
    /// one are written while the next ones are sent.
    waiting: RefCell<BTreeMap<RequestOrder, WaitingRequest>>,
    /// The number of all requests so far.
    asked: Cell<u64>,
    /// How many there were when groups were last told to make more.
    told: Cell<u64>,
    may_make_more: Notify,
    journal: SharedJournal,
    fatal: RefCell<Option<Failure>>,
    /// Why groups have failed, by their numbers: their other requests are not sent.
    failed: RefCell<HashMap<usize, Failure>>,
    stop: &'a Stop,
}

/// The number of a group, and that of a request among all.
type RequestOrder = (usize, u64);

/// A request that is not started yet, and who waits for the answer.
struct WaitingRequest {
    request: Request,
    answer: oneshot::Sender<Result<Answer, Failure>>,
}

/// The requests in flight. Each ends when its answer is with its group.
pub type RequestsInFlight<'a> = FuturesUnordered<LocalBoxFuture<'a, ()>>;

impl<'a, C: Call> SharedCall<'a, C> {
    pub fn new(client: &'a C, journal: SharedJournal, stop: &'a Stop) -> Self {
        let (started, asked, told) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let may_make_more = Notify::new();
        let (waiting, fatal, failed) = (RefCell::default(), RefCell::default(), RefCell::default());
        Self { client, started, waiting, asked, told, may_make_more, journal, fatal, failed, stop }
    }

    /// The client of one group.
    pub fn of_group(&self, number: usize) -> GroupCall<'_, 'a, C> {
        GroupCall { shared: self, number, open: Cell::new(0) }
    }

    /// Starts the first requests that wait, as many as may be in flight, which depends on how the service copes. It is called when no
    /// group can go on: so the group that has got an answer has asked for its next request.
    pub fn start<'s>(&'s self, in_flight: &mut RequestsInFlight<'s>, task: &mut TaskContext<'_>) {
        while self.started.get() < self.client.concurrency().max(1) {
            let Some(((group, _), next)) = self.waiting.borrow_mut().pop_first() else { break };
            self.started.set(self.started.get() + 1);
            let WaitingRequest { request, answer } = next;
            if let Some(failure) = self.obstacle(group) {
                let _ = answer.send(Err(failure));
                continue;
            }
            // It leaves now, not after the answers that are there already.
            let mut call = self.send(group, request, answer).boxed_local();
            if call.poll_unpin(task).is_pending() {
                in_flight.push(call);
            }
        }
        if self.told.replace(self.asked.get()) < self.asked.get() {
            self.may_make_more.notify_waiters();
        }
    }

    /// Returns whether more requests could be in flight, or about to be, than there are.
    pub fn has_free_places(&self) -> bool {
        self.waiting.borrow().len() < self.client.concurrency().max(1)
    }

    /// Sends a request, unless nobody waits for the answer any longer.
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
                // A refused request is sent again in parts; after other failures the pipeline of the group ends.
                self.failed.borrow_mut().insert(group, failure.clone());
            }
        }
        let _ = to.send(answer);
    }

    /// Returns why no request of a group is sent: the key, the quota, a journal that cannot keep what is paid for, a signal, or what
    /// another request of the group met.
    fn obstacle(&self, group: usize) -> Option<Failure> {
        let fatal = self.fatal.borrow().clone();
        let fatal = fatal.or_else(|| self.journal.failure());
        let fatal = fatal.or_else(|| self.stop.raised().map(|kind| Stop::failure(kind, None)));
        fatal.or_else(|| self.failed.borrow().get(&group).cloned())
    }
}

/// A request of a group, until it is dropped.
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

/// The client of a group.
pub struct GroupCall<'a, 'b, C> {
    shared: &'a SharedCall<'b, C>,
    number: usize,
    /// The number of its requests that were made and have no answer.
    open: Cell<usize>,
}

impl<C: Call> Call for GroupCall<'_, '_, C> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let shared = self.shared;
        let (sender, answer) = oneshot::channel();
        let order = (self.number, shared.asked.get());
        shared.asked.set(order.1 + 1);
        shared.waiting.borrow_mut().insert(order, WaitingRequest { request, answer: sender });
        self.open.set(self.open.get() + 1);
        // The pipeline reads the answer before any other request can take the place.
        let _request = GroupRequest { shared, order, open: &self.open };
        answer.await.unwrap_or_else(|_| Err(Failure::internal("a request was dropped")))
    }

    fn concurrency(&self) -> usize {
        let ahead = (self.shared.client.concurrency() * 2).max(MADE_AHEAD);
        ahead.min(self.open.get() + MADE_AT_ONCE)
    }

    async fn has_more_room(&self) {
        self.shared.may_make_more.notified().await;
    }
}
