//! What a run leaves: the answer to whoever ordered it, and what was made. It is stored in the step that ends the run, and
//! moves from there to the [vault](crate::vault).

use quorate::runner::RunEnd;
use quorate::session::wire::Reader;
use quorate::session::zeroize::Zeroizing;
use quorate::{Abort, PartyId};
use quorate_cggmp::{AuxInfo, KeyShare, Presignature, PublicKeyPackage, Secp256k1};
use quorate_examples::failure::Failure;

use crate::orders::Kind;

/// An answer to an order: the result, as far as all may know it, or the reason why there is none.
pub type Answer = Result<Vec<u8>, String>;

/// The result of a run, to be stored.
pub enum Made {
    /// A share of a key, and the public side of the key.
    Key(Zeroizing<Vec<u8>>, Vec<u8>),
    /// Auxiliary information.
    Aux(Zeroizing<Vec<u8>>),
    /// Presignatures.
    Presignatures(Vec<Zeroizing<Vec<u8>>>),
    /// Nothing that is kept besides the answer.
    Nothing,
}

/// What is made known of a result, and what is kept of it.
pub type Parts = (Vec<u8>, Vec<Zeroizing<Vec<u8>>>);

/// The record of the end of a run: `done (1) ‖ answer ‖ parts`, each with its length (4) before it.
pub fn of_end<O>(end: RunEnd<O>, parts: impl FnOnce(O) -> Parts) -> Zeroizing<Vec<u8>> {
    match end {
        RunEnd::Done(result) => {
            let (answer, parts) = parts(result);
            encode(0, &answer, &parts)
        }
        RunEnd::Unconfirmed { output, abort, told_by, .. } => {
            let why = format!("{}; a result is kept aside", reason(&abort, told_by));
            encode(1, why.as_bytes(), &parts(output).1)
        }
        RunEnd::Stopped { abort, told_by, .. } => {
            encode(1, reason(&abort, told_by).as_bytes(), &[])
        }
        RunEnd::Lost(why) => encode(1, why.as_bytes(), &[]),
        RunEnd::Discontinued => encode(1, b"ended", &[]),
    }
}

fn reason(abort: &Abort, told_by: Option<PartyId>) -> String {
    let told = told_by.map(|peer| format!("; party {peer} had stopped")).unwrap_or_default();
    format!("{abort}{told}")
}

fn encode(kind: u8, answer: &[u8], parts: &[Zeroizing<Vec<u8>>]) -> Zeroizing<Vec<u8>> {
    let all = || core::iter::once(answer).chain(parts.iter().map(|part| part.as_slice()));
    // Room for all of it at once: a buffer that grew would leave secrets behind.
    let room = all().fold(1_usize, |room, part| room.saturating_add(part.len()).saturating_add(4));
    let mut record = Zeroizing::new(Vec::with_capacity(room));
    record.push(kind);
    for part in all() {
        let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
        record.extend_from_slice(&length.to_be_bytes());
        record.extend_from_slice(part);
    }
    record
}

/// Reads a record of a run of this kind.
///
/// # Errors
/// A [`Failure`] if it is none.
pub fn read(kind: Kind, record: &[u8]) -> Result<(Answer, Made), Failure> {
    let mut reader = Reader::new(record);
    let done = reader.u8()? == 0;
    let mut part = || {
        let length = usize::try_from(reader.u32()?).unwrap_or(usize::MAX);
        reader.bytes(length)
    };
    let answer = part()?;
    let mut parts = Vec::new();
    while let Ok(part) = part() {
        parts.push(part);
    }
    let secret = |part: &[u8]| Zeroizing::new(part.to_vec());
    let made = match (kind, parts.as_slice()) {
        (_, []) => Made::Nothing,
        (Kind::Presign, parts) => {
            Made::Presignatures(parts.iter().map(|part| secret(part)).collect())
        }
        (Kind::AuxInfo, [aux]) => Made::Aux(secret(aux)),
        (Kind::AuxInfo, _) => return Err(Failure::new("not auxiliary information")),
        (_, [share, public]) => Made::Key(secret(share), public.to_vec()),
        _ => return Err(Failure::new("not a key")),
    };
    let text = || String::from_utf8_lossy(answer).into_owned();
    Ok((if done { Ok(answer.to_vec()) } else { Err(text()) }, made))
}

/// A key: its public side for whoever ordered it, and both for the vault.
pub fn key(share: Zeroizing<Vec<u8>>, public: Vec<u8>) -> Parts {
    (public.clone(), vec![share, Zeroizing::new(public)])
}

/// A key for ECDSA.
pub fn ecdsa_key(share: &KeyShare<Secp256k1>) -> Parts {
    key(share.to_bytes(), share.public().to_bytes())
}

/// The public side of a key alone, at a party that has no share of it.
pub fn no_share(info: &PublicKeyPackage<Secp256k1>) -> Parts {
    (info.to_bytes(), Vec::new())
}

/// Auxiliary information: the bytes for whoever ordered it, and those for the vault.
pub fn aux(aux: &AuxInfo) -> Parts {
    (aux.digest().to_vec(), vec![aux.to_bytes()])
}

/// Presignatures: their public sides, each with its length (4) before it, for whoever puts shares together; and all of them
/// for the vault.
pub fn presignatures(made: &[Presignature<Secp256k1>]) -> Parts {
    let mut known = Vec::new();
    for one in made {
        let info = one.info().to_bytes();
        known.extend_from_slice(&u32::try_from(info.len()).unwrap_or(u32::MAX).to_be_bytes());
        known.extend_from_slice(&info);
    }
    (known, made.iter().map(Presignature::to_bytes).collect())
}
