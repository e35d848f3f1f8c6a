//! The machine with relations that are no figure's.

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::{Ciphertext, EncryptionKey, Level, Pedersen, Randomizer};
use quorate_zk::sigma::{ChallengeSet, CommitmentVar, Relation, Stages, Statement};
use quorate_zk::{Error, Group as _, NoPoints, Own, ProofFault, Prover, prove_many, verify};

use crate::support::*;

/// A multiplier, a ciphertext, a commitment and a point.
#[derive(Clone, Copy)]
struct Custom {
    figure: &'static str,
    level: Level,
    key: &'static EncryptionKey,
    image: &'static Ciphertext,
    scaled: Option<&'static Ciphertext>,
    setup: &'static Pedersen,
    /// The interval of the integers, and the slack of their masks.
    interval: (u32, u32),
    /// Which of two integers the ciphertext holds.
    second: bool,
    /// Which equation has a handle of another relation.
    foreign: Option<usize>,
    point: K1,
    base: K1,
}

type K1 = <K as Curve>::Point;

#[derive(Clone, Copy)]
struct Opened {
    first: Option<&'static SecretInteger>,
    second: Option<&'static SecretInteger>,
    unit: Option<&'static Randomizer>,
    scalar: Option<&'static <K as Curve>::Scalar>,
}

impl Statement<'static, K> for Custom {
    type Witness = Opened;

    fn relation(&self, witness: Option<Opened>) -> Relation<'static, K> {
        let mut b = Relation::build(self.figure, self.level, ChallengeSet::Scalars);
        let first = b.integer_with_slack("one", self.interval, witness.and_then(|w| w.first));
        let second = b.integer_with_slack("two", self.interval, witness.and_then(|w| w.second));
        let unit = b.unit("unit", self.key, witness.and_then(|w| w.unit));
        let scalar = b.scalar("scalar", witness.and_then(|w| w.scalar));
        // Handles of a relation with more components than this one.
        let mut other = Relation::<K>::build("other", self.level, ChallengeSet::Scalars);
        for _ in 0..9 {
            other.integer("one", 256, None);
            other.unit("unit", self.key, None);
            other.scalar("scalar", None);
            other.exponent("exponent", self.setup, None);
        }
        let x = other.integer("one", 256, None);
        let (rho, y) = (other.unit("unit", self.key, None), other.scalar("scalar", None));
        let (lambda, q) =
            (other.exponent("exponent", self.setup, None), other.commitment(self.setup, x, "q"));
        let is = |place| self.foreign == Some(place);
        let plain = if self.second { second } else { first };
        let map =
            b.paillier([self.image], if is(0) { x } else { plain }, if is(1) { rho } else { unit });
        if let Some(scaled) = self.scaled {
            map.scaled(scaled, if is(2) { x } else { first });
        }
        let own = b.commitment(self.setup, if is(3) { x } else { first }, "hiding");
        b.point([self.point], [(self.base, if is(4) { y } else { scalar }.into())]);
        if is(5) {
            b.minus_product("product", 512, [x, first]);
        }
        if is(6) {
            b.root(lambda);
        }
        if is(7) || is(8) || is(9) || is(10) {
            let q = if is(7) { q } else { own };
            let q = if is(10) { self.of_another_map() } else { q };
            let at = |place| if is(place) { x } else { first };
            b.product(q, at(8), at(9), keep(integer(5)));
        }
        b.finish()
    }
}

impl Custom {
    /// The handle of a commitment whose components are at the places of [`Custom`]'s own, but whose map is the first.
    fn of_another_map(&self) -> CommitmentVar {
        let mut b = Relation::<K>::build("other", self.level, ChallengeSet::Scalars);
        let first = b.integer("one", 256, None);
        b.integer("two", 256, None);
        b.unit("unit", self.key, None);
        b.scalar("scalar", None);
        b.commitment(self.setup, first, "hiding")
    }
}

/// A component inside a fold beside one that is outside, where both have to be alike, or outside.
#[derive(Clone, Copy)]
enum Mixed {
    /// Of `(1 + N)^y ρ^N`, the number alone is folded.
    Paillier,
    /// A number that is folded, times a ciphertext.
    Scaled,
    /// A product of numbers that are folded.
    Product,
    None,
}

