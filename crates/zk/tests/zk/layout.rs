//! The parts of a proof, each at its edges.

use quorate_bignum::{Integer, Natural};
use quorate_curve::Curve;
use quorate_paillier::Level;
use quorate_testkit::fixtures;

use quorate_zk::sigma::{ChallengeSet, Form, Relation, Statement};
use quorate_zk::{Group, Own, ProofFault, ReceivedProof};

use crate::support::{K, P, context};

/// The content of a part.
enum What {
    Challenge(ChallengeSet),
    /// A unit made by the prover.
    Carried(Natural),
    /// A response in `±2^b` for this b.
    Integer(u32),
    Unit(Natural),
    Scalar,
    Exponent(Natural),
}

/// A part of a proof.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) start: usize,
    pub(crate) len: usize,
    what: What,
}

/// The parts of a proof; of the repetitions the first and the last.
pub(crate) fn fields<C: Group>(relation: &Relation<'_, C>) -> Vec<Field> {
    let layout = relation.layout();
    let of_challenge = |part: &quorate_zk::sigma::Part<'_>| match part.form {
        Form::Challenge(set) => Some(set),
        _ => None,
    };
    let repetitions = layout.iter().find_map(of_challenge).unwrap().repetitions();
    let head = layout
        .iter()
        .take_while(|part| matches!(part.form, Form::Challenge(_) | Form::Commitment(_)));
    let head = head.count();
    let of_one = (layout.len() - head) / repetitions;
    let mut out = Vec::new();
    let mut start = 0;
    for (index, part) in layout.into_iter().enumerate() {
        let modulus = |n: &quorate_bignum::Modulus| n.value().clone();
        let what = match part.form {
            Form::Challenge(set) => What::Challenge(set),
            Form::Commitment(setup) => What::Carried(modulus(setup.modulus())),
            Form::Integer { bits } => What::Integer(bits),
            Form::Unit(key) => What::Unit(modulus(key.modulus())),
            Form::Scalar => What::Scalar,
            Form::Exponent(setup) => What::Exponent(modulus(setup.modulus())),
        };
        if index < head + of_one || index >= head + (repetitions - 1) * of_one {
            out.push(Field { name: part.name, start, len: part.len, what });
        }
        start += part.len;
    }
    assert_eq!(start, relation.proof_bytes());
    out
}

/// A prime of this fixture modulus.
fn factor(modulus: &Natural) -> Natural {
    let primes = Level::ALL.into_iter().chain([Level::Toy]).flat_map(|level| {
        (0..fixtures::PARTIES).flat_map(move |i| {
            [fixtures::paillier_primes(level, i), fixtures::pedersen_primes(level, i)]
        })
    });
    let mut primes = primes.flatten().map(|p| Natural::from_be_bytes(&p.to_be_bytes()));
    primes.find(|p| modulus.div_rem(p).unwrap().1.is_zero()).unwrap()
}

impl Field {
    /// Contents, each with the fault that is found in it.
    fn edges<C: Group>(&self) -> Vec<(Vec<u8>, Result<(), ProofFault>)> {
        let name = self.name;
        let number = |value: &Natural| value.to_be_bytes(self.len).unwrap();
        let (zero, one, full) = (Natural::zero(), Natural::from(1), vec![0xff; self.len]);
        let below = |n: &Natural| n.checked_sub(&one).unwrap();
        let order = match <C as Group>::NAME {
            Some(name) if name == <P as Curve>::NAME => P::ORDER,
            _ => <K as Curve>::ORDER,
        };
        let limbs = order.iter().rev().flat_map(|limb| limb.to_be_bytes());
        let order = Natural::from_be_bytes(&limbs.collect::<Vec<u8>>());
        match &self.what {
            What::Challenge(ChallengeSet::Scalars) | What::Scalar => {
                let fault = Err(ProofFault::Encoding(name));
                vec![
                    (number(&zero), Ok(())),
                    (number(&below(&order)), Ok(())),
                    (number(&order), fault),
                    (full, fault),
                ]
            }
            What::Challenge(_) => vec![(number(&zero), Ok(())), (full, Ok(()))],
            What::Carried(n) | What::Unit(n) => {
                let fault = Err(ProofFault::Unit(name));
                let p = factor(n);
                let largest = n.checked_sub(&p).unwrap();
                vec![
                    (number(&one), Ok(())),
                    (number(&below(n)), Ok(())),
                    (number(&zero), fault),
                    (number(n), fault),
                    (number(&n.add(&one)), fault),
                    (full, fault),
                    (number(&p), fault),
                    (number(&largest), fault),
                ]
            }
            What::Exponent(n) => {
                let fault = Err(ProofFault::Range(name));
                vec![
                    (number(&zero), Ok(())),
                    (number(&below(n)), Ok(())),
                    (number(n), fault),
                    (full, fault),
                ]
            }
            What::Integer(bits) => self.integer(*bits),
        }
    }

