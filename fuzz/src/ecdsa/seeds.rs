//! Valid inputs of the targets for threshold ECDSA.

pub(crate) mod refused;

use quorate_cggmp::{Keygen, MessageDigest, P256, PackageId, Presign, PresignMany, Secp256k1};
use quorate_frost::session::SealKey;
use quorate_frost::session::container::HEADER;
use quorate_frost::session::stock::Counters;

use super::aux_info::{MODULI, honest_public, honest_secret};
use super::evidence::stored_evidence;
use super::fixture::{DIGEST, Suite};
use super::migrate::stored;
use super::presignatures::{ecdsa_presignature, honest_inventory};
use crate::CURVES;
use crate::fixture::{KEY, MESSAGE, id};
use crate::generation::Generation;
use crate::seeds::{Seed, length};
use crate::sessions::unseal;

/// Targets that have seeds over P-256 as well: the code is the same for both curves.
const BOTH: [&str; 18] = [
    "altered2",
    "share_body",
    "info_body",
    "verifying_key",
    "one_body",
    "inventory_body",
    "seal",
    "signature",
    "recovery",
    "restart",
    "stored",
    "cheaters",
    "derived",
    "of_threshold",
    "without_code",
    "without_polynomial",
    "of_cggmp21",
    "public",
];

pub(crate) fn all() -> Vec<Seed> {
    let [a, b] = CURVES;
    let mut seeds = of::<Secp256k1>("secp256k1", a, |_| true);
    seeds.extend(of::<P256>("p256", b, |part| BOTH.contains(&part)));
    seeds.extend(aux_info());
    seeds.extend(evidence());
    seeds
}

fn of<C: Suite>(curve: &str, selector: u8, wanted: impl Fn(&str) -> bool) -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |target, part: &str, bytes: &[&[u8]]| {
        let bytes = [[selector].as_slice(), &bytes.concat()].concat();
        let seed = Seed { target, name: format!("{curve}_{part}"), bytes };
        seeds.extend(wanted(part).then_some(seed));
    };
    keys::<C>(&mut add);
    migrated::<C>(&mut add);
    presignatures::<C>(&mut add);
    signatures::<C>(&mut add);
    sessions::<C>(&mut add);
    presigning::<C>(&mut add);
    for (part, operations) in OPERATIONS {
        add("ecdsa_operations", part, &[operations]);
    }
    seeds
}

fn migrated<C: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    add("migrate_ecdsa", "of_threshold", &[&[0], stored::<C>("threshold/1")]);
    add("migrate_ecdsa", "without_code", &[&[0], stored::<C>("no-chain-code/2")]);
    add("migrate_ecdsa", "without_polynomial", &[&[0], stored::<C>("no-polynomial/3")]);
    add("migrate_ecdsa", "of_cggmp21", &[&[0], stored::<C>("cggmp21/1")]);
    add("migrate_ecdsa", "public", &[&[1], stored::<C>("threshold/public")]);
    // As a whole share is, with less of aux-info.
    let core = stored::<C>("threshold/3");
    let aux = br#""aux":{"p":"0f","N":["2a",[]],"pedersen_params":[{"crt":null}]}"#;
    add("migrate_ecdsa", "whole", &[&[0], br#"{"core":"#, core, b",", aux, b"}"]);
}

/// A form without its digest.
fn body(form: &[u8]) -> &[u8] {
    &form[..form.len() - DIGEST]
}

/// The byte that says what a form is, of `kinds`, and how it is made.
const fn what(kind: u8, kinds: u8, mode: u8) -> [u8; 1] {
    [kind + kinds * mode]
}

/// How forms are made.
const AS_IT_IS: u8 = 0;
const BODY: u8 = 1;
const ALTERED: u8 = 2;
const SPLICED: u8 = 3;

fn keys<C: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    let share = &C::fixture().shares[0];
    let (stored, info) = (share.to_bytes(), share.public().to_bytes());
    add("ecdsa_key", "share", &[&what(0, 4, AS_IT_IS), &stored]);
    add("ecdsa_key", "share_body", &[&what(0, 4, BODY), body(&stored)]);
    // The epoch, which says nothing about itself.
    add("ecdsa_key", "share_altered", &[&what(0, 4, ALTERED), &[0, 10, 1]]);
    add("ecdsa_key", "info_body", &[&what(1, 4, BODY), body(&info)]);
    // The chain code, by one that is no longer.
    add("ecdsa_key", "info_spliced", &[&what(1, 4, SPLICED), &[0, 85, 0, 4], b"code"]);
    add("ecdsa_key", "verifying_key", &[&[2], share.verifying_key().as_bytes()]);
    add("ecdsa_key", "path", &[&[3], b"m/44/0/2147483647"]);
}

