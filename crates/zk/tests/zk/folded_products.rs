//! Πaff-g of both products of many presignatures at once: honest provers, every part, every other statement.

use quorate_bignum::{Natural, SecretInteger};
use quorate_curve::Curve;
use quorate_paillier::{Ciphertext, Level};
use quorate_zk::pi_aff_g_folded::{Item, ItemWitness, Mask, Statement, Witness, proof_bytes};
use quorate_zk::sigma::{MAX_BATCH, Statement as _};
use quorate_zk::testing::{Cheat, prove_cheating};
use quorate_zk::{
    Error, Hiding, Own, ProofFault, Prover, ReceivedProof, centred, prove_many, verify_many,
};

use crate::folded::plus;
use crate::support::*;

/// The products of a run with one verifier, to be altered one by one.
#[derive(Clone)]
pub(crate) struct Case<C: Curve> {
    pub(crate) level: Level,
    pub(crate) point: C::Point,
    pub(crate) x: &'static SecretInteger,
    pub(crate) items: Vec<Item<'static, C>>,
    pub(crate) witness: Vec<ItemWitness<'static>>,
}

impl<C: Curve> Case<C> {
    pub(crate) fn new(level: Level, count: usize, seed: u64) -> Self {
        let rng = &mut rng(seed);
        let share = scalar::<C>(rng);
        let x = keep(centred::<C>(share));
        let mut case =
            Self { level, point: C::mul_base(share), x, items: Vec::new(), witness: Vec::new() };
        for m in 0..count {
            let [prover, verifier, _] = parties(level);
            let secret_gamma = scalar::<C>(rng);
            let gamma = keep(centred::<C>(secret_gamma));
            let mu = keep(Hiding::draw(rng, verifier.setup()));
            let mask = |negative| {
                let y = secret(&power(negative, level.ell_prime() - 2, m as i64));
                let (rho, rho_y) =
                    (randomizer(verifier.public(), rng), randomizer(prover.public(), rng));
                Mask { y, rho, rho_y }
            };
            let masks = [false, true].map(mask);
            let k = encrypt(
                verifier.public(),
                &centred::<C>(scalar::<C>(rng)),
                randomizer(verifier.public(), rng),
            );
            let [d, hat] = [gamma, x];
            case.items.push(Item {
                k,
                d: [
                    affine(k, d, masks[0].y, masks[0].rho),
                    affine(k, hat, masks[1].y, masks[1].rho),
                ],
                f: masks.map(|mask| encrypt(prover.public(), mask.y, mask.rho_y)),
                s: keep(mu.commit(&engine(), verifier.setup(), gamma).unwrap()),
                gamma: C::mul_base(secret_gamma),
            });
            case.witness.push(ItemWitness { gamma, mu, masks });
        }
        case
    }

    pub(crate) fn statement(&self) -> Statement<'static, C> {
        let [prover, verifier, _] = parties(self.level);
        Statement {
            setup: verifier.setup(),
            theirs: verifier.public(),
            ours: prover.public(),
            x: self.point,
            items: keep(self.items.clone()),
        }
    }

    pub(crate) fn opened(&self) -> Witness<'static> {
        Witness { x: self.x, items: keep(self.witness.clone()) }
    }

    pub(crate) fn prove(&self, seed: u64) -> Vec<u8> {
        made::<C, _>(&self.statement(), self.opened(), self.level, seed).into_bytes()
    }

    pub(crate) fn cheat(&self, cheat: &Cheat, seed: u64) -> Result<Vec<u8>, Error> {
        let both = (context(), parties(self.level)[0].own());
        let (statement, witness) = (self.statement(), self.opened());
        let proof =
            prove_cheating::<C, _>(&engine(), &statement, witness, both, cheat, &mut rng(seed))?;
        Ok(proof.into_bytes())
    }

    /// The verdict of the verifier, which is that of an outsider.
    pub(crate) fn verdict(&self, proof: &[u8]) -> Result<(), ProofFault> {
        let statement = self.statement();
        let claim = |own| ReceivedProof::<C>::new(&statement, proof, context(), own);
        let both = [parties(self.level)[1].own(), Own::default()].map(claim);
        let verdicts = verify_many(&engine(), both.into());
        assert_eq!(verdicts[0], verdicts[1]);
        verdicts[0]
    }
}

#[test]
fn accepts() {
    for (level, count) in [(FAST, 1), (FAST, 3), (TOY, 2), (TOY, 32), (TOY, 33)] {
        let case = Case::<K>::new(level, count, 1);
        let proof = case.prove(2);
        assert_eq!(proof.len(), proof_bytes(level, count));
        assert_eq!(case.verdict(&proof), Ok(()), "{count}");
    }
    assert_eq!([1, 32].map(|count| proof_bytes(Level::Bits128, count)), [3814, 45_540]);
    let case = Case::<P>::new(Level::Bits128, 2, 1);
    assert_eq!(case.verdict(&case.prove(2)), Ok(()));
}

/// Every part at its edges, every other context.
#[test]
fn refuses() {
    let case = Case::<K>::new(TOY, 3, 1);
    let own = parties(TOY)[1].own();
    let statement = case.statement();
    crate::support::Case { statement, proof: &case.prove(2), own }.holds::<K>();
}

