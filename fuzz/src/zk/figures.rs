//! An honest proof of every figure, with fixture keys.

use std::sync::OnceLock;

use chacha20::ChaCha20Rng;
use quorate_bignum::{Engine, Integer, Natural, SecretInteger, SecretProduct};
use quorate_curve::{Curve, Secp256k1 as C, random_nonzero_scalar};
use quorate_frost::session::{PartyId, SessionId};
use quorate_paillier::{
    Ciphertext, DecryptionKey, EncryptionKey, Level, PedersenTrapdoor, Randomizer,
};
use quorate_testkit::fixtures;
use quorate_zk::sigma::{ChallengeSet, Form, Statement};
use quorate_zk::{
    Group, Hiding, Own, ProofContext, ProofFault, ReceivedProof, centred, pi_aff_g,
    pi_aff_g_folded, pi_aff_g_star, pi_dec, pi_elog, pi_elog_folded, pi_enc_elg, pi_enc_elg_folded,
    pi_fac, pi_mod, pi_prm, pi_sch, prove, verify,
};

const LEVEL: Level = Level::Toy;

/// The names, in their order: a seed of the corpus has the place of its figure.
pub(super) const FIGURES: &[&str] = &[
    "sch",
    "elog",
    "enc_elg",
    "aff_g",
    "fac",
    "prm",
    "mod",
    "aff_g_star",
    "dec",
    "elog_folded",
    "enc_elg_folded",
    "aff_g_folded",
];

/// Presignatures of a fold: the first, one in the middle, the last.
const FOLDED: usize = 3;

type Read = Box<dyn Fn(&[u8], ProofContext<'static>) -> Result<(), ProofFault> + Send + Sync>;
type Verify =
    Box<dyn Fn(&[u8], ProofContext<'static>, Own<'static>) -> Result<(), ProofFault> + Send + Sync>;

/// A figure with an honest proof.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) honest: Vec<u8>,
    /// Where its parts begin, and how long they are.
    pub(super) parts: Vec<(usize, usize)>,
    /// Numbers of which an attacker would think.
    pub(super) numbers: Vec<Vec<u8>>,
    /// Set if the equations take more than a few milliseconds.
    pub(super) slow: bool,
    /// The checks without the equations.
    pub(super) read: Read,
    pub(super) verify: Verify,
}

/// The prover and the verifier.
struct Parties {
    keys: [DecryptionKey; 2],
    setups: [PedersenTrapdoor; 2],
}

fn parties() -> &'static Parties {
    static PARTIES: OnceLock<Parties> = OnceLock::new();
    PARTIES.get_or_init(|| Parties {
        keys: [0, 1].map(|i| fixtures::decryption_key(&engine(), LEVEL, i).expect("a fixture")),
        setups: [0, 1].map(|i| {
            let mut rng = quorate_testkit::rng_of(i as u64);
            fixtures::pedersen_trapdoor(&engine(), LEVEL, i, &mut rng).expect("a fixture")
        }),
    })
}

fn engine() -> Engine {
    Engine::detect()
}

/// From party 1 to party 2.
pub(super) fn context() -> ProofContext<'static> {
    let [one, two] = [1, 2].map(|number| PartyId::new(number).expect("not zero"));
    ProofContext::new(SessionId::new([7; 32]), one, b"fuzz").to(two)
}

/// The verifier's secrets.
pub(super) fn own() -> Own<'static> {
    Own::new(&parties().keys[1], &parties().setups[1])
}

/// The figure that a byte chooses.
pub(super) fn figure(choice: u8) -> &'static Figure {
    static MADE: [OnceLock<Figure>; FIGURES.len()] = [const { OnceLock::new() }; FIGURES.len()];
    let index = usize::from(choice) % FIGURES.len();
    MADE[index].get_or_init(|| make(index))
}

fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn scalar(rng: &mut ChaCha20Rng) -> &'static <C as Curve>::Scalar {
    keep(random_nonzero_scalar::<C>(rng).expect("a generator that works"))
}

fn randomizer(rng: &mut ChaCha20Rng, key: &EncryptionKey) -> &'static Randomizer {
    keep(Randomizer::random(rng, key).expect("a good generator"))
}

fn encrypt(key: &EncryptionKey, m: &SecretInteger, r: &Randomizer) -> &'static Ciphertext {
    keep(key.encrypt_many(&engine(), &[(m, r)]).expect("the same key").remove(0))
}

