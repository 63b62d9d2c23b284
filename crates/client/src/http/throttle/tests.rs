//! Tests of the throttle with simulated services in virtual time, and of the order of requests.

use std::cell::{Cell, RefCell};

use futures_util::future::join_all;
use tokio::time::sleep;

use super::*;

#[derive(Clone, Copy, Debug)]
enum Limit {
    None,
    /// Requests per second. Unused requests of up to one second are saved up.
    Bucket(f64),
    /// Requests in each second of the clock.
    Window(f64),
    /// Refuses this share of the requests at random.
    Chance(f64),
}

/// A simulated service. Each refusal requests a pause of one second.
struct Service {
    limit: Cell<Limit>,
    latency_ms: u64,
    tokens: Cell<f64>,
    refilled: Cell<Instant>,
    start: Instant,
    random: RefCell<fastrand::Rng>,
}

#[derive(Clone, Copy, Debug)]
struct Achieved {
    seconds: f64,
    per_second: f64,
    refused_percent: f64,
}

impl Service {
    fn new(limit: Limit, latency_ms: u64) -> Self {
        let tokens = if let Limit::Bucket(rate) | Limit::Window(rate) = limit { rate } else { 0.0 };
        let now = Instant::now();
        let random = RefCell::new(fastrand::Rng::with_seed(1));
        Self { limit: limit.into(), latency_ms, tokens: tokens.into(), refilled: now.into(), start: now, random }
    }

    fn accepts(&self) -> bool {
        let now = Instant::now();
        let before = self.refilled.replace(now);
        let tokens = match self.limit.get() {
            Limit::None => return true,
            Limit::Chance(refused) => return self.random.borrow_mut().f64() >= refused,
            Limit::Bucket(rate) => (self.tokens.get() + (now - before).as_secs_f64() * rate).min(rate),
            Limit::Window(rate) if (now - self.start).as_secs() > (before - self.start).as_secs() => rate,
            Limit::Window(_) => self.tokens.get(),
        };
        let is_accepted = tokens >= 1.0;
        self.tokens.set(tokens - f64::from(u8::from(is_accepted)));
        is_accepted
    }

    /// Sends requests until `requests` of them are accepted, with as many senders as `concurrency` can ever allow.
    async fn send(&self, concurrency: Concurrency, requests: u32) -> Achieved {
        let throttle = Throttle::new(concurrency, None);
        let (pending, refused) = (Cell::new(requests), Cell::new(0));
        let way = || {
            let share = 0.9 + 0.2 * self.random.borrow_mut().f64();
            sleep(Duration::from_millis(self.latency_ms).mul_f64(share / 2.0))
        };
        let sender = async || {
            while let Some(left) = pending.get().checked_sub(1) {
                pending.set(left);
                loop {
                    let permit = throttle.start().await;
                    way().await;
                    let is_accepted = self.accepts();
                    way().await;
                    if is_accepted {
                        permit.end(SendOutcome::Answered);
                        break;
                    }
                    permit.end(SendOutcome::Refused);
                    refused.set(refused.get() + 1);
                    throttle.pause(Duration::from_secs(1));
                }
            }
        };
        let start = Instant::now();
        join_all((0..concurrency.max()).map(|_| sender())).await;
        let seconds = start.elapsed().as_secs_f64();
        let refused = f64::from(refused.get());
        let sent = f64::from(requests) + refused;
        Achieved { seconds, per_second: f64::from(requests) / seconds, refused_percent: 100.0 * refused / sent }
    }
}

const DEFAULT: Concurrency = Concurrency::AtMost(8);

#[tokio::test(start_paused = true)]
async fn uses_90_percent_of_a_rate_limit_with_at_most_5_percent_refused() {
    for (rate, latency_ms, concurrency) in [
        (5, 50, DEFAULT),
        (20, 50, DEFAULT),
        (20, 200, DEFAULT),
        (50, 50, DEFAULT),
        (100, 10, DEFAULT),
        (20, 500, Concurrency::AtMost(32)),
        (20, 50, Concurrency::Auto),
        (100, 200, Concurrency::Auto),
    ] {
        let achieved = Service::new(Limit::Bucket(f64::from(rate)), latency_ms).send(concurrency, 60 * rate).await;
        let case = format!("{rate}/s, {latency_ms} ms, {concurrency:?}: {achieved:?}");
        assert!(achieved.per_second >= 0.9 * f64::from(rate) && achieved.refused_percent <= 5.0, "{case}");
    }
}

