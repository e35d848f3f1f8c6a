//! The values that a signing package fixes: binding factors, group commitment, challenge
//! (RFC 9591 §4.3 to §4.6).

use alloc::vec::Vec;

use quorate_curve::Curve;

use crate::hash::SuiteHash;
use crate::package::SigningPackage;
use crate::signature::{VerifyingKey, normalise};
use crate::suite::{
    Ciphersuite, Point, PointBytes, Scalar, identifier_bytes, point_len, scalar_len,
};

/// The values that signers and coordinator derive alike from a package and a group key.
pub(crate) struct SigningContext<S: Ciphersuite> {
    /// ρ_i, in the order of the package.
    pub(crate) factors: Vec<Scalar<S>>,
    /// R = Σ (D_i + ρ_i·E_i), with even y where the suite wants it.
    pub(crate) r: Point<S>,
    pub(crate) r_bytes: PointBytes<S>,
    /// `true` if R changed its sign for that, and with it all nonces.
    pub(crate) negated: bool,
    /// c = H2(R, Y, message).
    pub(crate) challenge: Scalar<S>,
}

impl<S: Ciphersuite> SigningContext<S> {
    /// Derives them; `None` if the group commitment is the identity. Variable time: a package is
    /// public.
    pub(crate) fn new(package: &SigningPackage<S>, key: &VerifyingKey<S>) -> Option<Self> {
        let factors = binding_factors(package, key);
        let hiding = package.hiding.iter().fold(S::Curve::identity(), |sum, d| sum + *d);
        let r = hiding + S::Curve::msm_vartime(&factors, &package.binding);
        if S::Curve::is_identity(&r) {
            return None;
        }
        let (r, r_bytes, negated) = normalise::<S>(r);
        let challenge = S::challenge(&r_bytes, &key.bytes, package.message());
        Some(Self { factors, r, r_bytes, negated, challenge })
    }
}

/// `compute_binding_factors` (RFC 9591 §4.4): ρ_i = H1(Y ‖ H4(message) ‖ H5(list) ‖ i). The part
/// before i is absorbed once.
pub(crate) fn binding_factors<S: Ciphersuite>(
    package: &SigningPackage<S>,
    key: &VerifyingKey<S>,
) -> Vec<Scalar<S>> {
    let mut hash = S::h1();
    hash.update(&prefix(package, key));
    package
        .ids
        .iter()
        .map(|id| {
            let mut hash = hash.clone();
            hash.update(identifier_bytes::<S>(*id).as_ref());
            hash.finish::<S::Curve>()
        })
        .collect()
}

/// `rho_input_prefix` (RFC 9591 §4.4): Y ‖ H4(message) ‖ H5(list).
fn prefix<S: Ciphersuite>(package: &SigningPackage<S>, key: &VerifyingKey<S>) -> Vec<u8> {
    let mut prefix = key.bytes.as_ref().to_vec();
    prefix.extend_from_slice(S::h4(package.message()).as_ref());
    prefix.extend_from_slice(S::h5([encoded_list(package).as_slice()]).as_ref());
    prefix
}

#[cfg(feature = "testing")]
impl<S: Ciphersuite> SigningPackage<S> {
    /// The input of H1 for each signer, in the order of the signers: `binding_factor_input` in
    /// the test vectors of RFC 9591.
    #[must_use]
    pub fn binding_factor_inputs(&self, key: &VerifyingKey<S>) -> Vec<Vec<u8>> {
        let prefix = prefix(self, key);
        let input = |id| [prefix.as_slice(), identifier_bytes::<S>(id).as_ref()].concat();
        self.ids.iter().copied().map(input).collect()
    }

    /// The binding factor of each signer (RFC 9591 §4.4), in the suite's encoding of a scalar and
    /// in the order of the signers.
    #[must_use]
    pub fn binding_factors(&self, key: &VerifyingKey<S>) -> Vec<Vec<u8>> {
        let encode = |factor: &Scalar<S>| S::Curve::encode_scalar(factor).as_ref().to_vec();
        binding_factors(self, key).iter().map(encode).collect()
    }
}

/// `encode_group_commitment_list` (RFC 9591 §4.3).
pub(crate) fn encoded_list<S: Ciphersuite>(package: &SigningPackage<S>) -> Vec<u8> {
    let each = scalar_len::<S>().saturating_add(point_len::<S>().saturating_mul(2));
    let mut list = Vec::with_capacity(package.ids.len() * each);
    for (id, [hiding, binding]) in package.ids.iter().zip(&package.bytes) {
        list.extend_from_slice(identifier_bytes::<S>(*id).as_ref());
        list.extend_from_slice(hiding.as_ref());
        list.extend_from_slice(binding.as_ref());
    }
    list
}
