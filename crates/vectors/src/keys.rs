//! The life of a key of any family: refresh, resharing and repair.

use std::collections::BTreeMap;

use quorate::ecdsa::{self, Ecdsa, EcdsaCurve};
use quorate::frost::generic::{Frost, KeyShare, KeySuite, PublicKeyPackage};
use quorate::keys::{
    Committee, KeyTypes, Repair, RepairParams, RepairPlan, Repaired, Reshare, ReshareParams,
    ResharePlan, SecretShare, SharedKey,
};
use quorate::{Parties, PartyId};

use crate::json::{Json, object};
use crate::record::{Detail, Outcome, own};
use crate::run::Script;
use crate::seeds::Seeds;
use crate::terms::{Item, Terms, committee, numbers, package};

/// The name of the ceremony that makes a key.
pub(crate) const GENERATION: &str = "key generation";

/// A family whose own types give out what the protocols take.
pub(crate) trait Keys: KeyTypes {
    /// The share as the protocols take it.
    fn secret(share: &Self::Share) -> &SecretShare<Self>;
    /// The public side as the protocols take it.
    fn shared(public: &Self::Public) -> &SharedKey<Self>;
}

impl<S: KeySuite> Keys for Frost<S> {
    fn secret(share: &KeyShare<S>) -> &SecretShare<Self> {
        share.secret_share()
    }

    fn shared(public: &PublicKeyPackage<S>) -> &SharedKey<Self> {
        public.shared()
    }
}

impl<C: EcdsaCurve> Keys for Ecdsa<C> {
    fn secret(share: &ecdsa::KeyShare<C>) -> &SecretShare<Self> {
        share.secret_share()
    }

    fn shared(public: &ecdsa::PublicKeyPackage<C>) -> &SharedKey<Self> {
        public.shared()
    }
}

/// A key with all its shares.
pub(crate) struct Group<F: Keys> {
    /// The public side.
    pub(crate) public: F::Public,
    /// The shares.
    pub(crate) shares: BTreeMap<PartyId, F::Share>,
}

impl<F: Keys> Group<F> {
    /// The key that a run has made, from the results of all: the public side, and a share if the party gets one.
    pub(crate) fn of(
        results: impl Iterator<Item = (PartyId, F::Public, Option<F::Share>)>,
    ) -> Self {
        let (mut key, mut shares) = (None, BTreeMap::new());
        for (party, public, share) in results {
            key = Some(public);
            shares.extend(share.map(|share| (party, share)));
        }
        Self { public: key.expect("a result"), shares }
    }

    /// The public side as the protocols take it.
    pub(crate) fn shared(&self) -> &SharedKey<F> {
        F::shared(&self.public)
    }

    /// A party's share as the protocols take it.
    pub(crate) fn share(&self, party: PartyId) -> &SecretShare<F> {
        F::secret(&self.shares[&party])
    }
}

/// The members for a result: the share as its container, or none, and the public side.
pub(crate) fn stored<F: Keys>(public: &F::Public, share: Option<&F::Share>) -> Outcome {
    let share = share.map(|share| Json::hex(F::secret(share).to_bytes()));
    Outcome { public: Some(F::shared(public).to_bytes()), own: object! { "share": share } }
}

/// A resharing by a plan.
pub(crate) fn resharing<F: Keys>(
    ceremony: &str,
    seeds: &Seeds<'_>,
    group: &Group<F>,
    plan: &ResharePlan<F>,
) -> Script<Reshare<F>> {
    let mut bound = package(F::NAME, plan.old().package_id());
    bound.push(Item::List("dealers", numbers(plan.dealers())));
    bound.push(Item::Bytes("new committee", committee(plan.committee())));
    let common = object! { "public": Json::hex(plan.old().to_bytes()) };
    let terms = Terms::new(ceremony, seeds, plan.parties(), bound).with(common);
    Script::new(terms, seeds, |party| {
        let share = plan.dealers().contains(party).then(|| group.share(party));
        let params = match share {
            Some(share) => ReshareParams::dealer(plan, share),
            None => ReshareParams::member(plan, party),
        };
        let share = share.map(|share| Json::hex(share.to_bytes()));
        (params.expect("a part"), object! { "share": share })
    })
}

/// A resharing from these dealers to a committee, and the key that comes of it.
pub(crate) fn reshare<F: Keys>(
    ceremony: &str,
    seeds: &Seeds<'_>,
    group: &Group<F>,
    (dealers, to): (Parties, Committee),
) -> (Json, Group<F>) {
    let plan = ResharePlan::new(group.shared(), dealers, to).expect("a plan");
    let trace = resharing(ceremony, seeds, group, &plan).honest();
    let json = trace.json(Detail::Full, |one| stored::<F>(&one.public, one.share.as_ref()));
    let results = trace.into_results();
    (json, Group::of(results.map(|(party, one)| (party, one.public, one.share))))
}

/// A repair by a plan.
pub(crate) fn repairing<F: Keys>(
    ceremony: &str,
    seeds: &Seeds<'_>,
    group: &Group<F>,
    plan: &RepairPlan<F>,
) -> Script<Repair<F>> {
    let mut bound = package(F::NAME, plan.key().package_id());
    bound.push(Item::Number("target", plan.target().get().into()));
    let common = object! { "public": Json::hex(plan.key().to_bytes()) };
    let terms = Terms::new(ceremony, seeds, plan.parties(), bound).with(common);
    Script::new(terms, seeds, |party| {
        let share = (party != plan.target()).then(|| group.share(party));
        let params = match share {
            Some(share) => RepairParams::helper(plan, share).expect("a part"),
            None => RepairParams::target(plan),
        };
        (params, object! { "share": share.map(|share| Json::hex(share.to_bytes())) })
    })
}

/// A repair of the target's share by these helpers.
pub(crate) fn repair<F: Keys>(
    ceremony: &str,
    seeds: &Seeds<'_>,
    group: &Group<F>,
    (helpers, target): (Parties, PartyId),
) -> Json {
    let plan = RepairPlan::new(group.shared(), helpers, target).expect("a plan");
    let trace = repairing(ceremony, seeds, group, &plan).honest();
    let Some(Repaired::Share(share)) = &trace.ends[&target].output else { panic!("no share") };
    assert!(F::secret(share).to_bytes()[..] == group.share(target).to_bytes()[..], "the share");
    trace.json(Detail::Full, repaired::<F>)
}

/// The members for the result of a repair.
pub(crate) fn repaired<F: Keys>(one: &Repaired<F>) -> Outcome {
    own(match one {
        Repaired::Helped => object! {},
        Repaired::Share(share) => object! { "share": Json::hex(F::secret(share).to_bytes()) },
    })
}
