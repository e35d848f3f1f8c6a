//! The search for cheaters against the equation of each share by itself, with errors that were chosen for the search.

use chacha20::ChaCha20Rng;
use quorate_curve::{Curve, Ed448, Ed25519, Secp256k1};
use quorate_session::{Parties, PartyId};
use quorate_testkit::{Lcg, rng_of};

use super::*;
use crate::dealer::{Dealing, DealtShare};
use crate::key::KeyShare;
use crate::nonces::{Commitments, Nonces};
use crate::toy::{Toy, ToyPoint, ToySuite};

const MESSAGE: &[u8] = b"message";

/// A package, and the shares of its signers.
type Signed<S> = (SigningPackage<S>, Vec<SignatureShare<S>>);

/// A key of many parties, and numbers from a seed.
struct Bench<C: Curve, const H: u8, const EVEN: bool> {
    public: PublicKeyPackage<ToySuite<C, H, EVEN>>,
    shares: Vec<KeyShare<ToySuite<C, H, EVEN>>>,
    rng: ChaCha20Rng,
    lcg: Lcg,
}

/// Outcomes of the cases.
#[derive(Default)]
struct Tally {
    signed: usize,
    named: usize,
    /// Cases in which no share is wrong by itself and there is still no signature.
    nobody: usize,
}

impl<C: Curve, const H: u8, const EVEN: bool> Bench<C, H, EVEN> {
    fn new(parties: u16) -> Self {
        let mut rng = rng_of(u64::from(H) + u64::from(parties));
        let all = Parties::numbered(parties).unwrap();
        let Dealing { shares, public } = Dealing::new(2, &all, &mut rng).unwrap();
        let accept = |share: DealtShare<_>| share.accept(2, &public).unwrap();
        let shares = shares.into_iter().map(accept).collect();
        Self { public, shares, rng, lcg: Lcg(7) }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.lcg.below(bound)
    }

    /// The package of some parties with their honest shares. Only the parties of `low` have points of low order
    /// in their commitments.
    fn sign(&mut self, signers: &[usize], low: &[usize]) -> Signed<ToySuite<C, H, EVEN>> {
        let (mut nonces, mut sent) = (Vec::new(), Vec::new());
        for at in signers {
            let (mut secret, mut public) = self.shares[*at].commit(&mut self.rng);
            if low.contains(at) {
                public = self.lowered(&public);
                secret = Nonces { commitments: public, ..secret };
            }
            nonces.push(secret);
            sent.push(public);
        }
        let package = SigningPackage::new(&self.public, sent, MESSAGE).unwrap();
        let sign = |(at, nonces): (&usize, _)| self.shares[*at].sign(&package, nonces).unwrap();
        let shares = signers.iter().zip(nonces).map(sign).collect();
        (package, shares)
    }

    fn lowered(
        &mut self,
        one: &Commitments<ToySuite<C, H, EVEN>>,
    ) -> Commitments<ToySuite<C, H, EVEN>> {
        let [d, e] = [one.hiding, one.binding].map(|point| {
            let low = u8::try_from(self.lcg.below(usize::from(H))).unwrap();
            Toy::<C, H>::encode_point(&(point + ToyPoint::low(low)))
        });
        Commitments::from_parts(one.id, one.package, &d, &e).unwrap()
    }

    /// Errors of one kind that a cheat would try, one for each of this number of signers.
    fn errors(&mut self, signers: usize) -> Vec<C::Scalar> {
        let mut errors = vec![C::Scalar::default(); signers];
        let by = C::Scalar::from(1 + (self.lcg.number() >> 54));
        let [one, two, three] = [(); 3].map(|()| self.below(signers));
        let [first, second] =
            [(); 2].map(|()| Toy::<C, H>::batch_coefficient_vartime(&mut self.rng, 3 * signers));
        let mut add = |at: usize, error| errors[at] = errors[at] + error;
        match self.lcg.below(9) {
            // One, two that cancel, three that do.
            0 => add(one, by),
            1 => [(one, by), (two, -by)].map(|(at, error)| add(at, error)).into_iter().collect(),
            2 => [(one, by), (two, by), (three, -(by + by))]
                .map(|(at, error)| add(at, error))
                .into_iter()
                .collect(),
            // Two that cancel, and one that does not.
            3 => [(one, by), (two, -by), (three, by * by)]
                .map(|(at, error)| add(at, error))
                .into_iter()
                .collect(),
            // Multiples of one error, up and down, in every share.
            4 => (0..signers).for_each(|at| add(at, by * u64::try_from(at).unwrap().into())),
            5 => (0..signers).for_each(|at| add(at, if at.is_multiple_of(2) { by } else { -by })),
            // Errors that would cancel under the coefficients of a generator that does not hash the shares.
            6 => [(one, by * second), (two, -by * first)]
                .map(|(at, error)| add(at, error))
                .into_iter()
                .collect(),
            7 => {}
            // All but one.
            _ => (0..signers).filter(|at| *at != one).for_each(|at| add(at, by)),
        }
        errors
    }

