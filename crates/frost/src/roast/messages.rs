//! The two messages of a run, and their containers.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_keys::{Family, PackageId};
use quorate_session::wire::Reader;
use quorate_session::{PartyId, SessionId, Transcript};

use crate::error::DecodeError;
use crate::family::Frost;
use crate::nonces::Commitments;
use crate::package::SigningPackage;
use crate::suite::{Ciphersuite, Scalar, point_len, scalar_len};
use crate::wire::{ROAST_ANSWER, ROAST_REQUEST, open, put_id, read_id, read_scalar};

/// A signer's message: the share that it was asked for, if it was, and the commitments for its next session.
pub(super) struct Answer<S: Ciphersuite> {
    pub(super) run: SessionId,
    pub(super) next: Commitments<S>,
    /// `None` in the first message.
    pub(super) share: Option<AnswerShare<S>>,
}

/// A share in an answer.
pub(super) struct AnswerShare<S: Ciphersuite> {
    /// The session's number, from 1.
    pub(super) session: u16,
    /// [`SigningPackage::digest`]
    pub(super) package: [u8; 32],
    pub(super) z: Scalar<S>,
}

impl<S: Ciphersuite> Answer<S> {
    /// party ‖ package id ‖ run ‖ D ‖ E ‖ number of the session; if that is not 0: digest of the package ‖ z.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let points = point_len::<S>().saturating_mul(2);
        let share = scalar_len::<S>().saturating_add(32);
        let label = Frost::<S>::label(ROAST_ANSWER);
        let body = points.saturating_add(share).saturating_add(PackageId::LENGTH + 36);
        let mut bytes = label.start(body);
        put_id(&mut bytes, self.next.id);
        self.next.package.put(&mut bytes);
        bytes.extend_from_slice(self.run.as_bytes());
        bytes.extend_from_slice(self.next.hiding().as_ref());
        bytes.extend_from_slice(self.next.binding().as_ref());
        let number = self.share.as_ref().map_or(0, |share| share.session);
        bytes.extend_from_slice(&number.to_be_bytes());
        if let Some(AnswerShare { package, z, .. }) = &self.share {
            bytes.extend_from_slice(package);
            bytes.extend_from_slice(S::Curve::encode_scalar(z).as_ref());
        }
        label.end_public(bytes)
    }

    /// Reads what `sender` sent, strictly.
    pub(super) fn from_bytes(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let answer = open::<S, _>(bytes, ROAST_ANSWER, Self::read)?;
        let named = answer.next.id;
        if named == sender { Ok(answer) } else { Err(DecodeError::NotTheSenders { sender, named }) }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (named, of) = (read_id(reader)?, PackageId::read(reader)?);
        let run = SessionId::new(reader.array()?);
        let next = Commitments::read(named, of, reader)?;
        let share = match reader.u16()? {
            0 => None,
            session => {
                let package = reader.array()?;
                Some(AnswerShare { session, package, z: read_scalar::<S>(reader)? })
            }
        };
        Ok(Self { run, next, share })
    }
}

/// The coordinator's message: the package of a session.
pub(super) struct Request<S: Ciphersuite> {
    pub(super) run: SessionId,
    /// The session's number, from 1.
    pub(super) session: u16,
    pub(super) package: SigningPackage<S>,
}

impl<S: Ciphersuite> Request<S> {
    /// run ‖ number of the session ‖ body of the package.
    pub(super) fn encode(run: SessionId, session: u16, package: &SigningPackage<S>) -> Vec<u8> {
        let label = Frost::<S>::label(ROAST_REQUEST);
        let mut bytes = label.start(package.encoded_len() + 34);
        bytes.extend_from_slice(run.as_bytes());
        bytes.extend_from_slice(&session.to_be_bytes());
        package.encode_body_into(&mut bytes);
        label.end_public(bytes)
    }

    /// Reads a request, strictly.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        open::<S, _>(bytes, ROAST_REQUEST, |reader| {
            let (run, session) = (SessionId::new(reader.array()?), reader.u16()?);
            if session == 0 {
                return Err(DecodeError::Inconsistent("sessions are numbered from 1"));
            }
            Ok(Self { run, session, package: SigningPackage::read(reader)? })
        })
    }
}

/// A digest of some bytes, for what they are.
pub(super) fn digest(what: &'static str, bytes: &[u8]) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-frost ROAST");
    transcript.append(what, bytes);
    transcript.finish32()
}
