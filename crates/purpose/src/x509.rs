//! Certificates and lists of revoked ones (RFC 5280).

mod algorithm;
mod certificate;
mod crl;
mod der;
mod extension;
mod key;
mod name;
mod time;

pub use certificate::X509Certificate;
pub use crl::X509Crl;