/// A fixed window does not carry unused requests over, so the rest of a window with a refusal is lost.
#[tokio::test(start_paused = true)]
async fn uses_75_percent_of_a_limit_per_window() {
    for (rate, latency_ms, concurrency) in
        [(5, 50, DEFAULT), (20, 50, DEFAULT), (20, 200, DEFAULT), (50, 50, Concurrency::AtMost(32))]
    {
        let achieved = Service::new(Limit::Window(f64::from(rate)), latency_ms).send(concurrency, 60 * rate).await;
        let case = format!("{rate}/s, {latency_ms} ms, {concurrency:?}: {achieved:?}");
        assert!(achieved.per_second >= 0.75 * f64::from(rate) && achieved.refused_percent <= 5.0, "{case}");
    }
}

#[tokio::test(start_paused = true)]
async fn adapts_to_a_raised_and_to_a_lowered_limit() {
    // The limit changes after 20 seconds. By then, 400 of the 2000 requests are sent in the first case, and 1200 in the second.
    for (before, after, ideal) in [(20.0, 60.0, 46.7), (60.0, 10.0, 100.0)] {
        let service = Service::new(Limit::Bucket(before), 50);
        let change = async {
            sleep(Duration::from_secs(20)).await;
            service.limit.set(Limit::Bucket(after));
        };
        let (achieved, ()) = tokio::join!(service.send(DEFAULT, 2000), change);
        let case = format!("{before} to {after}: {achieved:?}");
        assert!(achieved.seconds < 1.4 * ideal && achieved.refused_percent < 2.0, "{case}");
    }
}

