//! Presignatures by a dealer with the whole key, for tests that need thousands.

use quorate_cggmp::{EcdsaCurve, KeyShare, Presignature, single_point_of_failure};
use quorate_session::Transcript;

use crate::aux_info::resealed;
use crate::support::*;

/// Behind the stored form: the digest, and before it the two secrets.
const DIGEST: usize = 32;
const SECRETS: usize = 64;
const POINTS: usize = 66;

pub struct Dealer<C: EcdsaCurve> {
    /// x
    pub secret: C::Scalar,
    /// A presignature of a real run, whose name, points and secrets are replaced.
    real: Vec<Vec<u8>>,
}

/// The parts of a presignature, with the nonce that no party has.
pub struct Dealt<C: EcdsaCurve> {
    /// Γ = γG
    pub gamma: C::Scalar,
    pub parts: Vec<Presignature<C>>,
}

impl<C: EcdsaCurve> Dealer<C> {
    pub fn new(group: &Group<C>, real: &[Presignature<C>]) -> Self {
        let copy =
            |key: &KeyShare<C>| KeyShare::<C>::from_bytes(&key.to_bytes(), key.public()).unwrap();
        let shares: Vec<_> = group.keys.iter().map(|key| copy(key)).collect();
        let secret = *single_point_of_failure::export(&shares).unwrap().expose();
        Self { secret, real: real.iter().map(|one| one.to_bytes().to_vec()).collect() }
    }

    /// Σk̃_i = 1/γ, Σχ̃_i = x/γ, Δ̃_j = k̃_jΓ, S̃_j = χ̃_jΓ.
    pub fn deal(&self, number: u64) -> Dealt<C> {
        let draw = |label: &'static str, at: usize| {
            let mut transcript = Transcript::new("dealer");
            transcript.append_u64("number", number);
            transcript.append(label, &at.to_be_bytes());
            transcript.finish()
        };
        let scalar = |label, at| C::scalar_from_wide(&draw(label, at));
        let gamma = scalar("gamma", 0);
        let nonce = C::mul_base(&gamma);
        let inverse = C::invert(&gamma);
        let split = |label, whole| {
            let mut shares: Vec<_> = (1..self.real.len()).map(|at| scalar(label, at)).collect();
            shares.push(shares.iter().fold(whole, |rest, share| rest - *share));
            shares
        };
        let (k, chi) = (split("k", inverse), split("chi", inverse * self.secret));
        let points: Vec<u8> = k
            .iter()
            .zip(&chi)
            .flat_map(|(k, chi)| C::encode_points(&[*k, *chi].map(|one| C::mul(&nonce, &one))))
            .flatten()
            .collect();
        let public =
            [&draw("context", 0)[..32], &[0; 4], &C::encode_point(&nonce), &points].concat();
        let part = |(real, (k, chi)): (&Vec<u8>, (&C::Scalar, &C::Scalar))| {
            let end = real.len() - DIGEST - SECRETS - 32 - POINTS * k_len(&points) - 33 - 36;
            let secrets = [*k, *chi].map(|one| C::encode_scalar(&one));
            let bytes =
                [&real[..end], &public, &[0; 32], secrets.as_flattened(), &[0; DIGEST]].concat();
            Presignature::from_bytes(&resealed(&bytes)).unwrap()
        };
        let parts = self.real.iter().zip(k.iter().zip(&chi)).map(part).collect();
        Dealt { gamma, parts }
    }
}

const fn k_len(points: &[u8]) -> usize {
    points.len() / POINTS
}
