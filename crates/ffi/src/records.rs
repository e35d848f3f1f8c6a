//! The ends of runs in bytes, as a runner stores them, sealed.

use std::sync::Arc;

use quorate::keys::SharedKey;
use quorate::session::SealKey;
use quorate::session::wire::{Reader, index, narrow};
use quorate::session::zeroize::Zeroizing;

use crate::Scheme;
use crate::arguments::Received;
use crate::aux_info::AuxInfo;
use crate::ecdsa::Presignature;
use crate::error::{ErrorKind, QuorateError, Result};
use crate::key_share::KeyShare;
use crate::mldsa::{MlDsaAccepted, MlDsaKeyShare};
use crate::outcome::Outcome;
use crate::public_key_package::PublicKeyPackage;
use crate::runner::Ended;
use crate::scheme::by_family;
use crate::session::Blame;
use crate::signature::Signature;

/// Bytes in pieces, of which none moves while it grows: a copy of a secret would stay behind.
#[derive(Default)]
struct Writer(Vec<Zeroizing<Vec<u8>>>);

impl Writer {
    fn plain(&mut self, bytes: impl Into<Vec<u8>>) {
        self.0.push(Zeroizing::new(bytes.into()));
    }

    fn u8(&mut self, number: u8) {
        self.plain([number]);
    }

    fn u16(&mut self, number: u16) {
        self.plain(number.to_be_bytes());
    }

    fn count(&mut self, count: usize) -> Result<()> {
        let too_long = |why| QuorateError::new(ErrorKind::Defect, why);
        self.plain(narrow::<u32>(count).map_err(too_long)?.to_be_bytes());
        Ok(())
    }

    /// Bytes with their length.
    fn bytes(&mut self, bytes: Zeroizing<Vec<u8>>) -> Result<()> {
        self.count(bytes.len())?;
        self.0.push(bytes);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes(Zeroizing::new(bytes.to_vec()))
    }

    fn option<T>(
        &mut self,
        value: Option<T>,
        write: impl FnOnce(&mut Self, T) -> Result<()>,
    ) -> Result<()> {
        self.u8(u8::from(value.is_some()));
        value.map_or(Ok(()), |value| write(self, value))
    }

    fn finish(self) -> Zeroizing<Vec<u8>> {
        let room = self.0.iter().map(|piece| piece.len()).sum();
        let mut bytes = Zeroizing::new(Vec::with_capacity(room));
        self.0.iter().for_each(|piece| bytes.extend_from_slice(piece));
        bytes
    }
}

/// Error, blames, and the outcome.
pub(crate) fn write(ended: &Ended, key: &SealKey) -> Result<Zeroizing<Vec<u8>>> {
    let mut writer = Writer::default();
    writer.option(ended.error.as_ref(), |writer, error| {
        let QuorateError::Failed { kind, culprits, check } = error;
        writer.u8(kind.code());
        writer.count(culprits.len())?;
        culprits.iter().for_each(|culprit| writer.u16(*culprit));
        writer.text(check.as_bytes())
    })?;
    writer.count(ended.blames.len())?;
    for blame in &ended.blames {
        writer.u16(blame.party);
        writer.u8(blame.round);
        writer.text(blame.fault.as_bytes())?;
        writer.count(blame.frames.len())?;
        for frame in &blame.frames {
            writer.u16(frame.sender);
            writer.text(&frame.bytes)?;
        }
    }
    writer.option(ended.outcome.as_ref(), |writer, outcome| write_outcome(writer, outcome, key))?;
    Ok(writer.finish())
}

fn write_outcome(writer: &mut Writer, outcome: &Outcome, key: &SealKey) -> Result<()> {
    match outcome {
        Outcome::KeyMade { share } => {
            writer.u8(1);
            writer.bytes(share.encode()?)?;
        }
        Outcome::AuxInfoMade { aux } => {
            writer.u8(2);
            writer.bytes(aux.encode()?)?;
        }
        Outcome::Presigned { presignatures } => {
            writer.u8(3);
            writer.count(presignatures.len())?;
            for one in presignatures {
                writer.u8(one.scheme().code());
                writer.text(&one.sealed(key)?)?;
            }
        }
        Outcome::Signed { signature } => {
            writer.u8(4);
            write_signature(writer, signature)?;
        }
        Outcome::Reshared { public, share } => {
            writer.u8(5);
            writer.u8(public.scheme().code());
            writer.text(&public.to_bytes()?)?;
            write_share(writer, share.as_deref())?;
        }
        Outcome::Repaired { share } => {
            writer.u8(6);
            write_share(writer, share.as_deref())?;
        }
        // Only the run itself can prove that all have stored their shares.
        Outcome::Acknowledged { .. } => writer.u8(7),
        Outcome::MlDsaKeyMade { share } => {
            writer.u8(8);
            writer.bytes(share.encode())?;
        }
        Outcome::MlDsaAttempted { signature, accepted } => {
            writer.u8(9);
            writer.option(signature.as_ref(), write_signature)?;
            writer.count(accepted.len())?;
            for one in accepted {
                writer.u16(one.party);
                writer.u16(one.slots);
            }
        }
    }
    Ok(())
}

