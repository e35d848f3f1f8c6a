//! The full set of messages of a round, made from those that a protocol gives.

use alloc::vec::Vec;

use crate::{BodyDigest, Limits, Outbox, PartyId, Run};

/// Fills gaps with empty bodies, orders by recipient, and checks against the limits.
///
/// `None` if the protocol breaks its own limits or addresses somebody who isn't a peer.
pub(crate) fn complete(run: &Run, limits: Limits, outbox: Outbox) -> Option<Outbox> {
    let Outbox { broadcast, digest, mut direct, checkpoint } = outbox;
    debug_assert!(
        digest.is_none() || digest == broadcast.as_deref().map(BodyDigest::of),
        "a digest of another body"
    );
    let broadcast = match limits.broadcast {
        0 if broadcast.is_some() => return None,
        0 => None,
        _ => Some(broadcast.unwrap_or_default()),
    };
    direct.sort_unstable_by_key(|(to, _)| *to);
    let mut given = direct.into_iter().peekable();
    let mut direct = Vec::new();
    if limits.direct > 0 {
        direct.extend(run.others().map(|to| {
            let body = given.next_if(|(next, _)| *next == to);
            body.unwrap_or((to, Vec::new()))
        }));
    }
    // A message that is left over goes to a stranger, to this party itself or to one party twice, or is
    // not expected at all.
    let longest = direct.iter().map(|(_, body): &(PartyId, Vec<u8>)| body.len()).max();
    let fits = given.next().is_none()
        && broadcast.as_ref().is_none_or(|body| body.len() <= limits.broadcast)
        && longest.is_none_or(|longest| longest <= limits.direct);
    fits.then_some(Outbox { broadcast, digest, direct, checkpoint })
}
