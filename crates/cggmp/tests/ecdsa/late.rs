//! Messages and tweaks that are chosen when the nonce is known (Groth and Shoup, eprint 2021/1330).
//!
//! A signature on a digest h under the child key X + eG, with nonce γ and r = x(γG), is
//! s = (h + r(x + e))/γ. Take any c, Γ* = cΓ and r* = x(Γ*). If for another digest h* and another
//! child e*
//!
//! ```text
//! h/r + e = h*/r* + e*,
//! ```
//!
//! then s* = s·r*/(c·r) is a signature on h* under X + e*G: c·γ·s* = r*(h/r + e + x) = h* + r*(x + e*).
//! The signers never saw that request. So an attacker that knows Γ before it chooses looks for a solution:
//!
//! - **h and h* free** (raw digests): h = h*·r/r*, one query.
//! - **Messages and tweaks free**: {h/r} + {e} - {h*/r*} - {e*} = 0 is a 4-list problem, which takes
//!   about q^(1/3) = 2^85 steps, since the four lists can be searched pair by pair.
//!
//! Here the nonce is ρΓ with ρ a hash of h and e. The left side becomes h/r'(h, e) + e: one value for
//! each pair, in one list that is no sum of two.

use quorate_cggmp::curves::Curve;
use quorate_cggmp::{
    EcdsaCurve, MessageDigest, P256, Presignature, RawDigest, Secp256k1, Signature, VerifyingKey,
};

use crate::dealer::{Dealer, Dealt};
use crate::support::*;

const SIGNERS: [u16; 2] = [2, 7];

/// The forgery: a signature on h* under X + e*G, with the nonce Γ* = cΓ.
struct Wanted<C: EcdsaCurve> {
    digest: MessageDigest,
    c: C::Scalar,
    nonce: C::Point,
    /// r*
    r: C::Scalar,
    /// h*
    h: C::Scalar,
}

impl<C: EcdsaCurve> Wanted<C> {
    fn new(gamma: &C::Point) -> Self {
        let c = C::Scalar::from(3);
        let nonce = C::msm_vartime(&[c], &[*gamma]);
        let r = C::r_vartime(&nonce).unwrap().0;
        let digest = MessageDigest::sha256(b"all of it to the attacker");
        Self { digest, c, nonce, r, h: C::scalar_from_wide(digest.as_bytes()) }
    }

    /// s* = s·r*/(c·r) for a nonce of which Γ* is the c-th multiple.
    fn forge(&self, c: &C::Scalar, r: &C::Scalar, s: &C::Scalar) -> Signature<C> {
        let s = *s * self.r * C::invert(&(*c * *r));
        Signature::from_nonce_point(&self.nonce, &s).unwrap()
    }

    /// The tweak e* with h/r + e = h*/r* + e*, and the key of that child.
    fn planted(&self, key: &VerifyingKey<C>, value: C::Scalar) -> VerifyingKey<C> {
        let tweak = value - self.h * C::invert(&self.r);
        VerifyingKey::new(*key.point() + C::mul_base(&tweak)).unwrap()
    }

    fn verifies(&self, key: &VerifyingKey<C>, forged: &Signature<C>) -> bool {
        key.verify_raw_digest(&self.digest.into(), forged).is_ok()
    }
}

/// A signer that uses the nonce of the presignature as it is: (h + r(x + e))/γ.
fn unrandomised<C: EcdsaCurve>(
    dealer: &Dealer<C>,
    dealt: &Dealt<C>,
    h: C::Scalar,
    e: C::Scalar,
) -> [C::Scalar; 2] {
    let r = C::r_vartime(&C::mul_base(&dealt.gamma)).unwrap().0;
    [r, (h + r * (dealer.secret + e)) * C::invert(&dealt.gamma)]
}

/// The signature of this crate, by the signers' own parts.
fn signed<C: EcdsaCurve>(
    group: &Group<C>,
    parts: Vec<Presignature<C>>,
    path: &str,
    digest: RawDigest,
) -> Signature<C> {
    let path = path.parse().unwrap();
    let child = group.keys[0].public().derivation(&path).unwrap();
    let info = parts[0].info().clone();
    let shares = parts.into_iter().map(|one| {
        let (party, key) = (one.party_id(), group.key_of(one.party_id()));
        (party, release(one.claim_raw_digest(key, &path, digest).unwrap()).to_bytes())
    });
    info.aggregate(&child, digest, shares).unwrap()
}

fn setting<C: EcdsaCurve>(session: u8) -> (Group<C>, Dealer<C>) {
    let group = Group::<C>::new(2);
    let dealer = Dealer::new(&group, &group.presign(session, &SIGNERS));
    (group, dealer)
}

