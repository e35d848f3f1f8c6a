//! The offline key to which backups are sealed.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar};
use quorate_declassify::declassify;
use quorate_session::rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::{Backup, BackupError, Drill};
use crate::error::DecodeError;
use crate::wire::{
    self, BACKUP_KEY, BACKUP_RECIPIENT, Encoded, decoded, point_len, put_scalar, read_secret,
    scalar_len,
};
use crate::{Family, HealthChallenge, Scalar, SecretShare, ShareState, SharedKey};

/// The public half of a [`BackupKey`]: a point on the family's curve. A party that seals to it or verifies a
/// backup gets it from its owner, over a trusted channel.
pub struct BackupRecipient<F: Family> {
    /// Y.
    pub(super) key: Encoded<F::Curve>,
}

impl<F: Family> Clone for BackupRecipient<F> {
    fn clone(&self) -> Self {
        Self { key: self.key }
    }
}

impl<F: Family> PartialEq for BackupRecipient<F> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<F: Family> Eq for BackupRecipient<F> {}

impl<F: Family> BackupRecipient<F> {
    /// The stored form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = F::label(BACKUP_RECIPIENT);
        let mut bytes = label.start(point_len::<F::Curve>());
        self.key.put(&mut bytes);
        label.end_public(bytes)
    }

    /// Opens a stored form, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open::<F, _>(bytes, BACKUP_RECIPIENT, |reader| {
            Ok(Self { key: decoded(Encoded::read(reader))? })
        })
    }
}

impl<F: Family> fmt::Debug for BackupRecipient<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BackupRecipient").field(&self.key.bytes).finish()
    }
}

/// The secret key that opens backups. It lives offline, on a machine that holds no share. If all parties use one
/// key, that machine and the backups of t of them have the group's key.
///
/// The key is wiped when dropped, and it is neither `Clone` nor printable.
pub struct BackupKey<F: Family> {
    /// y, never zero.
    secret: Secret<Scalar<F>>,
    recipient: BackupRecipient<F>,
}

impl<F: Family> BackupKey<F> {
    /// Generates a fresh key.
    ///
    /// # Errors
    /// [`RandomnessError`] if the generator gives zeros only.
    pub fn generate(rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, RandomnessError> {
        Ok(Self::from_secret(Secret::new(random_nonzero_scalar::<F::Curve>(rng)?)))
    }

    fn from_secret(secret: Secret<Scalar<F>>) -> Self {
        // Y is published.
        let key = Encoded::new(declassify(F::Curve::mul_base(secret.expose())));
        Self { secret, recipient: BackupRecipient { key } }
    }

    /// The public half, for parties that seal and verify.
    #[must_use]
    pub const fn recipient(&self) -> &BackupRecipient<F> {
        &self.recipient
    }

    /// Opens a backup, offline, and returns the share in it, which is the one that `shared` describes.
    ///
    /// The share is [`ShareState::Ready`] in epoch 0, otherwise [`ShareState::Pending`]. The backup does not
    /// record whether all had acknowledged this epoch when it was made, because its sealer could write that. A
    /// pending share signs; an [`Acknowledge`](crate::Acknowledge) of the committee settles it. The epoch is that
    /// of `shared`. Pass the public value that the committee uses now, so that a backup of an epoch that is over
    /// is refused by name.
    ///
    /// A damaged backup that [`verify`](Backup::verify) refuses still opens, if one part of it holds the share.
    ///
    /// # Errors
    /// [`BackupError::WrongRecipient`], [`BackupError::NotAHolder`] or [`BackupError::Mismatch`] if the backup
    /// belongs to something else. [`BackupError::Empty`] if no part of the backup holds the share.
    pub fn restore(
        &self,
        backup: &Backup<F>,
        shared: &SharedKey<F>,
    ) -> Result<SecretShare<F>, BackupError> {
        let statement = backup.statement(shared, &self.recipient)?;
        let state = ShareState::alone_in(shared.epoch());
        let mut each = backup.proof.open(&statement, &self.secret);
        each.find_map(|secret| SecretShare::new(backup.party, shared, secret, state).ok())
            .ok_or(BackupError::Empty)
    }

    /// Performs a drill: verifies the backup, opens it, answers the challenge with the share and with this key,
    /// and forgets the share. Only a proof leaves this machine.
    ///
    /// # Errors
    /// The errors of [`verify`](Backup::verify) and [`restore`](Self::restore).
    pub fn drill(
        &self,
        backup: &Backup<F>,
        shared: &SharedKey<F>,
        challenge: &HealthChallenge,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Drill<F>, BackupError> {
        backup.verify(shared, &self.recipient)?;
        let share = self.restore(backup, shared)?;
        Ok(Drill::prove(backup, &share, &self.secret, challenge, rng))
    }

    /// Encodes the key in its stored form. It is **secret**: it opens every backup sealed to it.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let label = F::label(BACKUP_KEY);
        let mut bytes = label.start(scalar_len::<F::Curve>());
        put_scalar::<F::Curve>(&mut bytes, self.secret.expose());
        label.end(&mut bytes);
        bytes
    }

    /// Opens a stored key.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open::<F, _>(bytes, BACKUP_KEY, |reader| {
            reader.expect(1, scalar_len::<F::Curve>())?;
            let secret = read_secret::<F::Curve>(reader).ok_or(DecodeError::BadScalar)?;
            // The result shows whether it is zero anyway.
            if declassify(*secret.expose() == Scalar::<F>::default()) {
                return Err(DecodeError::BadScalar);
            }
            Ok(Self::from_secret(secret))
        })
    }
}

impl<F: Family> fmt::Debug for BackupKey<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackupKey").field("recipient", &self.recipient).finish_non_exhaustive()
    }
}
