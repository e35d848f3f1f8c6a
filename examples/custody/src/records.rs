//! What a run leaves: the answer to whoever ordered it, and what was made. It is stored in the step that ends the run, and
//! moves from there to the [vault](crate::vault).

use quorate::runner::RunEnd;
use quorate::session::wire::Reader;
use quorate::session::zeroize::Zeroizing;
use quorate_bignum::Engine;
use quorate_cggmp::{AuxInfo, KeyInfo, KeyShare, Presignature, Secp256k1, Signature};
use quorate_examples::failure::Failure;
use quorate_paillier::Level;

use crate::orders::Kind;

/// An answer to an order: the result, as far as all may know it, or the reason why there is none.
pub type Answer = Result<Vec<u8>, String>;

/// How the reason ends why there is no signature, once the node has released its share: others may have put theirs to it.
pub const RELEASED: &str = "a share is released, and the message may be signed";

/// The result of a run, to be stored.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
pub enum Made {
    /// A share of the key.
    Key(KeyShare<Secp256k1>),
    /// Auxiliary information.
    Aux(AuxInfo),
    /// Presignatures.
    Presignatures(Vec<Presignature<Secp256k1>>),
    /// Nothing that is kept besides the answer.
    Nothing,
}

/// The record of the end of a run: `done (1) ‖ answer ‖ parts`, each with its length (4) before it. `parts` gives what
/// is made known of a result, and what is kept of it.
pub fn of_end<O>(
    end: RunEnd<O>,
    parts: impl FnOnce(O) -> (Vec<u8>, Vec<Zeroizing<Vec<u8>>>),
) -> Zeroizing<Vec<u8>> {
    match end {
        RunEnd::Done(result) => {
            let (answer, parts) = parts(result);
            encode(0, &answer, &parts)
        }
        RunEnd::Stopped { stopped, told_by } => {
            let told =
                told_by.map(|peer| format!("; party {peer} had stopped")).unwrap_or_default();
            let lacks = if stopped.unconfirmed.is_some() { "; a result is kept aside" } else { "" };
            let why = format!("{}{told}{lacks}", stopped.abort);
            let parts = stopped.unconfirmed.map(|result| parts(result).1).unwrap_or_default();
            encode(1, why.as_bytes(), &parts)
        }
        RunEnd::Lost(why) => encode(1, why.as_bytes(), &[]),
        _ => encode(1, b"ended", &[]),
    }
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
pub fn read(
    (kind, level): (Kind, Level),
    engine: &Engine,
    record: &[u8],
) -> Result<(Answer, Made), Failure> {
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
    let made = match (kind, parts.as_slice()) {
        (_, []) | (Kind::Sign, _) => Made::Nothing,
        (Kind::Keygen, parts) => {
            let [share, info] = parts else { return Err(Failure::new("not a key")) };
            Made::Key(KeyShare::from_bytes(share, &KeyInfo::from_bytes(info)?)?)
        }
        (Kind::AuxInfo, parts) => {
            let [aux] = parts else { return Err(Failure::new("not auxiliary information")) };
            Made::Aux(AuxInfo::from_bytes(engine, level, aux)?)
        }
        (Kind::Presign, parts) => {
            let all = parts.iter().map(|part| Presignature::from_bytes(part));
            Made::Presignatures(all.collect::<Result<_, _>>()?)
        }
    };
    let text = || String::from_utf8_lossy(answer).into_owned();
    Ok((if done { Ok(answer.to_vec()) } else { Err(text()) }, made))
}

/// A key: the bytes for whoever ordered it, and those for the vault.
pub fn key(share: &KeyShare<Secp256k1>) -> (Vec<u8>, Vec<Zeroizing<Vec<u8>>>) {
    let info = share.info();
    let known = info.verifying_key().as_bytes().to_vec();
    (known, vec![share.to_bytes(), Zeroizing::new(info.to_bytes())])
}

/// Auxiliary information: the bytes for whoever ordered it, and those for the vault.
pub fn aux(aux: &AuxInfo) -> (Vec<u8>, Vec<Zeroizing<Vec<u8>>>) {
    (aux.digest().to_vec(), vec![aux.to_bytes()])
}

/// What is kept of presignatures.
pub fn presignatures(made: &[Presignature<Secp256k1>]) -> (Vec<u8>, Vec<Zeroizing<Vec<u8>>>) {
    (Vec::new(), made.iter().map(Presignature::to_bytes).collect())
}

/// What is made known of a signature: all of it.
pub fn signature(signature: &Signature<Secp256k1>) -> (Vec<u8>, Vec<Zeroizing<Vec<u8>>>) {
    let bytes = signature.to_recoverable().map(|bytes| bytes.to_vec());
    (bytes.unwrap_or_default(), Vec::new())
}
