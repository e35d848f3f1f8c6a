//! The tasks of a key's life, for every family.

use quorate::PartyId;
use quorate::keys::{
    Acknowledge, AcknowledgeParams, Committee, Repair, RepairParams, RepairPlan, Repaired, Reshare,
    ReshareParams, ResharePlan,
};

use crate::arguments::{parties, party};
use crate::error::Result;
use crate::family::Family;
use crate::key_share::{Held, KeyShare, Opened, StoredByAll};
use crate::outcome::Outcome;
use crate::public_key_package::PublicKeyPackage;
use crate::running::{Prepared, ready};
use crate::scheme::by_family;
use crate::seal_key::SealKey;

/// `committee` is the new one, with its threshold.
pub(super) fn reshare(
    me: PartyId,
    public: &PublicKeyPackage,
    share: Option<&KeyShare>,
    dealers: &[u16],
    committee: (&[u16], u16),
) -> Result<Box<dyn Prepared>> {
    by_family!(public.scheme(), F => {
        let plan = ResharePlan::new(
            <F as Family>::shared(public.view::<F>()?),
            parties(dealers)?,
            Committee::new(parties(committee.0)?, committee.1)?,
        )?;
        reshare_as::<F>(me, &plan, share)
    })
}

pub(super) fn repair(
    public: &PublicKeyPackage,
    share: Option<&KeyShare>,
    helpers: &[u16],
    target: u16,
) -> Result<Box<dyn Prepared>> {
    by_family!(public.scheme(), F => repair_as::<F>(public, share, helpers, target))
}

pub(super) fn acknowledge(sealed: &[u8], key: &SealKey) -> Result<Box<dyn Prepared>> {
    let opened = Opened::new(sealed, key)?;
    let (scheme, public, share) = opened.parts()?;
    by_family!(scheme, F => {
        acknowledge_as::<F>(AcknowledgeParams::from_stored(share, public)?)
    })
}

pub(super) fn listen(me: PartyId, public: &PublicKeyPackage) -> Result<Box<dyn Prepared>> {
    by_family!(public.scheme(), F => {
        let shared = <F as Family>::shared(public.view::<F>()?);
        acknowledge_as::<F>(AcknowledgeParams::listener(me, shared)?)
    })
}

/// The share of a party that gives it, if it is one of this family.
fn given<F: Family>(share: Option<&KeyShare>) -> Result<Option<&Held<F>>> {
    share.map(KeyShare::view::<F>).transpose()
}

fn reshare_as<F: Family>(
    me: PartyId,
    plan: &ResharePlan<F>,
    share: Option<&KeyShare>,
) -> Result<Box<dyn Prepared>> {
    let params = match given::<F>(share)? {
        Some(held) => ReshareParams::dealer(plan, F::secret(&held.share))?,
        None => ReshareParams::member(plan, me)?,
    };
    ready::<Reshare<F>>(params, |reshared| {
        let public = reshared.public;
        let share = reshared.share.map(|share| KeyShare::of::<F>(share, public.clone()));
        Outcome::Reshared { public: PublicKeyPackage::of::<F>(public), share }
    })
}

fn repair_as<F: Family>(
    public: &PublicKeyPackage,
    share: Option<&KeyShare>,
    helpers: &[u16],
    target: u16,
) -> Result<Box<dyn Prepared>> {
    let public = public.view::<F>()?.clone();
    let plan = RepairPlan::<F>::new(F::shared(&public), parties(helpers)?, party(target)?)?;
    let params = match given::<F>(share)? {
        Some(held) => RepairParams::helper(&plan, F::secret(&held.share))?,
        None => RepairParams::target(&plan),
    };
    ready::<Repair<F>>(params, move |repaired| Outcome::Repaired {
        share: match repaired {
            Repaired::Helped => None,
            Repaired::Share(share) => Some(KeyShare::of::<F>(share, public)),
        },
    })
}

fn acknowledge_as<F: Family>(params: AcknowledgeParams<F>) -> Result<Box<dyn Prepared>> {
    ready::<Acknowledge<F>>(params, |by| Outcome::Acknowledged { by: StoredByAll::of::<F>(by) })
}
