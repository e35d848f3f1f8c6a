//! The vectors of auxiliary information at a level, for some parties. Primes are those of the tests; nothing that they
//! protect is secret.

use std::sync::Arc;

use quorate::ecdsa::{AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, Level, SecretNatural};
use quorate_testkit::fixtures;
use quorate_testkit::lockstep::parties;

use crate::json::{Json, object};
use crate::record::{Detail, Outcome};
use crate::run::Script;
use crate::seeds::{Seeds, generator};
use crate::terms::{Item, Terms};

/// The name of the ceremony.
pub(crate) const CEREMONY: &str = "auxiliary information";
/// The member of a player that has the seed of s and t.
const SETUP: &str = "setup_seed";

/// A level by its number.
pub(crate) fn level(bits: u32) -> Level {
    match bits {
        2048 => Level::Bits112,
        3072 => Level::Bits128,
        other => panic!("no level has {other} bits"),
    }
}

/// The file of a level and some parties.
pub(crate) fn file(bits: u32, numbers: &[u16], seeds: &Seeds<'_>) -> Json {
    let trace = script(bits, numbers, seeds).honest();
    let (detail, name) = detail(bits, numbers);
    object! {
        "scheme": "ECDSA",
        "level": bits,
        "n": numbers.len(),
        "detail": name,
        "ceremonies": Json::list([trace.json(detail, result)]),
    }
}

/// How much of the messages of a run among these parties a file has.
pub(crate) fn detail(bits: u32, numbers: &[u16]) -> (Detail<'static>, &'static str) {
    if (bits, numbers.len()) == (2048, 2) {
        (Detail::Full, "full")
    } else {
        (Detail::Hashes, "hashes")
    }
}

/// The run of a level between some parties.
pub(crate) fn script(bits: u32, numbers: &[u16], seeds: &Seeds<'_>) -> Script<AuxInfoGen> {
    let (level, all) = (level(bits), parties(numbers));
    let bound = vec![Item::Number("level", bits.into())];
    let terms = Terms::new(CEREMONY, seeds, all.clone(), bound);
    Script::new(terms, seeds, |party| {
        let seed = seeds.of(CEREMONY, party, SETUP);
        let place = all.iter().position(|one| one == party).expect("a party");
        let primes = fixtures::primes(level, place);
        let secrets = AuxSecrets::from_primes(level, &primes, &mut generator(seed));
        let params = AuxInfoParams::new(Arc::new(secrets.expect("proper primes")));
        let number = |prime: &SecretNatural| {
            let bytes = prime.declassify().to_be_bytes(level.prime_bytes());
            Json::hex(bytes.expect("a prime of the level"))
        };
        let inputs = object! {
            "p": number(&primes.p),
            "q": number(&primes.q),
            "safe_p": number(&primes.safe_p),
            "safe_q": number(&primes.safe_q),
            "setup_seed": Json::hex(seed),
        };
        (params, inputs)
    })
}

/// The members for a party's result.
pub(crate) fn result(info: &AuxInfo) -> Outcome {
    let own = object! {
        "auxiliary_information": Json::hex(info.to_bytes()),
        "digest": Json::hex(info.digest()),
    };
    Outcome { public: Some(info.public().to_bytes()), own }
}