    /// One case: the search names exactly the parties that the equation of each share names.
    fn case(
        &mut self,
        (package, honest): &Signed<ToySuite<C, H, EVEN>>,
        (signers, low): (&[usize], &[usize]),
        tally: &mut Tally,
    ) {
        let errors = self.errors(signers.len());
        let wrong = |(share, error): (&SignatureShare<_>, &C::Scalar)| SignatureShare {
            z: share.z + *error,
            ..*share
        };
        let shares: Vec<SignatureShare<_>> = honest.iter().zip(&errors).map(wrong).collect();
        let aggregator = self.public.aggregator();
        let context = SigningContext::new(package, &self.public.key).unwrap();
        let verify =
            |share: &SignatureShare<_>| aggregator.verify_one(package, &context, share.id, share.z);
        let bad = |share: &&SignatureShare<_>| match verify(share) {
            Ok(()) => false,
            Err(AggregateError::Cheaters(named)) => named == [share.id],
            Err(other) => panic!("{other:?}"),
        };
        let alone: Vec<PartyId> = shares.iter().filter(bad).map(|share| share.id).collect();
        let honest_party = |at: usize| errors[at] == 0.into() && !low.contains(&signers[at]);
        for at in (0..signers.len()).filter(|at| honest_party(*at)) {
            assert!(!alone.contains(&shares[at].id), "an honest share fails by itself");
        }
        let result = self.public.aggregate(package, &shares);
        let signed = result.is_ok();
        match result {
            Ok(signature) => {
                tally.signed += 1;
                self.public.verifying_key().verify(MESSAGE, &signature).unwrap();
            }
            Err(AggregateError::Cheaters(named)) => {
                tally.named += 1;
                tally.nobody += usize::from(alone.is_empty());
                assert!(named.iter().all(|one| alone.contains(one)), "{named:?}, {alone:?}");
                assert!(named.is_empty() == alone.is_empty(), "{named:?}, {alone:?}");
                // Sums of many may swallow points of low order; without those they swallow nothing.
                if low.is_empty() || signers.len() <= 8 {
                    assert_eq!(named, alone);
                }
            }
            Err(other) => panic!("{other:?}"),
        }
        // Without points of low order, the sum of the errors decides.
        if low.is_empty() {
            let sum = errors.iter().fold(C::Scalar::default(), |sum, error| sum + *error);
            assert_eq!(signed, sum == 0.into());
            let wrong: Vec<_> = (0..signers.len()).filter(|at| errors[*at] != 0.into()).collect();
            assert!(alone.iter().copied().eq(wrong.iter().map(|at| shares[*at].id)));
        }
    }

    /// Some of the parties, ascending, at least `least` and at most `most`.
    fn some(&mut self, least: usize, most: usize) -> Vec<usize> {
        let count = least + self.below(most - least + 1);
        let mut all: Vec<usize> = (0..self.shares.len()).collect();
        while all.len() > count {
            let at = self.below(all.len());
            all.remove(at);
        }
        all
    }

    /// Cases with a number of signers in the range. One or two of them may commit to points of low order.
    fn cases(&mut self, count: usize, (least, most): (usize, usize), low: bool) -> Tally {
        let mut tally = Tally::default();
        for _ in 0..count >> 2 {
            let signers = self.some(least, most);
            let low: Vec<usize> = if low {
                let two = [(); 2].map(|()| signers[self.lcg.below(signers.len())]);
                two[..1 + self.below(2)].to_vec()
            } else {
                Vec::new()
            };
            let signed = self.sign(&signers, &low);
            (0..4).for_each(|_| self.case(&signed, (&signers, &low), &mut tally));
        }
        tally
    }
}

/// 3200 cases, with even keys and commitments too, whose signs change.
#[test]
fn errors_that_cancel_or_are_multiples_name_whom_each_share_names() {
    let mut all = [
        Bench::<Ed25519, 1, false>::new(8).cases(1200, (2, 8), false),
        Bench::<Ed448, 1, false>::new(8).cases(800, (2, 8), false),
        Bench::<Secp256k1, 1, true>::new(8).cases(1200, (2, 8), false),
    ];
    assert!(all.iter_mut().all(|tally| tally.signed > 100 && tally.named > 400));
}

/// 120 cases that are searched in blocks and halves.
#[test]
fn errors_among_many_signers_name_whom_each_share_names() {
    let mut bench = Bench::<Secp256k1, 1, true>::new(70);
    let halves = bench.cases(80, (9, 32), false);
    let blocks = bench.cases(40, (33, 70), false);
    assert!(halves.named > 40 && blocks.named > 20);
}

/// 2000 cases with points that the decoder of every real curve refuses. An honest signer is never named. If any
/// share fails by itself, somebody is.
#[test]
fn commitments_with_points_of_low_order_get_no_honest_signer_named() {
    let all = [
        Bench::<Ed25519, 8, false>::new(8).cases(1000, (2, 8), true),
        Bench::<Ed448, 4, false>::new(8).cases(800, (2, 8), true),
        Bench::<Ed25519, 8, false>::new(40).cases(200, (9, 40), true),
    ];
    assert!(all.iter().all(|tally| tally.named > 100));
    assert!(all.iter().any(|tally| tally.nobody > 0));
}
