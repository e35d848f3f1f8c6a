//! A complaint, which opens one sealed scalar to everybody.

use alloc::vec::Vec;

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar};
use quorate_session::{Fault, PartyId, frame, rand_core::CryptoRng, wire::Reader};

use super::Envelope;
use crate::wire::{Encoded, point_len, put_party, put_scalar, read_scalar, scalar_len};

/// `K_ij`, with the Chaum-Pedersen proof that `Y_j = y·G` and `K_ij = y·D_i` for one y.
pub(crate) struct Complaint<C: Curve> {
    /// i, the dealer whose sealed scalar is claimed to be wrong.
    pub(crate) against: PartyId,
    k: Encoded<C>,
    e: C::Scalar,
    z: C::Scalar,
}

impl<C: Curve> Complaint<C> {
    /// The length in bytes of one complaint.
    pub(crate) const LENGTH: usize = 2 + point_len::<C>() + 2 * scalar_len::<C>();

    /// The length in bytes of a message that is a byte and then complaints against `accused` parties.
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

    /// The scalar in the envelope, proved by the complaint.
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

    /// The parties accused by the complaints of a message: at least one, ascending. Nothing follows the
    /// complaints.
    pub(crate) fn accused(bytes: &[u8]) -> Result<Vec<PartyId>, Fault> {
        if bytes.is_empty() || !bytes.chunks(Self::LENGTH).all(|one| one.len() == Self::LENGTH) {
            return Err(Fault::WrongLength);
        }
        let each = bytes
            .chunks(Self::LENGTH)
            .map(|one| PartyId::new(Reader::new(one).u16()?).ok_or(Fault::Malformed));
        let accused = each.collect::<Result<Vec<_>, Fault>>()?;
        if accused.is_sorted_by(|one, next| one < next) {
            Ok(accused)
        } else {
            Err(Fault::Malformed)
        }
    }

    /// The complaints of a message, in the form that [`accused`](Self::accused) requires. Each is decoded when it
    /// is taken.
    pub(crate) fn each(bytes: &[u8]) -> Result<impl Iterator<Item = Result<Self, Fault>>, Fault> {
        Self::accused(bytes)?;
        Ok(bytes.chunks(Self::LENGTH).map(|one| Self::read(Reader::new(one))))
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
