//! The way to the NATS server.

use core::fmt;
use core::time::Duration;
use std::io::{Error, ErrorKind, Result};
use std::path::PathBuf;

use async_nats::{ConnectOptions, ServerAddr};
use quorate_envelope::Name;
use zeroize::Zeroizing;

use super::monitor::Monitor;

/// The addresses of the servers, and the credentials of one member.
pub struct Access {
    /// The addresses, as in `tls://nats.example:4222`.
    pub servers: Vec<String>,
    /// The file of the authority's certificate, in PEM.
    pub authority: PathBuf,
    /// The file of this member's certificate, in PEM.
    pub certificate: PathBuf,
    /// The file of its key, in PEM.
    pub key: PathBuf,
    /// The seed of its NKey, which begins with `SU`.
    pub seed: Zeroizing<String>,
}

impl Access {
    /// The options of the member's connection. Its state goes to the monitor.
    pub(super) fn options(&self, me: &Name, monitor: Monitor) -> Result<ConnectOptions> {
        for path in [&self.authority, &self.certificate, &self.key] {
            let named = |e: Error| Error::new(e.kind(), format!("{}: {e}", path.display()));
            std::fs::File::open(path).map_err(named)?;
        }
        if !self.seed.starts_with("SU") || nkeys::KeyPair::from_seed(&self.seed).is_err() {
            return Err(invalid("expected the seed of a user's NKey, which begins with SU"));
        }
        Ok(ConnectOptions::with_nkey(self.seed.to_string())
            .name(me)
            .require_tls(true)
            .add_root_certificates(self.authority.clone())
            .add_client_certificate(self.certificate.clone(), self.key.clone())
            .connection_timeout(Duration::from_secs(5))
            .ping_interval(Duration::from_secs(5))
            .ignore_discovered_servers()
            .retry_on_initial_connect()
            .reconnect_delay_callback(pause)
            .event_callback(move |event| {
                monitor.note(&event);
                core::future::ready(())
            }))
    }

    pub(super) fn addresses(&self) -> Result<Vec<ServerAddr>> {
        if self.servers.is_empty() {
            return Err(invalid("expected the address of a NATS server, got none"));
        }
        let address = |text: &String| {
            let address = text.parse::<ServerAddr>().ok().filter(ServerAddr::tls_required);
            let error = || format!("expected an address as tls://nats.example:4222, got {text:?}");
            address.ok_or_else(|| invalid(error()))
        };
        self.servers.iter().map(address).collect()
    }
}

fn invalid(text: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidInput, text.into())
}

/// The pause before an attempt to connect: none before the first, then twice as long each time, from 0.1 to 5 s.
fn pause(attempt: usize) -> Duration {
    let doublings = u32::try_from(attempt.saturating_sub(2)).unwrap_or(u32::MAX).min(6);
    let tenths = if attempt <= 1 { 0 } else { 1_u32 << doublings };
    Duration::from_millis(100).saturating_mul(tenths.min(50))
}

/// Shows the addresses, and no secret.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("servers", &self.servers).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn pauses_double_up_to_five_seconds() {
        let pauses = [0, 1, 2, 3, 4, 7, 8, 40, usize::MAX].map(|n| super::pause(n).as_millis());
        assert_eq!(pauses, [0, 0, 100, 200, 400, 3200, 5000, 5000, 5000]);
    }
}