impl Statement<'static, K> for Mixed {
    type Witness = ();

    fn relation(&self, _: Option<()>) -> Relation<'static, K> {
        let key = parties(FAST)[0].public();
        let (setup, image) = (parties(FAST)[1].setup(), encrypted(key));
        let mut b = Relation::fold("mixed", FAST, (Stages::Two, 1));
        let number = b.folded(|b| b.integer("y", 256, None));
        let unit = match self {
            Self::Paillier => b.unit("unit", key, None),
            _ => b.folded(|b| b.unit("unit", key, None)),
        };
        let alone = b.integer("x", 256, None);
        let map = b.paillier([image], number, unit);
        if let Self::Scaled = self {
            map.scaled(image, alone);
        }
        let q = b.commitment(setup, alone, "hiding");
        if let Self::Product = self {
            b.product(q, number, alone, keep(integer(5)));
        }
        b.finish()
    }
}

/// A folded component beside one that is not folded is refused by the relation alone, before a proof is read.
#[test]
fn components_outside_their_fold() {
    let out = |mixed: Mixed| {
        let zeros = vec![0; mixed.relation(None).proof_bytes()];
        verify::<K, _>(&engine(), &mixed, &zeros, context(), Own::default())
    };
    for mixed in [Mixed::Paillier, Mixed::Scaled, Mixed::Product] {
        assert_eq!(out(mixed), Err(ProofFault::Statement));
    }
    assert!(out(Mixed::None).is_err_and(|fault| fault != ProofFault::Statement));
}

/// The group of relations without points has one element, scalars of no bytes, and no challenge.
#[test]
fn the_group_without_points_has_one_element() {
    assert_eq!(NoPoints::scalar_bytes(), 0);
    assert_eq!(NoPoints::encode_scalar(&()), [0; 0]);
    assert_eq!([&[][..], &[0]].map(NoPoints::decode_scalar), [Some(()), None]);
    assert_eq!(NoPoints::encode_points(&[(), ()]), [[0; 0]; 2]);
    assert_eq!((NoPoints::challenge(&[0; 64]), NoPoints::challenge_exponent(&[])), (None, None));
}

fn custom() -> Custom {
    let key = parties(FAST)[0].public();
    Custom {
        figure: "custom",
        level: FAST,
        key,
        image: encrypted(key),
        scaled: None,
        setup: parties(FAST)[1].setup(),
        interval: (256, 512),
        second: false,
        foreign: None,
        point: K::generator(),
        base: K::generator(),
    }
}

fn opened() -> Opened {
    let key = parties(FAST)[0].public();
    Opened {
        first: Some(secret(&integer(1))),
        second: Some(secret(&integer(1))),
        unit: Some(randomizer(key, &mut rng(2))),
        scalar: Some(keep(1u64.into())),
    }
}

/// One, under a key.
fn encrypted(key: &'static EncryptionKey) -> &'static Ciphertext {
    encrypt(key, secret(&integer(1)), randomizer(key, &mut rng(2)))
}

fn begin(custom: &Custom, opened: Opened) -> Result<Prover<'static, K>, Error> {
    Prover::new(custom, opened, context(), parties(FAST)[0].own(), &mut rng(1))
}

#[test]
fn a_relation_of_no_figure() {
    let custom = custom();
    let proof = made::<K, _>(&custom, opened(), FAST, 1);
    assert_eq!(verdict::<K, _>(&custom, proof.as_bytes(), FAST), Ok(()));
}

/// A map whose values are under different keys. This is an error for its author, without a panic.
#[test]
fn numbers_that_do_not_belong_together() {
    let [prover, verifier, _] = parties(FAST);
    let theirs = encrypted(verifier.public());
    for mixed in [
        Custom { image: theirs, ..custom() },
        Custom { key: verifier.public(), ..custom() },
        Custom { scaled: Some(theirs), ..custom() },
    ] {
        assert_eq!(begin(&mixed, opened()).err(), Some(Error::Relation));
        let started = begin(&custom(), opened()).unwrap();
        assert_eq!(started.with_images(&mixed).err(), Some(Error::Relation));
        let zeros = vec![0; mixed.relation(None).proof_bytes()];
        for own in [Own::default(), prover.own(), verifier.own()] {
            let out = verify::<K, _>(&engine(), &mixed, &zeros, context(), own);
            assert_eq!(out, Err(ProofFault::Statement));
        }
    }
}