fn make(index: usize) -> Figure {
    let Parties { keys: [key, theirs], setups: [setup, their_setup] } = parties();
    let (public, verifier) = (key.encryption_key(), theirs.encryption_key());
    let name = FIGURES[index];
    let rng = &mut quorate_testkit::rng_of(index as u64);
    let [x, y, b] = [(); 3].map(|()| scalar(rng));
    let [x_point, h] = [x, b].map(C::mul_base);
    let integer = keep(centred::<C>(x));
    let (l, m) = (C::mul_base(y), x_point + C::mul(&h, y));
    match name {
        "sch" => sigma(name, pi_sch::Statement::<C> { x: x_point }, pi_sch::Witness { x }),
        "elog" => {
            let statement = pi_elog::Statement::<C> { l, m, x: h, y: C::mul(&h, x), h };
            sigma(name, statement, pi_elog::Witness { y: x, lambda: y })
        }
        "enc_elg" => {
            let rho = randomizer(rng, public);
            let ciphertext = encrypt(public, integer, rho);
            let setup = their_setup.pedersen();
            let statement = pi_enc_elg::Statement::<C> { setup, ciphertext, a: h, b: l, x: m };
            sigma(name, statement, pi_enc_elg::Witness { x: integer, rho, b: y })
        }
        "fac" => {
            let statement = pi_fac::Statement { setup: their_setup.pedersen(), key: public };
            sigma(name, statement, pi_fac::Witness { key })
        }
        "prm" => {
            let statement = pi_prm::Statement { setup: setup.pedersen() };
            sigma(name, statement, pi_prm::Witness { trapdoor: setup })
        }
        "mod" => modulus(key, rng),
        "elog_folded" => logarithms(name, rng),
        "enc_elg_folded" => ciphertexts(name, rng),
        "aff_g_folded" => products(name, rng),
        "dec" => {
            let k = encrypt(public, keep(centred::<C>(y)), randomizer(rng, public));
            let (mask, rho) = (mask(), randomizer(rng, public));
            let product = SecretProduct::new(public.square()).power(k.value(), integer);
            let value = engine().evaluate(&[product]).remove(0).expect("a unit");
            let product = public.publish(&value).expect("a unit");
            let d = encrypt(public, mask, rho).sub_vartime(&product).expect("the same key");
            let s = C::mul(&h, &quorate_zk::scalar::<C>(mask));
            let statement = pi_dec::Statement::<C> { k, d: keep(d), x: x_point, s, h };
            sigma(name, statement, pi_dec::Witness { x: integer, y: mask, rho })
        }
        "aff_g" | "aff_g_star" => {
            let (rho, rho_y, y) = (randomizer(rng, verifier), randomizer(rng, public), mask());
            let c = encrypt(verifier, keep(centred::<C>(b)), randomizer(rng, verifier));
            let plain = verifier.plaintext(y);
            let product = verifier.affine(integer, c, &plain, rho).expect("the same key");
            let value = engine().evaluate(&[product]).remove(0).expect("units");
            let d = keep(verifier.publish(&value).expect("a unit"));
            let image = encrypt(public, y, rho_y);
            let witness = pi_aff_g::Witness { x: integer, y, rho, rho_y };
            if name == "aff_g" {
                let setup = their_setup.pedersen();
                let statement = pi_aff_g::Statement::<C> { setup, c, d, y: image, x: x_point };
                return sigma(name, statement, witness);
            }
            sigma(name, pi_aff_g_star::Statement::<C> { c, d, y: image, x: x_point }, witness)
        }
        _ => panic!("no proof is made for {name}"),
    }
}

/// Πelog of three statements.
fn logarithms(name: &'static str, rng: &mut ChaCha20Rng) -> Figure {
    let base = C::mul_base(scalar(rng));
    let each = [(); FOLDED].map(|()| {
        let (y, lambda) = (scalar(rng), scalar(rng));
        let (l, point) = (C::mul_base(lambda), C::mul_base(y));
        let item = pi_elog_folded::Item { l, m: point + C::mul(&base, lambda), y: point };
        (item, pi_elog::Witness { y, lambda })
    });
    let (items, witness): (Vec<_>, Vec<_>) = each.into_iter().unzip();
    let statement =
        pi_elog_folded::Statement::<C> { x: base, h: C::generator(), items: keep(items) };
    sigma(name, statement, keep(witness))
}

/// Πenc-elg of three statements.
fn ciphertexts(name: &'static str, rng: &mut ChaCha20Rng) -> Figure {
    let (key, setup) = (parties().keys[0].encryption_key(), parties().setups[1].pedersen());
    let a = C::mul_base(scalar(rng));
    let each = [(); FOLDED].map(|()| {
        let (k, b, rho) = (scalar(rng), scalar(rng), randomizer(rng, key));
        let (x, mu) = (keep(centred::<C>(k)), keep(Hiding::draw(rng, setup)));
        let point = C::mul(&a, b) + C::mul_base(k);
        let ciphertext = encrypt(key, x, rho);
        let item = pi_enc_elg_folded::Item { ciphertext, b: C::mul_base(b), x: point };
        (item, pi_enc_elg_folded::Witness { x, rho, b, mu })
    });
    let (items, witness): (Vec<_>, Vec<_>) = each.into_iter().unzip();
    let statement = pi_enc_elg_folded::Statement::<C> { setup, key, a, items: keep(items) };
    sigma(name, statement, keep(witness))
}

