//! After any random sequence of resharings, refreshes, repairs, derivations, backups restored, exports and imports, on
//! random committees: any t of the members sign for the group key; any t − 1, or any mix of epochs, do not.

use std::collections::BTreeMap;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::Rng;
use quorate::frost::generic::keys::single_point_of_failure::{export, import};
use quorate::frost::generic::keys::{Backup, BackupKey, KeyTypes, SharedKey};
use quorate::frost::generic::{
    Ciphersuite, Committee, Frost, KeyShare, PackageError, PublicKeyPackage, Repair, RepairParams,
    RepairPlan, Repaired, Reshare, ReshareParams, ResharePlan, Scalar, SecretShare, SigningPackage,
};
use quorate::session::sim::Network;
use quorate::{Parties, PartyId, SessionId};
use quorate_testkit::lockstep::id;

struct Life<S: Ciphersuite> {
    public: PublicKeyPackage<S>,
    shares: BTreeMap<PartyId, KeyShare<S>>,
    /// The package and the shares before, with the same key, where some still have them.
    before: Option<(PublicKeyPackage<S>, BTreeMap<PartyId, KeyShare<S>>)>,
}

fn below(rng: &mut ChaCha20Rng, bound: usize) -> usize {
    usize::try_from(rng.next_u32()).unwrap() % bound
}

/// A random selection of `size` of these, in their order.
fn some(rng: &mut ChaCha20Rng, of: &[PartyId], size: usize) -> Vec<PartyId> {
    let mut left = of.to_vec();
    while left.len() > size {
        left.remove(below(rng, left.len()));
    }
    left
}

fn parties(ids: &[PartyId]) -> Parties {
    Parties::new(ids.iter().copied()).unwrap()
}

/// A committee of two to four out of the first six.
fn committee(rng: &mut ChaCha20Rng) -> Committee {
    let all: Vec<PartyId> = (1..=6).map(id).collect();
    let n = 2 + below(rng, 3);
    let members = some(rng, &all, n);
    let t = u16::try_from(2 + below(rng, n - 1)).unwrap();
    Committee::new(parties(&members), t).unwrap()
}

fn share<S: Ciphersuite>(
    share: SecretShare<Frost<S>>,
    shared: &SharedKey<Frost<S>>,
) -> KeyShare<S> {
    Frost::<S>::key_share(share, shared)
}

/// A key dealt by the holder of this secret.
fn dealt<S: Ciphersuite>(key: Scalar<S>, rng: &mut ChaCha20Rng) -> Life<S> {
    let key = quorate_curve::Secret::new(key);
    let made = import::<Frost<S>>(key, committee(rng), (), rng).unwrap();
    let keep = |one: SecretShare<Frost<S>>| (one.id(), share(one, &made.public));
    let shares = made.shares.into_iter().map(keep).collect();
    Life { public: Frost::<S>::public(made.public), shares, before: None }
}

impl<S: Ciphersuite> Life<S> {
    fn members(&self) -> Vec<PartyId> {
        self.public.parties().iter().collect()
    }

    fn step(&mut self, rng: &mut ChaCha20Rng) {
        let (members, t) = (self.members(), usize::from(self.public.threshold()));
        match below(rng, 7) {
            0 | 1 => self.reshare(rng, None),
            2 => self.reshare(rng, Some(self.public.shared().committee().clone())),
            3 if t < members.len() => self.repair(rng),
            4 => self.restore(rng),
            5 => self.derive(rng),
            _ => *self = dealt(self.exported(rng), rng),
        }
    }