fn presignatures<C: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    let target = "ecdsa_presignature";
    let made = &C::fixture().presignatures[0];
    let (stored, info) = (&made.stored[&id(1)], made.info.to_bytes());
    add(target, "one_body", &[&what(0, 4, BODY), body(stored)]);
    // The context of the run, which is behind header, party, signers, key and package.
    let context = HEADER + 2 + 2 + 2 * made.info.signers().len() + 33 + PackageId::LENGTH;
    let at = u16::try_from(context).expect("short").to_be_bytes();
    add(target, "one_altered", &[&what(0, 4, ALTERED), &at, &[1]]);
    add(target, "info", &[&what(1, 4, AS_IT_IS), &info]);
    let inventory = honest_inventory::<C>();
    add(target, "inventory_body", &[&what(2, 4, BODY), &[0; HEADER], &inventory]);
    // The context of the second, whose name is another then, and has to be the larger one still.
    let at = u16::try_from(2 + Counters::LENGTH + stored.len() - HEADER - DIGEST + context)
        .expect("short")
        .to_be_bytes();
    let altered = |change| [&what(2, 4, ALTERED), at.as_slice(), &[change]].concat();
    let altered = (1..=255).map(altered).find(|bytes| ecdsa_presignature::<C>(bytes));
    add(target, "inventory_altered", &[&altered.expect("one in two")]);
    let part = made.part(id(2)).expect("a signer");
    add(target, "seal", &[&what(3, 4, 0), &part.seal(&SealKey::new(KEY))]);
}

fn signatures<C: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    let fixture = C::fixture();
    let partial = fixture.signature_shares[0].to_bytes();
    add("ecdsa_signature", "share_body", &[&what(0, 4, BODY), body(&partial)]);
    // Another party's name, another key, and the last byte of the scalar.
    add("ecdsa_signature", "share_party", &[&what(0, 4, ALTERED), &[0, 13, 2]]);
    add("ecdsa_signature", "share_altered", &[&what(0, 4, ALTERED), &[0, 178, 1]]);
    add("ecdsa_signature", "share_key", &[&what(0, 4, ALTERED), &[0, 93, 1]]);
    let signature = fixture.signature.to_recoverable().expect("made here");
    add("ecdsa_signature", "signature", &[&[2], &signature]);
    add("ecdsa_signature", "der", &[&[2], &fixture.signature.to_der()]);
    let digest = MessageDigest::sha256(MESSAGE);
    add("ecdsa_signature", "recovery", &[&[3], digest.as_bytes(), &signature]);
}

fn sessions<C: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    let target = "ecdsa_session";
    for (part, operations) in KEYGEN {
        add(target, part, &[&[0], operations]);
    }
    let run = Keygen::<C>::run();
    for round in [2, 4] {
        let (from, frame) = run.received(id(1), round).next().expect("peers");
        let sender = (from.get().to_be_bytes()[1] - 1) << 2;
        let control = [(round - 1) | sender];
        add(target, &format!("round{round}"), &[&[2], &control, &length(frame), frame]);
    }
    // What party 2 broadcasts, with one byte changed.
    for (part, round) in [("altered_reveal", 2), ("altered_proof", 3)] {
        let control = (round - 1) | (1 << 2) | 0x70;
        add(target, part, &[&[2], &[control, 0, 3, 0, 80, 1]]);
    }
    add(target, "stored", &[&[3, 1], &unseal(&run.seals[4])]);
}

fn presigning<C: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    let target = "ecdsa_presign";
    frames::<Presign<C>>("", 0, add);
    frames::<PresignMany<C>>("many_", 2, add);
    add(target, "stored", &[&[3, 1], &unseal(&Presign::<C>::run().seals[2])]);
}

/// The frames of a run of presigning, as they are and with one byte changed.
fn frames<P: Generation>(name: &str, what: u8, add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    let target = "ecdsa_presign";
    for round in 1..=P::ROUNDS {
        // A run that goes well has no red alert.
        let Some((from, frame)) = P::run().received(id(1), round).last() else { continue };
        let sender = (from.get().to_be_bytes()[1] - 1) << 2;
        let control = [(round - 1) | sender];
        add(target, &format!("{name}round{round}"), &[&[what], &control, &length(frame), frame]);
        // What party 2 broadcasts, with one byte changed: the ciphertext, the point, the sum.
        let control = (round - 1) | (1 << 2) | 0x70;
        add(target, &format!("{name}altered{round}"), &[&[what], &[control, 0, 3, 0, 80, 1]]);
    }
}

