//! The draft's equations over the arithmetic of another library, from the draft's text and nothing else.

use k256::elliptic_curve::group::GroupEncoding as _;
use k256::elliptic_curve::ops::{LinearCombination as _, Reduce as _};
use k256::elliptic_curve::{Group as _, PrimeField as _};
use k256::{FieldBytes, ProjectivePoint, Scalar};
use sha2::{Digest as _, Sha256};

/// *Session Context*
pub(crate) struct Context {
    pub(crate) ids: Vec<u32>,
    pub(crate) shares: Vec<[u8; 33]>,
    pub(crate) key: [u8; 33],
    /// Tweaks, each with *is_xonly_t*.
    pub(crate) tweaks: Vec<([u8; 32], bool)>,
    pub(crate) sum: [u8; 66],
    pub(crate) message: Vec<u8>,
}

/// *GetSessionValues*
pub(crate) struct Values {
    pub(crate) q: ProjectivePoint,
    pub(crate) gacc: Scalar,
    pub(crate) tacc: Scalar,
    pub(crate) b: Scalar,
    pub(crate) r: ProjectivePoint,
    pub(crate) e: Scalar,
}

/// A scalar below the order.
pub(crate) fn scalar(bytes: &[u8]) -> Option<Scalar> {
    Scalar::from_repr(FieldBytes::try_from(bytes).unwrap()).into_option()
}

/// A point in compressed form, other than infinity.
pub(crate) fn point(bytes: &[u8]) -> Option<ProjectivePoint> {
    let bytes: [u8; 33] = bytes.try_into().unwrap();
    let decoded = ProjectivePoint::from_bytes(&bytes.into()).into_option()?;
    (!bool::from(decoded.is_identity())).then_some(decoded)
}

/// A point in compressed form, or zeros for infinity.
fn point_or_infinity(bytes: &[u8]) -> Option<ProjectivePoint> {
    if bytes == [0; 33] { Some(ProjectivePoint::IDENTITY) } else { point(bytes) }
}

pub(crate) fn compressed(point: &ProjectivePoint) -> [u8; 33] {
    if bool::from(point.is_identity()) {
        return [0; 33];
    }
    point.to_bytes().into()
}

fn has_even_y(point: &ProjectivePoint) -> bool {
    compressed(point)[0] == 2
}

fn tagged(tag: &str, parts: &[&[u8]]) -> Scalar {
    let tag = Sha256::digest(tag);
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag);
    parts.iter().for_each(|part| hash.update(part));
    let hash: [u8; 32] = hash.finalize().into();
    Scalar::reduce(&FieldBytes::from(hash))
}

/// *DeriveInterpolatingValue*
pub(crate) fn coefficient(ids: &[u32], of: u32) -> Scalar {
    let (mut top, mut bottom) = (Scalar::ONE, Scalar::ONE);
    for id in ids.iter().filter(|id| **id != of) {
        top *= Scalar::from(u64::from(*id) + 1);
        bottom *= Scalar::from(u64::from(*id)) - Scalar::from(u64::from(of));
    }
    top * bottom.invert().unwrap()
}

impl Context {
    /// `None` if the draft lets the session fail.
    pub(crate) fn values(&self) -> Option<Values> {
        let (mut q, mut gacc, mut tacc) = (point(&self.key)?, Scalar::ONE, Scalar::ZERO);
        for (tweak, is_xonly) in &self.tweaks {
            let t = scalar(tweak)?;
            let g = if *is_xonly && !has_even_y(&q) { -Scalar::ONE } else { Scalar::ONE };
            q = q * g + ProjectivePoint::GENERATOR * t;
            if bool::from(q.is_identity()) {
                return None;
            }
            (gacc, tacc) = (g * gacc, t + g * tacc);
        }
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        let serialized: Vec<u8> = ids.iter().flat_map(|id| id.to_be_bytes()).collect();
        let count = u32::try_from(ids.len()).unwrap().to_be_bytes();
        let x = &compressed(&q)[1..];
        let parts = [&count[..], &serialized, &self.sum, x, &self.message];
        let b = tagged("BIP0445/noncecoef", &parts);
        let first = point_or_infinity(&self.sum[..33])?;
        let r = first + point_or_infinity(&self.sum[33..])? * b;
        let r = if bool::from(r.is_identity()) { ProjectivePoint::GENERATOR } else { r };
        let e = tagged("BIP0340/challenge", &[&compressed(&r)[1..], x, &self.message]);
        Some(Values { q, gacc, tacc, b, r, e })
    }

    /// *PartialSigVerifyInternal*: the share that the signer at this place has to have, times the generator.
    pub(crate) fn expected(
        &self,
        values: &Values,
        nonce: &[u8; 66],
        at: usize,
    ) -> Option<ProjectivePoint> {
        let sign = if has_even_y(&values.r) { Scalar::ONE } else { -Scalar::ONE };
        let g = if has_even_y(&values.q) { Scalar::ONE } else { -Scalar::ONE };
        let weight = values.e * coefficient(&self.ids, self.ids[at]) * (g * values.gacc);
        let (r1, r2, share) = (point(&nonce[..33])?, point(&nonce[33..])?, &self.shares[at]);
        let terms = [(r1, sign), (r2, sign * values.b), (point(share)?, weight)];
        Some(ProjectivePoint::lincomb_vartime(&terms))
    }

    /// *PartialSigAgg*
    pub(crate) fn aggregate(&self, values: &Values, psigs: &[[u8; 32]]) -> Option<[u8; 64]> {
        let g = if has_even_y(&values.q) { Scalar::ONE } else { -Scalar::ONE };
        let mut s = values.e * g * values.tacc;
        for psig in psigs {
            s += scalar(psig)?;
        }
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&compressed(&values.r)[1..]);
        signature[32..].copy_from_slice(&s.to_repr());
        Some(signature)
    }
}
