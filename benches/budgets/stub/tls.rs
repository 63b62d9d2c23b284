//! TLS for the stub: a certificate for 127.0.0.1, signed by a generated certificate authority.

use std::io::Result;
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, SanType};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A certificate with its authority.
pub struct Tls {
    config: Arc<ServerConfig>,
    authority: String,
}

impl Tls {
    pub fn generate() -> Self {
        let authority_key = KeyPair::generate().expect("a key");
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.distinguished_name.push(DnType::CommonName, "tulk benches");
        let pem = authority.self_signed(&authority_key).expect("an authority").pem();
        let issuer = Issuer::new(authority, authority_key);
        let key = KeyPair::generate().expect("a key");
        let mut server = CertificateParams::default();
        server.subject_alt_names = vec![SanType::IpAddress(IpAddr::V4(Ipv4Addr::LOCALHOST))];
        let certificate = server.signed_by(&key, &issuer).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], PrivatePkcs8KeyDer::from(key.serialize_der()).into())
            .expect("a configuration");
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Self { config: Arc::new(config), authority: pem }
    }

    /// The authority's certificate in PEM.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    pub(super) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config)
    }
}

pub fn accept(config: Arc<ServerConfig>, socket: TcpStream) -> Result<StreamOwned<ServerConnection, TcpStream>> {
    let connection = ServerConnection::new(config).map_err(std::io::Error::other)?;
    Ok(StreamOwned::new(connection, socket))
}
