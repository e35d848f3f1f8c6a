//! Two parties, their keys, and the code that the tests of all figures share.

use std::sync::OnceLock;

use chacha20::ChaCha20Rng;
use quorate_bignum::{Engine, Integer, Natural, SecretInteger};
use quorate_curve::{Curve, random_nonzero_scalar};
use quorate_paillier::{
    Ciphertext, DecryptionKey, EncryptionKey, Level, Pedersen, PedersenTrapdoor, Randomizer,
};
use quorate_session::{PartyId, SessionId};
use quorate_testkit::fixtures;
pub(crate) use quorate_testkit::rng_of as rng;
use quorate_zk::sigma::{ChallengeSet, Form, Part, Statement};
use quorate_zk::{
    Group, Own, Proof, ProofContext, ProofFault, ReceivedProof, prove, verify, verify_many,
};

use crate::layout::{edges, fields};

pub(crate) type K = quorate_curve::Secp256k1;
pub(crate) type P = quorate_curve::P256;
pub(crate) const FAST: Level = Level::Bits112;
/// For many proofs, where no bound of a real level is in question.
pub(crate) const TOY: Level = Level::Toy;

pub(crate) struct Party {
    pub(crate) key: DecryptionKey,
    pub(crate) trapdoor: PedersenTrapdoor,
}

impl Party {
    pub(crate) fn public(&self) -> &EncryptionKey {
        self.key.encryption_key()
    }

    pub(crate) fn setup(&self) -> &Pedersen {
        self.trapdoor.pedersen()
    }

    pub(crate) fn own(&'static self) -> Own<'static> {
        Own::new(&self.key, &self.trapdoor)
    }
}

pub(crate) fn engine() -> Engine {
    Engine::detect()
}

/// The parties of a level: the prover, the verifier and a third one.
pub(crate) fn parties(level: Level) -> &'static [Party; 3] {
    static FAST_ONES: OnceLock<[Party; 3]> = OnceLock::new();
    static FULL_ONES: OnceLock<[Party; 3]> = OnceLock::new();
    static TOY_ONES: OnceLock<[Party; 3]> = OnceLock::new();
    let all = match level {
        FAST => &FAST_ONES,
        TOY => &TOY_ONES,
        _ => &FULL_ONES,
    };
    all.get_or_init(|| {
        core::array::from_fn(|i| Party {
            key: fixtures::decryption_key(&engine(), level, i).unwrap(),
            trapdoor: fixtures::pedersen_trapdoor(&engine(), level, i, &mut rng(i as u64)).unwrap(),
        })
    })
}

pub(crate) fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// Session 7, from party 1 to party 2.
pub(crate) fn context() -> ProofContext<'static> {
    ProofContext::new(SessionId::new([7; 32]), party(1), b"presign k").to(party(2))
}

/// Lives as long as the test.
pub(crate) fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

pub(crate) fn integer(value: i64) -> Integer {
    Integer::new(value < 0, Natural::from(value.unsigned_abs()))
}

/// `±2^power + more`.
pub(crate) fn power(negative: bool, power: u32, more: i64) -> Integer {
    Integer::new(negative, Natural::power_of_two(power)).add(&integer(more))
}

pub(crate) fn secret(value: &Integer) -> &'static SecretInteger {
    keep(SecretInteger::classify(value, value.magnitude().bits().max(1)).unwrap())
}

pub(crate) fn scalar<C: Curve>(rng: &mut ChaCha20Rng) -> &'static C::Scalar {
    keep(random_nonzero_scalar::<C>(rng).unwrap())
}

pub(crate) fn randomizer(key: &EncryptionKey, rng: &mut ChaCha20Rng) -> &'static Randomizer {
    keep(Randomizer::random(rng, key).unwrap())
}

pub(crate) fn encrypt(
    key: &EncryptionKey,
    m: &SecretInteger,
    r: &Randomizer,
) -> &'static Ciphertext {
    keep(key.encrypt_many(&engine(), &[(m, r)]).unwrap().remove(0))
}

/// `x·C ⊕ enc(y; ρ)`.
pub(crate) fn affine(
    c: &Ciphertext,
    x: &SecretInteger,
    y: &SecretInteger,
    r: &Randomizer,
) -> &'static Ciphertext {
    let key = c.key();
    let plain = key.plaintext(y);
    let product = key.affine(x, c, &plain, r).unwrap();
    let value = engine().evaluate(&[product]).remove(0).unwrap();
    keep(key.publish(&value).unwrap())
}

