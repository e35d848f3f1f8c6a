//! A party's share of a threshold key.

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::container::Kind;
use quorate_session::{PartyId, Record};
use zeroize::Zeroizing;

use crate::error::DecodeError;
use crate::level::Level;
use crate::package::{PublicKeyPackage, label};
use crate::secret::{SEED, Seed, image};
use crate::subset::Subset;

const SHARE: Kind = Kind { code: 113, name: "a share of a threshold ML-DSA key", version: 1 };

/// A party's share of a threshold key: the seed of the secret of each subset to which the party belongs.
pub struct KeyShare {
    me: PartyId,
    public: Shared<PublicKeyPackage>,
    seeds: Vec<(Subset, Seed)>,
    confirmed: bool,
}

impl KeyShare {
    /// The share of a party with the seeds of its subsets, in their order.
    pub(crate) const fn new(
        me: PartyId,
        public: Shared<PublicKeyPackage>,
        seeds: Vec<(Subset, Seed)>,
    ) -> Self {
        Self { me, public, seeds, confirmed: true }
    }

    /// The share, marked as one that not every party has confirmed.
    pub(crate) const fn unconfirmed(mut self) -> Self {
        self.confirmed = false;
        self
    }

    /// Returns whether all parties have confirmed the key. If not, the last round of the key generation failed or
    /// was given up, and the share does not sign.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        self.confirmed
    }

    /// Permits the share to sign. First ask all other parties whether they have a share with the same
    /// [`digest`](PublicKeyPackage::digest). If some of them do not have the key, it is better to generate another
    /// one.
    pub const fn confirm(&mut self) {
        self.confirmed = true;
    }

    /// The party.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.me
    }

    /// The public side of the key.
    #[must_use]
    pub fn public(&self) -> &PublicKeyPackage {
        &self.public
    }

    /// The public side of the key, shared.
    pub(crate) fn shared_public(&self) -> Shared<PublicKeyPackage> {
        Shared::clone(&self.public)
    }

    /// The seeds, by subset.
    pub(crate) fn seeds(&self) -> impl Iterator<Item = &(Subset, Seed)> {
        self.seeds.iter()
    }

    /// The stored form, **the secret itself**: a container of party (2) ‖ 0 if the share is confirmed, else 1 ‖ the
    /// body of the public package ‖ seeds (64 each).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let label = label(SHARE, self.public.level());
        let mut bytes = label.start(3 + self.public.len() + self.seeds.len() * SEED);
        bytes.extend_from_slice(&self.me.get().to_be_bytes());
        bytes.push(u8::from(!self.confirmed));
        self.public.put(&mut bytes);
        self.seeds.iter().for_each(|(_, seed)| bytes.extend_from_slice(seed.expose()));
        label.end(&mut bytes);
        bytes
    }

    /// Reads a stored form, strictly, and checks every seed against its public value.
    ///
    /// # Errors
    /// [`DecodeError`]
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, DecodeError> {
        let (_, mut reader) = label(SHARE, level).open(bytes)?;
        let me = PartyId::new(reader.u16()?).ok_or(DecodeError::BadParties)?;
        let confirmed = match reader.u8()? {
            0 => true,
            1 => false,
            found => return Err(DecodeError::BadState(found)),
        };
        let public = PublicKeyPackage::read(level, &mut reader)?;
        let position = public.position(me).ok_or(DecodeError::BadParties)?;
        let mut seeds = Vec::new();
        for subset in public.shape.subsets_of(position) {
            let bytes = reader.bytes(SEED)?;
            let seed = Seed::filled(|to| to.copy_from_slice(bytes));
            // The values t_S are public. The comparison shows whether a seed was altered, not what it is.
            if public.image(subset) != Some(&image(level, public.a(), &seed)) {
                return Err(DecodeError::WrongSecret);
            }
            seeds.push((subset, seed));
        }
        reader.finish()?;
        Ok(Self { confirmed, ..Self::new(me, Shared::new(public), seeds) })
    }
}

