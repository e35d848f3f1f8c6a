//! A family for tests, a dealt key, and the checks of its shares.

use core::marker::PhantomData;
use std::collections::BTreeMap;

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quorate_curve::{Curve, Secret};
use quorate_keys::session::sim::{Network, Report};
use quorate_keys::session::wire::Reader;
use quorate_keys::session::{Parties, PartyId, SessionId};
use quorate_keys::{
    Committee, Family, KeyTypes, PointBytes, Repair, RepairParams, RepairPlan, Repaired, Reshare,
    ReshareParams, ResharePlan, Reshared, SecretShare, ShareState, SharedKey,
};
use quorate_sharing::{Polynomial, lagrange};

/// The family of the tests: a curve, with a chain code beside the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Of<C>(PhantomData<C>);

impl<C: Curve> Family for Of<C> {
    type Curve = C;
    type Extra = [u8; 32];

    const NAME: &'static str = C::NAME;
    const CODE: u8 = C::NAME.len() as u8;
    const MAX_PARTIES: usize = 100;

    fn put_extra(extra: &[u8; 32], bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(extra);
    }

    fn read_extra(reader: &mut Reader<'_>) -> Option<[u8; 32]> {
        reader.array().ok()
    }

    fn accepts(key: &PointBytes<Self>) -> bool {
        !key.as_ref().is_empty()
    }
}

impl<C: Curve> KeyTypes for Of<C> {
    type Public = SharedKey<Self>;
    type Share = SecretShare<Self>;

    fn public(shared: SharedKey<Self>) -> SharedKey<Self> {
        shared
    }

    fn key_share(share: SecretShare<Self>, _: &SharedKey<Self>) -> SecretShare<Self> {
        share
    }
}

pub fn rng(seed: u64) -> ChaCha20Rng {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    ChaCha20Rng::from_seed(bytes)
}

pub fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

pub fn parties(numbers: &[u16]) -> Parties {
    Parties::new(numbers.iter().map(|number| id(*number))).unwrap()
}

pub fn committee(numbers: &[u16], threshold: u16) -> Committee {
    Committee::new(parties(numbers), threshold).unwrap()
}

pub fn sid(number: u8) -> SessionId {
    SessionId::new([number; 32])
}

pub type Shares<C> = BTreeMap<u16, SecretShare<Of<C>>>;

/// A key in one epoch, with all its shares.
pub struct Key<C: Curve> {
    pub public: SharedKey<Of<C>>,
    pub shares: Shares<C>,
    /// The secret.
    pub x: C::Scalar,
}

impl<C: Curve> Key<C> {
    pub fn dealt(numbers: &[u16], threshold: u16, seed: u64) -> Self {
        let polynomial = Polynomial::<C>::random(threshold, &mut rng(seed)).unwrap();
        let committee = committee(numbers, threshold);
        let public = SharedKey::new(committee, 0, polynomial.commit(), [9; 32]).unwrap();
        let share = |number: &u16| {
            let secret = Secret::new(polynomial.evaluate(id(*number)));
            let share = SecretShare::new(id(*number), &public, secret, ShareState::Ready);
            (*number, share.unwrap())
        };
        let shares = numbers.iter().map(share).collect();
        Self { public, shares, x: *polynomial.constant() }
    }

    pub fn numbers(&self) -> Vec<u16> {
        self.public.parties().iter().map(PartyId::get).collect()
    }

    pub fn threshold(&self) -> usize {
        self.public.threshold().into()
    }

    pub fn plan(&self, dealers: &[u16], to: &[u16], threshold: u16) -> ResharePlan<Of<C>> {
        ResharePlan::new(&self.public, parties(dealers), committee(to, threshold)).unwrap()
    }

    /// The part of a party in a plan.
    pub fn part(&self, plan: &ResharePlan<Of<C>>, me: PartyId) -> ReshareParams<Of<C>> {
        if plan.dealers().contains(me) {
            ReshareParams::dealer(plan, &self.shares[&me.get()]).unwrap()
        } else {
            ReshareParams::member(plan, me).unwrap()
        }
    }

