//! Proofs with marked witnesses, made and verified.

use quorate_bignum::Engine;
use quorate_curve::{Curve, Secp256k1 as C};
use quorate_paillier::{DecryptionKey, Randomizer};
use quorate_session::{PartyId, SessionId};
use quorate_zk::sigma::Statement;
use quorate_zk::{
    Hiding, Own, ProofContext, centred, pi_aff_g, pi_aff_g_folded, pi_elog, pi_elog_folded,
    pi_enc_elg, pi_enc_elg_folded, pi_sch, prove, verify,
};

use super::paillier::{integer, key, setup};
use super::{Case, Run};
use crate::memory::{hide, show_value};
use crate::random::{self, Secrets};

pub(super) const ALL: &[Case] =
    &[("Πsch, Πelog", logarithms), ("Πenc-elg", encryption), ("Πaff-g", affine)];

type Scalar = <C as Curve>::Scalar;
type Point = <C as Curve>::Point;

fn context() -> ProofContext<'static> {
    let [me, you] = [1, 2].map(|number| PartyId::new(number).expect("not zero"));
    ProofContext::new(SessionId::new([1; 32]), me, b"watched").to(you)
}

fn scalar(seed: u8) -> Scalar {
    let scalar = quorate_curve::random_scalar::<C>(&mut random::public(seed));
    let encoded = C::encode_scalar(&scalar);
    hide(encoded.as_ref());
    C::decode_scalar(encoded.as_ref()).expect("below the order")
}

/// A point that is sent: public.
fn sent(mut point: Point) -> Point {
    show_value(&mut point);
    point
}

/// Proves with marked masks and verifies with the verifier's secrets.
fn check<'a, S: Statement<'a, C>>(
    engine: &Engine,
    statement: &S,
    witness: S::Witness,
    mine: Own<'a>,
    yours: Own<'a>,
) {
    let rng = &mut Secrets::new(60);
    let proof = prove(engine, statement, witness, context(), mine, rng).expect("a proof");
    verify(engine, statement, proof.as_bytes(), context(), yours).expect("an honest proof");
}

fn logarithms(Run { engine, .. }: &Run) {
    let (nobody, [x, y, lambda, h]) = (Own::default(), [61, 62, 63, 64].map(scalar));
    let statement = pi_sch::Statement::<C> { x: sent(C::mul_base(&x)) };
    check(engine, &statement, pi_sch::Witness { x: &x }, nobody, nobody);
    let (base, h) = (sent(C::mul_base(&x)), sent(C::mul_base(&h)));
    let statement = pi_elog::Statement::<C> {
        l: sent(C::mul_base(&lambda)),
        m: sent(C::mul_base(&y) + C::mul(&base, &lambda)),
        x: base,
        y: sent(C::mul(&h, &y)),
        h,
    };
    let witness = pi_elog::Witness { y: &y, lambda: &lambda };
    check(engine, &statement, witness, nobody, nobody);
    let pi_elog::Statement { l, m, x, y, h } = statement;
    let items = [pi_elog_folded::Item { l, m, y }; 2];
    let statement = pi_elog_folded::Statement::<C> { x, h, items: &items };
    check(engine, &statement, &[witness; 2], nobody, nobody);
}

