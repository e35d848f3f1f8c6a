//! A complaint: it opens one sealed scalar to everybody.

use alloc::vec::Vec;

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar};
use quorate_session::{Fault, PartyId, frame, rand_core::CryptoRng, wire::Reader};

use super::Envelope;
use crate::wire::{Encoded, point_len, put_party, put_scalar, read_scalar, scalar_len};

/// `K_ij`, with the Chaum-Pedersen proof that `Y_j = y·G` and `K_ij = y·D_i` for one y.
pub(crate) struct Complaint<C: Curve> {
    /// i, whose sealed scalar is said to be wrong.
    pub(crate) against: PartyId,
    k: Encoded<C>,
    e: C::Scalar,
    z: C::Scalar,
}

impl<C: Curve> Complaint<C> {
    /// Bytes of one.
    pub(crate) const LENGTH: usize = 2 + point_len::<C>() + 2 * scalar_len::<C>();

    /// Bytes of a message that is a byte and then complaints against so many.
    pub(crate) const fn message_len(accused: usize) -> usize {
        accused.saturating_mul(Self::LENGTH).saturating_add(1)
    }

    /// Opens the envelope.
    pub(crate) fn make(
        envelope: &Envelope<C>,
        y: &Secret<C::Scalar>,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, RandomnessError> {
        let nonce = Secret::new(random_nonzero_scalar::<C>(rng)?);
        let k = envelope.shared(y.expose());
        // A = r·G, B = r·D
        let a = C::mul_base(nonce.expose());
        let b = C::mul(&envelope.key.point, nonce.expose());
        let e = challenge(envelope, &k, [&a, &b]);
        let z = *nonce.expose() + e * *y.expose();
        Ok(Self { against: envelope.from, k, e, z })
    }

    /// The scalar in the envelope, which the proof makes certain.
    ///
    /// # Errors
    /// The complainer's fault: the proof does not verify.
    pub(crate) fn opened(
        &self,
        envelope: &Envelope<C>,
        sealed: &C::Scalar,
    ) -> Result<Secret<C::Scalar>, Fault> {
        let minus = -self.e;
        // A = z·G − e·Y, B = z·D − e·K
        let a = C::msm_vartime(&[self.z, minus], &[C::generator(), envelope.recipient.point]);
        let b = C::msm_vartime(&[self.z, minus], &[envelope.key.point, self.k.point]);
        if challenge(envelope, &self.k, [&a, &b]) != self.e {
            return Err(Fault::InvalidProof);
        }
        Ok(envelope.open(&self.k, sealed))
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        put_party(bytes, self.against);
        self.k.put(bytes);
        put_scalar::<C>(bytes, &self.e);
        put_scalar::<C>(bytes, &self.z);
    }

    /// Reads at least one complaint, ascending by whom they are against, and nothing after them.
    pub(crate) fn read_all(bytes: &[u8]) -> Result<Vec<Self>, Fault> {
        if bytes.is_empty() || !bytes.chunks(Self::LENGTH).all(|one| one.len() == Self::LENGTH) {
            return Err(Fault::WrongLength);
        }
        let all = bytes.chunks(Self::LENGTH).map(|one| Self::read(Reader::new(one)));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        if all.is_sorted_by(|one, next| one.against < next.against) {
            Ok(all)
        } else {
            Err(Fault::Malformed)
        }
    }

    fn read(mut reader: Reader<'_>) -> Result<Self, Fault> {
        let against = PartyId::new(reader.u16()?).ok_or(Fault::Malformed)?;
        let k = Encoded::read(&mut reader)?;
        let (e, z) = (read_scalar::<C>(&mut reader)?, read_scalar::<C>(&mut reader)?);
        Ok(Self { against, k, e, z })
    }
}

fn challenge<C: Curve>(
    envelope: &Envelope<C>,
    k: &Encoded<C>,
    [a, b]: [&C::Point; 2],
) -> C::Scalar {
    let mut transcript = frame::transcript(&envelope.context, "quorate-keys complaint");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append_u64("from", envelope.from.get().into());
    transcript.append_u64("to", envelope.to.get().into());
    transcript.append("D", envelope.key.bytes.as_ref());
    transcript.append("Y", envelope.recipient.bytes.as_ref());
    transcript.append("K", k.bytes.as_ref());
    transcript.append("A", C::encode_point(a).as_ref());
    transcript.append("B", C::encode_point(b).as_ref());
    C::scalar_from_wide(&transcript.finish())
}