/// Proves as party 1.
pub(crate) fn made<C: Group, S: Statement<'static, C>>(
    statement: &S,
    witness: S::Witness,
    level: Level,
    seed: u64,
) -> Proof {
    let own = parties(level)[0].own();
    prove::<C, S>(&engine(), statement, witness, context(), own, &mut rng(seed)).unwrap()
}

/// Verifies as party 2.
pub(crate) fn verdict<C: Group, S: Statement<'static, C>>(
    statement: &S,
    proof: &[u8],
    level: Level,
) -> Result<(), ProofFault> {
    verify::<C, S>(&engine(), statement, proof, context(), parties(level)[1].own())
}

/// A proof of a figure, and the verifier for which it was made.
pub(crate) struct Case<'p, S> {
    pub(crate) statement: S,
    pub(crate) proof: &'p [u8],
    /// The verifier's secrets: everything is tried with it and without.
    pub(crate) own: Own<'static>,
}

impl<S> Case<'_, S> {
    /// The verdicts on many proofs, each in its context, in one list.
    pub(crate) fn verdicts<C: Group>(
        &self,
        proofs: &[(Vec<u8>, ProofContext<'static>)],
        own: Own<'static>,
    ) -> Vec<Result<(), ProofFault>>
    where
        S: Statement<'static, C>,
    {
        let claim = |(bytes, context): &(Vec<u8>, _)| {
            ReceivedProof::<C>::new(&self.statement, bytes, *context, own)
        };
        verify_many(&engine(), proofs.iter().map(claim).collect())
    }

    /// Whatever is altered, the proof is refused: each part of it alone, its length, zeros, other contexts. It is
    /// accepted as it is, by an outsider as well as by the verifier. Of many repetitions the equations take their time:
    /// there the outsider sees the proof as it is only, and contexts are fewer.
    pub(crate) fn holds<C: Group>(&self)
    where
        S: Statement<'static, C>,
    {
        let good = self.proof;
        let relation = self.statement.relation(None);
        let fields = fields::<C>(&relation);
        let bits = |part: &Part<'_>| matches!(part.form, Form::Challenge(ChallengeSet::Bits));
        let slow = relation.layout().iter().any(bits);
        let mut tried = vec![(good.to_vec(), context())];
        for field in &fields {
            let mut bytes = good.to_vec();
            bytes[field.start + field.len - 1] ^= 1;
            tried.push((bytes, context()));
        }
        let contexts = elsewhere().into_iter().take(if slow { 2 } else { usize::MAX });
        tried.extend(contexts.map(|context| (good.to_vec(), context)));
        let by_outsider = if slow { &tried[..1] } else { &tried };
        for (own, tried) in [(self.own, &tried[..]), (Own::default(), by_outsider)] {
            let verdicts = self.verdicts::<C>(tried, own);
            assert_eq!(verdicts[0], Ok(()));
            for (index, verdict) in verdicts.iter().enumerate().skip(1) {
                let name = fields.get(index - 1).map_or("context", |field| field.name);
                assert!(verdict.is_err(), "{name}, {index}");
            }
            assert!(
                verdicts.iter().skip(1 + fields.len()).all(|v| *v == Err(ProofFault::Equation))
            );
        }
        edges::<C, S>(&self.statement, good, self.own);
    }
}

/// Contexts that differ from the right one in one place.
pub(crate) fn elsewhere() -> [ProofContext<'static>; 7] {
    let here = context();
    [
        ProofContext { session: SessionId::new([8; 32]), ..here },
        ProofContext { prover: party(2), ..here },
        ProofContext { prover: party(2), verifier: Some(party(1)), ..here },
        ProofContext { verifier: Some(party(3)), ..here },
        ProofContext { verifier: None, ..here },
        ProofContext { instance: b"presign gamma", ..here },
        ProofContext { instance: b"", ..here },
    ]
}

/// A short figure's proof: see [`Case::holds`].
pub(crate) fn hostile<C: Group, S: Statement<'static, C> + Copy>(
    statement: &S,
    proof: &Proof,
    level: Level,
) {
    let own = parties(level)[1].own();
    Case { statement: *statement, proof: proof.as_bytes(), own }.holds::<C>();
}

/// Checks that the proof proves none of these statements.
pub(crate) fn altered<C: Group, S: Statement<'static, C>>(
    statements: &[S],
    proof: &Proof,
    level: Level,
) {
    for (index, statement) in statements.iter().enumerate() {
        assert!(verdict::<C, S>(statement, proof.as_bytes(), level).is_err(), "statement {index}");
    }
}