fn encryption(run @ Run { engine, .. }: &Run) {
    let (prover, verifier) = (key(run, 0), setup(run, 1));
    let tables = verifier.pedersen().clone().with_tables(engine, 50_000).expect("room enough");
    let [k, a, b] = [65, 66, 67].map(scalar);
    let x = centred::<C>(&k);
    let rho = randomizer(&prover, 68);
    let ciphertext = prover.encrypt_many(engine, &[(&x, &rho)]).expect("its key").remove(0);
    let base = sent(C::mul_base(&a));
    let statement = pi_enc_elg::Statement::<C> {
        setup: &tables,
        ciphertext: &ciphertext,
        a: base,
        b: sent(C::mul_base(&b)),
        x: sent(C::mul(&base, &b) + C::mul_base(&k)),
    };
    let witness = pi_enc_elg::Witness { x: &x, rho: &rho, b: &b };
    let (mine, yours) =
        (Own { key: Some(&prover), setup: None }, Own { key: None, setup: Some(&verifier) });
    check(engine, &statement, witness, mine, yours);
    let pi_enc_elg::Statement { ciphertext, b: left, x: right, .. } = statement;
    let items = [pi_enc_elg_folded::Item { ciphertext, b: left, x: right }; 2];
    let mu = Hiding::draw(&mut Secrets::new(75), &tables);
    let witness = [pi_enc_elg_folded::Witness { x: &x, rho: &rho, b: &b, mu: &mu }; 2];
    let (setup, key) = (&tables, prover.encryption_key());
    let statement = pi_enc_elg_folded::Statement::<C> { setup, key, a: base, items: &items };
    check(engine, &statement, &witness, mine, yours);
}

fn affine(run @ Run { engine, .. }: &Run) {
    let (prover, verifier, its_setup) = (key(run, 0), key(run, 1), setup(run, 1));
    let tables = its_setup.pedersen().clone().with_tables(engine, 50_000).expect("room enough");
    let (theirs, mine) = (verifier.encryption_key(), prover.encryption_key());
    let [k, gamma] = [69, 70].map(scalar);
    let (x, (_, beta)) = (centred::<C>(&gamma), integer(71, true, 160));
    let r = randomizer(&verifier, 72);
    let c = verifier.encrypt_many(engine, &[(&centred::<C>(&k), &r)]).expect("its key").remove(0);
    let (rho, rho_y) = (randomizer(&verifier, 73), randomizer(&prover, 74));
    let (plain, plain_y) = (theirs.plaintext(&beta), mine.plaintext(&beta));
    let products = [
        theirs.affine(&x, &c, &plain, &rho).expect("one key"),
        prover.encryption(&plain_y, &rho_y).expect("one key"),
    ];
    let mut values = engine.evaluate(&products).into_iter().map(|value| value.expect("a value"));
    let mut next = |key: &quorate_paillier::EncryptionKey| {
        key.publish(&values.next().expect("two")).expect("a unit")
    };
    let (d, y) = (next(theirs), next(mine));
    let statement = pi_aff_g::Statement::<C> {
        setup: &tables,
        c: &c,
        d: &d,
        y: &y,
        x: sent(C::mul_base(&gamma)),
    };
    let witness = pi_aff_g::Witness { x: &x, y: &beta, rho: &rho, rho_y: &rho_y };
    let (own, yours) = (Own { key: Some(&prover), setup: None }, Own::new(&verifier, &its_setup));
    check(engine, &statement, witness, own, yours);
    // The same number and product in both places of two presignatures.
    let mu = Hiding::draw(&mut Secrets::new(76), &tables);
    let s = mu.commit(engine, &tables, &x).expect("an engine that works");
    let (setup, point) = (&tables, statement.x);
    let items = [pi_aff_g_folded::Item { k: &c, d: [&d; 2], f: [&y; 2], s: &s, gamma: point }; 2];
    let statement =
        pi_aff_g_folded::Statement::<C> { setup, theirs, ours: mine, x: point, items: &items };
    let masks = [pi_aff_g_folded::Mask { y: &beta, rho: &rho, rho_y: &rho_y }; 2];
    let opened = [pi_aff_g_folded::ItemWitness { gamma: &x, mu: &mu, masks }; 2];
    let witness = pi_aff_g_folded::Witness { x: &x, items: &opened };
    check(engine, &statement, witness, own, yours);
}

fn randomizer(key: &DecryptionKey, seed: u8) -> Randomizer {
    Randomizer::random(&mut Secrets::new(seed), key.encryption_key()).expect("a unit")
}