/// A late tweak: one signature that was asked for, one that was not.
fn late_tweak<C: Verifier>(session: u8) {
    let (group, dealer) = setting::<C>(session);
    let key = group.keys[0].verifying_key();
    let dealt = dealer.deal(1);
    let wanted = Wanted::<C>::new(&C::mul_base(&dealt.gamma));
    let asked: &[u8] = b"a cup of coffee";
    let m = MessageDigest::sha256(asked);
    let h = C::scalar_from_wide(m.as_bytes());
    let path = "m/0/7";
    let child = group.keys[0].public().derivation(&path.parse().unwrap()).unwrap();

    // The unrandomised nonce. The 4-list search finds such an e* among the children of the key;
    // here it is planted.
    let [r, s] = unrandomised(&dealer, &dealt, h, child.tweak);
    let victim = wanted.planted(key, h * C::invert(&r) + child.tweak);
    assert!(victim != child.key);
    let coffee = Signature::<C>::from_nonce_point(&C::mul_base(&dealt.gamma), &s).unwrap();
    C::verify(child.key.as_bytes(), asked, &coffee);
    let forged = wanted.forge(&wanted.c, &r, &s);
    assert!(wanted.verifies(&victim, &forged));

    // The same presignature, the same relation, this crate: Γ* = (c/ρ)Γ', and r' is in place of r.
    let info = dealt.parts[0].info().clone();
    let Nonce { rho, r: r_new, .. } = nonce(&info, &child, asked);
    let c = wanted.c * C::invert(&rho);
    let coffee = signed(&group, dealt.parts, path, m.into());
    C::verify(child.key.as_bytes(), asked, &coffee);
    assert!(*coffee.r() == r_new && r_new != r);
    // s or -s: the smaller one is given out.
    for s in [*coffee.s(), -*coffee.s()] {
        for (c, r) in [(&c, &r_new), (&wanted.c, &r), (&wanted.c, &r_new)] {
            assert!(!wanted.verifies(&victim, &wanted.forge(c, r, &s)));
        }
    }
    // The algebra is as it was: it takes a child that is planted at the value with r', which is
    // another one for every pair of message and tweak.
    let later = wanted.planted(key, h * C::invert(&r_new) + child.tweak);
    let forged = [*coffee.s(), -*coffee.s()].map(|s| wanted.forge(&c, &r_new, &s));
    assert!(forged.iter().any(|forged| wanted.verifies(&later, forged)));
}

#[test]
fn a_late_tweak_forges_nothing() {
    late_tweak::<Secp256k1>(87);
    late_tweak::<P256>(88);
}

/// A raw digest: one query, no search.
#[test]
fn a_raw_digest_forges_nothing() {
    type C = Secp256k1;
    let (group, dealer) = setting::<C>(89);
    let key = group.keys[0].verifying_key();
    let dealt = dealer.deal(2);
    let wanted = Wanted::<C>::new(&C::mul_base(&dealt.gamma));
    let r = C::r_vartime(&C::mul_base(&dealt.gamma)).unwrap().0;
    // h = h*·r/r*
    let h = wanted.h * r * C::invert(&wanted.r);
    let [_, s] = unrandomised(&dealer, &dealt, h, Default::default());
    assert!(wanted.verifies(key, &wanted.forge(&wanted.c, &r, &s)));

    // This crate: the digest goes into the nonce.
    let raw = RawDigest::assume_hash_of_known_message(C::encode_scalar(&h));
    let info = dealt.parts[0].info().clone();
    let signature = signed(&group, dealt.parts, "m", raw);
    assert!(*signature.r() != r);
    assert!(C::r_vartime(&gamma(&info)).unwrap().0 == r);
    for s in [*signature.s(), -*signature.s()] {
        for r in [&r, signature.r()] {
            assert!(!wanted.verifies(key, &wanted.forge(&wanted.c, r, &s)));
        }
    }
}

/// 2^30 - 35, a prime.
const Q: u64 = 1_073_741_789;
/// Twice q^(1/3).
const LIST: u64 = 2048;

/// A random function onto the numbers modulo [`Q`].
fn hash(label: &'static str, numbers: [u64; 2]) -> u64 {
    let mut transcript = quorate_session::Transcript::new("4 lists");
    numbers.iter().for_each(|number| transcript.append_u64(label, *number));
    let bytes = transcript.finish32();
    u64::from_be_bytes(bytes[..8].try_into().unwrap()) % Q
}

/// The sums of one number of either list that are below `bound` modulo q, in about as many steps
/// as there are numbers and sums.
fn small_sums(one: &[u64], other: &[u64], bound: u64) -> Vec<u64> {
    let mut sorted = other.to_vec();
    sorted.sort_unstable();
    let mut sums = Vec::new();
    for a in one {
        // b from q - a on, and around.
        let start = sorted.partition_point(|b| *b < (Q - a) % Q);
        let around = sorted[start..].iter().chain(&sorted[..start]);
        sums.extend(around.map(|b| (a + b) % Q).take_while(|sum| *sum < bound));
    }
    sums
}

/// The search over a group of 2^30 elements: four lists of 2^11 numbers are enough, where a birthday
/// takes 2^15. With the hash there is one list in place of two, and as many evaluations find nothing.
#[test]
fn four_lists_and_three() {
    let list = |label| (0..LIST).map(|at| hash(label, [at, 0])).collect::<Vec<u64>>();
    // h/r, e, and the negatives of h*/r* and e*.
    let [messages, tweaks, forged, children] = ["h/r", "e", "h*/r*", "e*"].map(list);
    let bound = Q / 1024;
    let mut right = small_sums(&forged, &children, bound);
    right.sort_unstable();
    let found = |left: &[u64]| left.iter().filter(|sum| right.binary_search(sum).is_ok()).count();
    let left = small_sums(&messages, &tweaks, bound);
    let steps = LIST as usize * 4 + left.len() + right.len();
    assert!(steps < 1 << 15, "{steps}");
    assert!(found(&left) > 0);
    // One value for each pair that was hashed, as many as there were numbers. Those below the bound
    // are few, since nothing leads to them.
    let pairs = (0..2 * LIST).map(|at| (at, at * at % LIST));
    let left: Vec<_> = pairs.map(|(m, e)| hash("h/r'(h, e) + e", [m, e])).collect();
    assert_eq!(found(&left), 0);
}
