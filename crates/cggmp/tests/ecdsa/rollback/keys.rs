//! Key generation and auxiliary information whose first seal is opened twice: the proofs at their
//! end answer other challenges.

use quorate_bignum::{Integer, Natural};
use quorate_cggmp::curves::Curve;
use quorate_cggmp::{AuxInfoGen, Keygen, KeygenParams, Secp256k1};
use quorate_session::{PartyId, Protocol, Transcript};

use crate::support::*;

type C = Secp256k1;
type Scalar = <C as Curve>::Scalar;

const VICTIM: u16 = 2;
const CORRUPT: u16 = 7;

/// One seed of the victim, two of the corrupt party.
fn twice<P: Protocol>(params: impl Fn(PartyId) -> P::Params) -> [(Frames, Results<P>); 2] {
    let all = parties([VICTIM, CORRUPT]);
    [CORRUPT as u8, 99].map(|other| {
        let seed = |party: PartyId| if party == id(CORRUPT) { other } else { party.get() as u8 };
        record_seeded::<P>((&all, seed), sid(SESSION), &params, |_, _, _| {})
    })
}

fn body(frames: &Frames, from: u16, round: u8, broadcast: bool) -> &[u8] {
    let to = if from == VICTIM { CORRUPT } else { VICTIM };
    &frames[&(id(from), round, broadcast, id(to))][HEADER + ECHO..]
}

/// The challenge and the answer of the victim's proof, and what the corrupt party adds to its share.
fn proved((frames, results): &(Frames, Results<Keygen<C>>)) -> [Scalar; 3] {
    let info = results[&id(VICTIM)].as_ref().unwrap().public();
    let x = info.verifying_share(id(VICTIM)).unwrap();
    // rid, chain code, blinding, A
    let a = &body(frames, VICTIM, 2, true)[96..129];
    let (late, z) = body(frames, VICTIM, 3, true).split_at(33);
    let mut transcript = Transcript::new("quorate-cggmp keygen proof of knowledge");
    transcript.append("context", &context(&frames[&(id(VICTIM), 1, true, id(CORRUPT))]));
    transcript.append_u64("party", VICTIM.into());
    transcript.append("rid", info.rid());
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append("X", x);
    transcript.append("A", a);
    transcript.append("A'", late);
    let (e, z) = (C::scalar_from_wide(&transcript.finish()), C::decode_scalar(z).unwrap());
    let point = |bytes| C::decode_point(bytes).unwrap();
    assert!(C::verify_vartime(&point(x), &(point(a) + point(late)), &z, &e));
    [e, z, C::decode_scalar(body(frames, CORRUPT, 2, false)).unwrap()]
}

/// z = α + α' + e·x: with the same α + α' for both, the share of the key would come out.
#[test]
fn two_proofs_of_a_share_have_nothing_in_common() {
    let runs = twice::<Keygen<C>>(|_| KeygenParams::new(2));
    let a = |frames: &Frames| body(frames, VICTIM, 2, true).to_vec();
    assert!(a(&runs[0].0) == a(&runs[1].0), "what was committed to is the same");
    let [[e, z, its], [other_e, other_z, other_its]] = runs.each_ref().map(proved);
    // x' = x + (its' − its)
    let found = (z - other_z + other_e * (other_its - its)) * C::invert(&(e - other_e));
    let info = runs[0].1[&id(VICTIM)].as_ref().unwrap().public();
    assert!(C::mul_base(&found) != *info.share_point(id(VICTIM)).unwrap());
}

/// Πfac: z1 = α + e·p. With one α for two challenges, the difference has the factor p.
#[test]
fn two_proofs_of_a_modulus_have_nothing_in_common() {
    let place = |party| usize::from(party == id(CORRUPT));
    let runs = twice::<AuxInfoGen>(|party| aux_params(FAST, place(party)).with_table_bytes(0));
    let n = secrets(FAST, 0).encryption_key().modulus().value().clone();
    // e, P, Q, z1, z2
    let answer = |at: usize| {
        let [one, two] = runs.each_ref().map(|(frames, _)| {
            let proof = body(frames, VICTIM, 3, false);
            let length = response(PRIME_BITS + ELL);
            let start = 32 + 2 * MODULUS + at * length;
            Integer::from_be_bytes(&proof[start..][..length]).unwrap()
        });
        one.sub(&two)
    };
    for at in [0, 1] {
        assert!(!answer(at).magnitude().is_zero());
        assert_eq!(answer(at).magnitude().gcd(&n), Natural::one());
    }
    // Πmod: no two roots of one number.
    let modulus = |frames: &Frames| body(frames, VICTIM, 3, true).to_vec();
    let [one, two] = runs.each_ref().map(|(frames, _)| modulus(frames));
    let numbers = |bytes: &[u8]| -> Vec<Vec<u8>> {
        // w, the bits, all x, all z
        bytes[MODULUS + 32..].chunks(MODULUS).map(<[u8]>::to_vec).collect()
    };
    let seen = numbers(&one);
    assert!(numbers(&two).iter().all(|number| !seen.contains(number)));
}
