//! A key and a share of it, as a party records them for itself in a checkpoint of a session
//! ([`Outbox::checkpoint`](quorate_session::Outbox::checkpoint)). They are read back without the steps by which they were
//! made.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_session::wire::{Reader, bounded};
use quorate_sharing::Commitment;
use zeroize::Zeroizing;

use crate::wire::point_len;
use crate::{Committee, Family, PointBytes, SecretShare, SharedKey};

/// Encodes the checkpoint of a key, and of a share of it if the party has one: length of the key (4) ‖ key ‖ share.
///
/// The checkpoint holds the verifying shares, so that [`from_checkpoint`] evaluates no polynomial. Keep it only inside a
/// seal.
#[must_use]
pub fn to_checkpoint<F: Family>(
    public: &SharedKey<F>,
    share: Option<&SecretShare<F>>,
) -> Zeroizing<Vec<u8>> {
    let mut key = public.content();
    public.encoded_shares().iter().for_each(|one| key.extend_from_slice(one.as_ref()));
    let share = share.map(SecretShare::to_bytes).unwrap_or_default();
    let room = key.len() + share.len() + 4;
    let mut checkpoint = Zeroizing::new(Vec::with_capacity(room));
    // The points of a committee: `Committee::MOST_STEPS` bounds their number far below this.
    checkpoint.extend_from_slice(&bounded::<u32>(key.len()).to_be_bytes());
    checkpoint.extend_from_slice(&key);
    checkpoint.extend_from_slice(&share);
    checkpoint
}

/// Decodes the result of [`to_checkpoint`]. It trusts the source of the bytes that the verifying shares lie on the
/// polynomial. It checks that the share is the party's.
#[must_use]
pub fn from_checkpoint<F: Family>(
    checkpoint: &[u8],
) -> Option<(SharedKey<F>, Option<SecretShare<F>>)> {
    let mut reader = Reader::new(checkpoint);
    let length = usize::try_from(reader.u32().ok()?).ok()?;
    let public = key::<F>(reader.bytes(length).ok()?)?;
    let share = match reader.bytes(reader.remaining()).ok()? {
        [] => None,
        bytes => {
            let share = SecretShare::from_bytes(bytes).ok()?;
            share.check_belongs_to(&public).ok()?;
            Some(share)
        }
    };
    Some((public, share))
}

fn key<F: Family>(bytes: &[u8]) -> Option<SharedKey<F>> {
    let mut reader = Reader::new(bytes);
    let epoch = reader.u32().ok()?;
    let committee = Committee::read(&mut reader, F::MAX_PARTIES).ok()?;
    let (points, length) = (committee.points(), point_len::<F::Curve>());
    let commitment = reader.bytes(points.checked_mul(length)?).ok()?;
    let commitment = Commitment::decode(commitment, points).ok()?;
    let extra = F::read_extra(&mut reader)?;
    let mut share = || {
        let bytes = reader.bytes(length).ok()?;
        Some((F::Curve::decode_point(bytes)?, PointBytes::<F>::try_from(bytes).ok()?))
    };
    let shares = (0..committee.parties().len()).map(|_| share());
    let shares = shares.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    reader.finish().ok()?;
    SharedKey::known(committee, epoch, commitment, shares, extra).ok()
}