    fn reshare(&mut self, rng: &mut ChaCha20Rng, to: Option<Committee>) {
        let (members, t) = (self.members(), usize::from(self.public.threshold()));
        let size = t + below(rng, members.len() - t + 1);
        let dealers = parties(&some(rng, &members, size));
        let to = to.unwrap_or_else(|| committee(rng));
        let plan = ResharePlan::new(self.public.shared(), dealers, to).unwrap();
        let part = |me: PartyId| match plan.dealers().contains(me) {
            true => ReshareParams::dealer(&plan, self.shares[&me].secret_share()).unwrap(),
            false => ReshareParams::member(&plan, me).unwrap(),
        };
        let sid = SessionId::new([rng.next_u32().to_be_bytes()[0]; 32]);
        let report = Network::new(1).run::<Reshare<S>>(sid, &plan.parties(), part).unwrap();
        let ended: Vec<_> =
            report.results.into_iter().map(|(party, one)| (party, one.unwrap())).collect();
        let public = ended[0].1.public.clone();
        assert_eq!(public.verifying_key(), self.public.verifying_key());
        let shares = ended.into_iter().filter_map(|(party, one)| Some((party, one.share?)));
        let old = core::mem::replace(&mut self.shares, shares.collect());
        self.before = Some((core::mem::replace(&mut self.public, public), old));
    }

    fn repair(&mut self, rng: &mut ChaCha20Rng) {
        let members = self.members();
        let target = members[below(rng, members.len())];
        let others: Vec<_> = members.into_iter().filter(|one| *one != target).collect();
        let helpers = parties(&some(rng, &others, usize::from(self.public.threshold())));
        let plan = RepairPlan::new(self.public.shared(), helpers, target).unwrap();
        let part = |me: PartyId| match me == target {
            true => RepairParams::target(&plan),
            false => RepairParams::helper(&plan, self.shares[&me].secret_share()).unwrap(),
        };
        let sid = SessionId::new([8; 32]);
        let mut report = Network::new(1).run::<Repair<S>>(sid, &plan.parties(), part).unwrap();
        let Ok(Repaired::Share(share)) = report.results.remove(&target).unwrap() else {
            panic!("no share")
        };
        self.shares.insert(target, share);
    }

    /// One share is lost, and comes back from its backup.
    fn restore(&mut self, rng: &mut ChaCha20Rng) {
        let members = self.members();
        let party = members[below(rng, members.len())];
        let offline = BackupKey::<Frost<S>>::generate(rng).unwrap();
        let (shared, lost) = (self.public.shared(), self.shares[&party].secret_share());
        let backup = Backup::seal(lost, shared, offline.recipient(), b"", rng).unwrap();
        let restored = share(offline.restore(&backup, shared).unwrap(), shared);
        self.shares.insert(party, restored);
    }

    /// From here on the key is its own child.
    fn derive(&mut self, rng: &mut ChaCha20Rng) {
        let tweak = quorate_curve::random_nonzero_scalar::<S::Curve>(rng).unwrap();
        let shifted = self.public.shared().shift::<Frost<S>>(&tweak, ()).unwrap();
        let child = |(party, one): (&PartyId, &KeyShare<S>)| {
            (*party, share(one.secret_share().shift(&shifted).unwrap(), shifted.key()))
        };
        self.shares = self.shares.iter().map(child).collect();
        self.public = Frost::<S>::public(shifted.into_key());
        self.before = None;
    }

    fn exported(&self, rng: &mut ChaCha20Rng) -> Scalar<S> {
        let members = some(rng, &self.members(), usize::from(self.public.threshold()));
        let stored = members.iter().map(|party| self.shares[party].secret_share().to_bytes());
        let shares: Vec<_> =
            stored.map(|bytes| SecretShare::<Frost<S>>::from_bytes(&bytes).unwrap()).collect();
        *export(self.public.shared(), &shares).unwrap().expose()
    }

