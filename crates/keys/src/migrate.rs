//! Keys that other libraries made: the key packages of the frost-* crates, and the key shares of cggmp24.
//!
//! Each party migrates its own share. No secret leaves the party, and nobody learns anything about the shares of
//! others.
//!
//! | | reads | written there by |
//! |---|---|---|
//! | [`frost::key_package`] | `KeyPackage`, with the `PublicKeyPackage` that it belongs to | `serialize()`, or serde to JSON; frost-core 2 and 3 |
//! | [`frost::public_key_package`] | `PublicKeyPackage`, for a coordinator | the same |
//! | [`cggmp24::key_share`] | `KeyShare` and `IncompleteKeyShare` (`CoreKeyShare`) | serde to JSON; cggmp24 0.7, and cggmp21 0.6, which shares the form |
//! | [`cggmp24::key_info`] | `KeyInfo`, its public side | the same |
//!
//! Party numbers stay the same, and so do the group key, the threshold and every party's share, up to a sign if a
//! family wants the key's y even ([`Family::accepts`]). The public values of all parties that migrate one key are
//! equal. Compare their [`PackageId`](crate::PackageId)s before the first use.
//!
//! # After it
//!
//! A migrated key is in epoch 0, and its shares are [`ShareState::Ready`], since all parties have had theirs
//! since the key was made. The files from which they were read are the same shares, and t of these are the key
//! for ever. Two things together make them useless: a [refresh](crate::Reshare) by all parties, settled by
//! [`Acknowledge`](crate::Acknowledge), and the destruction of every old file, in backups too, by more than n − t
//! parties. Until then, anyone who stole a share from the old system still has it.
//!
//! Nonces and presignatures that the old system made in advance are not migrated. Stop signing there before the
//! first signature here.
//!
//! # Strict
//!
//! Each file has to be one of the forms above from the first byte to the last, of this family, with every number
//! canonical. Every value has to fit every other. Each way to fail has its [`MigrateError`]. A file of more
//! parties than can be checked in a moment ([`Committee::importable`]) is refused by its numbers alone. JSON is
//! read in place. No copy of the file is made, and of a secret only one, which is wiped. Wiping the file itself
//! is up to the caller.
//!
//! ```
//! # use quorate_keys::session::wire::Reader;
//! # use quorate_keys::{Family, KeyTypes, SecretShare, SharedKey};
//! use quorate_keys::migrate::frost::{self, FrostCore};
//!
//! # #[derive(Clone, Copy, PartialEq, Eq, Debug)]
//! # struct Ed25519Sha512;
//! # impl Family for Ed25519Sha512 {
//! #     type Curve = quorate_curve::Ed25519;
//! #     type Extra = ();
//! #     const NAME: &'static str = "FROST-ED25519-SHA512-v1";
//! #     const CODE: u8 = 200;
//! #     fn put_extra(_: &(), _: &mut Vec<u8>) {}
//! #     fn read_extra(_: &mut Reader<'_>) -> Option<()> { Some(()) }
//! # }
//! #
//! # impl KeyTypes for Ed25519Sha512 {
//! #     type Public = SharedKey<Self>;
//! #     type Share = SecretShare<Self>;
//! #     fn public(shared: SharedKey<Self>) -> SharedKey<Self> { shared }
//! #     fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> { share }
//! # }
//! // `quorate-frost` has this for its suites.
//! impl FrostCore for Ed25519Sha512 {
//!     const CIPHERSUITE: &'static str = "FROST-ED25519-SHA512-v1";
//! }
//!
//! # let file = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/migrate/fixtures/frost-ed25519.txt"));
//! # let read = |name: &str| {
//! #     let mut lines = file.lines().filter_map(|line| line.strip_prefix("dealer0/")?.strip_prefix(name));
//! #     lines.next().map(str::trim_start).map(str::as_bytes).ok_or("no such file")
//! # };
//! let public = read("public.json")?;
//! let migrated = frost::key_package::<Ed25519Sha512>(read("1.json")?, public)?;
//! assert_eq!((migrated.share.id().get(), migrated.public.threshold()), (1, 2));
//!
//! // Store both, refresh with all parties, acknowledge, and only then destroy the old file.
//! let stored = (migrated.public.to_bytes(), migrated.share.to_bytes());
//! # assert!(SharedKey::<Ed25519Sha512>::from_bytes(&stored.0).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cggmp24;
mod encoded;
mod error;
pub mod frost;
mod json;

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_session::{Parties, PartyId};

pub use error::MigrateError;

use crate::committee::importable;
use crate::error::{CommitteeError, DecodeError};
use crate::{Committee, Family, KeyTypes, Point, Scalar, SecretShare, ShareState, SharedKey};

/// A key that another library made, as held by one of its parties.
pub struct Migrated<F: KeyTypes> {
    /// The public side of the key, equal for all parties.
    pub public: F::Public,
    /// This party's share.
    pub share: F::Share,
}

impl<F: KeyTypes> Migrated<F> {
    /// The share of `party`, which is known to be a member of the committee.
    fn new(
        party: PartyId,
        shared: SharedKey<F>,
        secret: Secret<Scalar<F>>,
    ) -> Result<Self, MigrateError> {
        let state = ShareState::alone_in(shared.epoch());
        let share = SecretShare::new(party, &shared, secret, state)
            .map_err(|_| MigrateError::WrongSecret)?;
        let share = F::key_share(share, &shared);
        Ok(Self { public: F::public(shared), share })
    }
}

impl<F: KeyTypes> fmt::Debug for Migrated<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Migrated").field("family", &F::NAME).finish_non_exhaustive()
    }
}

/// The parties of a stored key, with their verifying shares, ascending.
struct Holders<F: Family> {
    parties: Vec<PartyId>,
    shares: Vec<Point<F>>,
}

/// Checks that a key of the family with this threshold and this number of shares can be migrated. This comes
/// before a share is decoded, because the author of the file chose these numbers.
fn bounded<F: Family>(threshold: u16, shares: usize) -> Result<(), MigrateError> {
    let (most, got) = (F::MAX_PARTIES, shares);
    if got > most {
        return Err(CommitteeError::TooMany { most, got }.into());
    }
    Ok(importable(threshold, shares)?)
}

impl<F: Family> Holders<F> {
    fn new(mut holders: Vec<(PartyId, Point<F>)>) -> Result<Self, MigrateError> {
        holders.sort_unstable_by_key(|(party, _)| *party);
        let twice = holders.windows(2).find_map(|pair| match pair {
            [(first, _), (second, _)] if first == second => Some(*first),
            _ => None,
        });
        match twice {
            Some(party) => Err(MigrateError::RepeatedParty(party)),
            None => {
                let (parties, shares) = holders.into_iter().unzip();
                Ok(Self { parties, shares })
            }
        }
    }

    /// The key with these shares, in epoch 0.
    fn shared(
        self,
        threshold: u16,
        key: &Point<F>,
        extra: F::Extra,
    ) -> Result<SharedKey<F>, MigrateError> {
        let few = CommitteeError::Threshold { threshold, parties: self.parties.len() };
        let parties = Parties::new(self.parties).map_err(|_| few)?;
        let committee = Committee::new(parties, threshold)?;
        SharedKey::from_shares(committee, 0, key, &self.shares, extra).map_err(
            |error| match error {
                DecodeError::Committee(why) => why.into(),
                // A threshold that is too large interpolates a polynomial whose highest coefficient is zero.
                _ => MigrateError::WrongShares,
            },
        )
    }
}

/// The negative of the point if `negate`.
fn signed<C: Curve>(negate: bool, point: C::Point) -> C::Point {
    if negate { -point } else { point }
}