/// Operations on a key generation, as those on FROST's.
const KEYGEN: [(&str, &[u8]); 4] = [
    // Party 1 gets both commitments, is restarted, goes on; party 2 crashes.
    ("restart", &[0x00, 1, 0x08, 0x00, 2, 0x05, 0x10, 0, 0x19, 0x10, 0, 0x10, 2, 0x15, 0x28]),
    // All reach round 2; party 2 gets an altered share of party 1's, and blames it.
    ("share", &[4, 0x14, 0x24, 5, 0x15, 0x25, 0x0c, 4, 0, 91, 1, 0x1e, 0, 0x14, 0x15]),
    // All reach round 3; party 3 gets an altered proof of party 1's.
    (
        "proof",
        &[
            4, 0x14, 0x24, 5, 0x15, 0x25, 4, 0x14, 0x24, 5, 0x15, 0x25, 0x0c, 12, 0, 91, 1, 0x2e,
            0, 0x24, 0x25,
        ],
    ),
    // All reach round 4; party 3 gets an altered confirmation of party 1's.
    (
        "confirmation",
        &[
            4, 0x14, 0x24, 5, 0x15, 0x25, 4, 0x14, 0x24, 5, 0x15, 0x25, 4, 0x14, 0x24, 5, 0x15,
            0x25, 0x0c, 15, 0, 91, 1, 0x2e, 0, 0x24, 0x25,
        ],
    ),
];

fn aux_info() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |name: &str, bytes: &[&[u8]]| {
        seeds.push(Seed { target: "ecdsa_aux_info", name: name.into(), bytes: bytes.concat() });
    };
    add("public", &[&what(0, 2, AS_IT_IS), honest_public()]);
    add("public_body", &[&what(0, 2, BODY), body(honest_public())]);
    // rid, and the last of t.
    add("public_rid", &[&what(0, 2, ALTERED), &[0, 29, 1]]);
    let last = u16::try_from(body(honest_public()).len() - 1).expect("short").to_be_bytes();
    add("public_altered", &[&what(0, 2, ALTERED), &last, &[2]]);
    // Primes that belong to no party, in place of those of party 2.
    add("public_moduli", &[&[MODULI], &[1, 0, 4, 0, 4, 1]]);
    add("secret_body", &[&what(1, 2, BODY), body(honest_secret())]);
    add("secret_rid", &[&what(1, 2, ALTERED), &[0, 29, 1]]);
    add("secret_used", &[&[0x80 | what(1, 2, ALTERED)[0]], &[0, 29, 1]]);
    seeds
}

/// Evidence, see `evidence.rs`: run, accused, accuser, rounds, edits.
const EVIDENCE: [(&str, &[u8]); 8] = [
    ("openings", &[2, 0, 1, 0, 0]),
    ("products", &[2, 0, 1, 0, 1]),
    ("sums", &[2, 0, 2, 0, 2]),
    ("share", &[2, 5, 1, 0, 3]),
    ("alert", &[2, 10, 1, 0, 3]),
    // The same against the one who is left alone, with a frame of its accuser altered.
    ("framed", &[2, 10, 2, 0, 3, 2, 4, 0, 80, 1]),
    // A proof of the accused altered, and a frame of another run added.
    ("altered", &[2, 0, 1, 0, 0, 2, 2, 1, 0, 1, 7 | 8, 5, 0, 0]),
    ("moduli", &[2, 15, 1, 0, 2]),
];

fn evidence() -> Vec<Seed> {
    let seed =
        |name: &str, bytes: Vec<u8>| Seed { target: "ecdsa_evidence", name: name.into(), bytes };
    let mut seeds: Vec<_> =
        EVIDENCE.iter().map(|(name, bytes)| seed(name, bytes.to_vec())).collect();
    let stored = stored_evidence();
    seeds.push(seed("stored", [&[AS_IT_IS], stored.as_slice()].concat()));
    seeds.push(seed("stored_body", [&[BODY], body(&stored)].concat()));
    seeds
}

/// Operations on signers, see `operations.rs`: the low half of a byte says what, the high half at
/// which signer.
const OPERATIONS: [(&str, &[u8]); 6] = [
    // All get the first presignature, claim it, release; a signature.
    ("sign", &[2, 0, 5, 0, 0, 14, 0, 0]),
    // Signer 1 stores its inventory, signs, goes back: not another message, but the same.
    (
        "restored",
        &[2, 0, 0x07, 5, 0, 0, 0x08, 3, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0x09, 0, 60, 1, 14, 0, 0],
    ),
    // All three sign, two shares are altered and overtake the right ones; another goes well.
    (
        "cheaters",
        &[2, 3, 5, 3, 1, 12, 0, 0, 100, 1, 12, 1, 0, 90, 2, 14, 3, 1, 2, 2, 5, 2, 1, 14, 2, 1],
    ),
    // A presignature of the derived key is not for the first key.
    ("derived", &[2, 4, 3, 4, 0, 1, 5, 4, 0, 14, 4, 0]),
    // Two of one pair: shares of one are none of the other.
    ("mixed", &[2, 0, 2, 1, 5, 0, 0, 5, 1, 0, 13, 0, 0, 5, 13, 0, 0, 12, 13, 1, 0, 3]),
    // What all hold, and what is left of it.
    ("common", &[2, 0, 2, 3, 0x00, 4, 0x0a, 0x1a, 0x0b, 0, 5, 3, 0, 14, 3, 0, 0x1b, 1]),
];
