//! Folded proofs of k presignatures for one verifier beside k times the single ones, at 3072 bits over secp256k1:
//! `cargo bench --bench folded`. CPU time of one thread; the two are timed in turn, so compare them and nothing else.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark stops at the first surprise"
)]

use chacha20::ChaCha20Rng;
use quorate_benches::{Meter, Stopwatch, median};
use quorate_bignum::{Engine, Natural, SecretInteger};
use quorate_curve::{Curve, Secp256k1 as C, random_nonzero_scalar};
use quorate_paillier::{
    Ciphertext, DecryptionKey, EncryptionKey, Level, Pedersen, PedersenTrapdoor, Randomizer,
};
use quorate_session::{PartyId, SessionId};
use quorate_testkit::{fixtures, rng_of};
use quorate_zk::{
    Hiding, Own, Proof, ProofContext, Prover, ReceivedProof, centred, pi_aff_g, pi_aff_g_folded,
    pi_enc_elg, pi_enc_elg_folded, prove_many, verify_many,
};

const LEVEL: Level = Level::Bits128;
const SAMPLES: usize = 3;
/// Bytes of the tables for a peer's setup.
const TABLES: usize = 50_000;

struct Parties {
    engine: Engine,
    key: DecryptionKey,
    theirs: DecryptionKey,
    trapdoor: PedersenTrapdoor,
    setup: Pedersen,
}

/// A number below q with the ciphertext of it and the commitment to it.
struct Hidden {
    scalar: <C as Curve>::Scalar,
    integer: SecretInteger,
    rho: Randomizer,
    b: <C as Curve>::Scalar,
    mu: Hiding,
    ciphertext: Ciphertext,
    commitment: [<C as Curve>::Point; 2],
}

struct Mask {
    y: SecretInteger,
    rho: Randomizer,
    rho_y: Randomizer,
    d: Ciphertext,
    f: Ciphertext,
}

struct Presignature {
    /// k and γ.
    hidden: [Hidden; 2],
    their_k: Ciphertext,
    masks: [Mask; 2],
    s: Natural,
    gamma: <C as Curve>::Point,
}

struct Run {
    base: <C as Curve>::Point,
    share: SecretInteger,
    point: <C as Curve>::Point,
    all: Vec<Presignature>,
}

fn encrypt(p: &Parties, key: &EncryptionKey, m: &SecretInteger, r: &Randomizer) -> Ciphertext {
    key.encrypt_many(&p.engine, &[(m, r)]).unwrap().remove(0)
}

fn scalar(rng: &mut ChaCha20Rng) -> <C as Curve>::Scalar {
    random_nonzero_scalar::<C>(rng).unwrap()
}

fn hidden(p: &Parties, base: &<C as Curve>::Point, rng: &mut ChaCha20Rng) -> Hidden {
    let (key, scalar, b) = (p.key.encryption_key(), scalar(rng), scalar(rng));
    let (integer, rho) = (centred::<C>(&scalar), Randomizer::random(rng, key).unwrap());
    let ciphertext = encrypt(p, key, &integer, &rho);
    let commitment = [C::mul_base(&b), C::mul(base, &b) + C::mul_base(&scalar)];
    Hidden { mu: Hiding::draw(rng, &p.setup), scalar, integer, rho, b, ciphertext, commitment }
}

fn mask(p: &Parties, k: &Ciphertext, x: &SecretInteger, rng: &mut ChaCha20Rng) -> Mask {
    let (theirs, ours) = (p.theirs.encryption_key(), p.key.encryption_key());
    let y = SecretInteger::random_half_range(rng, LEVEL.ell_prime());
    let [rho, rho_y] = [theirs, ours].map(|key| Randomizer::random(rng, key).unwrap());
    let plain = theirs.plaintext(&y);
    let d = p.engine.evaluate(&[theirs.affine(x, k, &plain, &rho).unwrap()]).remove(0).unwrap();
    let (d, f) = (theirs.publish(&d).unwrap(), encrypt(p, ours, &y, &rho_y));
    Mask { y, rho, rho_y, d, f }
}

