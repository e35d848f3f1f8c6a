//! Pairs of nonces, and the commitments to them.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_keys::{Family, PackageId};
use quorate_session::wire::Reader;
use quorate_session::{PartyId, Transcript};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::error::DecodeError;
use crate::family::Frost;
use crate::key::KeyShare;
use crate::suite::{Ciphersuite, Point, PointBytes, Scalar, point_len};
use crate::wire::{
    COMMITMENTS, Encoded, only_point, open, put_id, read_id, read_point, read_points_vartime,
};

/// The name of a pair of nonces: a digest of their commitments.
///
/// Signing twice with one pair gives the key away. For nonces that outlive a process, a [`Claim`](crate::Claim)
/// requires that the name is recorded before the share that spends them can be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonceId(pub [u8; 32]);

impl fmt::Debug for NonceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NonceId(")?;
        crate::signature::hex(f, &self.0)?;
        f.write_str(")")
    }
}

/// A pair of secret nonces (d, e) for one signature.
///
/// A pair is spent by value and cannot be copied, stored or printed. Nonces that have to wait are kept in a
/// [`NonceBatch`](crate::NonceBatch).
pub struct Nonces<S: Ciphersuite> {
    pub(crate) hiding: Secret<Scalar<S>>,
    pub(crate) binding: Secret<Scalar<S>>,
    pub(crate) commitments: Commitments<S>,
    /// The digest that they were released for: [`SigningPackage::digest`]. Nonces that never left this
    /// process may be used for any package. The digest is boxed, so that an absent one leaves no
    /// uninitialised bytes of the stack in the struct.
    ///
    /// [`SigningPackage::digest`]: crate::SigningPackage::digest
    pub(crate) released_for: Option<Box<[u8; 32]>>,
}

impl<S: Ciphersuite> Nonces<S> {
    /// Their name.
    #[must_use]
    pub fn id(&self) -> NonceId {
        self.commitments.nonce_id()
    }
}

impl<S: Ciphersuite> fmt::Debug for Nonces<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nonces").finish_non_exhaustive()
    }
}

/// A signer's public commitments (D, E) to a pair of nonces, for the coordinator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Commitments<S: Ciphersuite> {
    pub(crate) id: PartyId,
    pub(crate) package: PackageId,
    pub(crate) hiding: Point<S>,
    pub(crate) binding: Point<S>,
    pub(crate) hiding_bytes: PointBytes<S>,
    pub(crate) binding_bytes: PointBytes<S>,
}

impl<S: Ciphersuite> Commitments<S> {
    /// The signer.
    #[must_use]
    pub fn id(&self) -> PartyId {
        self.id
    }

    /// The name of the public key package whose share made them.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.package
    }

    /// The encoding of the hiding commitment D.
    #[must_use]
    pub fn hiding(&self) -> &PointBytes<S> {
        &self.hiding_bytes
    }

    /// The encoding of the binding commitment E.
    #[must_use]
    pub fn binding(&self) -> &PointBytes<S> {
        &self.binding_bytes
    }

    /// The name of the nonces behind them.
    #[must_use]
    pub fn nonce_id(&self) -> NonceId {
        let mut transcript = Transcript::new("quorate-frost nonces");
        transcript.append("suite", S::CONTEXT.as_bytes());
        transcript.append_u64("party", u64::from(self.id.get()));
        transcript.append("hiding", self.hiding().as_ref());
        transcript.append("binding", self.binding().as_ref());
        NonceId(transcript.finish32())
    }

    /// The commitments in their sent form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode_into(&mut bytes);
        bytes
    }

    /// Appends the sent form to a buffer of the caller: none is made while it has room.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        let points = point_len::<S>().saturating_mul(2);
        let body = points.saturating_add(PackageId::LENGTH).saturating_add(2);
        Frost::<S>::label(COMMITMENTS).encode_into(out, body, |bytes| {
            put_id(bytes, self.id);
            self.package.put(bytes);
            bytes.extend_from_slice(self.hiding().as_ref());
            bytes.extend_from_slice(self.binding().as_ref());
        });
    }

    /// Reads commitments that `sender` sent, strictly: neither may be the identity. The **authenticated**
    /// transport names the sender.
    ///
    /// # Errors
    /// A [`DecodeError`] if the form is not canonical, or if the commitments are in another
    /// party's name. Either is the sender's fault, unless it is another kind of object, of another suite or release.
    pub fn from_bytes(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let commitments = open::<S, _>(bytes, COMMITMENTS, |reader| {
            let named = read_id(reader)?;
            let package = PackageId::read(reader)?;
            Self::read(named, package, reader)
        })?;
        let named = commitments.id;
        if named == sender {
            Ok(commitments)
        } else {
            Err(DecodeError::NotTheSenders { sender, named })
        }
    }

    /// Reads many messages with commitments of one sender. The results are in the order of the messages, and each is what
    /// [`Self::from_bytes`] returns for its message. Together they take less time.
    pub fn from_bytes_many<B: AsRef<[u8]>>(
        sender: PartyId,
        messages: impl IntoIterator<Item = B>,
    ) -> Vec<Result<Self, DecodeError>> {
        let messages: Vec<B> = messages.into_iter().collect();
        let parts: Vec<_> =
            messages.iter().map(|message| Parts::of::<S>(sender, message.as_ref())).collect();
        let encodings: Vec<_> =
            parts.iter().flatten().map(|parts| parts.encodings.as_slice()).collect();
        // If a point is bad, each message is read alone.
        let points = read_points_vartime::<S>(&encodings.concat()).unwrap_or_default();
        let mut pairs = points.as_chunks::<2>().0.iter();
        let read = messages.iter().zip(parts).map(|(message, parts)| {
            let pair = parts.and_then(|parts| Some((parts.package, pairs.next()?)));
            pair.map_or_else(
                || Self::from_bytes(sender, message.as_ref()),
                |(package, [hiding, binding])| Ok(Self::new(sender, package, *hiding, *binding)),
            )
        });
        read.collect()
    }

    /// Takes commitments made elsewhere from the suite's encodings of D and E. `package` is the
    /// name of the public key package whose share made them.
    ///
    /// # Errors
    /// [`DecodeError::BadPoint`] if one is not canonical, [`DecodeError::Truncated`] or
    /// [`DecodeError::TrailingBytes`] if one has another length.
    pub fn from_parts(
        id: PartyId,
        package: PackageId,
        hiding: &[u8],
        binding: &[u8],
    ) -> Result<Self, DecodeError> {
        Ok(Self::new(id, package, only_point::<S>(hiding)?, only_point::<S>(binding)?))
    }

    /// Reads D ‖ E.
    pub(crate) fn read(
        id: PartyId,
        package: PackageId,
        reader: &mut Reader<'_>,
    ) -> Result<Self, DecodeError> {
        Ok(Self::new(id, package, read_point::<S>(reader)?, read_point::<S>(reader)?))
    }

    /// The commitments of one signer whose encodings D ‖ E are one after the other.
    pub(crate) fn from_encodings(
        id: PartyId,
        package: PackageId,
        encodings: &[u8],
    ) -> Result<Vec<Self>, DecodeError> {
        let points = read_points_vartime::<S>(encodings)?;
        let pairs = points.as_chunks::<2>().0.iter();
        Ok(pairs.map(|[hiding, binding]| Self::new(id, package, *hiding, *binding)).collect())
    }

    const fn new(
        id: PartyId,
        package: PackageId,
        (hiding, hiding_bytes): Encoded<S>,
        (binding, binding_bytes): Encoded<S>,
    ) -> Self {
        Self { id, package, hiding, binding, hiding_bytes, binding_bytes }
    }
}

