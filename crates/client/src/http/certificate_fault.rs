//! Why the certificate of a server is not accepted, in words, and what to do about it.

use rustls::CertificateError;
use rustls::pki_types::UnixTime;

/// Returns what is wrong with a certificate, as the end of a sentence about it.
pub(super) fn words(fault: &CertificateError) -> String {
    use CertificateError as Fault;
    match fault {
        Fault::UnknownIssuer => "its issuer is unknown".to_owned(),
        Fault::Expired => "it has expired".to_owned(),
        Fault::ExpiredContext { not_after, .. } => format!("it expired on {}", day(*not_after)),
        Fault::NotValidYet => "it is not valid yet".to_owned(),
        Fault::NotValidYetContext { not_before, .. } => format!("it is not valid yet, only from {}", day(*not_before)),
        Fault::NotValidForName => "it is for another host".to_owned(),
        Fault::NotValidForNameContext { expected, presented } => {
            let names: Vec<&str> = presented.iter().map(|name| plain_name(name)).collect();
            let names = if names.is_empty() { "no host".to_owned() } else { names.join(", ") };
            format!("it is for {names}, not for {}", expected.to_str())
        }
        Fault::Revoked => "it was revoked".to_owned(),
        Fault::BadEncoding => "it is damaged".to_owned(),
        Fault::BadSignature => "its signature is wrong".to_owned(),
        Fault::InvalidPurpose | Fault::InvalidPurposeContext { .. } => "it is not meant for servers".to_owned(),
        _ if is_authority(fault) => "it belongs to an authority, not to a server".to_owned(),
        other => other.to_string(),
    }
}

/// Returns what to do about a certificate that is not accepted.
pub(super) fn hint(fault: &CertificateError) -> String {
    use CertificateError as Fault;
    match fault {
        Fault::Expired | Fault::ExpiredContext { .. } | Fault::NotValidYet | Fault::NotValidYetContext { .. } => {
            let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M");
            format!("check the clock of this machine, which says {now} UTC")
        }
        Fault::NotValidForName | Fault::NotValidForNameContext { .. } => {
            "check the host name in the address".to_owned()
        }
        _ if is_authority(fault) => "the server needs a certificate that the authority has issued for it".to_owned(),
        _ => "if you trust its authority, pass the authority's certificate with --ca-file or SSL_CERT_FILE".to_owned(),
    }
}

/// Returns whether a server shows the certificate of an authority as its own. The error has no name but this.
fn is_authority(fault: &CertificateError) -> bool {
    matches!(fault, CertificateError::Other(other) if other.to_string() == "CaUsedAsEndEntity")
}

/// Returns a name without the notation of the library, such as `DnsName("a.example")`.
fn plain_name(name: &str) -> &str {
    name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name).trim_matches('"')
}

fn day(time: UnixTime) -> String {
    let time = i64::try_from(time.as_secs()).ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    time.map_or_else(|| "an unknown day".to_owned(), |time| time.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustls::pki_types::ServerName;

    use super::*;

    #[test]
    fn a_certificate_for_other_hosts_names_them() {
        let fault = |names: &[&str]| CertificateError::NotValidForNameContext {
            expected: ServerName::try_from("foo.example").unwrap(),
            presented: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let one = fault(&["DnsName(\"other.example\")"]);
        assert_eq!(words(&one), "it is for other.example, not for foo.example");
        assert_eq!(hint(&one), "check the host name in the address");
        let two = fault(&["DnsName(\"a.example\")", "IpAddress(10.0.0.1)"]);
        assert_eq!(words(&two), "it is for a.example, 10.0.0.1, not for foo.example");
        assert_eq!(words(&fault(&[])), "it is for no host, not for foo.example");
    }

    #[test]
    fn an_expired_certificate_names_the_day() {
        let time = |seconds| UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let expired = CertificateError::ExpiredContext { time: time(2_000_000_000), not_after: time(1_000_000_000) };
        assert_eq!(words(&expired), "it expired on 2001-09-09");
        assert!(hint(&expired).starts_with("check the clock of this machine, which says 20"));
        let early = CertificateError::NotValidYetContext { time: time(0), not_before: time(1_000_000_000) };
        assert_eq!(words(&early), "it is not valid yet, only from 2001-09-09");
    }
}
