//! The multiplications of each step of FROST: the steps that are timed, over a curve that counts.

use core::marker::PhantomData;

use quorate::frost::generic::Ciphersuite;
use quorate_frost::{KeySuite, PointBytes, ScalarBytes};
use quorate_testkit::counting::{Counting, Multiplications, counted};

use crate::{Fixture, Meter, Operation, Size};

/// The suite `S` over the counting curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted<S>(PhantomData<S>);

impl<S: Ciphersuite> KeySuite for Counted<S> {
    type Curve = Counting<S::Curve>;
    type Hash = S::Hash;

    const CONTEXT: &'static str = S::CONTEXT;
    const CODE: u8 = S::CODE;
    const EVEN_Y: bool = S::EVEN_Y;
}

impl<S: Ciphersuite> Ciphersuite for Counted<S> {
    type SignatureBytes = S::SignatureBytes;

    fn h2() -> Self::Hash {
        S::h2()
    }

    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> Self::SignatureBytes {
        S::encode_signature(r, z)
    }
}

/// Forgets what was counted when a step starts, unless its inputs count too.
struct FromStart {
    with_inputs: bool,
}

impl Meter for FromStart {
    fn start(&mut self) {
        if !self.with_inputs {
            counted(|| ());
        }
    }

    fn stop(&mut self) {}
}

/// The steps of FROST over the counting curve of a suite.
pub(super) fn fixture<S: Ciphersuite>(size: Size) -> Box<dyn Fixture> {
    crate::ours::fixture::<Counted<S>>(size)
}

/// The multiplications of one run of a step. Of a session that checks every share, those of its start count too.
pub(super) fn count(fixture: &dyn Fixture, step: Operation) -> Multiplications {
    let with_inputs = step == Operation::AggregateEachShare;
    let mut routine = fixture.routine(step);
    counted(|| routine.run(1, &mut FromStart { with_inputs })).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use quorate::frost::ed25519::Ed25519Sha512;

    fn all(size: Size) -> Vec<Box<dyn Fixture>> {
        macro_rules! each {
            ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
                vec![$(fixture::<$suite>(size)),*]
            };
        }
        quorate::for_each_frost_suite!(each)
    }

    fn times(fixed: u16, random: u16) -> Multiplications {
        Multiplications { fixed: fixed.into(), random: random.into(), ..Multiplications::default() }
    }

    fn cheaters(fixture: &dyn Fixture) -> [Multiplications; 2] {
        [Operation::AggregateOneBad, Operation::AggregateHalfBad].map(|step| count(fixture, step))
    }

    /// Every suite multiplies as often as is published, from the same steps. Dealing multiplies the generator 1 + t + n times,
    /// and round 1 twice. Round 2 multiplies the commitments of all signers. Aggregation takes one verification and those
    /// commitments; a check of every share adds one multiplication of the generator and two others for each signer.
    #[test]
    fn every_suite_multiplies_as_often_as_the_formulas_say() {
        for (t, n) in [(2, 3), (7, 10)] {
            for one in all(Size { t, n }) {
                for (step, expected) in [
                    (Operation::DealerKeygen, times(1 + t + n, 0)),
                    (Operation::Round1, times(2, 0)),
                    (Operation::Round2, times(0, t)),
                    (Operation::Aggregate, times(1, t + 1)),
                    (Operation::AggregateEachShare, times(1 + t, 3 * t + 1)),
                ] {
                    assert_eq!(count(&*one, step), expected, "{}", step.name());
                }
            }
        }
    }

    /// Up to 32 signers the search looks at a bad part of at most eight one by one, and at the halves of larger parts. For one
    /// cheater among many it multiplies the generator a quarter as often as published, in sums that cost less for each term.
    #[test]
    fn cheaters_are_searched_in_parts() {
        let many = fixture::<Ed25519Sha512>(Size { t: 67, n: 100 });
        assert_eq!(count(&*many, Operation::Aggregate), times(1, 68));
        assert_eq!(cheaters(&*many), [times(16, 429), times(71, 394)]);
        for few in all(Size { t: 7, n: 10 }) {
            assert_eq!(cheaters(&*few), [times(8, 22), times(8, 22)]);
        }
    }

    #[test]
    fn nothing_is_counted_twice_or_elsewhere() {
        use quorate_curve::{Curve as _, Ed25519};
        type Group = Counting<Ed25519>;
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