/// The proof of one statement does not prove another: each value is exchanged at each place, in other orders, and
/// with other numbers.
#[test]
fn other_statements() {
    let case = Case::<K>::new(TOY, 3, 1);
    let proof = case.prove(2);
    let one = integer(1);
    let more = |c: &Ciphertext| plus(c, &one);
    let double = |s: &Natural| keep(parties(TOY)[1].setup().modulus().mul(s, s)) as &_;
    for m in 0..3 {
        let altered = |alter: &dyn Fn(&mut Item<'static, K>)| {
            let mut other = case.clone();
            alter(&mut other.items[m]);
            other.verdict(&proof)
        };
        for which in [0, 1] {
            assert_eq!(
                altered(&|one| one.d[which] = more(one.d[which])),
                Err(ProofFault::Equation)
            );
            assert_eq!(
                altered(&|one| one.f[which] = more(one.f[which])),
                Err(ProofFault::Equation)
            );
        }
        assert_eq!(altered(&|one| one.d.swap(0, 1)), Err(ProofFault::Equation));
        assert_eq!(altered(&|one| one.k = more(one.k)), Err(ProofFault::Equation));
        assert_eq!(altered(&|one| one.s = double(one.s)), Err(ProofFault::Equation));
        assert_eq!(
            altered(&|one| one.gamma = one.gamma + K::generator()),
            Err(ProofFault::Equation)
        );
        // Values that no honest caller passes.
        assert_eq!(
            altered(&|one| one.s = keep(Natural::zero())),
            Err(ProofFault::Unit("a commitment"))
        );
        assert_eq!(altered(&|one| one.d[0] = one.f[0]), Err(ProofFault::Statement));
        assert_eq!(altered(&|one| one.k = one.f[0]), Err(ProofFault::Statement));
        let mut other = case.clone();
        other.items.swap(m, (m + 1) % 3);
        assert_eq!(other.verdict(&proof), Err(ProofFault::Equation));
    }
    let other = Case { point: case.point + K::generator(), ..case.clone() };
    assert_eq!(other.verdict(&proof), Err(ProofFault::Equation));
    let other = Case { point: K::identity(), ..case.clone() };
    assert_eq!(other.verdict(&proof), Err(ProofFault::Identity));
    for count in [0, 1, 2, 4, MAX_BATCH + 1] {
        let items = case.items.iter().copied().cycle().take(count).collect();
        let fault = if (1..=MAX_BATCH).contains(&count) {
            ProofFault::Length
        } else {
            ProofFault::Statement
        };
        assert_eq!(Case { items, ..case.clone() }.verdict(&proof), Err(fault), "{count}");
    }
}

/// A proof begun before its products exist, as a round does it, and one that is moved to other functions.
#[test]
fn begun_before_its_products() {
    let case = Case::<K>::new(TOY, 3, 1);
    let mut stand_in = case.clone();
    for item in &mut stand_in.items {
        let mine = encrypt(parties(TOY)[0].public(), case.x, case.witness[0].masks[0].rho_y);
        (item.d, item.f) = ([item.k; 2], [mine; 2]);
    }
    let own = parties(TOY)[0].own();
    let begin = || {
        let statement = stand_in.statement();
        Prover::<K>::new(&statement, case.opened(), context(), own, &mut rng(2)).unwrap()
    };
    let begun = begin().with_images(&case.statement()).unwrap();
    let proof = prove_many(&engine(), vec![begun]).unwrap().remove(0);
    assert_eq!(proof.as_bytes(), case.prove(2));
    let mut other = case.clone();
    other.items[1].k = other.items[0].k;
    assert_eq!(begin().with_images(&other.statement()).err(), Some(Error::Relation));
    let fewer = Case { items: case.items[..2].to_vec(), ..case.clone() };
    assert_eq!(begin().with_images(&fewer.statement()).err(), Some(Error::Relation));
}

/// A witness for another number of presignatures, or one that is too long.
#[test]
fn witnesses() {
    let case = Case::<K>::new(TOY, 2, 1);
    let refused = |alter: &dyn Fn(&mut Case<K>)| {
        let mut other = case.clone();
        alter(&mut other);
        let own = parties(TOY)[0].own();
        Prover::<K>::new(&other.statement(), other.opened(), context(), own, &mut rng(1)).err()
    };
    assert_eq!(refused(&|_| {}), None);
    assert_eq!(refused(&|one| one.witness.truncate(1)), Some(Error::Witness("zy")));
    assert_eq!(refused(&|one| one.witness.push(one.witness[0])), Some(Error::Witness("zy")));
    let long = secret(&power(false, 257, 0));
    assert_eq!(refused(&|one| one.x = long), Some(Error::Range("zx")));
    assert_eq!(refused(&|one| one.witness[1].gamma = long), Some(Error::Range("z")));
    assert_eq!(refused(&|one| one.witness[1].masks[1].y = long), Some(Error::Range("zy")));
    let theirs = case.witness[0].masks[0].rho;
    assert_eq!(refused(&|one| one.witness[0].masks[0].rho_y = theirs), Some(Error::Witness("w_y")));
    assert_eq!(case.statement().relation(None).proof_bytes(), proof_bytes(TOY, 2));
}