    /// One run of a resharing.
    pub fn run(&self, network: Network<'_>, plan: &ResharePlan<Of<C>>) -> Report<Reshared<Of<C>>> {
        let parties = plan.parties();
        let parties = Box::leak(Box::new(parties));
        network.run::<Reshare<Of<C>>>(sid(1), parties, |me| self.part(plan, me)).unwrap()
    }

    /// The key after a resharing without incident.
    pub fn reshared(&self, dealers: &[u16], to: &[u16], threshold: u16, seed: u64) -> Self {
        let plan = self.plan(dealers, to, threshold);
        let report = self.run(Network::new(seed), &plan);
        let mut shares = Shares::new();
        let mut public = None;
        for (party, result) in report.results {
            let Reshared { public: found, share } = result.unwrap();
            assert!(public.is_none() || public.as_ref() == Some(&found));
            assert_eq!(share.is_some(), plan.committee().contains(party));
            public = Some(found);
            shares.extend(share.map(|share| (party.get(), share)));
        }
        Self { public: public.unwrap(), shares, x: self.x }
    }

    pub fn repair_plan(&self, helpers: &[u16], target: u16) -> RepairPlan<Of<C>> {
        RepairPlan::new(&self.public, parties(helpers), id(target)).unwrap()
    }

    pub fn repair_part(&self, helpers: &[u16], target: u16, me: PartyId) -> RepairParams<Of<C>> {
        let plan = self.repair_plan(helpers, target);
        if me == id(target) {
            RepairParams::target(&plan)
        } else {
            RepairParams::helper(&plan, &self.shares[&me.get()]).unwrap()
        }
    }

    pub fn repair(
        &self,
        network: Network<'_>,
        helpers: &[u16],
        target: u16,
    ) -> Report<Repaired<Of<C>>> {
        let all = Box::leak(Box::new(self.repair_plan(helpers, target).parties()));
        network
            .run::<Repair<Of<C>>>(sid(2), all, |me| self.repair_part(helpers, target, me))
            .unwrap()
    }

    /// Checks that every t of the shares make the key, that no t − 1 do, and that every share is the published
    /// one.
    pub fn check(&self) {
        assert_eq!(self.numbers(), self.shares.keys().copied().collect::<Vec<_>>());
        assert!(*self.public.key() == C::mul_base(&self.x));
        for share in self.shares.values() {
            share.check_belongs_to(&self.public).unwrap();
        }
        let shares: Vec<_> = self.shares.values().collect();
        for chosen in subsets(&shares, self.threshold()) {
            assert!(interpolated(&chosen) == self.x);
        }
        for chosen in subsets(&shares, self.threshold() - 1) {
            assert!(interpolated(&chosen) != self.x);
        }
    }
}

/// The value at zero of the polynomial through these shares.
pub fn interpolated<C: Curve>(shares: &[&SecretShare<Of<C>>]) -> C::Scalar {
    let ids: Vec<_> = shares.iter().map(|share| share.id()).collect();
    let values: Vec<_> = shares.iter().map(|share| *share.secret().expose()).collect();
    *lagrange::interpolate_at_zero::<C>(&ids, &values).unwrap().expose()
}

/// The subsets of this size.
pub fn subsets<T: Copy>(of: &[T], size: usize) -> Vec<Vec<T>> {
    match (of.split_first(), size) {
        (_, 0) => vec![vec![]],
        (None, _) => vec![],
        (Some((first, rest)), _) => {
            let with = subsets(rest, size - 1).into_iter().map(|mut one| {
                one.insert(0, *first);
                one
            });
            with.chain(subsets(rest, size)).collect()
        }
    }
}

pub fn copy<C: Curve>(share: &SecretShare<Of<C>>) -> SecretShare<Of<C>> {
    SecretShare::from_bytes(&share.to_bytes()).unwrap()
}
