//! *Signers Context*: the signers, and the key for which they sign.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_frost::session::wire::bounded;
use quorate_frost::session::{Parties, PartyId};
use quorate_frost::{KeyShare, KeySuite, PublicKeyPackage, ShareState};

use super::error::Error;
use super::tweak::Tweak;
use super::{Point, Scalar, Sign};

/// The signers of a session, in an order that all agree on, and the key: the BIP's *Signers Context*, validated.
#[derive(Clone, PartialEq, Eq)]
pub struct Signers {
    threshold: u32,
    parties: u32,
    pub(super) ids: Vec<u32>,
    pub(super) shares: Vec<Point>,
    pub(super) key: Point,
}

impl Signers {
    /// The most participants that the draft allows. The *Misuse* of [`quorate_frost`] says why large groups are doubtful.
    pub const MOST_PARTIES: u32 = 128;

    /// These signers of a group: of one whose key signs as it is, or of one whose key is tweaked in the session.
    ///
    /// # Errors
    /// [`Error::UnknownParty`], and as [`Self::from_untrusted_list`].
    pub fn of<S: KeySuite<Curve = Secp256k1>>(
        public: &PublicKeyPackage<S>,
        signers: impl IntoIterator<Item = PartyId>,
    ) -> Result<Self, Error> {
        let mut listed = Vec::new();
        for party in signers {
            let share = public.verifying_share(party).ok_or(Error::UnknownParty(party))?;
            let share = *share;
            listed.push((id_of(party), share));
        }
        let threshold = u32::from(public.threshold());
        let (parties, key) = (count_of(public.parties()), public.verifying_key().as_bytes());
        Self::from_untrusted_list(threshold, parties, &listed, key)
    }

    /// *ValidateSignersCtx*: a list from another party, with each signer's identifier, below the number of
    /// participants, and its public share.
    ///
    /// **It compares the list only with the key that came with it.** Anybody can make such a list for a key of its
    /// own, or for the negative of another party's key. Signing compares it with the signer's [`KeyShare`]. A
    /// verifier has to compare the key with the one that it knows. If there is a public key package, take
    /// [`Self::of`].
    ///
    /// # Errors
    /// An [`Error`]: numbers, identifiers or public shares that cannot be, or [`Error::OtherKey`].
    pub fn from_untrusted_list(
        threshold: u32,
        parties: u32,
        signers: &[(u32, [u8; 33])],
        key: &[u8; 33],
    ) -> Result<Self, Error> {
        if parties > Self::MOST_PARTIES {
            return Err(Error::TooManyParties { got: parties });
        }
        let got = signers.len();
        let number = Error::NumberOfSigners { got, threshold, parties };
        let count = u32::try_from(got).map_err(|_| number)?;
        if threshold == 0 || count < threshold || count > parties {
            return Err(number);
        }
        let (mut ids, mut shares) = (Vec::with_capacity(got), Vec::with_capacity(got));
        for (at, (id, share)) in signers.iter().enumerate() {
            if *id >= parties {
                return Err(Error::BadId { at });
            }
            ids.push(*id);
            shares.push(Secp256k1::decode_point(share).ok_or(Error::BadPublicShare { at })?);
        }
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        let mut pairs = sorted.iter().zip(sorted.iter().skip(1));
        if let Some((id, _)) = pairs.find(|(one, next)| one == next) {
            return Err(Error::DuplicateId { id: *id });
        }
        let key = Secp256k1::decode_point(key).ok_or(Error::BadKey)?;
        let signers = Self { threshold, parties, ids, shares, key };
        if signers.interpolated() == key { Ok(signers) } else { Err(Error::OtherKey) }
    }

    /// Signers for the key as another implementation has it, which may keep it with an odd y-coordinate. The public shares
    /// get the sign of that key.
    ///
    /// # Errors
    /// [`Error::OtherKey`] for any other key.
    pub fn for_key(&self, key: &[u8; 33]) -> Result<Self, Error> {
        let key = Secp256k1::decode_point(key).ok_or(Error::BadKey)?;
        let sign = Sign::between(&self.key, &key).ok_or(Error::OtherKey)?;
        let shares = self.shares.iter().map(|share| sign.point(*share)).collect();
        Ok(Self { ids: self.ids.clone(), shares, key, ..*self })
    }

