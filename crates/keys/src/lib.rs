//! The life of a threshold key, written once for every family of signatures and every curve. It covers who holds
//! shares of the key, in which epoch, and how the shares change hands without anybody ever holding the key.
//!
//! A [`SharedKey`] has the public data of a key in one epoch, and a [`SecretShare`] is one party's share of it. A
//! [`Family`] defines the curve, the data that is kept beside the key, and the family's own types. Three
//! protocols run in a [`Session`](session::Session):
//!
//! | | who takes part | what comes out |
//! |---|---|---|
//! | [`Reshare`] | any t of the old committee and the new one | the same key in the next epoch, with another committee and threshold, or with the same: a **refresh** |
//! | [`Repair`] | any t helpers and the party that has lost its share | that share |
//! | [`Acknowledge`] | the committee, and who wants to hear it | the permission to delete shares of older epochs |
//!
//! In a service whose parties crash and are restored, [`agreement`](mod@agreement) takes the place of
//! [`Acknowledge`].
//!
//! Child keys need no protocol: see [`derive`](mod@derive).
//!
//! Three things need no session. A [`Backup`] is a share encrypted to a key that is kept offline. Anybody can
//! [verify](Backup::verify) it, and the owner of the [`BackupKey`] [restores](BackupKey::restore) the share, or
//! [shows](BackupKey::drill) that it could. With [`SecretShare::prove_health`], a party shows that the share in
//! its store still belongs to the key. With the feature `single-point-of-failure`, a whole key can be dealt, or
//! put together again.
//!
//! # Example
//!
//! A FROST key of parties 1, 2 and 3 goes to 2, 3 and 4. Parties 1 and 3 deal; 2 and 4 only receive. An in-memory network
//! stands for the four machines.
//!
//! ```
//! use quorate_frost_ed25519::{Dkg, DkgParams, Reshare, ReshareParams, ResharePlan};
//! use quorate_keys::Committee;
//! use quorate_keys::session::{Parties, PartyId, SessionId, sim::Network};
//!
//! // The key as its parties made it: each has a share, and all have the public key package.
//! let parties = Parties::numbered(3)?;
//! let made = Network::new(1).run::<Dkg>(SessionId::new([1; 32]), &parties, |_| DkgParams::new(2))?;
//! let made = made.results.into_iter().map(|(me, made)| Ok((me, made?)));
//! let made = made.collect::<Result<std::collections::BTreeMap<_, _>, quorate_keys::session::Abort>>()?;
//! let Some(old) = made.values().next().map(|made| &made.public) else { return Ok(()) };
//!
//! // The plan is the same for all four.
//! let ids = |numbers: &[u16]| Parties::new(numbers.iter().copied().filter_map(PartyId::new));
//! let plan = ResharePlan::new(old.shared(), ids(&[1, 3])?, Committee::new(ids(&[2, 3, 4])?, 2)?)?;
//! let all = plan.parties();
//! let ended = Network::new(2).run::<Reshare>(SessionId::new([2; 32]), &all, |me| {
//!     let params = if plan.dealers().contains(me) {
//!         ReshareParams::dealer(&plan, made[&me].share.secret_share())
//!     } else {
//!         ReshareParams::member(&plan, me)
//!     };
//!     params.unwrap()
//! })?;
//!
//! for (party, result) in ended.results {
//!     let result = result?;
//!     // Store it beside the old one, read it back, run `Acknowledge`, and only then delete the old one.
//!     assert_eq!(result.public.verifying_key(), old.verifying_key());
//!     assert_eq!(result.share.is_some(), plan.committee().contains(party));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A backup that somebody without secrets checks, and a drill:
//!
//! ```
//! use quorate_frost_ed25519::{Dkg, DkgParams};
//! use quorate_keys::session::{Parties, SessionId, sim::Network};
//! use quorate_keys::{Backup, BackupKey, HealthChallenge};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! // A party's share, and the public key.
//! let parties = Parties::numbered(3)?;
//! let made = Network::new(1).run::<Dkg>(SessionId::new([1; 32]), &parties, |_| DkgParams::new(2))?;
//! let Some(made) = made.results.into_values().next() else { return Ok(()) };
//! let made = made?;
//! let (share, public) = (made.share.secret_share(), made.public.shared());
//!
//! // The custodian, once, offline. The recipient goes to the parties and to whoever audits.
//! let offline = BackupKey::generate(&mut rng)?;
//! let recipient = offline.recipient().clone();
//!
//! // A party, and anybody who has its public value.
//! let backup = Backup::seal(share, public, &recipient, b"2026-11", &mut rng)?;
//! backup.verify(public, &recipient)?;
//!
//! // Every quarter: the proof leaves the custodian's machine, the share does not.
//! let asked = HealthChallenge::new(&mut rng)?;
//! let drill = offline.drill(&backup, public, &asked, &mut rng)?;
//! drill.verify(&backup, public, &asked)?;
//!
//! // The day that it is for.
//! let restored = offline.restore(&backup, public)?;
//! assert_eq!(restored.verifying_share(), share.verifying_share());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who lied is decided
//!
//! A dealer broadcasts each share, encrypted to a key that its recipient has drawn for the run. All parties have
//! the same broadcasts, so nobody has to take the word of a recipient that finds its share wrong. It shows the
//! Diffie-Hellman point of the two keys and proves that it is the right one. Then everybody decrypts, and sees
//! whether the dealer or the accuser has lied. One round of complaints is enough. In a run without incident, the
//! same round confirms the result.
//!
//! A complaint opens only what one dealer has sealed for one party. Dealers prove that they know the secret of
//! the key under which they seal. Otherwise a dealer could copy the key of an honest dealer and deal wrong shares
//! itself, to have the shares of the honest one opened. No protocol here sends a message to one party alone.
//!
//! # Nothing is lost
//!
//! A run changes nothing by itself. Its result is stored beside the old shares, is marked ([`ShareState`]), and
//! names its epoch. So anything that belongs to another epoch is refused by name ([`Mismatch`]). Old shares are
//! deleted when all parties have reported that the new ones are stored: [`StoredByAll::permits_deleting`] or
//! [`Superseded::permits_deleting`](agreement::Superseded::permits_deleting). No party loses a share because a
//! confirmation at the end is wrong or missing ([`Progress::Unconfirmed`](session::Progress::Unconfirmed)).
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **Deleting too early.** A party that deletes an old share before [`StoredByAll`] or
//!    [`Superseded`](agreement::Superseded) permits it can leave the honest parties in two epochs, with too few
//!    shares in each.
//! 2. **Deleting too late, or not everywhere.** t shares of one old epoch are the key for ever. If somebody has
//!    stolen some of them, a refresh protects the key only if the others are deleted, from backups too. A member
//!    that leaves and keeps its share learns nothing that makes it useless. If t parties may have kept theirs,
//!    only another key helps. Stored shares of child keys count as shares of the epoch in which they were derived
//!    ([`StoredByAll::permits_deleting_child`]).
//! 3. **A public value from an untrusted source.** A party that joins, or that
//!    [listens](AcknowledgeParams::listener), has no share with which to check a [`SharedKey`]. Anyone can make
//!    up a committee of strangers for any key X. Take the public value from where you took X: from t or more of
//!    its parties, over channels that you trust.
//! 4. **A transport that does not authenticate**: see [`quorate_session`](session#misuse). It need not encrypt to
//!    protect the secrets against today's attackers. Encryption protects them against an attacker who records
//!    everything and solves a discrete logarithm one day.
//! 5. **Rollback.** A dealer that is restored from an old seal and receives other frames deals another random
//!    polynomial with the same constant, under another key. The two reveal no more together than each alone.
//! 6. **Two resharings of one epoch.** Both may end, and then both committees have the key. They can be told
//!    apart ([`Mismatch::WrongPackage`]), but neither undoes the other. Deal from one epoch to one committee.
//!    Begin another run only when the one before has failed or is refreshed away.
//! 7. **The wrong recipient.** A repair gives a share to the party that has that number in the transport, and a
//!    resharing makes it a member. Make sure that it is still the same party.
//! 8. **Silence.** A party that sends nothing stalls the run, and is not blamed. Name other dealers or helpers.
//! 9. **Dealers who arrange a sum that is not a key.** A corrupt party that deals last and receives can give
//!    itself the share zero. All parties stop and name it
//!    ([`Fault::IdentityCommitment`](session::Fault::IdentityCommitment)); continue without it. A dealer and all
//!    but t − 2 members of the new committee, where t is its threshold, can make a coefficient neutral. Then all
//!    stop with [`Check::ResultMismatch`](session::Check::ResultMismatch), and nobody can be named.
//! 10. **Mishandling [`SecretShare::to_bytes`] and [`SecretShare::secret`].** Encrypt the first, and wipe copies
//!     of the second.
//! 11. **Two families with one name.** Only [`Family::NAME`] keeps their shares apart.
//! 12. **One offline key for all parties.** Anyone who has it and the backups of t parties has the group's key.
//!     Give each party's backup to another custodian, or share that key too.
//! 13. **An untrusted recipient.** [`Backup::verify`] shows for whom a backup is. The owner of this
//!     [`BackupRecipient`] has to tell you that it is the custodian's. A [`Drill`] shows that the custodian still
//!     has the key.
//! 14. **A backup of an epoch that is over.** t of them are the key, as number 2 says of shares. Seal again after
//!     each resharing, and destroy the old ones.
//! 15. **Using a challenge twice.** An answer shows that the share is there *now* only if the [`HealthChallenge`]
//!     is the verifier's own and is used once.
//! 16. **Reading too much into a health proof.** It does not show that the share is `Ready`, that nobody else has
//!     a copy, or that it will still be there tomorrow.
//!
//! # A family of one's own
//!
//! Another kind of keys needs a [`Family`], which names the curve and the data that is kept beside a key.
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
//!     fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> { share }
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
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `single-point-of-failure` | no | the whole key in one place: dealt, or put together |
//! | `testing` | no | the agreement's guards as switches, for its model: never in a service |
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod acknowledge;
pub mod agreement;
mod backup;
pub mod checkpoint;
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