    fn sign<'a>(
        &self,
        signers: impl Iterator<Item = &'a KeyShare<S>>,
        rng: &mut ChaCha20Rng,
    ) -> Result<(), PackageError> {
        let (shares, pairs): (Vec<_>, Vec<_>) =
            signers.map(|share| (share, share.commit(rng))).unzip();
        let (nonces, sent): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let package = SigningPackage::new(&self.public, sent, b"message")?;
        let signed = shares.iter().zip(nonces).map(|(one, nonces)| one.sign(&package, nonces));
        let signed: Vec<_> = signed.collect::<Result<_, _>>().unwrap();
        let signature = self.public.aggregate(&package, &signed).unwrap();
        self.public.verifying_key().verify(b"message", &signature).unwrap();
        Ok(())
    }

    /// Checks every set of t and of t − 1 members, and every set of t or more parties in which some, but not all, bring
    /// the share of the epoch before.
    fn check_all(&self, rng: &mut ChaCha20Rng) {
        let (members, t) = (self.members(), usize::from(self.public.threshold()));
        let of = |some: &[PartyId]| some.iter().map(|one| &self.shares[one]).collect::<Vec<_>>();
        for signers in subsets(&members, t) {
            assert_eq!(self.sign(of(&signers).into_iter(), rng), Ok(()));
        }
        for few in subsets(&members, t - 1) {
            let refused = self.sign(of(&few).into_iter(), rng);
            assert!(matches!(refused, Err(PackageError::TooFewSigners { .. })), "{refused:?}");
        }
        let Some((old, olds)) = &self.before else { return };
        let former: Vec<_> = old.parties().iter().collect();
        let most = t.max(usize::from(old.threshold()));
        for late in (1..former.len()).flat_map(|size| subsets(&former, size)) {
            let others: Vec<_> =
                members.iter().copied().filter(|one| !late.contains(one)).collect();
            for size in 1..=others.len() {
                if late.len() + size < t || late.len() + size > most + 1 {
                    continue;
                }
                for new in subsets(&others, size) {
                    let brought = late.iter().map(|one| &olds[one]);
                    let mixed = || of(&new).into_iter().chain(brought.clone());
                    // Neither package takes them.
                    assert!(self.sign(mixed(), rng).is_err());
                    let before =
                        Self { public: old.clone(), shares: BTreeMap::new(), before: None };
                    assert!(before.sign(mixed(), rng).is_err());
                }
            }
        }
    }

    fn check(&self, rng: &mut ChaCha20Rng) {
        let (members, t) = (self.members(), usize::from(self.public.threshold()));
        let signers = some(rng, &members, t);
        let of =
            |signers: &[PartyId]| signers.iter().map(|one| &self.shares[one]).collect::<Vec<_>>();
        assert_eq!(self.sign(of(&signers).into_iter(), rng), Ok(()));
        let few = self.sign(of(&signers[1..]).into_iter(), rng);
        assert!(matches!(few, Err(PackageError::TooFewSigners { .. })), "{few:?}");
        let Some((old, olds)) = &self.before else { return };
        // One of the signers, or a party that is no longer a member, comes with its share of the epoch before.
        let strange: Vec<_> = old.parties().iter().collect();
        let late = strange[below(rng, strange.len())];
        let rest = signers.iter().filter(|one| **one != late).map(|one| &self.shares[one]);
        let mixed = self.sign(rest.chain([&olds[&late]]), rng);
        assert!(mixed.is_err(), "{mixed:?}");
        // The scalars are of no use either: a share of the epoch before is refused under the new package.
        assert!(
            olds.values()
                .all(|share| share.secret_share().check_belongs_to(self.public.shared()).is_err())
        );
    }
}

/// The subsets of this size.
fn subsets(of: &[PartyId], size: usize) -> Vec<Vec<PartyId>> {
    match (of.split_first(), size) {
        (_, 0) => vec![vec![]],
        (None, _) => vec![],
        (Some((first, rest)), _) => {
            let with =
                subsets(rest, size - 1).into_iter().map(|some| [vec![*first], some].concat());
            with.chain(subsets(rest, size)).collect()
        }
    }
}

pub(crate) fn any_t_sign_and_nobody_else<S: Ciphersuite>() {
    for seed in 0..4 {
        let mut rng = quorate_testkit::rng(100 + seed);
        let key = quorate_curve::random_nonzero_scalar::<S::Curve>(&mut rng).unwrap();
        let mut life = dealt::<S>(key, &mut rng);
        for _ in 0..7 {
            life.step(&mut rng);
            life.check(&mut rng);
        }
        life.check_all(&mut rng);
    }
}