/// The parts of a message with commitments: its points are not read yet.
struct Parts {
    package: PackageId,
    /// D ‖ E.
    encodings: Vec<u8>,
}

impl Parts {
    /// `None` unless the message is of this form, in the sender's name.
    fn of<S: Ciphersuite>(sender: PartyId, bytes: &[u8]) -> Option<Self> {
        let (named, parts) = open::<S, _>(bytes, COMMITMENTS, |reader| {
            let (named, package) = (read_id(reader)?, PackageId::read(reader)?);
            let encodings = reader.bytes(point_len::<S>().saturating_mul(2))?.to_vec();
            Ok((named, Self { package, encodings }))
        })
        .ok()?;
        (named == sender).then_some(parts)
    }
}

impl<S: Ciphersuite> fmt::Debug for Commitments<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commitments({}, ", self.id)?;
        crate::signature::hex(f, self.hiding().as_ref())?;
        f.write_str(", ")?;
        crate::signature::hex(f, self.binding().as_ref())?;
        f.write_str(")")
    }
}

impl<S: Ciphersuite> KeyShare<S> {
    /// Round one (RFC 9591 §5.1): a fresh pair of nonces, and the commitments to send to the
    /// coordinator.
    ///
    /// The nonces hash 32 bytes of `rng` each together with the signing share, so that a broken
    /// generator alone does not repeat a nonce of another key.
    pub fn commit(&self, rng: &mut impl CryptoRng) -> (Nonces<S>, Commitments<S>) {
        let (hiding, binding) = (self.nonce(rng), self.nonce(rng));
        let secrets = Zeroizing::new([*hiding.expose(), *binding.expose()]);
        let (points, bytes) = S::Curve::mul_base_many(secrets.as_ref());
        self.nonces(hiding, binding, &points, &bytes)
    }

    /// `nonce_generate` of RFC 9591 §4.1.
    pub(crate) fn nonce(&self, rng: &mut impl CryptoRng) -> Secret<Scalar<S>> {
        let mut random = Zeroizing::new([0; 32]);
        rng.fill_bytes(random.as_mut());
        let secret = Zeroizing::new(S::Curve::encode_scalar(self.secret().expose()));
        Secret::new(S::h3(random.as_ref(), (*secret).as_ref()))
    }

    /// Nonces with their commitments D and E, `bytes` being the encodings of `points`.
    pub(crate) fn nonces(
        &self,
        hiding: Secret<Scalar<S>>,
        binding: Secret<Scalar<S>>,
        points: &[Point<S>],
        bytes: &[PointBytes<S>],
    ) -> (Nonces<S>, Commitments<S>) {
        let commitment = |at: usize, secret: &Secret<Scalar<S>>| {
            let point = points.get(at).copied();
            let point = point.unwrap_or_else(|| S::Curve::mul_base(secret.expose()));
            let encoded = bytes.get(at).copied();
            // Sent to the coordinator.
            declassify((point, encoded.unwrap_or_else(|| S::Curve::encode_point(&point))))
        };
        let (d, hiding_bytes) = commitment(0, &hiding);
        let (e, binding_bytes) = commitment(1, &binding);
        let commitments = Commitments {
            id: self.id(),
            package: self.package_id(),
            hiding: d,
            binding: e,
            hiding_bytes,
            binding_bytes,
        };
        (Nonces { hiding, binding, commitments, released_for: None }, commitments)
    }
}
