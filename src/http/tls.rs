//! Which servers are trusted: the system's root certificates, loaded when the first certificate is verified.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use rustls_platform_verifier::Verifier;

use super::options::HttpVersions;
use crate::error::{Failure, Kind, io_message};
use crate::stop;

/// Where Linux distributions keep all root certificates in one file, which is five times faster to read than the directory.
const BUNDLES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Variables that name other root certificates than the system's.
const SSL_VARIABLES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Verifies certificates against the system's roots and those of `--ca-file`.
#[derive(Debug)]
struct LazyVerifier {
    provider: Arc<CryptoProvider>,
    extra: Vec<CertificateDer<'static>>,
    /// Verifier of the bundle file, if there is one.
    bundle: OnceLock<Option<Arc<WebPkiServerVerifier>>>,
    /// Verifier of the platform.
    platform: OnceLock<Result<Verifier, Error>>,
}

impl LazyVerifier {
    fn bundle(&self) -> Option<&Arc<WebPkiServerVerifier>> {
        let load = || {
            let (_, mut roots) = bundle_roots()?;
            roots.add_parsable_certificates(self.extra.iter().cloned());
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&self.provider)).build().ok()
        };
        self.bundle.get_or_init(load).as_ref()
    }

    fn platform(&self) -> Result<&Verifier, Error> {
        let load = || {
            let provider = Arc::clone(&self.provider);
            if self.extra.is_empty() {
                Verifier::new(provider)
            } else {
                Verifier::new_with_extra_roots(self.extra.iter().cloned(), provider)
            }
        };
        self.platform.get_or_init(load).as_ref().map_err(Clone::clone)
    }
}

impl ServerCertVerifier for LazyVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(bundle) = self.bundle() {
            let verdict = bundle.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
            // A root that is only in the directory is known only to the platform.
            if !matches!(verdict, Err(Error::InvalidCertificate(CertificateError::UnknownIssuer))) {
                return verdict;
            }
        }
        self.platform()?.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Returns the bundle file of this system and its certificates, unless a variable names others.
fn bundle_roots() -> Option<(&'static Path, RootCertStore)> {
    let set_by_user = SSL_VARIABLES.iter().any(|name| std::env::var_os(name).is_some());
    if set_by_user || !cfg!(target_os = "linux") {
        return None;
    }
    let file = BUNDLES.iter().map(Path::new).find(|p| p.is_file())?;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(CertificateDer::pem_file_iter(file).ok()?.filter_map(Result::ok));
    Some((file, roots))
}

/// Says where the root certificates come from. Fails if there are none, or if those of `ca_file` cannot be read.
pub fn trusted_roots(ca_file: Option<&Path>) -> Result<String, Failure> {
    let extra = ca_file.map(certificates).transpose()?.unwrap_or_default();
    let more = match ca_file {
        Some(file) => format!(", and {} of {}", extra.len(), file.display()),
        None => String::new(),
    };
    if let Some((file, roots)) = bundle_roots().filter(|(_, roots)| !roots.is_empty()) {
        return Ok(format!("{} of {}{more}", roots.len(), file.display()));
    }
    // Fails if the system has none.
    let verifier = Verifier::new(Arc::new(rustls::crypto::ring::default_provider()));
    verifier.map_err(|error| {
        Failure::new(Kind::Network, format!("no root certificates: {error}"))
            .hint("install the package ca-certificates, or pass --ca-file FILE")
    })?;
    let set = SSL_VARIABLES.iter().find_map(|name| Some((name, std::env::var_os(name)?)));
    let place =
        set.map_or_else(|| "the system's".to_owned(), |(name, path)| format!("{name} {}", Path::new(&path).display()));
    Ok(format!("{place}{more}"))
}

/// Returns the TLS settings of all connections. The certificates of `ca_file` are trusted in addition to the system's.
pub fn config(ca_file: Option<&Path>, versions: HttpVersions) -> Result<ClientConfig, Failure> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let extra = ca_file.map(certificates).transpose()?.unwrap_or_default();
    let verifier =
        LazyVerifier { provider: Arc::clone(&provider), extra, bundle: OnceLock::new(), platform: OnceLock::new() };
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| Failure::internal(e.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = match versions {
        HttpVersions::Any => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        HttpVersions::Http1 => vec![b"http/1.1".to_vec()],
    };
    Ok(config)
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let bytes = stop::read_file(file).map_err(|e| {
        Failure::stopped(&e).unwrap_or_else(|| {
            Failure::usage(format!("cannot read the certificate file {}: {}", file.display(), io_message(&e)))
        })
    })?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    match found {
        Ok(list) if !list.is_empty() => Ok(list),
        _ => Err(Failure::usage(format!("{} contains no PEM certificate", file.display()))),
    }
}
