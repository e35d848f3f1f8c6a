//! Purposes: what is read has one form, and every question to it has an answer.

use quorate_purpose::bitcoin::Spend;
use quorate_purpose::{JwtClaims, KeyKind, Purpose, TypedData};

use crate::seeds::Seed;

/// The forms that the crate pins: a name and bytes in each line.
const PINNED: &str = include_str!("../../crates/purpose/tests/golden/v1/purposes.hex");
const MAIL: &str = include_str!("../../crates/purpose/tests/vectors/eip712-mail.json");

/// The number of an input, and a PSBT with one output of Taproot, which the input spends.
const PSBT: &str = concat!(
    "0070736274ff01005202000000010101010101010101010101010101010101010101010101010101010101010101",
    "0000000000fdffffff01e8030000000000001600141111111111111111111111111111111111111111000000000001",
    "012bd0070000000000002251202222222222222222222222222222222222222222222222222222222222222222000",
    "0"
);

/// The first byte chooses: the canonical form, JSON of typed data, claims of a token, or a PSBT behind the number of an input.
pub(crate) fn check(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    let text = core::str::from_utf8(rest).ok();
    let purpose = match what % 4 {
        0 => Purpose::from_bytes(rest).ok(),
        1 => text.and_then(|json| TypedData::from_json(json).ok()).map(Purpose::from),
        2 => text.and_then(|claims| JwtClaims::new(claims, "k", "").ok()).map(Purpose::from),
        _ => rest.split_first().and_then(|(input, psbt)| {
            Spend::from_psbt(psbt, (*input).into()).ok().map(Purpose::from)
        }),
    };
    let Some(purpose) = purpose else { return false };
    let bytes = purpose.to_bytes();
    assert!(what % 4 != 0 || bytes == rest, "accepted, but not canonical");
    assert_eq!(Purpose::from_bytes(&bytes).as_ref(), Ok(&purpose));
    let facts = purpose.facts();
    let names: usize = facts.iter().map(|(name, _)| name.len()).sum();
    assert!(names <= 8 * bytes.len() + 2048);
    assert_eq!(facts.text("purpose"), Some(purpose.kind().name()));
    assert_eq!(facts.to_string().lines().count(), facts.iter().count());
    for key in KeyKind::ALL {
        if let Ok(message) = purpose.message(key) {
            assert_eq!(message.ecdsa_digest().is_some(), key.is_ecdsa());
            assert_eq!(message.raw().is_some(), !key.is_ecdsa());
        }
    }
    if let Some(watermark) = purpose.watermark() {
        assert!(watermark.slot().len() <= 64);
    }
    true
}

pub(crate) fn seeds() -> Vec<Seed> {
    let seed = |name: &str, what: u8, bytes: &[u8]| {
        let bytes = [&[what], bytes].concat();
        Seed { target: "purpose", name: name.into(), bytes }
    };
    let pinned = PINNED.lines().filter_map(|line| line.split_once(' '));
    let mut seeds: Vec<Seed> =
        pinned.map(|(name, hex)| seed(name, 0, &quorate_testkit::unhex(hex))).collect();
    seeds.push(seed("json", 1, MAIL.as_bytes()));
    seeds.push(seed("psbt", 3, &quorate_testkit::unhex(PSBT)));
    seeds.push(seed("claims", 2, br#"{"sub":"a","exp":1,"l":[{"n":[true]}],"o":{"a/b":"c"}}"#));
    seeds
}
