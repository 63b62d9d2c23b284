//! A stub of the service that uses as little CPU time as possible, so that the client is measured. It has one thread per connection,
//! and returns each text as its translation. Latency, TLS and held answers are options.

mod connection;
mod raw;
mod tls;

use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

pub use self::connection::DOCUMENT_BYTES;
pub use self::raw::raw_client;
pub use self::tls::Tls;

/// Milliseconds from the last byte of a request to the first byte of its answer.
#[derive(Clone, Copy)]
pub enum Latency {
    None,
    Fixed(u64),
    Between(u64, u64),
}

impl Latency {
    fn pick(self, random: &mut fastrand::Rng) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Fixed(ms) => Duration::from_millis(ms),
            Self::Between(from, to) => Duration::from_micros(random.u64(from * 1000..to * 1000)),
        }
    }
}

/// A running server. Its threads end with the process.
pub struct Stub {
    address: SocketAddr,
    is_tls: bool,
    shared: Arc<Shared>,
}

struct Shared {
    latency: Latency,
    /// Sum so far, in microseconds.
    total_latency: AtomicU64,
    is_held: Mutex<bool>,
    released: Condvar,
    held_answers: AtomicU64,
    /// Translated texts.
    texts: AtomicU64,
}

impl Stub {
    pub fn start() -> Self {
        Self::listen(Latency::None, None)
    }

    pub fn with_latency(latency: Latency) -> Self {
        Self::listen(latency, None)
    }

    pub fn with_tls(tls: &Tls) -> Self {
        Self::listen(Latency::None, Some(tls))
    }

    fn listen(latency: Latency, tls: Option<&Tls>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let shared = Arc::new(Shared {
            latency,
            total_latency: AtomicU64::new(0),
            is_held: Mutex::new(false),
            released: Condvar::new(),
            held_answers: AtomicU64::new(0),
            texts: AtomicU64::new(0),
        });
        let (config, of_connections) = (tls.map(Tls::config), Arc::clone(&shared));
        std::thread::spawn(move || {
            for (number, socket) in listener.incoming().enumerate() {
                let Ok(socket) = socket else { continue };
                let (config, shared) = (config.clone(), Arc::clone(&of_connections));
                std::thread::spawn(move || {
                    let _ = socket.set_nodelay(true);
                    let seed = u64::try_from(number).unwrap_or_default();
                    // A client may disconnect at any time.
                    let _ = match config {
                        Some(config) => {
                            tls::accept(config, socket).and_then(|stream| connection::serve(stream, &shared, seed))
                        }
                        None => connection::serve(socket, &shared, seed),
                    };
                });
            }
        });
        Self { address, is_tls: tls.is_some(), shared }
    }

    pub fn url(&self) -> String {
        format!("{}://{}", if self.is_tls { "https" } else { "http" }, self.address)
    }

    /// Sum so far, in seconds.
    pub fn total_latency(&self) -> f64 {
        self.shared.total_latency.load(Ordering::Relaxed) as f64 / 1e6
    }

    pub fn translated_texts(&self) -> u64 {
        self.shared.texts.load(Ordering::Relaxed)
    }

    pub fn hold(&self, is_held: bool) {
        *self.shared.is_held.lock().unwrap() = is_held;
        self.shared.released.notify_all();
    }

    pub fn held_answers(&self) -> u64 {
        self.shared.held_answers.load(Ordering::Relaxed)
    }
}

impl Shared {
    /// Waits for the latency, and until answers are released.
    fn wait(&self, random: &mut fastrand::Rng) {
        let latency = self.latency.pick(random);
        if !latency.is_zero() {
            self.total_latency.fetch_add(u64::try_from(latency.as_micros()).unwrap_or_default(), Ordering::Relaxed);
            std::thread::sleep(latency);
        }
        let mut is_held = self.is_held.lock().unwrap();
        if *is_held {
            self.held_answers.fetch_add(1, Ordering::Relaxed);
        }
        while *is_held {
            is_held = self.released.wait(is_held).unwrap();
        }
    }
}
