//! The life of a key: stored forms and backups, and the evidence of a resharing or a repair.

mod evidence;
mod fixture;

use quorate_curve::{Ed25519, P256, Secp256k1};
use quorate_keys::session::container::{DIGEST, HEADER, body};
use quorate_keys::session::{PartyId, Transcript};
use quorate_keys::{
    Backup, BackupKey, BackupRecipient, Drill, SecretShare, ShareHealth, SharedKey,
};

use self::fixture::{Life, Of};
use crate::decoders::strict;
use crate::input::Input;
use crate::seeds::Seed;

/// Calls a function of the curve that a byte chooses.
macro_rules! by_life {
    ($selector:expr, $function:path, $argument:expr) => {{
        use $function as chosen;
        match $selector % 3 {
            0 => chosen::<Ed25519>($argument),
            1 => chosen::<Secp256k1>($argument),
            _ => chosen::<P256>($argument),
        }
    }};
}

pub(crate) fn stored(data: &[u8]) -> bool {
    let Some((first, rest)) = data.split_first() else { return false };
    by_life!(first, forms, rest)
}

pub(crate) fn evidence(data: &[u8]) -> bool {
    let Some((first, rest)) = data.split_first() else { return false };
    by_life!(first, evidence::resharing, rest)
}

pub(crate) fn repair_evidence(data: &[u8]) -> bool {
    let Some((first, rest)) = data.split_first() else { return false };
    by_life!(first, evidence::repair, rest)
}

/// The kinds of object.
const KINDS: u8 = 7;
/// The rest is a body, and gets the container around it.
const BODY: u8 = 0x80;

/// The first byte: which kind, and whether what follows is the whole form or its body.
fn forms<C: Life>(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let which = input.byte();
    let (kind, rest) = ((which & !BODY) % KINDS, input.bytes(usize::MAX));
    let life = C::life();
    if which & BODY == 0 {
        return form::<C>(kind, rest);
    }
    form::<C>(kind, &contained::<C>(&life.forms[usize::from(kind)], rest))
}

/// A container with the header of another, this body, and the digest that fits.
fn contained<C: Life>(like: &[u8], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a short body").to_be_bytes();
    let bytes = [&like[..HEADER - 4], &length, body].concat();
    let mut transcript = Transcript::new("quorate stored form");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append("family", C::NAME.as_bytes());
    transcript.append("bytes", &bytes);
    let bytes = [&bytes[..], &transcript.finish32()].concat();
    assert_eq!(bytes.len(), HEADER + body.len() + DIGEST);
    bytes
}

/// Reads a form; what can be read is what was written, and what can be used is what the fixture made.
fn form<C: Life>(kind: u8, bytes: &[u8]) -> bool {
    let life = C::life();
    let made = bytes == life.forms[usize::from(kind)];
    let (public, share) = (&life.public, life.share());
    match kind {
        0 => {
            let Some(found) = strict(bytes, SharedKey::<Of<C>>::from_bytes, SharedKey::to_bytes)
            else {
                return false;
            };
            assert_eq!(share.check_belongs_to(&found).is_ok(), found == *public);
            assert_eq!(found == *public, made);
        }
        1 => {
            let encode = |share: &SecretShare<Of<C>>| share.to_bytes().to_vec();
            let Some(found) = strict(bytes, SecretShare::from_bytes, encode) else { return false };
            if found.check_belongs_to(public).is_ok() {
                let expected = public.verifying_share(found.id()).map(AsRef::as_ref);
                assert_eq!(expected, Some(found.verifying_share().as_ref()));
            }
        }
        2 => return backup::<C>(bytes),
        3 => {
            let encode = |key: &BackupKey<Of<C>>| key.to_bytes().to_vec();
            let Some(found) = strict(bytes, BackupKey::from_bytes, encode) else { return false };
            assert_eq!(found.recipient() == life.offline.recipient(), made);
        }
        4 => {
            let encode = BackupRecipient::<Of<C>>::to_bytes;
            let Some(found) = strict(bytes, BackupRecipient::from_bytes, encode) else {
                return false;
            };
            assert_eq!(found == *life.offline.recipient(), made);
        }
        5 => {
            let encode = ShareHealth::<Of<C>>::to_bytes;
            let Some(found) = strict(bytes, ShareHealth::from_bytes, encode) else { return false };
            let party: PartyId = share.id();
            assert_eq!(found.verify(public, party, &life.asked).is_ok(), made);
        }
        _ => {
            let Some(found) = strict(bytes, Drill::<Of<C>>::from_bytes, Drill::to_bytes) else {
                return false;
            };
            assert_eq!(found.verify(&life.backup, public, &life.asked).is_ok(), made);
        }
    }
    true
}

/// No backup but the one that was made verifies, and none gives another share.
fn backup<C: Life>(bytes: &[u8]) -> bool {
    let life = C::life();
    let Some(found) = strict(bytes, Backup::<Of<C>>::from_bytes, Backup::to_bytes) else {
        return false;
    };
    let verifies = found.verify(&life.public, life.offline.recipient()).is_ok();
    assert_eq!(verifies, bytes == life.forms[2]);
    match life.offline.restore(&found, &life.public) {
        Ok(share) => assert_eq!(share.verifying_share(), life.share().verifying_share()),
        Err(_) => assert!(!verifies, "verified, and holds nothing"),
    }
    true
}

const NAMES: [&str; KINDS as usize] =
    ["public", "share", "backup", "backup_key", "recipient", "health", "drill"];

pub(crate) fn seeds() -> Vec<Seed> {
    let curves: [fn(u8) -> Vec<Seed>; 3] = [of::<Ed25519>, of::<Secp256k1>, of::<P256>];
    curves.into_iter().zip(0..).flat_map(|(seeds, selector)| seeds(selector)).collect()
}

fn of<C: Life>(selector: u8) -> Vec<Seed> {
    let curve = C::NAME.to_lowercase().replace('-', "");
    let mut seeds = Vec::new();
    for ((kind, name), form) in (0..).zip(NAMES).zip(&C::life().forms) {
        let mut add = |part: &str, mode: u8, bytes: &[u8]| {
            let bytes = [&[selector, kind | mode][..], bytes].concat();
            let name = format!("{curve}_{name}{part}");
            seeds.push(Seed { target: "life_stored", name, bytes });
        };
        add("", 0, form);
        // A backup is long.
        if name != "backup" {
            add("_body", BODY, body(form).expect("a form"));
        }
    }
    for (part, edits) in evidence::EDITS {
        let bytes = [&[selector][..], edits].concat();
        for target in ["life_evidence", "repair_evidence"] {
            let name = format!("{curve}_{part}");
            seeds.push(Seed { target, name, bytes: bytes.clone() });
        }
    }
    seeds
}
