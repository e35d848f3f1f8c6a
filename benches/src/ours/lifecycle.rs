//! Refresh, resharing and repair by Quorate: the whole of one party's session, from its start to its end, with the
//! others' frames as they come in.

use quorate::frost::generic::{
    Ciphersuite, Committee, Dealing, DealtShare, KeyShare, PublicKeyPackage, Repair, RepairParams,
    RepairPlan, Reshare, ReshareParams, ResharePlan,
};
use quorate::session::Protocol;
use quorate::{Parties, PartyId, SessionId};
use quorate_testkit::lockstep::{Outcome, play, record};

use crate::{Routine, Size, generator};

const SID: SessionId = SessionId::new([6; 32]);

/// A key, and the shares of all its parties.
pub(super) struct Life<S: Ciphersuite> {
    size: Size,
    public: PublicKeyPackage<S>,
    shares: Vec<KeyShare<S>>,
}

fn id(number: u16) -> PartyId {
    PartyId::new(number).expect("not zero")
}

fn parties(numbers: impl Iterator<Item = u16>) -> Parties {
    Parties::new(numbers.map(id)).expect("two parties or more")
}

impl<S: Ciphersuite> Life<S> {
    pub(super) fn new(size: Size) -> Self {
        let all = parties(1..=size.n);
        let Dealing { shares, public } =
            Dealing::new(size.t, &all, &mut generator(5)).expect("a valid size");
        let accept =
            |share: DealtShare<S>| share.accept(size.t, &public).expect("an honest dealer");
        let shares = shares.into_iter().map(accept).collect();
        Self { size, public, shares }
    }

    fn share(&self, party: PartyId) -> &KeyShare<S> {
        &self.shares[usize::from(party.get()) - 1]
    }

    /// The first t of n deal to all; the second party, one of them.
    pub(super) fn refresh(&self) -> Routine<'_> {
        let dealers = parties(1..=self.size.t);
        let plan = ResharePlan::refresh(self.public.shared(), dealers).expect("t parties");
        self.resharing(plan)
    }

    /// The first t of n deal to as many, with party n + 1 in the place of party 1; the second party, one of them.
    pub(super) fn reshare(&self) -> Routine<'_> {
        let dealers = parties(1..=self.size.t);
        let committee = Committee::new(parties(2..=self.size.n + 1), self.size.t);
        let committee = committee.expect("a valid size");
        let plan = ResharePlan::new(self.public.shared(), dealers, committee).expect("t parties");
        self.resharing(plan)
    }

    fn resharing(&self, plan: ResharePlan<S>) -> Routine<'_> {
        session::<Reshare<S>>(id(2), plan.parties(), move |me| {
            if plan.dealers().contains(me) {
                ReshareParams::dealer(&plan, self.share(me).secret_share()).expect("a dealer")
            } else {
                ReshareParams::member(&plan, me).expect("a member")
            }
        })
    }

    /// The first t of n repair the share of the last one, where t is less than n; one of the helpers.
    pub(super) fn repair(&self) -> Routine<'_> {
        let helpers = parties(1..=self.size.t);
        let plan = RepairPlan::new(self.public.shared(), helpers, id(self.size.n));
        let plan = plan.expect("t less than n");
        session::<Repair<S>>(id(2), plan.parties(), move |me| {
            if me == plan.target() {
                RepairParams::target(&plan)
            } else {
                RepairParams::helper(&plan, self.share(me).secret_share()).expect("a helper")
            }
        })
    }
}

/// Runs a protocol once for all, and then one party's session again and again.
fn session<'a, P: Protocol + 'a>(
    me: PartyId,
    all: Parties,
    params: impl Fn(PartyId) -> P::Params + 'a,
) -> Routine<'a> {
    let (mut frames, _) = record::<P>(&all, SID, &params, |_, _, _| ());
    frames.retain(|place, _| place.3 == me);
    Routine::consume(
        move || params(me),
        move |params| {
            let outcome = play::<P>(me, &all, SID, params, &frames);
            assert_eq!(outcome, Outcome::Done, "all are honest");
        },
    )
}