#[tokio::test(start_paused = true)]
async fn random_refusals_cost_less_than_half_of_the_rate() {
    // Expected rate of eight requests in flight with a pause of one second after each refusal.
    for (refused, per_second) in [(0.001, 138.0), (0.01, 61.0), (0.1, 9.4)] {
        let achieved = Service::new(Limit::Chance(refused), 50).send(DEFAULT, 2000).await;
        assert!(achieved.per_second > 0.5 * per_second, "{refused}: {achieved:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn four_processes_share_a_limit() {
    let service = Service::new(Limit::Bucket(50.0), 50);
    for achieved in join_all((0..4).map(|_| service.send(DEFAULT, 500))).await {
        assert!(achieved.per_second > 0.7 * 12.5 && achieved.refused_percent < 5.0, "{achieved:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_without_refusals_takes_less_than_4_percent_longer_than_ideal() {
    // The clock of the test rounds up to milliseconds, so the way to the service and the way back, 25 ms each, take up to 1 ms longer.
    for (concurrency, ideal) in [(8, 25.0), (32, 6.25)] {
        let achieved = Service::new(Limit::None, 50).send(Concurrency::AtMost(concurrency), 4000).await;
        assert!(achieved.seconds < 1.04 * ideal, "{concurrency}: {achieved:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn concurrency_grows_to_its_maximum_and_shrinks_once_per_round_trip() {
    let round = async |throttle: &Throttle, outcome| {
        let permits = join_all((0..throttle.concurrency()).map(|_| throttle.start())).await;
        sleep(Duration::from_millis(50)).await;
        for permit in permits {
            permit.end(outcome);
        }
        throttle.concurrency()
    };
    for (max, numbers) in [(1, [1, 1, 1]), (8, [4, 8, 8]), (32, [8, 32, 32]), (256, [8, 32, 128])] {
        let throttle = Throttle::new(Concurrency::AtMost(max), None);
        let after = [throttle.concurrency(), round(&throttle, SendOutcome::Answered).await];
        assert_eq!([after[0], after[1], round(&throttle, SendOutcome::Answered).await], numbers, "{max}");
    }
    let throttle = Throttle::new(Concurrency::AtMost(32), None);
    for (outcome, number) in [
        (SendOutcome::Answered, 32),
        (SendOutcome::Overloaded, 22),
        (SendOutcome::Inconclusive, 22),
        (SendOutcome::Answered, 23),
        (SendOutcome::Answered, 24),
    ] {
        assert_eq!(round(&throttle, outcome).await, number, "{outcome:?}");
    }
    for _ in 0..20 {
        round(&throttle, SendOutcome::Refused).await;
    }
    assert_eq!(throttle.concurrency(), 2);
    let throttle = Throttle::new(Concurrency::Auto, None);
    let mut numbers = Vec::new();
    for _ in 0..80 {
        numbers.push(round(&throttle, SendOutcome::Answered).await);
    }
    assert!((9..=12).contains(&numbers[19]) && numbers[79] == 64, "{numbers:?}");
}

fn throttle(rate: Option<f64>) -> Throttle {
    Throttle::new(Concurrency::AtMost(4), rate)
}

#[tokio::test]
async fn overlapping_waits_count_once() {
    let throttle = throttle(None);
    let limit = Duration::from_secs(11);
    assert!(throttle.reserve_wait(Duration::from_secs(6), limit));
    assert!(throttle.reserve_wait(Duration::from_secs(6), limit), "the same six seconds");
    assert!(throttle.reserve_wait(Duration::from_secs(10), limit), "four more");
    assert!(!throttle.reserve_wait(Duration::from_secs(12), limit));
}

#[tokio::test(start_paused = true)]
async fn many_short_pauses_end_a_run_only_with_max_wait() {
    let throttle = throttle(None);
    let second = Duration::from_secs(1);
    let limit = Duration::from_secs(300);
    for number in 0..1000 {
        assert_eq!(throttle.reserve_retry(second, None, &mut TotalWait::default()), Ok(()), "{number}");
        tokio::time::advance(20 * second).await;
    }
    let mut own = TotalWait::default();
    assert_eq!(throttle.reserve_retry(200 * second, None, &mut own), Ok(()));
    tokio::time::advance(200 * second).await;
    assert_eq!(throttle.reserve_retry(101 * second, None, &mut own), Err(limit));
    for number in 0..1000 {
        let reserved = throttle.reserve_retry(second, Some(limit), &mut TotalWait::default());
        assert_eq!(reserved, if number < 300 { Ok(()) } else { Err(limit) }, "{number}");
        tokio::time::advance(20 * second).await;
    }
}

#[tokio::test]
async fn a_wait_too_long_for_the_clock_exceeds_every_limit() {
    let throttle = throttle(None);
    // The clock of Windows has more seconds.
    let too_long = if cfg!(windows) { Duration::MAX } else { Duration::from_secs(i64::MAX.unsigned_abs()) };
    for wait in [Duration::MAX, too_long] {
        assert!(!throttle.reserve_wait(wait, Duration::MAX), "{wait:?}");
        throttle.pause(wait);
    }
    throttle.start().await;
    assert!(throttle.reserve_wait(Duration::from_secs(1), Duration::MAX));
}

#[tokio::test(start_paused = true)]
async fn one_pause_delays_all_requests() {
    let throttle = throttle(None);
    let start = Instant::now();
    throttle.pause(Duration::from_millis(30));
    tokio::join!(throttle.start(), throttle.start());
    assert!((30..35).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn the_rate_spaces_requests_evenly() {
    let throttle = throttle(Some(100.0));
    let start = Instant::now();
    for n in 0..50 {
        throttle.start().await;
        let ms = start.elapsed().as_millis();
        assert!((n * 10..=n * 10 + 2).contains(&ms), "request {n} after {ms} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn requests_start_in_order_of_arrival() {
    let throttle = throttle(None);
    let mut permits = Vec::new();
    for _ in 0..4 {
        permits.push(throttle.start().await);
    }
    let started = Mutex::new(Vec::new());
    let request = async |n: u32| {
        let permit = throttle.start().await;
        lock(&started).push(n);
        tokio::time::sleep(Duration::from_millis(5)).await;
        drop(permit);
    };
    let end = async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(lock(&started).is_empty());
        permits.clear();
    };
    tokio::join!(request(1), request(2), request(3), request(4), request(5), request(6), end);
    assert_eq!(*lock(&started), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_does_not_block_the_next() {
    let throttle = throttle(None);
    let mut permits = Vec::new();
    for _ in 0..4 {
        permits.push(throttle.start().await);
    }
    let given_up = tokio::time::timeout(Duration::from_millis(5), throttle.start()).await;
    assert!(given_up.is_err());
    permits.pop();
    let started = tokio::time::timeout(Duration::from_millis(5), throttle.start()).await;
    assert!(started.is_ok());
}
