//! Runs work on all processors.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

/// Calls a function for each item, with one thread per processor. Results are in the order of the items.
///
/// The calling thread only waits, so that memory freed by the workers stays in allocator arenas that later workers reuse.
pub fn parallel_map<T: Send, R: Send>(items: Vec<T>, call: impl Fn(T) -> R + Sync) -> Vec<R> {
    parallel_map_within(usize::MAX, items, call)
}

/// Like [`parallel_map`], with at most `most` threads.
pub fn parallel_map_within<T: Send, R: Send>(most: usize, items: Vec<T>, call: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len()).min(most);
    if threads == 0 {
        return Vec::new();
    }
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let work = Mutex::new(items.into_iter().zip(&mut results));
    thread::scope(|scope| {
        let run = || {
            loop {
                let next = work.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((item, result)) = next else { return };
                *result = Some(call(item));
            }
        };
        let started = (0..threads).filter(|_| thread::Builder::new().spawn_scoped(scope, run).is_ok()).count();
        // The system may refuse to start threads.
        if started == 0 {
            run();
        }
    });
    drop(work);
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_input_order() {
        assert_eq!(parallel_map((0..1000).collect(), |n: u32| n * 2), (0..1000).map(|n| n * 2).collect::<Vec<_>>());
        assert_eq!(parallel_map(Vec::<u32>::new(), |n| n), Vec::<u32>::new());
    }
}
