//! The life of a threshold key, once for every family of signatures and every curve: who holds shares of it, in which
//! epoch, and how the shares change hands without anybody ever holding the key.
//!
//! A [`SharedKey`] is what is public of a key in one epoch, a [`SecretShare`] is one party's share of it. A [`Family`]
//! says which curve it is on, what else is kept beside it, and what its own types are called. Three protocols run in
//! a [`Session`](session::Session):
//!
//! | | who takes part | what comes out |
//! |---|---|---|
//! | [`Reshare`] | any t of the old committee and the new one | the same key in the next epoch, with another committee and threshold, or with the same: a **refresh** |
//! | [`Repair`] | any t helpers and the party that has lost its share | that share |
//! | [`Acknowledge`] | the committee, and who wants to hear it | the permission to delete shares of older epochs |
//!
//! Child keys need no protocol: see [`derive`](mod@derive).
//!
//! Three things need no session. A [`Backup`] is a share encrypted to a key that is kept offline, which anybody can
//! [verify](Backup::verify); the owner of the [`BackupKey`] [restores](BackupKey::restore) the share, or
//! [shows](BackupKey::drill) that it could. With [`SecretShare::prove_health`] a party shows that the share in its store
//! still belongs to the key. With the feature `single-point-of-failure` a whole key is dealt, or put together.
//!
//! # Who lied is decided
//!
//! A dealer sends each share in a broadcast, encrypted to a key that its recipient has drawn for the run. All parties
//! have the same broadcasts, so a recipient that finds its share wrong need not be believed: it shows the
//! Diffie-Hellman point of the two keys, proves that it is the right one, and everybody decrypts and sees whether the
//! dealer or the accuser has lied. One round of complaints is enough, and it is the one in which a run without
//! incident is confirmed.
//!
//! A complaint opens what one dealer has sealed for one party, and no more. Dealers prove that they know the secret of
//! the key they seal under: a dealer that copied an honest one's could otherwise have that one's shares opened, by
//! dealing wrong ones itself. No message of any protocol here is to one party alone.
//!
//! # Nothing is lost
//!
//! A run changes nothing by itself. What comes out of it is stored beside what was there, is marked
//! ([`ShareState`]), and names its epoch, so that what belongs to another is refused by name ([`Mismatch`]). Old shares
//! go when all have said that the new ones are stored: [`StoredByAll::permits_deleting`]. A confirmation that is wrong
//! or missing at the end costs nobody a share
//! ([`Stopped::unconfirmed`](session::Stopped::unconfirmed)).
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **Deleting too early.** Whoever deletes an old share before [`StoredByAll`] permits it can leave the honest
//!    parties in two epochs, with too few shares in each.
//! 2. **Deleting too late, or not everywhere.** t shares of one old epoch are the key for ever. A refresh protects from
//!    who has stolen some of them only if the others are gone, from backups too; a member that leaves and keeps its
//!    share is told nothing that makes it useless. Against t who may have kept theirs there is only another key.
//! 3. **A public value from nowhere.** A party that joins, and one that [listens](AcknowledgeParams::listener), has no
//!    share to hold a [`SharedKey`] against: a committee of strangers can be made up for any key X. Take it from where
//!    you took X: t or more of its parties, over channels that you trust.
//! 4. **A transport that does not authenticate**: see [`quorate_session`](session#misuse). It need not encrypt to keep
//!    today's secrets; that of tomorrow, who records everything and solves a discrete logarithm one day, is kept out
//!    by it.
//! 5. **Rollback.** A dealer restored from an old seal and fed other frames deals another random polynomial of the same
//!    constant, under another key: the two say no more together than each alone.
//! 6. **Two resharings of one epoch.** Both may end, and then both committees have the key. They are told apart
//!    ([`Mismatch::WrongPackage`]), and neither is undone by the other: deal from one epoch to one committee, and begin
//!    another run only when the one before has failed or is refreshed away.
//! 7. **The wrong recipient.** A repair gives a share, and a resharing makes a member of, whoever the transport says
//!    has that number. Make sure that it is who it was.
//! 8. **Silence.** A party that says nothing stalls the run, and is not blamed. Name other dealers or helpers.
//! 9. **A dealer and a recipient who together arrange a verifying share that is the neutral element.** All parties stop
//!    with [`Check::ResultMismatch`](session::Check::ResultMismatch), and nobody can be named: it is as good as silence.
//! 10. **What [`SecretShare::to_bytes`] and [`SecretShare::secret`] give out.** Encrypt the first, wipe copies of the
//!     second.
//! 11. **Two families with one name.** [`Family::NAME`] is all that keeps their shares apart.
//! 12. **One offline key for all parties.** Whoever has it and the backups of t parties has the group's key. Give each
//!     party's backup to another custodian, or share that key too.
//! 13. **A recipient from nowhere.** [`Backup::verify`] says for whom a backup is; that this [`BackupRecipient`] is the
//!     custodian's, and that the custodian still has the key, say its owner and a [`Drill`].
//! 14. **A backup of an epoch that is over.** t of them are the key, as number 2 says of shares. Seal again after each
//!     resharing, and destroy the old ones.
//! 15. **A challenge twice.** A [`HealthChallenge`] of the verifier's own, used once, is what makes an answer mean *now*.
//! 16. **What a health proof does not say**: that the share is `Ready`, that no one else has a copy, that it will be there
//!     tomorrow.
//!
//! # Example
//!
//! A key of parties 1, 2 and 3 goes to 2, 3 and 4. Two dealers are enough: party 2 only receives.
//!
//! ```
//! use quorate_curve::{Curve, Ed25519, Secret};
//! use quorate_keys::session::{Parties, PartyId, SessionId, sim::Network, wire::Reader};
//! use quorate_keys::{
//!     Committee, Family, KeyTypes, Reshare, ReshareParams, ResharePlan, SecretShare, ShareState, SharedKey,
//! };
//! use quorate_sharing::Polynomial;
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! #[derive(Clone, Copy, PartialEq, Eq, Debug)]
//! struct Schnorr;
//!
//! impl Family for Schnorr {
//!     type Curve = Ed25519;
//!     type Extra = ();
//!     const NAME: &'static str = "example Schnorr over Ed25519";
//!     const CODE: u8 = 200;
//!     fn put_extra(_: &(), _: &mut Vec<u8>) {}
//!     fn read_extra(_: &mut Reader<'_>) -> Option<()> { Some(()) }
//! }
//!
//! impl KeyTypes for Schnorr {
//!     type Public = SharedKey<Self>;
//!     type Share = SecretShare<Self>;
//!     fn public(shared: SharedKey<Self>) -> SharedKey<Self> { shared }
//!     fn share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> { share }
//! }
//!
//! // The key as a dealer makes it, for an example's sake.
//! let ids = |numbers: [u16; 3]| Parties::new(numbers.into_iter().filter_map(PartyId::new));
//! let f = Polynomial::random(2, &mut rng)?;
//! let old = SharedKey::<Schnorr>::new(Committee::new(ids([1, 2, 3])?, 2)?, 0, f.commit(), ())?;
//! let share = |me| SecretShare::new(me, &old, Secret::new(f.evaluate(me)), ShareState::Ready);
//!
//! // Parties 1 and 3 deal. The plan is the same for all four.
//! let dealers = Parties::new([1, 3].into_iter().filter_map(PartyId::new))?;
//! let plan = ResharePlan::new(&old, dealers, Committee::new(ids([2, 3, 4])?, 2)?)?;
//! let parties = plan.parties();
//! let report = Network::new(1).run::<Reshare<Schnorr>>(SessionId::new([1; 32]), &parties, |me| {
//!     if plan.dealers().contains(me) {
//!         ReshareParams::dealer(&plan, &share(me).unwrap()).unwrap()
//!     } else {
//!         ReshareParams::member(&plan, me).unwrap()
//!     }
//! })?;
//!
//! for (party, result) in report.results {
//!     let result = result?;
//!     assert!(result.public.key() == old.key() && result.public.epoch() == 1);
//!     // Store it beside the old one, read it back, run `Acknowledge`, and only then delete.
//!     assert_eq!(result.share.is_some(), plan.committee().contains(party));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A backup, checked by somebody who has nothing secret, and a drill:
//!
//! ```
//! use quorate_keys::{Backup, BackupKey, HealthChallenge};
//! # use quorate_curve::{Curve, Ed25519, Secret};
//! # use quorate_keys::session::{Parties, PartyId, wire::Reader};
//! # use quorate_keys::{Committee, Family, KeyTypes, SecretShare, ShareState, SharedKey};
//! # use quorate_sharing::Polynomial;
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]);
//! # #[derive(Clone, Copy, PartialEq, Eq, Debug)]
//! # struct Schnorr;
//! # impl Family for Schnorr {
//! #     type Curve = Ed25519;
//! #     type Extra = ();
//! #     const NAME: &'static str = "example Schnorr over Ed25519";
//! #     const CODE: u8 = 200;
//! #     fn put_extra(_: &(), _: &mut Vec<u8>) {}
//! #     fn read_extra(_: &mut Reader<'_>) -> Option<()> { Some(()) }
//! # }
//! #
//! # impl KeyTypes for Schnorr {
//! #     type Public = SharedKey<Self>;
//! #     type Share = SecretShare<Self>;
//! #     fn public(shared: SharedKey<Self>) -> SharedKey<Self> { shared }
//! #     fn share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> { share }
//! # }
//! # let ids = Parties::new([1, 2, 3].into_iter().filter_map(PartyId::new))?;
//! # let f = Polynomial::random(2, &mut rng)?;
//! # let public = SharedKey::<Schnorr>::new(Committee::new(ids, 2)?, 0, f.commit(), ())?;
//! # let me = PartyId::new(1).unwrap();
//! # let share = SecretShare::new(me, &public, Secret::new(f.evaluate(me)), ShareState::Ready)?;
//! // The custodian, once, offline. The recipient goes to the parties and to whoever audits.
//! let offline = BackupKey::<Schnorr>::generate(&mut rng)?;
//! let recipient = offline.recipient().clone();
//!
//! // A party, and anybody who has its public value.
//! let backup = Backup::seal(&share, &public, &recipient, b"2026-11", &mut rng)?;
//! backup.verify(&public, &recipient)?;
//!
//! // Every quarter: the proof leaves the custodian's machine, the share does not.
//! let asked = HealthChallenge::new(&mut rng)?;
//! let drill = offline.drill(&backup, &public, &asked, &mut rng)?;
//! drill.verify(&backup, &public, &asked)?;
//!
//! // The day that it is for.
//! let restored = offline.restore(&backup, &public)?;
//! assert_eq!(restored.verifying_share(), share.verifying_share());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod acknowledge;
mod backup;
mod committee;
mod deal;
pub mod derive;
mod error;
mod evidence;
mod family;
mod health;
mod id;
mod key_types;
pub mod migrate;
pub mod note;
mod repair;
mod reshare;
mod schnorr;
mod share;
mod shared;
#[cfg(feature = "single-point-of-failure")]
pub mod single_point_of_failure;
mod state;
mod wire;

pub use acknowledge::{Acknowledge, AcknowledgeParams, State as AcknowledgeState, StoredByAll};
pub use backup::{Backup, BackupError, BackupKey, BackupRecipient, Drill};
pub use committee::Committee;
pub use error::{CommitteeError, DecodeError, Mismatch, PlanError};
pub use family::{Family, Point, PointBytes, Scalar};
pub use health::{HealthChallenge, HealthError, ShareHealth};
pub use id::PackageId;
pub use key_types::KeyTypes;
pub use quorate_curve::{Curve, Secret};
pub use quorate_session as session;
pub use repair::{Repair, RepairParams, RepairPlan, Repaired, State as RepairState};
pub use reshare::{Reshare, ReshareParams, ResharePlan, Reshared, State as ReshareState};
pub use share::SecretShare;
pub use shared::SharedKey;
pub use state::ShareState;
