//! Finds the root certificates of this machine, and says why there are none. On most Unix systems, the variables `SSL_CERT_FILE` and
//! `SSL_CERT_DIR` replace the system's certificates. `--ca-file` adds to them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::RootCertStore;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{Error as PemError, PemObject as _};
use rustls_platform_verifier::Verifier;
use tulk_base::error::{Failure, Kind, io_message};

use super::tls;

/// Files in which Linux distributions keep all root certificates. Reading one is five times faster than reading the directory with a file
/// for each certificate.
const BUNDLE_FILES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

const FILE_VARIABLE: &str = "SSL_CERT_FILE";
const DIRECTORY_VARIABLE: &str = "SSL_CERT_DIR";

/// Returns the variables that replace the system's root certificates, with their values. Empty variables count as unset.
fn certificate_variables() -> impl Iterator<Item = (&'static str, OsString)> {
    let names = [FILE_VARIABLE, DIRECTORY_VARIABLE].into_iter();
    let is_read = cfg!(unix) && !cfg!(target_vendor = "apple") && !cfg!(target_os = "android");
    let names = names.filter(move |_| is_read);
    names.filter_map(|name| Some((name, std::env::var_os(name).filter(|value| !value.is_empty())?)))
}

/// Returns the bundle file of this system and its certificates. `None` if a variable replaces them.
pub(super) fn bundle() -> Option<(&'static Path, RootCertStore)> {
    if certificate_variables().next().is_some() || !cfg!(target_os = "linux") {
        return None;
    }
    let file = BUNDLE_FILES.iter().map(Path::new).find(|p| p.is_file())?;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(CertificateDer::pem_file_iter(file).ok()?.filter_map(Result::ok));
    Some((file, roots))
}

/// Returns the platform's verifier, with additional certificates. Fails if there are no certificates at all.
pub(super) fn platform(
    extra: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
) -> Result<Verifier, Failure> {
    let verifier =
        if extra.is_empty() { Verifier::new(provider) } else { Verifier::new_with_extra_roots(extra, provider) };
    verifier.map_err(|error| {
        let fault = certificate_variables().find_map(|(name, value)| {
            let why = named_certificates(name, &value).err()?;
            Some(Failure::usage(format!("{name}: {why}")).hint(format!("correct or unset {name}")))
        });
        fault.unwrap_or_else(|| {
            Failure::new(Kind::Network, format!("no root certificates: {error}"))
                .hint("install the package ca-certificates, or pass --ca-file FILE")
        })
    })
}

/// Describes where the root certificates come from. Fails if there are none, or if `ca_file` cannot be read.
pub fn trusted_roots(ca_file: Option<&Path>) -> Result<String, Failure> {
    let extra = ca_file.map(tls::certificates).transpose()?.unwrap_or_default();
    let more = ca_file.map(|file| certificate_count(extra.len(), &file.display().to_string()));
    let mut places = Vec::new();
    if let Some((file, roots)) = bundle().filter(|(_, roots)| !roots.is_empty()) {
        places.push(certificate_count(roots.len(), &file.display().to_string()));
    } else {
        platform(extra, Arc::new(rustls::crypto::ring::default_provider()))?;
        for (name, value) in certificate_variables() {
            let path = Path::new(&value).display();
            places.push(match named_certificates(name, &value) {
                Ok(count) => certificate_count(count, &format!("{name} {path}")),
                Err(why) => format!("none from {name} ({why})"),
            });
        }
    }
    if places.is_empty() {
        places.push("the certificates of the system".to_owned());
    }
    places.extend(more);
    Ok(places.join(", and "))
}

fn certificate_count(count: usize, place: &str) -> String {
    format!("{} from {place}", tulk_base::numbers::counted(count, "certificate"))
}

/// Returns the number of certificates that a variable leads to, or why there are none.
fn named_certificates(name: &str, value: &OsString) -> Result<usize, String> {
    let paths: Vec<PathBuf> = if name == DIRECTORY_VARIABLE {
        std::env::split_paths(value).filter(|path| !path.as_os_str().is_empty()).collect()
    } else {
        vec![PathBuf::from(value)]
    };
    let (mut certificates, mut fault) = (Vec::new(), None);
    for path in &paths {
        let found =
            if name == DIRECTORY_VARIABLE { certificates_in_directory(path) } else { certificates_in_file(path) };
        match found {
            Ok(found) => certificates.extend(found),
            Err(error) => fault = fault.or(Some(format!("cannot read {}: {}", path.display(), io_message(&error)))),
        }
    }
    // A directory often contains links to its own files.
    certificates.sort_unstable_by(|one: &CertificateDer<'_>, other| one.as_ref().cmp(other.as_ref()));
    certificates.dedup();
    match fault {
        _ if !certificates.is_empty() => Ok(certificates.len()),
        Some(fault) => Err(fault),
        None => Err(format!("{} contains no certificate", Path::new(value).display())),
    }
}

/// Reads the certificates of a PEM file. Everything else in it is skipped.
fn certificates_in_file(file: &Path) -> std::io::Result<Vec<CertificateDer<'static>>> {
    let open = CertificateDer::pem_file_iter(file);
    let found = open.and_then(|all| all.filter(|found| matches!(found, Ok(_) | Err(PemError::Io(_)))).collect());
    match found {
        Err(PemError::Io(error)) => Err(error),
        found => Ok(found.unwrap_or_default()),
    }
}

/// Reads the certificates of all files in a directory. Unreadable files are skipped.
fn certificates_in_directory(dir: &Path) -> std::io::Result<Vec<CertificateDer<'static>>> {
    let files = std::fs::read_dir(dir)?.filter_map(Result::ok).map(|entry| entry.path());
    Ok(files.filter(|path| path.is_file()).filter_map(|file| certificates_in_file(&file).ok()).flatten().collect())
}
