//! The multiplications of each step of FROST.

use quorate::frost::generic::{AggregateError, Coordinator, SignatureShare, SigningPackage};
use quorate::frost::generic::{Ciphersuite, Dealing, DealtShare, KeyShare, PublicKeyPackage};
use quorate::{Parties, PartyId};

use crate::report::count::{Counted, Multiplications, counted};
use crate::{MESSAGE, Size, generator, half_bad, one_bad};

/// The multiplications of one key generation and one signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The dealer's.
    pub dealing: Multiplications,
    /// Of a signer.
    pub round1: Multiplications,
    /// Of a signer.
    pub round2: Multiplications,
    /// Of the coordinator, from the package: the sum is verified.
    pub aggregate: Multiplications,
    /// Of a coordinator that kept its session and checks every share, then the sum.
    pub every_share: Multiplications,
    /// As `aggregate`, where the middle share is wrong and its signer is named.
    pub one_bad: Multiplications,
    /// As `aggregate`, where every other share is wrong and all are named.
    pub half_bad: Multiplications,
}

/// A package with the shares of its signers.
struct Signed<S: Ciphersuite> {
    public: PublicKeyPackage<S>,
    package: SigningPackage<S>,
    shares: Vec<SignatureShare<S>>,
}

impl<S: Ciphersuite> Signed<S> {
    fn aggregate(&self) -> Multiplications {
        let (signature, count) = counted(|| self.public.aggregate(&self.package, &self.shares));
        signature.expect("valid shares");
        count
    }

    fn every_share(&self) -> Multiplications {
        let coordinator = Coordinator::new(self.public.clone());
        let id = |share: &SignatureShare<S>| -> PartyId { share.id() };
        let sent = self.shares.iter().map(|share| {
            let commitments = self.package.commitments_of(id(share)).expect("a signer");
            (id(share), commitments.to_bytes())
        });
        let sent: Vec<_> = sent.collect();
        let ((), count) = counted(|| {
            let mut session = coordinator.start(sent, MESSAGE).expect("valid commitments");
            for share in &self.shares {
                session.receive(id(share), &share.to_bytes()).expect("a signer's first share");
                coordinator.verify_share(&session, id(share)).expect("a valid share");
            }
            coordinator.finish(session).expect("valid shares");
        });
        count
    }

    fn bad(&self, places: &[usize]) -> Multiplications {
        let mut shares = self.shares.clone();
        for &place in places {
            let (id, neighbour) = (shares[place].id(), self.shares[place - 1].scalar());
            shares[place] = SignatureShare::from_parts(id, &self.package, neighbour.as_ref())
                .expect("a scalar");
        }
        let (result, count) = counted(|| self.public.aggregate(&self.package, &shares));
        match result {
            Err(AggregateError::Cheaters(found)) => assert_eq!(found.len(), places.len()),
            _ => panic!("the wrong shares went unnoticed"),
        }
        count
    }
}

/// Counts one run of all steps with the suite `S`.
#[must_use]
pub fn counts<S: Ciphersuite>(size: Size) -> Counts {
    let parties = Parties::numbered(size.n).expect("a valid size");
    let mut rng = generator(9);
    let (dealing, dealing_count) =
        counted(|| Dealing::<Counted<S>>::new(size.t, &parties, &mut rng).expect("a valid size"));
    let public = dealing.public;
    let accept = |share: DealtShare<Counted<S>>| share.accept(size.t, &public).expect("honest");
    let signers: Vec<KeyShare<Counted<S>>> =
        dealing.shares.into_iter().take(size.t.into()).map(accept).collect();
    let mut round1 = Multiplications::default();
    let (mut nonces, mut commitments) = (Vec::new(), Vec::new());
    for signer in &signers {
        let ((secret, public), count) = counted(|| signer.commit(&mut rng));
        round1 = count;
        nonces.push(secret);
        commitments.push(public);
    }
    let package =
        SigningPackage::new(&public, commitments, MESSAGE).expect("valid commitments").to_bytes();
    let package = SigningPackage::from_bytes(&package).expect("valid bytes");
    let mut round2 = Multiplications::default();
    let sign = |(signer, nonces): (&KeyShare<_>, _)| {
        let (share, count) = counted(|| signer.sign(&package, nonces).expect("a signer"));
        round2 = count;
        share
    };
    let shares = signers.iter().zip(nonces).map(sign).collect();
    let signed = Signed { public, package, shares };
    Counts {
        dealing: dealing_count,
        round1,
        round2,
        aggregate: signed.aggregate(),
        every_share: signed.every_share(),
        one_bad: signed.bad(&one_bad(size)),
        half_bad: signed.bad(&half_bad(size)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(size: Size) -> Vec<Counts> {
        macro_rules! each {
            ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
                vec![$(counts::<$suite>(size)),*]
            };
        }
        quorate::for_each_frost_suite!(each)
    }

    fn times(fixed: u16, random: u16) -> Multiplications {
        Multiplications { fixed: fixed.into(), random: random.into(), ..Multiplications::default() }
    }

    /// Every suite multiplies as often as is published, from the same steps: dealing 1 + t + n times the generator, round 1
    /// twice, round 2 the commitments of all signers, aggregation one verification and those commitments; who checks every
    /// share once and twice as often again for each signer.
    #[test]
    fn every_suite_multiplies_as_often_as_the_formulas_say() {
        for (t, n) in [(2, 3), (7, 10)] {
            for one in all(Size { t, n }) {
                assert_eq!(one.dealing, times(1 + t + n, 0));
                assert_eq!(one.round1, times(2, 0));
                assert_eq!(one.round2, times(0, t));
                assert_eq!(one.aggregate, times(1, t + 1));
                assert_eq!(one.every_share, times(1 + t, 3 * t + 1));
            }
        }
    }

    /// Up to 32 signers the search looks at a bad part of at most eight one by one, and in larger ones at halves: for one
    /// cheater among many that is four times as few of the generator as published, in sums that cost less for each term.
    #[test]
    fn cheaters_are_searched_in_parts() {
        let many = counts::<quorate::frost::ed25519::Ed25519Sha512>(Size { t: 67, n: 100 });
        assert_eq!(many.aggregate, times(1, 68));
        assert_eq!((many.one_bad, many.half_bad), (times(16, 429), times(71, 394)));
        for few in all(Size { t: 7, n: 10 }) {
            assert_eq!((few.one_bad, few.half_bad), (times(8, 22), times(8, 22)));
        }
    }

    #[test]
    fn nothing_is_counted_twice_or_elsewhere() {
        use quorate_curve::{Curve as _, Ed25519};
        type Group = crate::report::count::Counting<Ed25519>;
        let (two, g) = (2u64.into(), Ed25519::generator());
        let other = Ed25519::double(&g);
        let ((), count) = counted(|| {
            Group::mul_base(&two);
            Group::mul(&other, &two);
            Group::msm_vartime(&[two, two, two], &[g, other]);
            Group::mul_base_many(&[two, two]);
            Group::mul_small_vartime(&other, 3);
            Group::mul_sixteen(&[other; 16], &two);
            Ed25519::mul_base(&two);
        });
        assert_eq!(count, Multiplications { fixed: 4, random: 18, alone: 1, small: 1 });
    }
}
