//! The opening keys of a run, which arrive in its first round.

use quorate_curve::Curve;
use quorate_session::{Abort, Fault, Inbox, PartyId, PerParty, wire::Reader};

use super::points::Decoded;
use crate::wire::{Encoded, point_len};

/// A value from each peer.
pub(crate) type Received<T> = Result<PerParty<T>, Abort>;

/// The opening key of a party that should have one.
pub(crate) fn opening_key<C: Curve>(
    expected: bool,
    body: &[u8],
) -> Result<Option<Encoded<C>>, Fault> {
    let length = if expected { point_len::<C>() } else { 0 };
    if body.len() != length {
        return Err(Fault::WrongLength);
    }
    expected.then(|| Encoded::read(&mut Reader::new(body))).transpose()
}

/// The opening key of each party that should have one.
pub(crate) fn opening_keys<C: Curve>(
    inbox: Inbox<'_>,
    expected: impl Fn(PartyId) -> bool,
) -> Received<Option<Encoded<C>>> {
    let bodies = inbox.each().map(|message| (message.from, message.broadcast));
    let mut decoded =
        Decoded::<C>::leading(bodies, 1, |from| expected(from).then_some(point_len::<C>()));
    inbox.verify(|from, message| {
        let point = decoded.take(from).and_then(|mut points| points.pop());
        match (point, C::PointBytes::try_from(message.broadcast)) {
            (Some(point), Ok(bytes)) => Ok(Some(Encoded { point, bytes })),
            _ => opening_key(expected(from), message.broadcast),
        }
    })
}
