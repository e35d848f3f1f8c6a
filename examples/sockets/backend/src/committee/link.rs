//! The messages of a node: envelopes on the network in memory.

use std::sync::Arc;

use custody_nats::Outgoing;
use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use quorate_envelope::{Envelope, Identity, Name, TrustedDirectory};
use tokio::sync::mpsc;

/// Seals messages of a node, and sends them.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) identity: Arc<Identity>,
    pub(super) directory: TrustedDirectory,
    pub(super) outgoing: mpsc::UnboundedSender<Outgoing>,
}

impl Link {
    /// Sends a message. One that cannot be sealed is lost, as on any network: whoever wants it asks again.
    pub(super) fn send(&self, to: &Name, kind: u16, message: &[u8]) {
        let envelope = Envelope::to(to, kind).message(message);
        match envelope.seal(&self.identity, &self.directory, &mut UnwrapErr(SysRng)) {
            Ok(envelope) => drop(self.outgoing.send(Outgoing { to: to.clone(), envelope })),
            Err(why) => tracing::error!(%to, %why, "a message cannot be sealed"),
        }
    }
}
