//! The life of a key after it is made: the protocols of [`quorate_keys`], for the family of ECDSA.

use crate::Ecdsa;

pub use quorate_keys::{Committee, CommitteeError, Mismatch, PackageId, PlanError, ShareState};

/// The resharing of a key from t or more of its parties to another committee, or to the same one, which is a **refresh**.
///
/// The group key, its chain code and rid stay, and the epoch is one more. Presignatures of the old epoch are refused by name
/// ([`ClaimError::Mismatch`](crate::ClaimError::Mismatch)), and
/// [`Presignatures::keep_only`](crate::Presignatures::keep_only) drops them. Auxiliary information stays valid for all
/// parties that have it: see [`AuxInfo::lacks`](crate::AuxInfo::lacks).
///
/// ```
/// use quorate_cggmp::{
///     Acknowledge, AcknowledgeParams, PublicKeyPackage, KeyShare, Keygen, KeygenParams, Reshare,
///     ReshareParams, ResharePlan, Secp256k1, ShareState,
/// };
/// use quorate_session::{Parties, SessionId, sim::Network};
///
/// let parties = Parties::numbered(3)?;
/// let sid = |number| SessionId::new([number; 32]); // never used twice
/// let run = Network::new(1).run::<Keygen<Secp256k1>>(sid(1), &parties, |_| KeygenParams::new(2))?;
/// let old = run.results.into_values().collect::<Result<Vec<_>, _>>()?;
///
/// // Parties 1 and 2 deal, which is enough; all three get new shares.
/// let dealers = Parties::numbered(2)?;
/// let plan = ResharePlan::<Secp256k1>::refresh(old[0].public().shared(), dealers)?;
/// let run = Network::new(2).run::<Reshare<Secp256k1>>(sid(2), &plan.parties(), |me| {
///     let share = old.iter().find(|share| share.id() == me).unwrap();
///     if plan.dealers().contains(me) {
///         ReshareParams::dealer(&plan, share.secret_share()).unwrap()
///     } else {
///         ReshareParams::member(&plan, me).unwrap()
///     }
/// })?;
/// let mut new = Vec::new();
/// for result in run.results.into_values() {
///     // Store it beside the old one: it signs, and so does the old one.
///     let share = result?.share.unwrap();
///     assert!(share.verifying_key() == old[0].verifying_key() && share.state() == ShareState::Pending);
///     let (stored, info) = (share.to_bytes(), share.public().to_bytes());
///     new.push((KeyShare::<Secp256k1>::from_bytes(&stored, &PublicKeyPackage::from_bytes(&info)?)?, stored, info));
/// }
///
/// // When all say that they have stored theirs, old shares may go.
/// let run = Network::new(3).run::<Acknowledge<Secp256k1>>(sid(3), &parties, |me| {
///     let (_, share, info) = new.iter().find(|(share, ..)| share.id() == me).unwrap();
///     AcknowledgeParams::from_stored(share, info).unwrap()
/// })?;
/// for ((party, by), (share, ..)) in run.results.into_iter().zip(&mut new) {
///     let by = by?;
///     share.settle(&by)?;
///     assert!(share.id() == party && share.state() == ShareState::Ready);
///     assert!(old.iter().all(|one| by.permits_deleting(one.secret_share())));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Reshare<C> = quorate_keys::Reshare<Ecdsa<C>>;
/// The key, the dealers and the new committee of a [`Reshare`].
pub type ResharePlan<C> = quorate_keys::ResharePlan<Ecdsa<C>>;
/// A party's part in a [`Reshare`].
pub type ReshareParams<C> = quorate_keys::ReshareParams<Ecdsa<C>>;
/// The result of a [`Reshare`] for one party.
pub type Reshared<C> = quorate_keys::Reshared<Ecdsa<C>>;
/// The repair of a party's lost share by t or more helpers.
pub type Repair<C> = quorate_keys::Repair<Ecdsa<C>>;
/// The key, the helpers and the target of a [`Repair`].
pub type RepairPlan<C> = quorate_keys::RepairPlan<Ecdsa<C>>;
/// A party's part in a [`Repair`].
pub type RepairParams<C> = quorate_keys::RepairParams<Ecdsa<C>>;
/// The result of a [`Repair`] for one party.
pub type Repaired<C> = quorate_keys::Repaired<Ecdsa<C>>;
/// The acknowledgement by all parties that they have stored their shares of one epoch, so that older ones may be deleted.
pub type Acknowledge<C> = quorate_keys::Acknowledge<Ecdsa<C>>;
/// The package of an [`Acknowledge`], and the party that acknowledges it.
pub type AcknowledgeParams<C> = quorate_keys::AcknowledgeParams<Ecdsa<C>>;
/// The result of an [`Acknowledge`]: the shares that may be deleted.
pub type StoredByAll<C> = quorate_keys::StoredByAll<Ecdsa<C>>;
