//! Valid inputs for every target, to start from.

use quorate_frost::Frost;
use quorate_frost::dkg::parts::part1;
use quorate_frost::keys::Family as _;
use quorate_frost::session::{SealKey, To};

use crate::decoders::CONTEXT;
use crate::fixture::{KEY, Suite, THRESHOLD, id, rng};
use crate::migrate::stored;
use crate::sessions::unseal;
use crate::{
    SELECTORS, bignum, derivation, ecdsa, envelope, ethereum, kubernetes, lifecycle, mldsa, pkcs11,
    prf, privval, purpose, zk,
};

/// A valid input of a target.
pub struct Seed {
    /// The target.
    pub target: &'static str,
    /// A name that distinguishes it from the target's other seeds, fit for a file name.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
}

/// A function's values for all suites.
macro_rules! of_suites {
    ($make:ident; $($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        [$($make::<$suite> as fn(_, _) -> _),*]
            .into_iter()
            .zip([$(stringify!($module)),*])
            .zip(SELECTORS)
            .map(|((make, name), selector)| make(name, selector))
    };
}

/// The seeds.
pub fn all() -> Vec<Seed> {
    let suites = quorate::for_each_frost_suite!(of_suites, of;);
    let others = [
        bignum::seeds(),
        zk::seeds(),
        derivation::seeds(),
        envelope::seeds(),
        ecdsa::seeds::all(),
        ethereum::seeds(),
        kubernetes::seeds(),
        lifecycle::seeds(),
        mldsa::seeds::all(),
        pkcs11::seeds(),
        prf::seeds(),
        privval::seeds(),
        purpose::seeds(),
    ];
    suites.chain(others).flatten().collect()
}

/// Inputs that are refused: each differs from a valid one in what one check looks at.
pub fn refused() -> Vec<Seed> {
    let batches = quorate::for_each_frost_suite!(of_suites, exchanged_slots;);
    batches
        .chain(derivation::refused())
        .chain(envelope::refused())
        .chain(ecdsa::seeds::refused::all())
        .chain(ethereum::refused())
        .chain(kubernetes::refused())
        .chain(pkcs11::refused())
        .chain(prf::refused())
        .collect()
}

/// A batch whose range of slots ends before it begins.
fn exchanged_slots<S: Suite>(suite: &str, selector: u8) -> Seed {
    let (fixture, key) = (S::fixture(), SealKey::new(KEY));
    let content = content::<S>(&fixture.batch.seal(&key));
    let (point, scalar) = (fixture.commitments[0].hiding(), fixture.signature_shares[0].scalar());
    let pair = 2 * (point.as_ref().len() + scalar.as_ref().len());
    // … ‖ first slot ‖ last slot ‖ two pairs.
    let (rest, pairs) = content.split_at(content.len() - 2 * pair);
    let (rest, last) = rest.split_at(rest.len() - 4);
    let (header, first) = rest.split_at(rest.len() - 4);
    assert_ne!(first, last, "one range of two slots");
    let bytes = [&[selector, 0], header, last, first, pairs].concat();
    Seed { target: "nonce_batch", name: format!("{suite}_slots"), bytes }
}

/// The body of a sealed batch of nonces.
fn content<S: Suite>(sealed: &[u8]) -> Vec<u8> {
    let label = Frost::<S>::label(crate::decoders::BATCH);
    label.unseal(&SealKey::new(KEY), sealed).expect("a batch").1.to_vec()
}

fn of<S: Suite>(suite: &str, selector: u8) -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |target, part: &str, bytes: &[&[u8]]| {
        let bytes = [[selector].as_slice(), &bytes.concat()].concat();
        let name = if part.is_empty() { suite.into() } else { format!("{suite}_{part}") };
        seeds.push(Seed { target, name, bytes });
    };
    decoders::<S>(&mut add);
    migrated::<S>(&mut add);
    sessions::<S>(&mut add);
    for (part, operations) in DKG {
        add("dkg_operations", part, &[operations]);
    }
    for (part, operations) in SIGNING {
        add("signing_operations", part, &[operations]);
    }
    seeds
}

