//! Backups: a share encrypted to an offline key, with a public proof that it is the right one.
//!
//! A party seals its share with [`Backup::seal`] to a [`BackupRecipient`]. Anyone who has the [`SharedKey`]
//! verifies with [`Backup::verify`] that the backup contains the share of this party, without seeing it. The
//! owner of the [`BackupKey`] [restores](BackupKey::restore) the share, or shows in a [drill](BackupKey::drill)
//! that it could.
//!
//! The scheme is cut and choose over hashed ElGamal on the family's own curve (Camenisch and Damgård, ASIACRYPT
//! 2000): 256 encryptions, 64 of them hidden. To make a backup that verifies and does not open takes its sealer
//! `2^203.5` hashes. The scheme rests only on the discrete logarithm (computational Diffie-Hellman) in that group
//! and on the hash.

mod cut_and_choose;
mod drill;
mod error;
mod key;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_declassify::declassify;
use quorate_session::rand_core::CryptoRng;
use quorate_session::wire::{Reader, bounded};
use quorate_session::{PartyId, Transcript};
use zeroize::Zeroizing;

use crate::error::DecodeError;
use crate::wire::{self, BACKUP, Encoded, decoded, point_len, put_party, read_party};
use crate::{Family, PackageId, SecretShare, ShareState, SharedKey};
use cut_and_choose::{NUMBERS, Proof, Statement};
pub use drill::Drill;
pub use error::BackupError;
pub use key::{BackupKey, BackupRecipient};

/// A party's share, encrypted to a [`BackupRecipient`], with the proof that it is that share. It holds no secret
/// in clear.
#[derive(Clone, PartialEq, Eq)]
pub struct Backup<F: Family> {
    party: PartyId,
    package: PackageId,
    recipient: BackupRecipient<F>,
    label: Vec<u8>,
    proof: Proof<F::Curve>,
}

impl<F: Family> Backup<F> {
    /// The longest label, in bytes.
    pub const MAX_LABEL: usize = 255;

    /// Seals the share to `recipient`. The label is public and authenticated, for example a date, a place, or a
    /// ticket.
    ///
    /// Takes about 512 multiplications of the generator and 256 of another point. The result has
    /// `6291 + 65·P + 128·S + label` bytes, 12.5 kB over a curve of 256 bits.
    ///
    /// # Errors
    /// [`BackupError::Mismatch`] if it is not a share of `shared`. [`BackupError::Unconfirmed`] if it is not
    /// confirmed, since its backup could outlive a run that never ended. [`BackupError::LabelTooLong`], and
    /// [`BackupError::Randomness`] for a generator that gives zeros only.
    pub fn seal(
        share: &SecretShare<F>,
        shared: &SharedKey<F>,
        recipient: &BackupRecipient<F>,
        label: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, BackupError> {
        share.check_belongs_to(shared)?;
        if share.state() == ShareState::Unconfirmed {
            return Err(BackupError::Unconfirmed);
        }
        let (most, got) = (Self::MAX_LABEL, label.len());
        if got > most {
            return Err(BackupError::LabelTooLong { most, got });
        }
        let mut random = Zeroizing::new([0; 32]);
        rng.fill_bytes(random.as_mut_slice());
        // The result shows whether it is zero anyway.
        if declassify(random.iter().fold(0, |all, byte| all | byte) == 0) {
            return Err(BackupError::Randomness);
        }
        let (party, package) = (share.id(), share.package_id());
        let statement = statement(party, &package, shared, recipient, label)?;
        let proof = Proof::make(&statement, NUMBERS, share.secret(), &random)
            .ok_or(BackupError::Randomness)?;
        Ok(Self { party, package, recipient: recipient.clone(), label: label.to_vec(), proof })
    }

    /// Verifies that this is the share of [`id`](Self::id) in `shared`, sealed to `recipient`. It needs no
    /// secret, so anybody can do it. Takes as long as sealing.
    ///
    /// # Errors
    /// [`BackupError::WrongRecipient`], [`BackupError::Mismatch`] or [`BackupError::NotAHolder`] if the backup
    /// belongs to something else. [`BackupError::Invalid`] if the proof does not verify.
    pub fn verify(
        &self,
        shared: &SharedKey<F>,
        recipient: &BackupRecipient<F>,
    ) -> Result<(), BackupError> {
        let statement = self.statement(shared, recipient)?;
        if self.proof.verifies(&statement) { Ok(()) } else { Err(BackupError::Invalid) }
    }

    /// The party whose share it is.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.party
    }

    /// The name of the package to which the share belongs.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.package
    }

    /// The key that opens it.
    #[must_use]
    pub const fn recipient(&self) -> &BackupRecipient<F> {
        &self.recipient
    }

    /// The label that it was sealed with.
    #[must_use]
    pub fn label(&self) -> &[u8] {
        &self.label
    }

    /// The statement of the proof, if this backup is of `shared` and to `recipient`.
    fn statement(
        &self,
        shared: &SharedKey<F>,
        recipient: &BackupRecipient<F>,
    ) -> Result<Statement<F::Curve>, BackupError> {
        self.package.check_belongs_to(&shared.package_id())?;
        if self.recipient != *recipient {
            return Err(BackupError::WrongRecipient);
        }
        statement(self.party, &self.package, shared, recipient, &self.label)
    }

    fn digest(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-keys backup");
        transcript.append("backup", &self.to_bytes());
        transcript.finish32()
    }

    /// The stored form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = F::label(BACKUP);
        let fixed = PackageId::LENGTH.saturating_add(point_len::<F::Curve>()).saturating_add(3);
        let body = fixed + self.label.len();
        let mut bytes = label.start(body.saturating_add(NUMBERS.length::<F::Curve>()));
        put_party(&mut bytes, self.party);
        self.package.put(&mut bytes);
        self.recipient.key.put(&mut bytes);
        // `seal` has bounded it by `MAX_LABEL`.
        bytes.push(bounded(self.label.len()));
        bytes.extend_from_slice(&self.label);
        self.proof.put(&mut bytes);
        label.end_public(bytes)
    }

    /// Opens a stored form, strictly. Whether the share is in it is for [`verify`](Self::verify) to check.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open::<F, _>(bytes, BACKUP, |reader: &mut Reader<'_>| {
            let party = read_party(reader)?;
            let package = PackageId::read(reader)?;
            let recipient = BackupRecipient { key: decoded(Encoded::read(reader))? };
            let length = reader.u8()?;
            let label = reader.bytes(length.into())?.to_vec();
            Ok(Self { party, package, recipient, label, proof: Proof::read(reader, NUMBERS)? })
        })
    }
}

impl<F: Family> fmt::Debug for Backup<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backup")
            .field("party", &self.party)
            .field("package", &self.package)
            .finish_non_exhaustive()
    }
}

fn statement<F: Family>(
    party: PartyId,
    package: &PackageId,
    shared: &SharedKey<F>,
    recipient: &BackupRecipient<F>,
    label: &[u8],
) -> Result<Statement<F::Curve>, BackupError> {
    let share = *shared.share_point(party).ok_or(BackupError::NotAHolder(party))?;
    let mut transcript = Transcript::new("quorate-keys backup context");
    transcript.append("family", F::NAME.as_bytes());
    transcript.append("curve", F::Curve::NAME.as_bytes());
    package.append_to(&mut transcript);
    transcript.append_u64("party", party.get().into());
    transcript.append("S", F::Curve::encode_point(&share).as_ref());
    transcript.append("Y", recipient.key.bytes.as_ref());
    transcript.append("label", label);
    Ok(Statement { context: transcript.finish32(), party, share, recipient: recipient.key })
}
