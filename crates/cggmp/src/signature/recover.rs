//! The public key of a signature (SEC 1, section 4.1.6).

use quorate_session::wire::joined;

use super::{RawDigest, RecoveryId, Signature, VerifyingKey};
use crate::EcdsaCurve;
use crate::wire::POINT;

impl<C: EcdsaCurve> Signature<C> {
    /// The signature with the recovery id by which [`Self::recover`] finds `key`; `None` if it is
    /// no signature of `digest` under this key.
    #[must_use]
    pub fn with_recovery_id(self, key: &VerifyingKey<C>, digest: &RawDigest) -> Option<Self> {
        (0..4)
            .map(|id| Self { recovery: RecoveryId::from_number(id), ..self })
            .find(|signature| signature.recover(digest).as_ref() == Some(key))
    }

    /// The key under which this is a signature of `digest`, by the recovery id (SEC 1, section
    /// 4.1.6); `None` if there is none, or the recovery id is not known.
    #[must_use]
    pub fn recover(&self, digest: &RawDigest) -> Option<VerifyingKey<C>> {
        let nonce = self.nonce_point(self.recovery_id()?)?;
        let inverse = C::invert(self.r());
        let scalars = [inverse * *self.s(), -(inverse * digest.scalar::<C>())];
        let key = VerifyingKey::new(C::msm_vartime(&scalars, &[nonce, C::generator()]))?;
        // Holds for every nonce point found; a defect in finding it would show here.
        key.verify_raw_digest(digest, self).ok()?;
        Some(key)
    }

    fn nonce_point(&self, recovery: RecoveryId) -> Option<C::Point> {
        let mut limbs = C::scalar_limbs(self.r());
        if recovery.x_is_reduced() {
            let mut carry = false;
            for (limb, order) in limbs.iter_mut().zip(C::ORDER) {
                let (sum, first) = limb.overflowing_add(*order);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                (*limb, carry) = (sum, first | second);
            }
            if carry {
                return None;
            }
        }
        // A scalar has four limbs.
        let [low, second, third, high, ..] = limbs;
        let x = [high, third, second, low].map(u64::to_be_bytes);
        let first = 2 | u8::from(recovery.y_is_odd());
        C::decode_point(&joined::<POINT>(&[&[first], x.as_flattened()]))
    }
}