    /// Returns whether this is a number below the part's modulus that has a factor in common with it.
    fn divides(&self, content: &[u8]) -> bool {
        let (What::Carried(n) | What::Unit(n)) = &self.what else { return false };
        let (p, value) = (factor(n), Natural::from_be_bytes(content));
        value < *n && !value.is_zero() && value.div_rem(&p).unwrap().1.is_zero()
    }

    /// The bound of an interval, and one past it, on both sides; other signs, and a negative zero.
    fn integer(&self, bits: u32) -> Vec<(Vec<u8>, Result<(), ProofFault>)> {
        let bound = Natural::power_of_two(bits - 1);
        let past = bound.add(&Natural::from(1));
        let bytes = |negative, magnitude: &Natural| {
            Integer::new(negative, magnitude.clone()).to_be_bytes(self.len - 1).unwrap()
        };
        let signed =
            |sign: u8| [vec![sign], vec![0; self.len - 2], vec![u8::from(sign > 1)]].concat();
        let (range, encoding) =
            (Err(ProofFault::Range(self.name)), Err(ProofFault::Encoding(self.name)));
        vec![
            (bytes(false, &bound), Ok(())),
            (bytes(true, &bound), Ok(())),
            (bytes(false, &past), range),
            (bytes(true, &past), range),
            (signed(0), Ok(())),
            (signed(1), encoding),
            (signed(2), encoding),
            (signed(0xff), encoding),
        ]
    }
}

/// Checks every part of a proof at its limits: the contents that are accepted as well-formed, before any
/// equation.
pub(crate) fn edges<C: Group, S: Statement<'static, C>>(
    statement: &S,
    proof: &[u8],
    own: Own<'static>,
) {
    for field in fields::<C>(&statement.relation(None)) {
        for (index, (content, expected)) in field.edges::<C>().into_iter().enumerate() {
            let mut bytes = proof.to_vec();
            bytes[field.start..][..field.len].copy_from_slice(&content);
            let claim = ReceivedProof::<C>::new(statement, &bytes, context(), own);
            // A common factor alone is not seen at once.
            if !field.divides(&content) {
                assert_eq!(claim.as_ref().map(|_| ()).map_err(|fault| *fault), expected);
            }
            let out = claim.and_then(ReceivedProof::check).map(|_| ());
            assert_eq!(out, expected, "{}, {index}", field.name);
        }
    }
    let claim =
        |bytes: &[u8]| ReceivedProof::<C>::new(statement, bytes, context(), own).map(|_| ());
    for length in [0, 1, proof.len() / 2, proof.len() - 1] {
        assert_eq!(claim(&proof[..length]), Err(ProofFault::Length));
    }
    assert_eq!(claim(&[proof, &[0]].concat()), Err(ProofFault::Length));
    assert_eq!(claim(&[proof, proof].concat()), Err(ProofFault::Length));
    assert!(claim(&vec![0xff; proof.len()]).is_err());
}