fn write_share(writer: &mut Writer, share: Option<&KeyShare>) -> Result<()> {
    writer.option(share, |writer, share| writer.bytes(share.encode()?))
}

fn write_signature(writer: &mut Writer, signature: &Signature) -> Result<()> {
    writer.text(&signature.bytes)?;
    writer.option(signature.der.as_ref(), |writer, der| writer.text(der))?;
    writer.option(signature.recovery_id, |writer, id| {
        writer.u8(id);
        Ok(())
    })
}

/// Reads the bytes of [`write`].
pub(crate) fn read(bytes: &[u8], key: &SealKey) -> Result<Ended> {
    let mut source = Source { reader: Reader::new(bytes), key };
    let error = source.option(|source| {
        let kind = ErrorKind::from_code(source.u8()?).ok_or_else(damaged)?;
        let culprits = source.list(Source::u16)?;
        Ok(QuorateError::Failed { kind, culprits, check: source.text()? })
    })?;
    let blames = source.list(|source| {
        let (party, round, fault) = (source.u16()?, source.u8()?, source.text()?);
        let frames = source.list(|source| {
            Ok(Received { sender: source.u16()?, bytes: source.bytes()?.to_vec() })
        })?;
        Ok(Blame { party, round, fault, frames })
    })?;
    let outcome = source.option(Source::outcome)?.flatten();
    if source.reader.remaining() > 0 {
        return Err(damaged());
    }
    Ok(Ended { outcome, error, blames, damaged: Vec::new(), unopened: None })
}

fn damaged() -> QuorateError {
    QuorateError::new(ErrorKind::Encoding, "the record of a run's end is damaged")
}

struct Source<'a> {
    reader: Reader<'a>,
    key: &'a SealKey,
}

impl<'a> Source<'a> {
    fn u8(&mut self) -> Result<u8> {
        self.reader.u8().map_err(|_| damaged())
    }

    fn u16(&mut self) -> Result<u16> {
        self.reader.u16().map_err(|_| damaged())
    }

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.reader.u32().map_err(|_| damaged())?;
        self.reader.bytes(index(length)).map_err(|_| damaged())
    }

    fn text(&mut self) -> Result<String> {
        String::from_utf8(self.bytes()?.to_vec()).map_err(|_| damaged())
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.reader.u32().map_err(|_| damaged())?;
        (0..count).map(|_| read(self)).collect()
    }

    fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        Ok(if self.u8()? == 1 { Some(read(self)?) } else { None })
    }

    fn share(&mut self) -> Result<Arc<KeyShare>> {
        KeyShare::decode(self.bytes()?)
    }

    fn signature(&mut self) -> Result<Signature> {
        let bytes = self.bytes()?.to_vec();
        let der = self.option(|source| Ok(source.bytes()?.to_vec()))?;
        Ok(Signature { bytes, der, recovery_id: self.option(Self::u8)? })
    }

    /// Reads an outcome; nothing for one that cannot be stored.
    fn outcome(&mut self) -> Result<Option<Outcome>> {
        Ok(Some(match self.u8()? {
            1 => Outcome::KeyMade { share: self.share()? },
            2 => Outcome::AuxInfoMade { aux: AuxInfo::decode(self.bytes()?)? },
            3 => Outcome::Presigned {
                presignatures: self.list(|source| {
                    let scheme = Scheme::from_code(source.u8()?)?;
                    Presignature::unsealed(scheme, source.bytes()?, source.key)
                })?,
            },
            4 => Outcome::Signed { signature: self.signature()? },
            5 => {
                let scheme = Scheme::from_code(self.u8()?)?;
                let bytes = self.bytes()?;
                let public = by_family!(scheme, F => PublicKeyPackage::of::<F>(
                    <F as quorate::keys::KeyTypes>::public(SharedKey::<F>::from_bytes(bytes)?)
                ));
                Outcome::Reshared { public, share: self.option(Self::share)? }
            }
            6 => Outcome::Repaired { share: self.option(Self::share)? },
            7 => return Ok(None),
            8 => Outcome::MlDsaKeyMade { share: MlDsaKeyShare::decode(self.bytes()?)? },
            9 => Outcome::MlDsaAttempted {
                signature: self.option(Self::signature)?,
                accepted: self.list(|source| {
                    Ok(MlDsaAccepted { party: source.u16()?, slots: source.u16()? })
                })?,
            },
            _ => return Err(damaged()),
        }))
    }
}
