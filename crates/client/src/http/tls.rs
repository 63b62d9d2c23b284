//! TLS settings: servers are verified against the system's root certificates, which are loaded when the first certificate arrives.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;
use tulk_base::error::{Failure, io_message};
use tulk_base::files::read_bounded;
use tulk_base::limits::CA_FILE;

use super::options::HttpVersions;
use super::root_certificates;

/// Verifies certificates against the system's roots and the certificates of `--ca-file`. Loads them on first use.
#[derive(Debug)]
struct LazyVerifier {
    provider: Arc<CryptoProvider>,
    extra: Vec<CertificateDer<'static>>,
    /// Verifier with the bundle file. `None` if there is no such file.
    bundle: OnceLock<Option<Arc<WebPkiServerVerifier>>>,
    platform: OnceLock<Result<Verifier, Error>>,
}

impl LazyVerifier {
    fn bundle(&self) -> Option<&Arc<WebPkiServerVerifier>> {
        let load = || {
            let (_, mut roots) = root_certificates::bundle()?;
            roots.add_parsable_certificates(self.extra.iter().cloned());
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&self.provider)).build().ok()
        };
        self.bundle.get_or_init(load).as_ref()
    }

    fn platform(&self) -> Result<&Verifier, Error> {
        let load = || {
            let verifier = root_certificates::platform(self.extra.clone(), Arc::clone(&self.provider));
            verifier.map_err(|failure| Error::Other(OtherError(Arc::new(failure))))
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
            // A root that is not in the bundle may still be in the system's certificate directory, which only the platform's verifier
            // reads.
            if !matches!(verdict, Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)))
                || self.platform().is_err()
            {
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

/// Returns the TLS settings for all connections. The certificates of `ca_file` are trusted in addition to the system's.
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

/// Reads the certificates of `--ca-file`. Fails if there are none.
pub fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let bytes = read_bounded(file, CA_FILE).map_err(|e| {
        Failure::of_read(file, &e).unwrap_or_else(|| {
            Failure::usage(format!("cannot read the certificate file {}: {}", file.display(), io_message(&e)))
                .hint("correct --ca-file, or `ca_file` of the profile")
        })
    })?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    match found {
        Ok(list) if !list.is_empty() => Ok(list),
        _ => Err(Failure::usage(format!("{} contains no PEM certificate", file.display()))
            .hint("--ca-file (`ca_file` of the profile) needs certificates in PEM format")),
    }
}
