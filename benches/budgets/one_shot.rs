//! One translation over HTTP and HTTPS, in alternation with curl against the same server.

use std::fs;

use super::process::{Memory, measure_held_memory, median, run, run_alternately};
use super::setup::Setup;
use super::stub::{Stub, Tls};
use super::table::Figure;

/// Sent by curl. tulk sends the same.
const BODY: &str = r#"{"text":["Hello, world"],"target_lang":"DE"}"#;
const ARGUMENTS: [&str; 4] = ["translate", "--to", "de", "Hello, world"];
const BUNDLES: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem"];

pub fn measure(setup: &Setup) -> Vec<Figure> {
    [http(setup), https(setup)].concat()
}

fn http(setup: &Setup) -> Vec<Figure> {
    let stub = Stub::start();
    let address = format!("{}/v2/translate", stub.url());
    let pairs = run_alternately(
        setup.short_rounds,
        || run(setup.tulk(&stub.url(), &ARGUMENTS)),
        || run(setup.curl(&address, BODY)),
    );
    let memory = |command: &dyn Fn() -> std::process::Command| -> Vec<Memory> {
        (0..setup.rounds).map(|_| measure_held_memory(command(), &stub)).collect()
    };
    let tulk = memory(&|| setup.tulk(&stub.url(), &ARGUMENTS));
    let curl = memory(&|| setup.curl(&address, BODY));
    let peak = |of: &[Memory]| median(of.iter().map(|m| m.peak));
    vec![
        Figure::ratio("http: processor time against curl", pairs.ratio(|c| c.cpu)).at_most(0.4),
        Figure::ratio("http: wall time against curl", pairs.ratio(|c| c.wall)),
        Figure::amount("http: processor time", pairs.first(|c| c.cpu) * 1000.0, "ms"),
        Figure::amount("http: private memory", median(tulk.iter().map(|m| m.private)), "MiB").at_most(1.0),
        Figure::ratio("http: peak memory against curl", peak(&tulk) / peak(&curl)).at_most(1.3),
        Figure::amount("http: peak memory, with pages of the program's file", peak(&tulk), "MiB"),
    ]
}

/// Both programs read one file with the system's root certificates and the certificate authority of the server.
fn https(setup: &Setup) -> Vec<Figure> {
    let tls = Tls::generate();
    let stub = Stub::with_tls(&tls);
    let system =
        BUNDLES.iter().find_map(|path| fs::read_to_string(path).ok()).expect("the root certificates of the system");
    let bundle = setup.dir().join("bundle.pem");
    fs::write(&bundle, system + tls.authority()).expect("a file");
    let address = format!("{}/v2/translate", stub.url());
    let pairs = run_alternately(
        setup.short_rounds,
        || {
            let mut command = setup.tulk(&stub.url(), &ARGUMENTS);
            command.env("SSL_CERT_FILE", &bundle);
            run(command)
        },
        || {
            let mut command = setup.curl(&address, BODY);
            command.arg("--cacert").arg(&bundle);
            run(command)
        },
    );
    vec![
        Figure::ratio("https: processor time against curl", pairs.ratio(|c| c.cpu)).at_most(0.2),
        Figure::ratio("https: wall time against curl", pairs.ratio(|c| c.wall)),
        Figure::amount("https: processor time", pairs.first(|c| c.cpu) * 1000.0, "ms"),
    ]
}