/// A handle of another relation, in each place that takes one.
#[test]
fn handles_of_other_relations() {
    let scaled = Some(encrypted(parties(FAST)[0].public()));
    assert!(begin(&Custom { scaled, ..custom() }, opened()).is_ok());
    for place in 0..11 {
        let foreign = Custom { foreign: Some(place), scaled, ..custom() };
        assert_eq!(begin(&foreign, opened()).err(), Some(Error::Relation), "{place}");
        let zeros = vec![0; foreign.relation(None).proof_bytes()];
        let out = verify::<K, _>(&engine(), &foreign, &zeros, context(), Own::default());
        assert_eq!(out, Err(ProofFault::Statement), "{place}");
    }
}

#[test]
fn witnesses_that_do_not_fit() {
    let custom = custom();
    let refused = |opened| begin(&custom, opened).err();
    assert_eq!(refused(opened()), None);
    assert_eq!(refused(Opened { first: None, ..opened() }), Some(Error::Witness("one")));
    assert_eq!(refused(Opened { second: None, ..opened() }), Some(Error::Witness("two")));
    assert_eq!(refused(Opened { unit: None, ..opened() }), Some(Error::Witness("unit")));
    assert_eq!(refused(Opened { scalar: None, ..opened() }), Some(Error::Witness("scalar")));
    let other = randomizer(parties(FAST)[1].public(), &mut rng(1));
    assert_eq!(refused(Opened { unit: Some(other), ..opened() }), Some(Error::Witness("unit")));
    let long = |bits| {
        let value = power(false, bits, 0);
        keep(SecretInteger::classify(&value, bits + 1).unwrap())
    };
    assert_eq!(refused(Opened { first: Some(long(255)), ..opened() }), None);
    let outside = Opened { first: Some(long(256)), ..opened() };
    assert_eq!(refused(outside), Some(Error::Range("one")));
}

/// Two figures, or two levels, of the same relation.
#[test]
fn figures_are_told_apart() {
    let proof = made::<K, _>(&custom(), opened(), FAST, 1);
    let (level, figure) = (Level::Bits128, "other");
    for other in [Custom { figure, ..custom() }, Custom { level, ..custom() }] {
        assert_eq!(verdict::<K, _>(&other, proof.as_bytes(), FAST), Err(ProofFault::Equation));
    }
}

/// With a mask that is too short for the challenge the response is out of its interval, and no proof comes out.
#[test]
fn responses_out_of_range() {
    let custom = Custom { interval: (256, 8), ..custom() };
    let first = Some(secret(&power(false, 254, 0)));
    let prover = begin(&custom, Opened { first, ..opened() }).unwrap();
    assert_eq!(prove_many(&engine(), vec![prover]).err(), Some(Error::Range("one")));
}

/// A proof that was begun keeps its masks: it may not be moved to a relation whose intervals or functions are others,
/// whatever its name says.
#[test]
fn a_proof_begun_stays_with_its_relation() {
    let begun = || begin(&custom(), opened()).unwrap();
    let image = encrypt(
        parties(FAST)[0].public(),
        secret(&integer(2)),
        randomizer(parties(FAST)[0].public(), &mut rng(3)),
    );
    assert!(
        begun().with_images(&Custom { image, point: K::mul_base(&2.into()), ..custom() }).is_ok()
    );
    for other in [
        Custom { interval: (256, 160), ..custom() },
        Custom { second: true, ..custom() },
        Custom { scaled: Some(image), ..custom() },
        Custom { setup: parties(FAST)[2].setup(), ..custom() },
        Custom { figure: "other", ..custom() },
        Custom { base: K::mul_base(&2.into()), ..custom() },
    ] {
        assert_eq!(begun().with_images(&other).err(), Some(Error::Relation));
    }
}
