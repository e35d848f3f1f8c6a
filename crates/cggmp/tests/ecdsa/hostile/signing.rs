//! Presigning and signing.

use super::*;
use quorate_cggmp::{P256, Presign, Secp256k1, Sign, SignParams};

/// The seed from which the weights of a folded proof come.
fn seed(of: &str) -> Field {
    field(format!("seed{of}"), 32, Class::Bytes)
}

fn enc_elg() -> Vec<Field> {
    let of = " of Πenc-elg";
    vec![
        seed(of),
        field(format!("S{of}"), MODULUS, victims_setup()),
        field(format!("S'{of}"), MODULUS, victims_setup()),
        integer("z1", of, ELL),
        field(format!("z2{of}"), MODULUS, culprits_modulus()),
        scalar("w", of),
        integer("z3", of, MODULUS_BITS + ELL),
    ]
}

fn aff_g() -> Vec<Field> {
    let of = " of Πaff-g";
    vec![
        seed(of),
        field(format!("T{of}"), MODULUS, victims_setup()),
        field(format!("T̂{of}"), MODULUS, victims_setup()),
        field(format!("S_x{of}"), MODULUS, victims_setup()),
        integer("zx", of, ELL),
        integer("zy", of, ELL_PRIME),
        field(format!("w{of}"), MODULUS, victims_modulus()),
        field(format!("w_y{of}"), MODULUS, culprits_modulus()),
        integer("z", of, ELL),
        integer("zν", of, MODULUS_BITS + ELL),
        integer("zμ", of, MODULUS_BITS + ELL),
        integer("z'", of, MODULUS_BITS + ELL),
    ]
}

fn elog(of: &str) -> Vec<Field> {
    vec![scalar("e", of), scalar("z", of), scalar("u", of)]
}

fn round_one() -> Vec<Message> {
    let broadcast = [
        field("K", CIPHERTEXT, ciphertext(1)),
        field("G", CIPHERTEXT, ciphertext(1)),
        point("Y"),
        point("A1"),
        point("A2"),
        point("B1"),
        point("B2"),
    ];
    vec![
        Message { round: 1, broadcast: true, fields: broadcast.into() },
        Message { round: 1, broadcast: false, fields: enc_elg() },
    ]
}

fn products() -> Vec<Field> {
    vec![
        field("D", CIPHERTEXT, ciphertext(0)),
        field("F", CIPHERTEXT, ciphertext(1)),
        field("D̂", CIPHERTEXT, ciphertext(0)),
        field("F̂", CIPHERTEXT, ciphertext(1)),
    ]
}

fn round_two() -> Vec<Message> {
    let digest = |name: &str| field(format!("digest of {name}"), 32, Class::Bytes);
    let of = " of Πelog for Γ_j";
    let logarithms = vec![seed(of), scalar("z", of), scalar("u", of)];
    let broadcast = [vec![point("Γ_j")], logarithms, vec![digest("D, F, D̂, F̂")]];
    let direct = [products(), aff_g()];
    vec![
        Message { round: 2, broadcast: true, fields: broadcast.concat() },
        Message { round: 2, broadcast: false, fields: direct.concat() },
    ]
}

fn round_three() -> Vec<Message> {
    let fields = [vec![scalar("δ_j", ""), point("S_j"), point("Δ_j")], elog(" of Πelog for Δ_j")];
    vec![Message { round: 3, broadcast: true, fields: fields.concat() }]
}

/// The digest of round 2 for the products that are sent now.
fn mend_products(frames: &mut Frames) {
    let direct = &frames[&(id(CULPRIT), 2, false, id(VICTIM))];
    let products = &direct[HEADER + ECHO..][..4 * CIPHERTEXT];
    let digest = products_digest(&context(direct), 0, [CULPRIT, VICTIM], products);
    let broadcast = frames.get_mut(&(id(CULPRIT), 2, true, id(VICTIM))).unwrap();
    let start = broadcast.len() - digest.len();
    broadcast[start..].copy_from_slice(&digest);
}