fn decoders<S: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    let fixture = S::fixture();
    for (part, mode) in [("fitting", 0), ("stored", 1)] {
        add("key_share", part, &[&[mode], &fixture.shares[0].to_bytes()]);
        add("public_key_package", part, &[&[mode], &fixture.public.to_bytes()]);
        add("dealt_share", part, &[&[mode], &fixture.dealt]);
        add("commitments", part, &[&[mode], &fixture.commitments[0].to_bytes()]);
        let published = fixture.batch.publish().to_bytes();
        add("published_nonces", part, &[&[mode], &published]);
        add("signing_package", part, &[&[mode], &fixture.package.to_bytes()]);
        add("signature_share", part, &[&[mode], &fixture.signature_shares[0].to_bytes()]);
    }
    add("signature", "", &[fixture.signature.to_bytes().as_ref()]);
    add("verifying_key", "", &[fixture.public.verifying_key().as_bytes().as_ref()]);
    let key = SealKey::new(KEY);
    let sealed = fixture.batch.seal(&key);
    let content = content::<S>(&sealed);
    add("nonce_batch", "content", &[&[0], &content]);
    add("nonce_batch", "seal", &[&[1], &sealed]);
    let (_, announcement) =
        part1::<S>(id(1), THRESHOLD, &CONTEXT, &mut rng(3)).expect("a generator that works");
    add("dkg_announcement", "", &[&[2], &announcement.to_bytes()]);
}

fn migrated<S: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    if stored::<S>("dkg0/public.bin").is_none() {
        return;
    }
    let read = |name: &str| stored::<S>(name).expect("a file of the suite");
    add("migrate_frost", "public", &[&[0, 0], &read("dkg0/public.bin")]);
    add("migrate_frost", "public_json", &[&[0, 0], &read("dkg1/public.json")]);
    add("migrate_frost", "public_old", &[&[0, 2], &read("dealer1/public2.bin")]);
    add("migrate_frost", "share", &[&[1], &read("dkg0/2.bin")]);
    add("migrate_frost", "share_json", &[&[1], &read("dkg0/3.json")]);
    let [own, public] = ["sparse/2.bin", "sparse/public2.bin"].map(read);
    add("migrate_frost", "both", &[&[2], &length(&own), &own, &public]);
    let [own, public] = ["sparse/1.json", "sparse/public.json"].map(read);
    add("migrate_frost", "both_json", &[&[2], &length(&own), &own, &public]);
}

