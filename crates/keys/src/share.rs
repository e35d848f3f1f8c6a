//! One party's share of the secret key.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_session::PartyId;
use quorate_session::wire::{ReadError, Reader};
use zeroize::Zeroizing;

use crate::error::{DecodeError, Mismatch};
use crate::wire::{self, SECRET_SHARE, point_len, put_party, put_scalar, read_secret, scalar_len};
use crate::{Family, PackageId, PointBytes, Scalar, ShareState, SharedKey};

/// A party's share `s_i` of the secret key, with the name of the [`SharedKey`] to which it belongs.
///
/// The share is wiped when dropped, and it is neither `Clone` nor printable.
pub struct SecretShare<F: Family> {
    party: PartyId,
    package: PackageId,
    state: ShareState,
    /// `S_i = s_i·G`.
    verifying: PointBytes<F>,
    /// Never zero.
    secret: Secret<Scalar<F>>,
}

impl<F: Family> SecretShare<F> {
    /// Takes `secret` as the share of `party`, after checking that it is.
    ///
    /// # Errors
    /// [`DecodeError::Inconsistent`] if the party holds no share of the key, or a different one.
    pub fn new(
        party: PartyId,
        shared: &SharedKey<F>,
        secret: Secret<Scalar<F>>,
        state: ShareState,
    ) -> Result<Self, DecodeError> {
        let expected =
            shared.verifying_share(party).ok_or(DecodeError::Inconsistent(NOT_A_HOLDER))?;
        // The point equals the published one, or this is an error. The published one is never the neutral
        // element, so zero is refused.
        let found = declassify(F::Curve::mul_base(secret.expose()));
        if F::Curve::encode_point(&found).as_ref() != expected.as_ref() {
            return Err(DecodeError::Inconsistent(
                "the secret is not this party's share of this key",
            ));
        }
        Ok(Self { party, package: shared.package_id(), state, verifying: *expected, secret })
    }

    /// The party whose share this is.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.party
    }

    /// The name of the [`SharedKey`] to which the share belongs.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.package
    }

    /// The number of times that the key had been reshared or refreshed when this share was made.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.package.epoch()
    }

    /// The state of the share, which tells how far it may be relied on.
    #[must_use]
    pub const fn state(&self) -> ShareState {
        self.state
    }

    /// `S_i = s_i·G`, encoded.
    #[must_use]
    pub const fn verifying_share(&self) -> &PointBytes<F> {
        &self.verifying
    }

    /// `s_i`, for the family that signs with it.
    #[must_use]
    pub const fn secret(&self) -> &Secret<Scalar<F>> {
        &self.secret
    }

    /// Checks that this is a share of `shared`.
    ///
    /// # Errors
    /// The [`Mismatch`], which names the difference.
    pub fn check_belongs_to(&self, shared: &SharedKey<F>) -> Result<(), Mismatch> {
        self.package.check_belongs_to(&shared.package_id())?;
        // A stored share that was altered so that it names this package.
        match shared.verifying_share(self.party) {
            Some(share) if share.as_ref() == self.verifying.as_ref() => Ok(()),
            _ => Err(Mismatch::WrongPackage { epoch: self.epoch() }),
        }
    }

    /// Treats an unconfirmed share as confirmed. This is the owner's own decision, and the result has to be
    /// stored.
    ///
    /// The share lies on the polynomials to which this party saw the dealers commit, however the last round
    /// ended. It is not known which other parties have kept theirs. Ask all parties of the committee, over
    /// channels that you trust, for the [`package_id`](Self::package_id) of their shares. Confirm only if **all**
    /// name this one. After this, a share of epoch 0 is [`ShareState::Ready`]. Any other is
    /// [`ShareState::Pending`]: it signs beside the old share, which stays until all have acknowledged.
    pub fn confirm(&mut self) {
        if self.state == ShareState::Unconfirmed {
            self.state = ShareState::alone_in(self.epoch());
        }
    }

    pub(crate) fn mark(self, state: ShareState) -> Self {
        Self { state, ..self }
    }

    /// Marks the share as ready. The caller knows that all parties have stored theirs.
    pub(crate) fn mark_ready(&mut self) {
        self.state = ShareState::Ready;
    }

    /// Encodes the share in its stored form. It is **secret**: anyone who reads t of these has the key.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let points = point_len::<F::Curve>().saturating_add(scalar_len::<F::Curve>());
        let label = F::label(SECRET_SHARE);
        let mut bytes = label.start(points.saturating_add(PackageId::LENGTH + 3));
        put_party(&mut bytes, self.party);
        self.package.put(&mut bytes);
        bytes.push(self.state.to_byte());
        bytes.extend_from_slice(self.verifying.as_ref());
        put_scalar::<F::Curve>(&mut bytes, self.secret.expose());
        label.end(&mut bytes);
        bytes
    }

    /// Opens a stored share and validates it: every encoding has to be canonical, and the secret that of the
    /// verifying share. [`check_belongs_to`](Self::check_belongs_to) checks that it is a share of a given key.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open::<F, _>(bytes, SECRET_SHARE, Self::read)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = reader.u16()?;
        let party = PartyId::new(number).ok_or(DecodeError::BadOrder)?;
        let package = PackageId::read(reader)?;
        let state = ShareState::read(reader.u8()?, package.epoch())?;
        let verifying = reader.bytes(point_len::<F::Curve>())?;
        let verifying = PointBytes::<F>::try_from(verifying).map_err(|_| ReadError::Truncated)?;
        if reader.remaining() < scalar_len::<F::Curve>() {
            return Err(ReadError::Truncated.into());
        }
        let secret = read_secret::<F::Curve>(reader).ok_or(DecodeError::BadScalar)?;
        let found = declassify(F::Curve::mul_base(secret.expose()));
        if F::Curve::is_identity(&found) {
            return Err(DecodeError::BadScalar);
        }
        if F::Curve::encode_point(&found).as_ref() != verifying.as_ref() {
            return Err(DecodeError::Inconsistent("the secret is not that of the verifying share"));
        }
        Ok(Self { party, package, state, verifying, secret })
    }
}

const NOT_A_HOLDER: &str = "the party holds no share of the key";

impl<F: Family> fmt::Debug for SecretShare<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretShare")
            .field("party", &self.party)
            .field("epoch", &self.epoch())
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