/// The culprit's recorded confirmation belongs to the sums with which it was recorded. Without it, a party that
/// gets wrong sums waits for an alert.
fn unconfirmed(cases: &mut [Case]) {
    for case in cases.iter_mut().filter(|case| case.round == 3) {
        case.frames.retain(|place, _| place.1 < 4);
    }
}

/// If only δ or S is wrong, the sums are wrong, and a red alert finds the culprit.
fn alerted(what: &str, outcome: &Outcome) -> Option<&'static str> {
    let sums = what == "δ_j" || what == "S_j";
    (sums && *outcome == Outcome::Waiting(4)).then_some("red alert")
}

#[test]
fn presigning() {
    let group = Group::<Secp256k1>::new(2);
    let [frames, other] =
        [SESSION, 61].map(|session| recorded::<Presign<_>>(session, |party| group.params(party)));
    let messages: Vec<_> =
        round_one().into_iter().chain(round_two()).chain(round_three()).collect();
    let mut cases = cases::<Secp256k1>(&messages, (&frames, &other), None);
    unconfirmed(&mut cases);
    let found = outcomes::<Presign<Secp256k1>>(
        cases,
        || group.params(id(VICTIM)),
        Some(&group.public(&duo(), SigningGoal::Presignature)),
    );
    document("Presigning", found, alerted);
}

/// The products again, with digests that fit.
#[test]
fn presigning_consistently() {
    let group = Group::<Secp256k1>::new(2);
    let [frames, other] =
        [SESSION, 61].map(|session| recorded::<Presign<_>>(session, |party| group.params(party)));
    let mut message = round_two().remove(1);
    let rest = message.fields.split_off(4);
    message.fields.push(field("rest", rest.iter().map(|field| field.at.len()).sum(), Class::Bytes));
    let mut cases = cases::<Secp256k1>(&[message], (&frames, &other), Some(mend_products));
    cases.retain(|case| case.what != "rest");
    let found = outcomes::<Presign<Secp256k1>>(
        cases,
        || group.params(id(VICTIM)),
        Some(&group.public(&duo(), SigningGoal::Presignature)),
    );
    document("Presigning, with digests to match", found, no_change);
}

/// Points and scalars of the other curve.
#[test]
fn presigning_p256() {
    let group = Group::<P256>::new(2);
    let [frames, other] =
        [SESSION, 61].map(|session| recorded::<Presign<_>>(session, |party| group.params(party)));
    let messages: Vec<_> =
        round_one().into_iter().chain(round_two()).chain(round_three()).collect();
    let mut cases = cases::<P256>(&messages, (&frames, &other), None);
    let short = |case: &Case| case.what.len() <= 4 && !["K", "G", "D", "F"].contains(&&*case.what);
    cases.retain(short);
    unconfirmed(&mut cases);
    let found = outcomes::<Presign<P256>>(
        cases,
        || group.params(id(VICTIM)),
        Some(&group.public(&duo(), SigningGoal::Presignature)),
    );
    for ((round, _, what), outcomes) in found {
        for (outcome, how) in outcomes {
            let named = matches!(&outcome, Outcome::Blamed(_, list) if list[0].0 == id(CULPRIT));
            assert!(named || alerted(&what, &outcome).is_some(), "{round} {what} {how}");
        }
    }
}

#[test]
fn signing() {
    let group = Group::<Secp256k1>::new(2);
    let params = |party| SignParams::new(group.params(party), digest::<Secp256k1>(b"message"));
    let [frames, other] = [SESSION, 61].map(|session| recorded::<Sign<_>>(session, params));
    let broadcast = Message { round: 4, broadcast: true, fields: vec![scalar("σ_j", "")] };
    let cases = cases::<Secp256k1>(&[broadcast], (&frames, &other), None);
    let found = outcomes::<Sign<Secp256k1>>(
        cases,
        || params(id(VICTIM)),
        Some(&group.public(&duo(), SigningGoal::Signature(digest::<Secp256k1>(b"message")))),
    );
    document("Signing", found, no_change);
}