fn sessions<S: Suite>(add: &mut impl FnMut(&'static str, &str, &[&[u8]])) {
    let run = &S::fixture().dkg;
    // The honest frames themselves, ahead of time and in time, and bodies behind a right header.
    for round in 1..=3 {
        let (from, frame) = run.received(id(1), round).next().expect("peers");
        let sender = (from.get().to_be_bytes()[1] - 1) << 2;
        let control = [(round - 1) | sender];
        add("session_frame", &format!("round{round}"), &[&control, &length(frame), frame]);
    }
    let elsewhere = &run.sent[&(2, id(2))];
    let other = elsewhere.iter().find(|message| message.to == To::Only(id(3)));
    let other = &other.expect("a share for party 3").bytes;
    for (part, round, at) in ATTACKS {
        let control = (round - 1) | (1 << 2) | 0x70;
        add("session_frame", part, &[&[control, 0, 3, 0, at, 1]]);
    }
    add("session_frame", "not_mine", &[&[1 | (1 << 2)], &length(other), other]);
    for (at, sealed) in run.seals.iter().enumerate().step_by(3) {
        add("sealed_session", &format!("content{at}"), &[&[1], &unseal(sealed)]);
    }
    add("sealed_session", "seal", &[&[0], run.seals[1].as_bytes()]);
}

/// Attacks in the name of party 2, with one byte changed: round, and where.
const ATTACKS: [(&str, u8, u8); 4] =
    [("announcement", 1, 50), ("echo", 2, 45), ("share", 2, 91), ("confirmation", 3, 50)];

pub(crate) fn length(frame: &[u8]) -> [u8; 2] {
    u16::try_from(frame.len()).expect("a short frame").to_be_bytes()
}

/// Operations on a key generation, see `dkg.rs`: the low half of a byte says what, the high half
/// at which party. All that is missing is delivered at the end.
const DKG: [(&str, &[u8]); 7] = [
    ("nothing", &[]),
    // Party 1 gets both announcements, is restarted, goes on; party 2 crashes.
    ("restart", &[0x00, 1, 0x08, 0x00, 2, 0x05, 0x10, 0, 0x19, 0x10, 0, 0x10, 2, 0x15, 0x28]),
    // All three complete round 1 and exchange shares, some of them under wrong names.
    (
        "misroute",
        &[
            0x00, 1, 0x00, 2, 0x10, 0, 0x10, 2, 0x20, 0, 0x20, 1, 0x05, 0x15, 0x25, 0x0a, 5, 2,
            0x0a, 6, 1, 0x10, 3, 0x20, 4, 0x1b, 0, 20, 1,
        ],
    ),
    // Round 1, then frames with a byte changed, none of them delivered.
    ("altered", &[0x00, 1, 0x00, 2, 0x05, 0x0c, 1, 0, 60, 1, 0x0c, 3, 0, 75, 1, 0x0d, 2, 0, 4, 1]),
    // All reach round 2; party 2 gets an altered share of party 1's, and blames it.
    ("share", &[4, 0x14, 0x24, 5, 0x15, 0x25, 0x0c, 3, 0, 91, 1, 0x1e, 0, 0x14, 0x15]),
    // The same with the digest of the broadcasts.
    ("echo", &[4, 0x14, 0x24, 5, 0x15, 0x25, 0x0c, 3, 0, 45, 1, 0x1e, 0, 0x14, 0x15]),
    // All reach round 3; party 3 gets an altered confirmation of party 1's.
    (
        "confirmation",
        &[
            4, 0x14, 0x24, 5, 0x15, 0x25, 4, 0x14, 0x24, 5, 0x15, 0x25, 0x0c, 9, 0, 45, 1, 0x2e, 0,
            0x24, 0x25,
        ],
    ),
];

/// Operations on signers, see `signing.rs`.
const SIGNING: [(&str, &[u8]); 5] = [
    // Commit by 1 and 2, a session, both sign, both shares arrive.
    ("two", &[0x00, 0x10, 4, 3, 2, b'h', b'i', 0x07, 0, 0x17, 0, 11, 0, 0, 11, 1, 0, 15, 0]),
    // Batches of all three, one stored, a session of three, all sign and are received.
    (
        "batches",
        &[
            0x02, 0x12, 0x22, 0x0d, 4, 0b01_0101, 1, b'x', 0x07, 0, 0x17, 0, 0x27, 0, 11, 0, 0, 11,
            1, 0, 11, 2, 0, 0x0e, 0x07, 0,
        ],
    ),
    // Two sessions, finished together.
    (
        "batch_equation",
        &[
            0x00, 0x10, 4, 3, 1, b'a', 0x10, 0x20, 4, 3, 1, b'b', 0x07, 0, 0x17, 0, 0x17, 1, 0x27,
            1, 11, 0, 0, 11, 1, 0, 11, 2, 0, 11, 3, 0,
        ],
    ),
    // As the first, and a second session with an altered share among the right ones.
    (
        "altered",
        &[
            0x00, 0x10, 4, 3, 2, b'h', b'i', 0x07, 0, 0x17, 0, 11, 0, 0, 11, 1, 0, 15, 0, 0x00,
            0x10, 4, 3, 0, 0x07, 0, 0x17, 0, 10, 0, 0, 20, 1, 11, 2, 0, 11, 1, 0, 15, 0,
        ],
    ),
    // Three sign, the shares of two are altered and overtake the right ones; a second session goes
    // well.
    (
        "cheaters",
        &[
            6, 7, 1, b'c', 9, 0, 10, 0, 0, 20, 1, 10, 1, 0, 20, 2, 12, 15, 0, 6, 7, 1, b'd', 9, 0,
            12, 15, 0,
        ],
    ),
];
