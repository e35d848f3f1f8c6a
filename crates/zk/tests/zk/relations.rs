//! Relations that contradict themselves: an error for whoever wrote them, and no panic.

use quorate_bignum::Integer;
use quorate_curve::Curve;
use quorate_paillier::Level;
use quorate_zk::sigma::{ChallengeSet, Component, Kind, Map, Part, Relation, Scaled, Statement};
use quorate_zk::{Error, Fault, Own, Prover, prove_many, verify};

use crate::support::*;

/// A relation made by a function, with any parts as its witness.
struct Custom {
    figure: &'static str,
    level: Level,
    kinds: Vec<Kind<'static>>,
    maps: fn() -> Vec<Map<'static, K>>,
}

impl Statement<'static, K> for Custom {
    type Witness = Vec<Part<'static, K>>;

    fn relation(&self) -> Relation<'static, K> {
        let component = |kind: &Kind<'static>| Component { name: "part", kind: *kind };
        Relation {
            figure: self.figure,
            level: self.level,
            challenge: ChallengeSet::Scalars,
            components: self.kinds.iter().map(component).collect(),
            maps: (self.maps)(),
        }
    }

    fn parts(&self, witness: Self::Witness) -> Vec<Part<'static, K>> {
        witness
    }
}

/// An integer, a unit of the prover, a scalar, an integer.
fn kinds() -> Vec<Kind<'static>> {
    let integer = Kind::Integer { bits: 256, slack: 512 };
    vec![integer, Kind::Unit(parties(FAST)[0].public()), Kind::Scalar, integer]
}

fn parts() -> Vec<Part<'static, K>> {
    let one = secret(&integer(1));
    let unit = randomizer(parties(FAST)[0].public(), &mut rng(1));
    vec![Part::Integer(one), Part::Unit(unit), Part::Scalar(keep(7u64.into())), Part::Fresh]
}

/// Responses that are in range: zeros, and units that are one.
fn neutral(relation: &Relation<'_, K>) -> Vec<u8> {
    let mut out = vec![0; 32];
    let one = |len: usize| [vec![0; len - 1], vec![1]].concat();
    for map in &relation.maps {
        if let Map::Commitment { setup, .. } = map {
            out.extend(one(setup.level().modulus_bytes()));
        }
    }
    for component in &relation.components {
        out.extend(match component.kind {
            Kind::Integer { bits, slack } => vec![0; 1 + (bits + slack).div_ceil(8) as usize],
            Kind::Unit(key) => one(key.level().modulus_bytes()),
            Kind::Scalar => vec![0; 32],
            Kind::Exponent(setup) => vec![0; setup.level().modulus_bytes()],
        });
    }
    out
}

fn of_prover() -> &'static quorate_paillier::Ciphertext {
    let key = parties(FAST)[0].public();
    encrypt(key, secret(&integer(1)), randomizer(key, &mut rng(2)))
}

fn of_verifier() -> &'static quorate_paillier::Ciphertext {
    let key = parties(FAST)[1].public();
    encrypt(key, secret(&integer(1)), randomizer(key, &mut rng(2)))
}

fn paillier(plain: usize, randomizer: usize, scaled: Option<usize>) -> Map<'static, K> {
    let scaled = scaled.map(|by| Scaled { ciphertext: of_prover(), by, negated: false });
    Map::Paillier { image: of_prover(), plain, randomizer, scaled }
}

fn commitment(x: usize, mu: usize) -> Map<'static, K> {
    Map::Commitment { setup: parties(FAST)[1].setup(), x, mu }
}

fn product(commitment: usize, x: usize, mu: usize) -> Map<'static, K> {
    let value: &'static Integer = keep(integer(5));
    Map::Product { setup: parties(FAST)[1].setup(), commitment, x, mu, value }
}

fn point(index: usize) -> Map<'static, K> {
    Map::Point { terms: vec![(K::generator(), index)], image: K::generator() }
}

/// Maps that refer to what is not there or is of another kind.
fn contradictions() -> Vec<fn() -> Vec<Map<'static, K>>> {
    vec![
        || vec![paillier(1, 1, None)],
        || vec![paillier(2, 1, None)],
        || vec![paillier(9, 1, None)],
        || vec![paillier(0, 0, None)],
        || vec![paillier(0, 9, None)],
        || vec![paillier(0, 1, Some(2))],
        || {
            let scaled = Some(Scaled { ciphertext: of_verifier(), by: 0, negated: false });
            vec![Map::Paillier { image: of_prover(), plain: 0, randomizer: 1, scaled }]
        },
        || {
            let scaled = Some(Scaled { ciphertext: of_prover(), by: 0, negated: false });
            vec![Map::Paillier { image: of_verifier(), plain: 0, randomizer: 1, scaled }]
        },
        || vec![commitment(1, 3)],
        || vec![commitment(0, 2)],
        || vec![product(0, 0, 3)],
        || vec![commitment(0, 3), product(1, 0, 3)],
        || vec![commitment(0, 3), product(7, 0, 3)],
        || vec![commitment(0, 3), point(0), product(1, 0, 3)],
        || {
            let setup = parties(FAST)[0].setup();
            vec![Map::Commitment { setup, x: 0, mu: 3 }, product(0, 0, 3)]
        },
        || vec![commitment(0, 3), product(0, 0, 1)],
        || vec![point(1)],
        || vec![point(9)],
        || vec![Map::Root { setup: parties(FAST)[0].setup(), x: 1 }],
    ]
}