/// The stored form, of whichever level. **Secret**.
impl Record for KeyShare {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        self.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Level::ALL.iter().find_map(|level| Self::from_bytes(*level, bytes).ok())
    }
}

impl fmt::Debug for KeyShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyShare")
            .field("me", &self.me)
            .field("public", &self.public)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use quorate_session::container::{ContainerError, HEADER};
    use quorate_session::wire::ReadError;
    use quorate_testkit::lockstep::{id, parties};

    use super::*;
    use crate::dealer::Dealing;
    use crate::dkg::DkgParams;
    use crate::error::KeyError;
    use crate::profile::Profile;

    const LEVEL: Level = Level::MlDsa44;

    fn deal() -> Dealing {
        let parties = parties([1, 5, 9]);
        Dealing::new(LEVEL, 2, &parties, &mut quorate_testkit::rng(3)).unwrap()
    }

    /// The error of an altered body, in a container that is valid.
    fn error(alter: impl FnOnce(&mut Vec<u8>)) -> Option<DecodeError> {
        let share = deal().shares.remove(1).to_bytes();
        let bytes = label(SHARE, LEVEL).altered(&share, |bytes| {
            let mut body = bytes.split_off(HEADER);
            alter(&mut body);
            bytes.append(&mut body);
        });
        KeyShare::from_bytes(LEVEL, &bytes).err()
    }

    #[test]
    fn a_share_comes_back_from_its_stored_form() {
        let dealing = deal();
        for share in &dealing.shares {
            let bytes = share.to_bytes();
            assert_eq!(bytes.capacity(), bytes.len(), "no copy stayed behind");
            let again = KeyShare::from_bytes(LEVEL, &bytes).unwrap();
            assert_eq!(again.to_bytes(), bytes);
            assert_eq!((again.id(), again.public()), (share.id(), &dealing.public));
            let again = <KeyShare as Record>::from_bytes(&Record::to_bytes(share)).unwrap();
            assert_eq!(again.to_bytes(), bytes);
        }
        assert!(<KeyShare as Record>::from_bytes(&dealing.public.to_bytes()).is_none());
        let bytes = dealing.public.to_bytes();
        let again = PublicKeyPackage::from_bytes(LEVEL, &bytes).unwrap();
        assert_eq!((&again, again.to_bytes()), (&dealing.public, bytes));
        assert_eq!(again.digest(), dealing.public.digest());
    }

    #[test]
    fn every_alteration_is_refused_by_name() {
        assert_eq!(error(|_| {}), None);
        // An altered seed, and an altered public value.
        assert_eq!(error(|body| *body.last_mut().unwrap() ^= 1), Some(DecodeError::WrongSecret));
        // Party 5 is in the first and the last of the three sets of two.
        let of_first = 3 + 5 + 6 + 32;
        assert_eq!(error(|body| body[of_first] ^= 1), Some(DecodeError::WrongSecret));
        assert_eq!(error(|body| body[of_first - 1] ^= 1), Some(DecodeError::WrongSecret), "ρ");
        // Another value for the subset without this party makes another key.
        let other = error(|body| body[of_first + 4 * 736] ^= 1);
        assert_eq!(other, None);
        let full = |body: &mut Vec<u8>| body[of_first..of_first + 3].fill(0xff);
        assert_eq!(error(full), Some(DecodeError::BadCoefficient));
        // The party: zero, and one that is not of the key.
        assert_eq!(error(|body| body[1] = 0), Some(DecodeError::BadParties));
        assert_eq!(error(|body| body[1] = 4), Some(DecodeError::BadParties));
        assert_eq!(error(|body| body[2] = 2), Some(DecodeError::BadState(2)));
        // The parties: descending, twice, zero.
        for (party, number) in [(0, 7), (0, 9), (0, 5), (0, 0), (2, 5)] {
            let altered = error(|body| body[9 + 2 * party] = number);
            assert_eq!(altered, Some(DecodeError::BadParties));
        }
        let profile = Profile::Published;
        let not_offered = KeyError::NotOffered { level: LEVEL, profile, threshold: 4, parties: 3 };
        assert_eq!(error(|body| body[5] = 4), Some(DecodeError::Key(not_offered)));
        // The profile: an unknown one, and the other one, which makes the share one of another key.
        assert_eq!(error(|body| body[3] = 2), Some(DecodeError::BadProfile(2)));
        assert_eq!(error(|body| body[3] = 1), None);
        assert_eq!(
            error(|body| body.truncate(body.len() - 1)),
            Some(DecodeError::Body(ReadError::Truncated))
        );
        assert_eq!(error(|body| body.push(0)), Some(DecodeError::Body(ReadError::TrailingBytes)));
        let bytes = deal().shares.remove(0).to_bytes();
        let wrong = KeyShare::from_bytes(Level::MlDsa65, &bytes).err();
        let expected =
            ContainerError::WrongFamily { expected: "quorate-mldsa ML-DSA-65 v1", got: 44 };
        assert_eq!(wrong, Some(DecodeError::Container(expected)));
        let wrong = PublicKeyPackage::from_bytes(LEVEL, &bytes).err();
        assert!(matches!(wrong, Some(DecodeError::Container(ContainerError::WrongKind { .. }))));
    }

    #[test]
    fn parties_and_keys_that_are_not_offered_are_refused() {
        let deal = |profile, level, threshold, count| {
            let (parties, rng) = (parties(1..=count), &mut quorate_testkit::rng(3));
            Dealing::with_profile(profile, level, threshold, &parties, rng).err()
        };
        let check = |profile, level, threshold, count| {
            DkgParams::with_profile(profile, level, threshold).check(&parties(1..=count))
        };
        let (published, strict) = (Profile::Published, Profile::Strict);
        assert_eq!(check(published, Level::MlDsa65, 3, 6), Ok(()));
        for (profile, level, threshold, parties) in [
            (published, LEVEL, 1, 3),
            (published, LEVEL, 4, 3),
            (strict, LEVEL, 2, 7),
            (published, LEVEL, 300, 3),
            (published, Level::MlDsa65, 5, 6),
            (strict, LEVEL, 5, 6),
            (strict, Level::MlDsa65, 4, 5),
        ] {
            let count = parties.into();
            let expected = KeyError::NotOffered { level, profile, threshold, parties: count };
            assert_eq!(deal(profile, level, threshold, parties), Some(expected));
            assert_eq!(check(profile, level, threshold, parties), Err(expected));
        }
        let zero = &mut quorate_testkit::Stuck::at(0);
        let dealt = Dealing::new(LEVEL, 2, &parties([1, 2]), zero);
        assert_eq!(dealt.err(), Some(KeyError::Randomness));
        assert_eq!(deal(strict, LEVEL, 2, 2), None);
    }

    /// Two keys that differ in nothing else are different keys.
    #[test]
    fn the_profile_is_stored_and_in_the_digest() {
        let [published, strict] = Profile::ALL.map(|profile| {
            let (parties, rng) = (parties([1, 5, 9]), &mut quorate_testkit::rng(3));
            Dealing::with_profile(profile, LEVEL, 2, &parties, rng).unwrap()
        });
        assert_eq!(published.public.verifying_key(), strict.public.verifying_key());
        assert_eq!(published.public, deal().public);
        assert_ne!(published.public.digest(), strict.public.digest());
        let again = KeyShare::from_bytes(LEVEL, &strict.shares[0].to_bytes()).unwrap();
        assert_eq!(again.public(), &strict.public);
        let profiles = [&published.public, again.public()].map(PublicKeyPackage::profile);
        assert_eq!(profiles, Profile::ALL);
        // 2^50 over three parties.
        assert!((again.public().attempts() + 1) * 3 > 1 << 50);
    }

    #[test]
    fn shares_do_not_print_their_seeds() {
        let share = deal().shares.remove(0);
        let printed = alloc::format!("{share:?}");
        assert!(printed.len() < 300 && !printed.contains("seed"), "{printed}");
        assert_eq!(share.public().parties(), &parties([1, 5, 9]));
        assert_eq!((share.public().threshold(), share.id()), (2, id(1)));
    }
}