fn run(p: &Parties, count: usize) -> Run {
    let rng = &mut rng_of(7);
    let (base, share) = (C::mul_base(&scalar(rng)), scalar(rng));
    let x = centred::<C>(&share);
    let all = (0..count).map(|_| {
        let hidden = [(); 2].map(|()| hidden(p, &base, rng));
        let theirs = p.theirs.encryption_key();
        let rho = Randomizer::random(rng, theirs).unwrap();
        let their_k = encrypt(p, theirs, &centred::<C>(&scalar(rng)), &rho);
        let [_, gamma] = &hidden;
        let masks = [&gamma.integer, &x].map(|x| mask(p, &their_k, x, rng));
        let s = gamma.mu.commit(&p.engine, &p.setup, &gamma.integer).unwrap();
        let gamma = C::mul_base(&gamma.scalar);
        Presignature { hidden, their_k, masks, s, gamma }
    });
    Run { base, all: all.collect(), point: C::mul_base(&share), share: x }
}

fn context(role: &'static [u8]) -> ProofContext<'static> {
    let [me, you] = [1, 2].map(|number| PartyId::new(number).unwrap());
    ProofContext::new(SessionId::new([1; 32]), me, role).to(you)
}

/// CPU milliseconds of both sides.
fn timed(prove: impl FnOnce() -> Vec<Proof>, verify: impl FnOnce(&[Proof]) -> usize) -> [f64; 2] {
    let [mut proving, mut verifying] = [(); 2].map(|()| Stopwatch::default());
    proving.start();
    let proofs = prove();
    proving.stop();
    verifying.start();
    assert_eq!(verify(&proofs), proofs.len(), "honest proofs");
    verifying.stop();
    [proving, verifying].map(|watch| watch.total().as_secs_f64() * 1e3)
}

/// Each presignature by itself: two Πenc-elg in a list, then two Πaff-g.
fn single(p: &Parties, run: &Run) -> [f64; 2] {
    let (mine, yours) = (Own { key: Some(&p.key), setup: None }, Own::new(&p.theirs, &p.trapdoor));
    let mut sums = [0.0; 2];
    for (m, one) in run.all.iter().enumerate() {
        let rng = &mut rng_of(m as u64);
        let encrypted = [0, 1].map(|i| {
            let Hidden { integer, rho, b, ciphertext, commitment, .. } = &one.hidden[i];
            let [left, x] = *commitment;
            let statement =
                pi_enc_elg::Statement::<C> { setup: &p.setup, ciphertext, a: run.base, b: left, x };
            (statement, pi_enc_elg::Witness { x: integer, rho, b }, context([b"k", b"g"][i]))
        });
        let multiplied = [0, 1].map(|i| {
            let Mask { y, rho, rho_y, d, f } = &one.masks[i];
            let x = [one.gamma, run.point][i];
            let statement =
                pi_aff_g::Statement::<C> { setup: &p.setup, c: &one.their_k, d, y: f, x };
            let x = [&one.hidden[1].integer, &run.share][i];
            (statement, pi_aff_g::Witness { x, y, rho, rho_y }, context([b"D", b"d"][i]))
        });
        let first = timed(
            || {
                let begin = encrypted.iter().map(|(statement, witness, at)| {
                    Prover::new(statement, *witness, *at, mine, rng)
                });
                prove_many(&p.engine, begin.collect::<Result<_, _>>().unwrap()).unwrap()
            },
            |proofs| {
                let read = encrypted.iter().zip(proofs).map(|((statement, _, at), proof)| {
                    ReceivedProof::new(statement, proof.as_bytes(), *at, yours)
                });
                verify_many(&p.engine, read.collect()).iter().flatten().count()
            },
        );
        let second = timed(
            || {
                let begin = multiplied.iter().map(|(statement, witness, at)| {
                    Prover::new(statement, *witness, *at, mine, rng)
                });
                prove_many(&p.engine, begin.collect::<Result<_, _>>().unwrap()).unwrap()
            },
            |proofs| {
                let read = multiplied.iter().zip(proofs).map(|((statement, _, at), proof)| {
                    ReceivedProof::new(statement, proof.as_bytes(), *at, yours)
                });
                verify_many(&p.engine, read.collect()).iter().flatten().count()
            },
        );
        for (sum, (a, b)) in sums.iter_mut().zip(first.into_iter().zip(second)) {
            *sum += a + b;
        }
    }
    sums
}

/// One proof of all ciphertexts, one of all products.
fn folded(p: &Parties, run: &Run) -> [f64; 2] {
    let (first, second) = (folded_ciphertexts(p, run), folded_products(p, run));
    [first[0] + second[0], first[1] + second[1]]
}

/// One proof of all ciphertexts.
fn folded_ciphertexts(p: &Parties, run: &Run) -> [f64; 2] {
    let (mine, yours) = (Own { key: Some(&p.key), setup: None }, Own::new(&p.theirs, &p.trapdoor));
    let rng = &mut rng_of(1);
    let hidden = || run.all.iter().flat_map(|one| &one.hidden);
    let items: Vec<_> = hidden()
        .map(|Hidden { ciphertext, commitment: [b, x], .. }| pi_enc_elg_folded::Item {
            ciphertext,
            b: *b,
            x: *x,
        })
        .collect();
    let witness: Vec<_> = hidden()
        .map(|Hidden { integer, rho, b, mu, .. }| pi_enc_elg_folded::Witness {
            x: integer,
            rho,
            b,
            mu,
        })
        .collect();
    let (setup, key) = (&p.setup, p.key.encryption_key());
    let encrypted = pi_enc_elg_folded::Statement::<C> { setup, key, a: run.base, items: &items };
    timed(
        || {
            let begun = Prover::new(&encrypted, &witness[..], context(b"1"), mine, rng).unwrap();
            prove_many(&p.engine, vec![begun]).unwrap()
        },
        |proofs| {
            let read = ReceivedProof::new(&encrypted, proofs[0].as_bytes(), context(b"1"), yours);
            verify_many(&p.engine, vec![read]).iter().flatten().count()
        },
    )
}

/// One proof of all products.
fn folded_products(p: &Parties, run: &Run) -> [f64; 2] {
    let (mine, yours) = (Own { key: Some(&p.key), setup: None }, Own::new(&p.theirs, &p.trapdoor));
    let rng = &mut rng_of(1);
    let (setup, ours, theirs) = (&p.setup, p.key.encryption_key(), p.theirs.encryption_key());
    let products: Vec<_> = run
        .all
        .iter()
        .map(|one| pi_aff_g_folded::Item {
            k: &one.their_k,
            d: one.masks.each_ref().map(|mask| &mask.d),
            f: one.masks.each_ref().map(|mask| &mask.f),
            s: &one.s,
            gamma: one.gamma,
        })
        .collect();
    let opened: Vec<_> = run
        .all
        .iter()
        .map(|Presignature { hidden: [_, gamma], masks, .. }| pi_aff_g_folded::ItemWitness {
            gamma: &gamma.integer,
            mu: &gamma.mu,
            masks: masks.each_ref().map(|Mask { y, rho, rho_y, .. }| pi_aff_g_folded::Mask {
                y,
                rho,
                rho_y,
            }),
        })
        .collect();
    let multiplied =
        pi_aff_g_folded::Statement::<C> { setup, theirs, ours, x: run.point, items: &products };
    let of_products = pi_aff_g_folded::Witness { x: &run.share, items: &opened };
    timed(
        || {
            let begun = Prover::new(&multiplied, of_products, context(b"2"), mine, rng).unwrap();
            prove_many(&p.engine, vec![begun]).unwrap()
        },
        |proofs| {
            let read = ReceivedProof::new(&multiplied, proofs[0].as_bytes(), context(b"2"), yours);
            verify_many(&p.engine, vec![read]).iter().flatten().count()
        },
    )
}

fn main() {
    // `cargo test --benches` runs this with another argument, and has nothing to time.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let engine = Engine::detect();
    let trapdoor = fixtures::pedersen_trapdoor(&engine, LEVEL, 1, &mut rng_of(1)).unwrap();
    let parties = Parties {
        key: fixtures::decryption_key(&engine, LEVEL, 0).unwrap(),
        theirs: fixtures::decryption_key(&engine, LEVEL, 1).unwrap(),
        setup: trapdoor.pedersen().clone().with_tables(&engine, TABLES).unwrap(),
        trapdoor,
        engine,
    };
    println!("engine {}; CPU ms for one presignature and one peer, proofs alone", parties.engine);
    println!("  k  prove single / folded  ratio  verify single / folded  ratio");
    for count in [1, 8, 32] {
        let run = run(&parties, count);
        let mut samples = [(); 4].map(|()| Vec::new());
        for _ in 0..SAMPLES {
            let (single, folded) = (single(&parties, &run), folded(&parties, &run));
            for (list, value) in
                samples.iter_mut().zip([single[0], folded[0], single[1], folded[1]])
            {
                list.push(value / count as f64);
            }
        }
        let [a, b, c, d] = samples.map(median);
        println!("{count:3}  {a:12.2} / {b:6.2}  {:5.2}  {c:13.2} / {d:6.2}  {:5.2}", a / b, c / d);
    }
}
