//! TLS for the server, with a certificate that is created when the sandbox starts.
//!
//! Clients trust a certificate authority that signs this certificate and no other: the authority's key is dropped
//! before the server starts. Neither this key nor the server's is ever on disk. The authority has a separate
//! certificate, because some clients refuse a server certificate that is also an authority.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::sync::Arc;

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, SanType, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;
use tulk_base::error::Failure;

use super::ids;

/// Name of this machine inside containers that run on it.
const CONTAINER_HOST: &str = "host.docker.internal";
/// Validity of the certificates, in days. Some clients refuse more than 825.
const VALID_DAYS: i32 = 730;

/// The certificate with which a server accepts TLS connections.
pub struct ServerTls {
    pub(super) acceptor: TlsAcceptor,
    authority: String,
}

impl ServerTls {
    /// Creates a certificate for a server at this address. It is valid for the address, loopback, `localhost`, the host
    /// name, and the name that containers use for this machine.
    pub fn generate(address: IpAddr) -> Result<Self, Failure> {
        let failure =
            |error: &dyn std::fmt::Display| Failure::internal(format!("cannot create a certificate: {error}"));
        let signed = SignedCertificate::generate(address).map_err(|error| failure(&error))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| {
                builder.with_no_client_auth().with_single_cert(vec![signed.certificate], signed.key.into())
            })
            .map_err(|error| failure(&error))?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), authority: signed.authority })
    }

    /// Returns the certificate of the authority that clients have to trust, as PEM.
    pub fn authority(&self) -> &str {
        &self.authority
    }
}

struct SignedCertificate {
    certificate: CertificateDer<'static>,
    key: PrivatePkcs8KeyDer<'static>,
    authority: String,
}

impl SignedCertificate {
    fn generate(address: IpAddr) -> Result<Self, rcgen::Error> {
        // Each authority has a unique name, so that clients that still trust an earlier one do not confuse the two.
        let mut authority = certificate_parameters(&format!("tulk sandbox authority {}", ids::trace_id()))?;
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let authority_key = KeyPair::generate()?;
        let pem = authority.self_signed(&authority_key)?.pem();

        let mut server = certificate_parameters("tulk sandbox")?;
        server.subject_alt_names = alternative_names(address);
        server.is_ca = IsCa::ExplicitNoCa;
        server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        server.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate()?;
        let certificate = server.signed_by(&key, &Issuer::new(authority, authority_key))?;
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        Ok(Self { certificate: certificate.der().clone(), key, authority: pem })
    }
}

/// Returns the parameters that both certificates share.
fn certificate_parameters(name: &str) -> Result<CertificateParams, rcgen::Error> {
    let mut parameters = CertificateParams::new(Vec::new())?;
    parameters.distinguished_name = DistinguishedName::new();
    parameters.distinguished_name.push(DnType::CommonName, name);
    // Valid from yesterday, because clocks of other machines may be behind.
    let first = Timestamp::now().to_zoned(TimeZone::UTC).date().saturating_sub(1.day());
    let last = first.saturating_add(VALID_DAYS.days());
    let time_of =
        |date: Date| date_time_ymd(date.year().into(), date.month().unsigned_abs(), date.day().unsigned_abs());
    parameters.not_before = time_of(first);
    parameters.not_after = time_of(last);
    Ok(parameters)
}

fn alternative_names(address: IpAddr) -> Vec<SanType> {
    let mut addresses = vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    addresses.extend(if address.is_unspecified() { outward_address(address) } else { Some(address) });
    addresses.sort();
    addresses.dedup();
    let hosts = ["localhost", CONTAINER_HOST].map(str::to_owned).into_iter().chain(host_name());
    let names = hosts.filter_map(|name| name.try_into().ok().map(SanType::DnsName));
    names.chain(addresses.into_iter().map(SanType::IpAddress)).collect()
}

/// Returns the address of this machine in its network, for a server that listens on all addresses.
pub fn outward_address(address: IpAddr) -> Option<IpAddr> {
    // Addresses reserved for documentation. Connecting a UDP socket chooses a route and sends nothing.
    let far = if address.is_ipv4() { "192.0.2.1:9" } else { "[2001:db8::1]:9" };
    let socket = UdpSocket::bind((address, 0)).ok()?;
    socket.connect(far).ok()?;
    let found = socket.local_addr().ok()?.ip();
    (!found.is_unspecified()).then_some(found)
}

/// Returns the host name, if it is valid in a certificate.
#[cfg(unix)]
fn host_name() -> Option<String> {
    let name = rustix::system::uname().nodename().to_str().ok()?.to_ascii_lowercase();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    (!name.is_empty() && name != "localhost" && name.bytes().all(is_letter)).then_some(name)
}

#[cfg(not(unix))]
fn host_name() -> Option<String> {
    None
}
