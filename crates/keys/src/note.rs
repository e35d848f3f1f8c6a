//! A key and a share of it as a party notes them for itself, in the note of a session
//! ([`Outbox::note`](quorate_session::Outbox::note)): read without the steps by which they were made.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_session::wire::Reader;
use quorate_sharing::Commitment;
use zeroize::Zeroizing;

use crate::wire::point_len;
use crate::{Committee, Family, PointBytes, SecretShare, SharedKey};

/// The note of a key, and of a share of it if the party has one: length of the first (4) ‖ key ‖ share.
///
/// It holds the verifying shares, so that [`from_note`] evaluates no polynomial. Nobody but a seal may keep it.
#[must_use]
pub fn to_note<F: Family>(
    public: &SharedKey<F>,
    share: Option<&SecretShare<F>>,
) -> Zeroizing<Vec<u8>> {
    let mut key = public.content();
    public.encoded_shares().iter().for_each(|one| key.extend_from_slice(one.as_ref()));
    let share = share.map(SecretShare::to_bytes).unwrap_or_default();
    let room = key.len().saturating_add(share.len()).saturating_add(4);
    let mut note = Zeroizing::new(Vec::with_capacity(room));
    // A committee is bounded far below this.
    note.extend_from_slice(&u32::try_from(key.len()).unwrap_or(u32::MAX).to_be_bytes());
    note.extend_from_slice(&key);
    note.extend_from_slice(&share);
    note
}

/// Undoes [`to_note`]. That the verifying shares lie on the polynomial is the word of whoever vouches for the bytes; that
/// the share is the party's is seen again.
#[must_use]
pub fn from_note<F: Family>(note: &[u8]) -> Option<(SharedKey<F>, Option<SecretShare<F>>)> {
    let mut reader = Reader::new(note);
    let length = usize::try_from(reader.u32().ok()?).ok()?;
    let public = key::<F>(reader.bytes(length).ok()?)?;
    let share = match reader.bytes(reader.remaining()).ok()? {
        [] => None,
        bytes => {
            let share = SecretShare::from_bytes(bytes).ok()?;
            share.expect(&public).ok()?;
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