/// Πaff-g of the products of three presignatures.
fn products(name: &'static str, rng: &mut ChaCha20Rng) -> Figure {
    let [ours, theirs] = [0, 1].map(|i| parties().keys[i].encryption_key());
    let (setup, share) = (parties().setups[1].pedersen(), scalar(rng));
    let x = keep(centred::<C>(share));
    let each = [(); FOLDED].map(|()| {
        let (scalar_of_gamma, mu) = (scalar(rng), keep(Hiding::draw(rng, setup)));
        let gamma = keep(centred::<C>(scalar_of_gamma));
        let k = encrypt(theirs, keep(centred::<C>(scalar(rng))), randomizer(rng, theirs));
        let made = [gamma, x].map(|by| {
            let (y, rho, rho_y) = (mask(), randomizer(rng, theirs), randomizer(rng, ours));
            let plain = theirs.plaintext(y);
            let product = theirs.affine(by, k, &plain, rho).expect("the same key");
            let value = engine().evaluate(&[product]).remove(0).expect("units");
            let d: &Ciphertext = keep(theirs.publish(&value).expect("a unit"));
            (d, encrypt(ours, y, rho_y), pi_aff_g_folded::Mask { y, rho, rho_y })
        });
        let s = keep(mu.commit(&engine(), setup, gamma).expect("an engine that works"));
        let item = pi_aff_g_folded::Item {
            k,
            d: [made[0].0, made[1].0],
            f: [made[0].1, made[1].1],
            s,
            gamma: C::mul_base(scalar_of_gamma),
        };
        (item, pi_aff_g_folded::ItemWitness { gamma, mu, masks: made.map(|(_, _, mask)| mask) })
    });
    let (items, witness): (Vec<_>, Vec<_>) = each.into_iter().unzip();
    let x_point = C::mul_base(share);
    let statement =
        pi_aff_g_folded::Statement::<C> { setup, theirs, ours, x: x_point, items: keep(items) };
    sigma(name, statement, pi_aff_g_folded::Witness { x, items: keep(witness) })
}

/// `-2^(ℓ' - 10) - 3`
fn mask() -> &'static SecretInteger {
    let bits = LEVEL.ell_prime();
    let value = Integer::new(true, Natural::power_of_two(bits - 10).add(&Natural::from(3)));
    keep(SecretInteger::classify(&value, bits).expect("short"))
}

/// A figure of the machine.
fn sigma<G: Group, S>(name: &'static str, statement: S, witness: S::Witness) -> Figure
where
    S: Statement<'static, G> + Copy + Send + Sync + 'static,
{
    let layout = statement.relation(None).layout();
    let bits = layout.iter().any(|part| matches!(part.form, Form::Challenge(ChallengeSet::Bits)));
    let lengths: Vec<usize> = layout.iter().map(|part| part.len).collect();
    let bytes = |n: &Natural, len| n.to_be_bytes(len).expect("long enough");
    let mut numbers = vec![vec![1]];
    let mut seen = Vec::new();
    for part in &layout {
        // Each response once, of all repetitions; commitments have one name.
        if seen.contains(&part.name) && !matches!(part.form, Form::Commitment(_)) {
            continue;
        }
        seen.push(part.name);
        numbers.push(match part.form {
            Form::Challenge(_) => continue,
            Form::Integer { bits } => {
                bytes(&Natural::power_of_two(bits - 1), bits.div_ceil(8) as usize)
            }
            Form::Unit(key) => bytes(key.modulus().value(), part.len),
            Form::Commitment(setup) | Form::Exponent(setup) => {
                bytes(setup.modulus().value(), part.len)
            }
            Form::Scalar => C::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect(),
        });
    }
    let own = Own::new(&parties().keys[0], &parties().setups[0]);
    let rng = &mut quorate_testkit::rng_of(99);
    let honest = prove::<G, S>(&engine(), &statement, witness, context(), own, rng);
    Figure {
        name,
        honest: honest.expect("an honest witness").into_bytes(),
        parts: parts(&lengths),
        numbers,
        slow: bits,
        read: Box::new(move |proof, context| {
            let proof = ReceivedProof::<G>::new(&statement, proof, context, super::figures::own());
            proof.and_then(ReceivedProof::check).map(|_| ())
        }),
        verify: Box::new(move |proof, context, own| {
            verify::<G, S>(&engine(), &statement, proof, context, own)
        }),
    }
}

fn parts(lengths: &[usize]) -> Vec<(usize, usize)> {
    let starts = lengths.iter().scan(0, |start, len| {
        *start += len;
        Some(*start - len)
    });
    starts.zip(lengths.iter().copied()).collect()
}

/// Πmod.
fn modulus(key: &'static DecryptionKey, rng: &mut ChaCha20Rng) -> Figure {
    let public = key.encryption_key();
    let size = LEVEL.modulus_bytes();
    let lengths: Vec<usize> = [size, 32].into_iter().chain([size; 256]).collect();
    let honest = pi_mod::prove(&engine(), key, context(), rng).expect("an honest key");
    Figure {
        name: "mod",
        honest: honest.into_bytes(),
        parts: parts(&lengths),
        numbers: vec![vec![1], vec![4], public.to_bytes()],
        slow: true,
        read: Box::new(|proof, context| {
            pi_mod::Check::new(&engine(), public, proof, context).map(|_| ())
        }),
        verify: Box::new(|proof, context, _| pi_mod::verify(&engine(), public, proof, context)),
    }
}