    /// The identifier and the secret of a signer, with the sign of this list. The share has to be one of this key,
    /// threshold and parties.
    pub(super) fn own<S: KeySuite<Curve = Secp256k1>>(
        &self,
        share: &KeyShare<S>,
    ) -> Result<(u32, Secret<Scalar>), Error> {
        if share.state() == ShareState::Unconfirmed {
            return Err(Error::Unconfirmed);
        }
        if (u32::from(share.threshold()), count_of(share.parties()))
            != (self.threshold, self.parties)
        {
            return Err(Error::ForeignCommittee);
        }
        let sign = |own: &[u8; 33], listed: &Point| {
            Secp256k1::decode_point(own).and_then(|own| Sign::between(&own, listed))
        };
        let of_key = sign(share.verifying_key().as_bytes(), &self.key).ok_or(Error::ForeignKey)?;
        let id = id_of(share.id());
        let at = self.position(id).ok_or(Error::NotASigner)?;
        let listed = self.shares.get(at).ok_or(Error::NotASigner)?;
        // A list that has the key with one sign and the share with the other makes one nonce sign twice.
        if sign(share.verifying_share(), listed) != Some(of_key) {
            return Err(Error::OtherShare);
        }
        let secret = share.secret_share().secret();
        Ok((id, Secret::make(|| of_key.scalar(*secret.expose()))))
    }

    /// Threshold, participants, key, tweaks, and each signer with its public share, ascending by their identifiers.
    pub(super) fn encoded(&self, tweaks: &[Tweak]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [self.threshold, self.parties] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        bytes.extend_from_slice(&Secp256k1::encode_point(&self.key));
        bytes.extend_from_slice(&self.encoded_count());
        let mut listed: Vec<_> =
            self.ids.iter().zip(Secp256k1::encode_points(&self.shares)).collect();
        listed.sort_unstable();
        for (id, share) in listed {
            bytes.extend_from_slice(&id.to_be_bytes());
            bytes.extend_from_slice(&share);
        }
        for tweak in tweaks {
            bytes.push(u8::from(tweak.is_x_only));
            bytes.extend_from_slice(&tweak.scalar);
        }
        bytes
    }

    /// The identifiers, in the order of the list.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// *DeriveThreshPubkey*
    fn interpolated(&self) -> Point {
        let coefficients: Vec<_> = self.ids.iter().map(|id| self.coefficient(*id)).collect();
        Secp256k1::msm_vartime(&coefficients, &self.shares)
    }

    /// *DeriveInterpolatingValue*: λ = Π (id_j + 1) / (id_j − id), over the other signers.
    pub(super) fn coefficient(&self, id: u32) -> Scalar {
        let at = |id: u32| Scalar::from(u64::from(id));
        let (mut top, mut bottom) = (at(1), at(1));
        for other in self.ids.iter().filter(|other| **other != id) {
            top = top * (at(*other) + at(1));
            bottom = bottom * (at(*other) - at(id));
        }
        top * Secp256k1::invert(&bottom)
    }

    /// The place of a signer in the list.
    pub(super) fn position(&self, id: u32) -> Option<usize> {
        self.ids.iter().position(|one| *one == id)
    }

    /// The number of signers, four bytes: at most [`Self::MOST_PARTIES`].
    pub(super) fn encoded_count(&self) -> [u8; 4] {
        bounded::<u32>(self.ids.len()).to_be_bytes()
    }

    /// *SerializeIds*: ascending, so that the order of the list changes nothing.
    pub(super) fn encoded_ids(&self) -> Vec<u8> {
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        ids.iter().flat_map(|id| id.to_be_bytes()).collect()
    }
}

impl fmt::Debug for Signers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signers").field("ids", &self.ids).finish_non_exhaustive()
    }
}

/// A party's identifier: its number less one.
pub(super) fn id_of(party: PartyId) -> u32 {
    u32::from(party.get()).saturating_sub(1)
}

/// The draft's number of participants, whose identifiers are all below it: the greatest number of a party.
fn count_of(parties: &Parties) -> u32 {
    parties.iter().map(|party| u32::from(party.get())).max().unwrap_or(0)
}
