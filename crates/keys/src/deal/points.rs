//! The points of opening keys and deals. Those of all parties are decoded together.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_session::{Fault, PartyId, PerParty};
use quorate_sharing::{Commitment, decode_points_vartime};

use crate::wire::{Encoded, point_len};

/// The length in bytes of the points at the front of a deal: the commitment to t coefficients, `D_i`, and R of
/// its proof.
pub(super) const fn front<C: Curve>(threshold: usize) -> usize {
    threshold.saturating_add(2).saturating_mul(point_len::<C>())
}

/// The points at the front of messages, by sender.
pub(crate) struct Decoded<C: Curve>(PerParty<Vec<C::Point>>);

impl<C: Curve> Decoded<C> {
    /// Decodes the points of every body whose length is that of a deal by its sender. If one of the points is
    /// refused, it decodes none. Each deal is then read by itself, which finds the bad point.
    pub(crate) fn new<'a>(
        bodies: impl Iterator<Item = (PartyId, &'a [u8])>,
        threshold: usize,
        long: impl Fn(PartyId) -> Option<usize>,
    ) -> Self {
        Self::leading(bodies, threshold.saturating_add(2), long)
    }

    /// Decodes `points` points at the front of each body whose length is right. If one of the points is refused,
    /// it decodes none.
    pub(super) fn leading<'a>(
        bodies: impl Iterator<Item = (PartyId, &'a [u8])>,
        points: usize,
        long: impl Fn(PartyId) -> Option<usize>,
    ) -> Self {
        let front = points.saturating_mul(point_len::<C>());
        let (mut from, mut bytes) = (Vec::new(), Vec::new());
        for (party, body) in bodies.filter(|(party, body)| long(*party) == Some(body.len())) {
            from.push(party);
            bytes.extend_from_slice(body.get(..front).unwrap_or_default());
        }
        let decoded = decode_points_vartime::<C>(&bytes).unwrap_or_default();
        let each = decoded.chunks(points.max(1)).map(<[_]>::to_vec);
        Self(from.into_iter().zip(each).collect())
    }

    /// The points of a party, if they are there.
    pub(crate) fn take(&mut self, party: PartyId) -> Option<Vec<C::Point>> {
        self.0.get_mut(party).map(core::mem::take)
    }
}

/// The commitment, `D_i` and R of these bytes. Their points are given, or decoded one by one.
#[allow(clippy::type_complexity, reason = "taken apart at once")]
pub(super) fn read<C: Curve>(
    front: &[u8],
    points: Option<Vec<C::Point>>,
) -> Result<(Commitment<C>, Encoded<C>, Encoded<C>), Fault> {
    let encodings = front.chunks_exact(point_len::<C>());
    let mut points = match points {
        Some(points) => points,
        None => encodings
            .clone()
            .map(C::decode_point)
            .collect::<Option<_>>()
            .ok_or(Fault::InvalidPoint)?,
    };
    let bytes = encodings.map(C::PointBytes::try_from).collect::<Result<Vec<_>, _>>();
    let mut bytes = bytes.map_err(|_| Fault::InvalidPoint)?;
    let mut last = || Some(Encoded { point: points.pop()?, bytes: bytes.pop()? });
    let (nonce, key) = (last(), last());
    let commitment = Commitment::from_decoded(points, bytes);
    match (commitment, key, nonce) {
        (Some(commitment), Some(key), Some(nonce)) => Ok((commitment, key, nonce)),
        _ => Err(Fault::WrongLength),
    }
}
