//! The agreement about new shares: when the shares of a key before a resharing may be deleted, and which attempt signs.
//!
//! A resharing ends for one party before it ends for another, several may run in one epoch, and parties crash and are
//! restored from backups. [`Agreement`] is one party's part in a unanimous vote, once per epoch. It keeps a threshold of
//! honest shares of one same attempt at every moment, whatever the coordinator says. `docs/spec/agreement.md` is its
//! specification, and `benches/model` checks this code against it.
//!
//! | a party has | by | it then |
//! |---|---|---|
//! | [`Created`](Status::Created) an attempt | [`create`](Agreement::create), with the share read back from the database | deals from it if asked |
//! | [`Prepared`](Status::Prepared) it | [`prepare`](Agreement::prepare), on anybody's request | says so, signed; signs with the share |
//! | [`Committed`](Status::Committed) it | [`commit`](Agreement::commit), with a [`Certificate`] of every member's `Prepared` | says so, signed, when every backup has the share |
//! | [`Superseded`](Status::Superseded) what came before | [`supersede`](Agreement::supersede), with a [`Certificate`] of every member's `Committed` | deletes what [`Superseded`] permits |
//!
//! No step is undone, and none has a deadline. An attempt that stalls is left as it is. The next one takes a
//! later epoch, without the parties that did not answer.
//!
//! # Two stores
//!
//! The **database** has the shares and one [`Record`]. The **ledger** only grows and is in no backup of the
//! database. A table on another machine or volume will do. Each step gives a list of [`Store`]s in the order in
//! which they are made durable. It releases its statement only when told that they [are](PendingStep::stored). If a
//! store fails, drop the step and [open](Agreement::open) the agreement again.
//!
//! # Misuse
//!
//! This module cannot prevent:
//!
//! 1. **Calling `stored` too early.** A crash then undoes a vote.
//! 2. **A wrong [`Continuity`](quorate_session::Continuity).** It is a claim about the two stores together: at
//!    least one of them is the latest. With [`Continuity::Unknown`](quorate_session::Continuity::Unknown) the
//!    party does not vote until it [rejoins](Agreement::rejoin).
//! 3. **A backup that is not counted** in [`Store::Backups`]. If it is restored after old shares are deleted, the
//!    key may be lost.
//! 4. **Committees that share too few parties.** Two committees of one epoch need t members in common, so that
//!    one of them is honest. It is enough to give all attempts of one epoch the same committee.
//! 5. **A public side from an untrusted source**, in [`supersede_vouched`](Agreement::supersede_vouched).
//!
//! # Example
//!
//! A refresh of a key of three, after [`Reshare`](crate::Reshare) has ended. Party 1 is shown in full.
//!
//! ```
//! # use std::collections::BTreeMap;
//! # use quorate_curve::{Curve, Ed25519, Secret};
//! # use quorate_keys::session::{Parties, SessionId, sim::Network, wire::Reader};
//! # use quorate_keys::{Committee, Family, KeyTypes, Reshare, ReshareParams, ResharePlan, SecretShare, ShareState, SharedKey};
//! # use quorate_sharing::Polynomial;
//! use quorate_keys::agreement::{Agreement, Attempt, Held, Prepared, Signed, Store, Stored, Tally};
//! use quorate_keys::session::{Continuity, PartyId};
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
//! # impl KeyTypes for Schnorr {
//! #     type Public = SharedKey<Self>;
//! #     type Share = SecretShare<Self>;
//! #     fn public(shared: SharedKey<Self>) -> SharedKey<Self> { shared }
//! #     fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> { share }
//! # }
//! # let f = Polynomial::random(2, &mut rng)?;
//! # let old = SharedKey::<Schnorr>::new(Committee::new(Parties::numbered(3)?, 2)?, 0, f.commit(), ())?;
//! # let share = |me| SecretShare::new(me, &old, Secret::new(f.evaluate(me)), ShareState::Ready).unwrap();
//! # let plan = ResharePlan::refresh(&old, Parties::numbered(2)?)?;
//! # let report = Network::new(1).run::<Reshare<Schnorr>>(SessionId::new([1; 32]), &plan.parties(), |me| {
//! #     if me.get() < 3 { ReshareParams::dealer(&plan, &share(me)).unwrap() } else { ReshareParams::member(&plan, me).unwrap() }
//! # })?;
//! # let mut news: BTreeMap<u16, (Vec<u8>, Vec<u8>)> = BTreeMap::new();
//! # for (party, result) in report.results {
//! #     let result = result?;
//! #     news.insert(party.get(), (result.share.unwrap().to_bytes().to_vec(), result.public.to_bytes()));
//! # }
//! # let identity = |party: PartyId| move |message: &[u8]| [&party.get().to_be_bytes(), message].concat();
//! # let identities = |party: PartyId, message: &[u8], signature: &[u8]| signature == identity(party)(message);
//! # let read_back = |party: u16| Held::from_stored::<Schnorr>(&news[&party].0, &news[&party].1);
//! # let mut ledger = vec![];
//! # let mut database = vec![];
//! # let mut make_durable = |store: &Store| match store {
//! #     Store::Ledger(entry) => ledger.push(entry.to_bytes()),
//! #     Store::Record(record) => database.push(record.to_bytes()),
//! #     Store::Backups(_) => {}
//! # };
//! # let old_share = share(PartyId::new(1).unwrap());
//! # let held_before = Held::from_stored::<Schnorr>(&old_share.to_bytes(), &old.to_bytes())?;
//! # let from_the_others: Vec<Vec<u8>> = [2, 3].into_iter().map(|party| {
//! #     let me = PartyId::new(party).unwrap();
//! #     let mut other = Agreement::open(me, old.package_id().key_id(), Stored::default(), Continuity::NewStore).unwrap().stored();
//! #     let step = other.prepare(&read_back(party).unwrap()).unwrap();
//! #     step.stored().sign(identity(me)).unwrap().to_bytes()
//! # }).collect();
//! # let me = PartyId::new(1).unwrap();
//! // At the start: what is stored, and how it is known to be the latest.
//! let stored = Stored { held: vec![held_before], ..Stored::default() };
//! let opening = Agreement::open(me, old.package_id().key_id(), stored, Continuity::StayedUp)?;
//! opening.stores().iter().for_each(&mut make_durable);
//! let mut agreement = opening.stored();
//!
//! // `Reshare` has ended, the new share is in the database beside the old one, and is read back.
//! let held = read_back(1)?;
//! agreement.create(&held)?;
//!
//! // Asked to prepare: store in this order, then sign and send to all.
//! let step = agreement.prepare(&held)?;
//! step.stores().iter().for_each(&mut make_durable);
//! let mine = step.stored().sign(identity(me))?;
//!
//! // Every member's `Prepared`, from whoever brings it.
//! let mut tally = Tally::<Prepared>::new(held.attempt().clone());
//! tally.add(mine, &identities)?;
//! for bytes in &from_the_others {
//!     tally.add(Signed::from_bytes(bytes)?, &identities)?;
//! }
//! let certificate = tally.certificate().ok_or("somebody is missing")?;
//! let step = agreement.commit(&certificate)?;
//! step.stores().iter().for_each(&mut make_durable);
//! let committed = step.stored().sign(identity(me))?;
//!
//! // The same once more with `Committed`, and what `supersede` gives permits deleting the old share.
//! # let mut tally = Tally::new(held.attempt().clone());
//! # tally.add(committed, &identities)?;
//! # for party in [2, 3] {
//! #     let me = PartyId::new(party).unwrap();
//! #     let stored = Stored { held: vec![read_back(party)?], ..Stored::default() };
//! #     let mut other = Agreement::open(me, old.package_id().key_id(), stored, Continuity::StayedUp)?.stored();
//! #     tally.add(other.commit(&certificate)?.stored().sign(identity(me))?, &identities)?;
//! # }
//! # let certificate = tally.certificate().ok_or("somebody is missing")?;
//! let step = agreement.supersede(&certificate)?;
//! step.stores().iter().for_each(&mut make_durable);
//! let superseded = step.stored();
//! assert!(superseded.permits_deleting(&old_share));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attempt;
mod certificate;
mod decide;
mod error;
mod guards;
mod held;
mod ledger;
mod open;
mod party;
mod record;
mod state;
mod statement;
mod superseded;
#[cfg(test)]
mod tests;

pub use attempt::Attempt;
pub use certificate::{Certificate, Tally};
pub use decide::{ATTEMPTS_PER_EPOCH, EPOCHS_AHEAD, Store};
pub use error::{OpenError, Refused, StatementError};
#[cfg(feature = "testing")]
pub use guards::{Guard, Guards};
pub use held::Held;
pub use ledger::Entry;
pub use open::Stored;
pub use party::{Agreement, Opening, PendingStep};
pub use record::Record;
pub use state::Status;
pub use statement::{Committed, Identities, MAX_SIGNATURE, Prepared, Signed, Stage, Unsigned};
pub use superseded::{Discarded, Superseded};