#[test]
fn contradictions_are_errors() {
    for (index, maps) in contradictions().into_iter().enumerate() {
        let custom = Custom { figure: "custom", level: FAST, kinds: kinds(), maps };
        let own = parties(FAST)[0].own();
        let begun = Prover::new(&custom, parts(), context(), own, &mut rng(1));
        let out = begun.and_then(|prover| prover.products().map(|_| ()));
        assert!(out.is_err(), "{index}");
        let bytes = neutral(&custom.relation());
        for own in [Own::default(), parties(FAST)[0].own(), parties(FAST)[1].own()] {
            let out = verify::<K, _>(&engine(), &custom, &bytes, context(), own);
            assert_eq!(out, Err(Fault::Statement), "{index}");
        }
    }
}

#[test]
fn wrong_parts() {
    let maps: fn() -> Vec<Map<'static, K>> =
        || vec![paillier(0, 1, None), commitment(0, 3), point(2)];
    let custom = Custom { figure: "custom", level: FAST, kinds: kinds(), maps };
    let begin = |parts: Vec<Part<'static, K>>| {
        Prover::new(&custom, parts, context(), Own::default(), &mut rng(1)).err()
    };
    assert_eq!(begin(parts()), None);
    let mut short = parts();
    short.pop();
    assert_eq!(begin(short), Some(Error::Relation));
    let with = |at: usize, part: Part<'static, K>| {
        let mut parts = parts();
        parts[at] = part;
        begin(parts)
    };
    let other = randomizer(parties(FAST)[1].public(), &mut rng(1));
    let witness = Some(Error::Witness("part"));
    assert_eq!(with(0, Part::Scalar(keep(1u64.into()))), witness);
    assert_eq!(with(1, Part::Unit(other)), witness);
    assert_eq!(with(1, Part::Fresh), witness);
    assert_eq!(with(2, Part::Fresh), witness);
    assert_eq!(with(2, Part::Trapdoor(&parties(FAST)[0].trapdoor)), witness);
    assert_eq!(with(3, Part::Made(keep_integer(256, 0))), Some(Error::Range("part")));
    assert_eq!(with(3, Part::Made(keep_integer(255, 0))), None);
    // Only what stands before a product can be in it.
    assert_eq!(with(3, Part::MinusProduct(0, 0)), None);
    assert_eq!(with(3, Part::MinusProduct(0, 3)), Some(Error::Relation));
    assert_eq!(with(3, Part::MinusProduct(1, 0)), Some(Error::Relation));
}

fn keep_integer(bits: u32, more: i64) -> quorate_bignum::SecretInteger {
    let value = power(false, bits, more);
    quorate_bignum::SecretInteger::classify(&value, bits + 1).unwrap()
}

/// Two figures, or two levels, of the same relation.
#[test]
fn figures_are_told_apart() {
    let with = |figure, level| Custom {
        figure,
        level,
        kinds: vec![Kind::Scalar],
        maps: || vec![point(0)],
    };
    let of = |figure| with(figure, FAST);
    let parts = vec![Part::Scalar(keep(1u64.into()))];
    let proof = made::<K, _>(&of("one"), parts, FAST, 1);
    assert_eq!(verdict::<K, _>(&of("one"), proof.as_bytes(), FAST), Ok(()));
    for other in [of("other"), with("one", Level::Bits128)] {
        assert_eq!(verdict::<K, _>(&other, proof.as_bytes(), FAST), Err(Fault::Equation));
    }
}

/// With a mask that is too short for the challenge the response is out of its interval, and no proof comes out.
#[test]
fn responses_out_of_range() {
    let kinds = vec![Kind::Integer { bits: 256, slack: 8 }];
    let custom = Custom { figure: "custom", level: FAST, kinds, maps: || vec![point(0)] };
    let parts = vec![Part::Integer(secret(&power(false, 254, 0)))];
    let prover = Prover::new(&custom, parts, context(), Own::default(), &mut rng(1)).unwrap();
    assert_eq!(prove_many(&engine(), vec![prover]).err(), Some(Error::Range("part")));
}

/// A proof that was begun keeps its masks: it may not be moved to a relation whose intervals or functions are others,
/// whatever its name says.
#[test]
fn a_proof_begun_stays_with_its_relation() {
    let maps: fn() -> Vec<Map<'static, K>> =
        || vec![paillier(0, 1, None), commitment(0, 3), point(2)];
    let custom = |kinds, maps| Custom { figure: "custom", level: FAST, kinds, maps };
    let begin = || {
        let own = parties(FAST)[0].own();
        Prover::new(&custom(kinds(), maps), parts(), context(), own, &mut rng(1)).unwrap()
    };
    assert!(begin().about(&custom(kinds(), maps)).is_ok());
    let mut narrow = kinds();
    narrow[0] = Kind::Integer { bits: 256, slack: 160 };
    let others: [fn() -> Vec<Map<'static, K>>; 3] = [
        || vec![paillier(3, 1, None), commitment(0, 3), point(2)],
        || vec![paillier(0, 1, None), commitment(3, 0), point(2)],
        || vec![paillier(0, 1, None), commitment(0, 3), point(0)],
    ];
    let others = others.map(|maps| custom(kinds(), maps));
    for other in others.iter().chain([&custom(narrow, maps)]) {
        assert_eq!(begin().about(other).err(), Some(Error::Relation));
    }
}
