//! Which shares are wrong: the share equation of RFC 9591 §5.4 for many signers at once.
//!
//! Signer i's share is right when z_i·G = ±(D_i + ρ_i·E_i) + c·λ_i·Y_i. Any number of these
//! equations hold together, but for a chance of 2^-128, when their sum with random 128-bit
//! coefficients does, and that is one multi-scalar multiplication. The coefficients are hashed
//! from all the shares, which were fixed before.

use alloc::vec::Vec;
use core::ops::Range;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_curve::Curve;
use quorate_session::{PartyId, Transcript};
use quorate_sharing::lagrange;

use crate::binding::Binding;
use crate::bisect::bad_items;
use crate::keys::PublicKeyPackage;
use crate::package::SigningPackage;
use crate::random::coefficient;
use crate::suite::{Ciphersuite, Point, Scalar};

/// The share equations of one package.
pub(super) struct Suspects<'a, S: Ciphersuite> {
    package: &'a SigningPackage<S>,
    binding: &'a Binding<S>,
    z: &'a [Scalar<S>],
    /// Y_i, in the order of the package, as is everything below.
    keys: Vec<Point<S>>,
    /// c·λ_i
    weights: Vec<Scalar<S>>,
    coefficients: Vec<Scalar<S>>,
}

impl<'a, S: Ciphersuite> Suspects<'a, S> {
    /// `None` if a signer of the package is none of the parties, which was checked before.
    pub(super) fn new(
        public: &PublicKeyPackage<S>,
        package: &'a SigningPackage<S>,
        binding: &'a Binding<S>,
        z: &'a [Scalar<S>],
    ) -> Option<Self> {
        let keys: Option<Vec<_>> =
            package.ids.iter().map(|id| public.share_point(*id).copied()).collect();
        let lambda = lagrange::all_at_zero::<S::Curve>(&package.ids)?;
        let weights = lambda.into_iter().map(|lambda| binding.challenge * lambda).collect();
        let mut rng = ChaCha20Rng::from_seed(seed(binding, z));
        let coefficients = z.iter().map(|_| coefficient::<S>(&mut rng)).collect();
        Some(Self { package, binding, z, keys: keys?, weights, coefficients })
    }

    /// The parties whose shares are wrong, when some are.
    pub(super) fn cheaters(&self) -> Vec<PartyId> {
        bad_items(self.z.len(), |part| self.hold(part))
            .into_iter()
            .filter_map(|at| self.package.ids.get(at).copied())
            .collect()
    }

    /// Whether one signer's equation holds.
    pub(super) fn is_honest(&self, at: usize) -> bool {
        self.hold(at..at.saturating_add(1))
    }

    /// Whether the equations of a part of the signers hold. One alone needs no coefficient.
    fn hold(&self, part: Range<usize>) -> bool {
        let alone = part.len() == 1;
        let mut scalars = Vec::with_capacity(part.len().saturating_mul(3));
        let mut points = Vec::with_capacity(part.len().saturating_mul(3));
        let mut z_sum = Scalar::<S>::default();
        let mut d_sum = S::Curve::identity();
        for term in self.terms(part) {
            let Term { z, rho, weight, coefficient, d, e, key } = term;
            if alone {
                z_sum = z;
                d_sum = d;
                scalars.extend([rho, weight]);
                points.extend([e, key]);
            } else {
                z_sum = z_sum + coefficient * z;
                scalars.extend([coefficient, coefficient * rho, coefficient * weight]);
                points.extend([d, e, key]);
            }
        }
        let right = d_sum + S::Curve::msm_vartime(&scalars, &points);
        S::Curve::mul_base(&z_sum) == right
    }

    fn terms(&self, part: Range<usize>) -> impl Iterator<Item = Term<S>> + '_ {
        // Where R changed its sign, so did every D_i + ρ_i·E_i: the other two terms change theirs
        // instead, and the equation keeps its form.
        let sign = move |x: Scalar<S>| if self.binding.negated { -x } else { x };
        let skip = part.start;
        let commitments = self.package.hiding.iter().zip(&self.package.binding);
        self.z
            .iter()
            .zip(&self.binding.factors)
            .zip(&self.weights)
            .zip(&self.coefficients)
            .zip(commitments)
            .zip(&self.keys)
            .skip(skip)
            .take(part.len())
            .map(move |(((((z, rho), weight), coefficient), (d, e)), key)| Term {
                z: sign(*z),
                rho: *rho,
                weight: sign(*weight),
                coefficient: *coefficient,
                d: *d,
                e: *e,
                key: *key,
            })
    }
}

/// One signer's part of the equation, z·G = D + ρ·E + weight·Y.
struct Term<S: Ciphersuite> {
    z: Scalar<S>,
    rho: Scalar<S>,
    weight: Scalar<S>,
    coefficient: Scalar<S>,
    d: Point<S>,
    e: Point<S>,
    key: Point<S>,
}

/// The seed of the coefficients: everything that the equations are made of. The challenge binds
/// the key and the message, the binding factors all commitments.
fn seed<S: Ciphersuite>(binding: &Binding<S>, z: &[Scalar<S>]) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-frost cheaters");
    transcript.append("suite", S::CONTEXT.as_bytes());
    transcript.append("challenge", S::Curve::encode_scalar(&binding.challenge).as_ref());
    transcript.append_list("factors", binding.factors.iter().map(S::Curve::encode_scalar));
    transcript.append_list("shares", z.iter().map(S::Curve::encode_scalar));
    transcript.finish32()
}
