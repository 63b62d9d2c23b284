//! TLS servers on loopback, with their certificates.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

use rcgen::CertificateParams;
use rustls::ServerConfig;

/// Returns TLS settings with a self-signed certificate, and that certificate as PEM.
pub fn tls_config(params: &CertificateParams) -> (ServerConfig, String) {
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key).unwrap();
    (config, certificate.pem())
}

/// Starts a server that sends `answer` on every connection. Returns its port and its certificate as PEM.
pub fn https_server(params: &CertificateParams, answer: Vec<u8>) -> (u16, String) {
    let (config, pem) = tls_config(params);
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for tcp in listener.incoming().flatten() {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = rustls::StreamOwned::new(connection, tcp);
            // Fails if the client refuses the certificate.
            let _ = stream.read(&mut [0; 4096]).and_then(|_| stream.write_all(&answer));
        }
    });
    (port, pem)
}
