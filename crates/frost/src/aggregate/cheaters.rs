//! The search for wrong shares: the share equation of RFC 9591 §5.4 for many signers at once.
//!
//! Signer i's share is right when z_i·G = ±(D_i + ρ_i·E_i) + c·λ_i·Y_i. The sum of any number of these equations,
//! with random 128-bit coefficients, is one multi-scalar multiplication. If it holds, all of them hold, except
//! with a chance of 2^-128. The coefficients are hashed from all the shares, which were fixed before.

use alloc::vec::Vec;
use core::ops::Range;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_curve::Curve;
use quorate_session::{PartyId, Transcript};
use quorate_sharing::lagrange;

use crate::binding::SigningContext;
use crate::bisect::bad_items;
use crate::package::SigningPackage;
use crate::suite::{Ciphersuite, Point, Scalar};

/// The share equations of one package.
pub(super) struct Suspects<'a, S: Ciphersuite> {
    package: &'a SigningPackage<S>,
    binding: &'a SigningContext<S>,
    z: &'a [Scalar<S>],
    /// Y_i, in the order of the package, as is everything below.
    keys: Vec<Point<S>>,
    /// c·λ_i
    weights: Vec<Scalar<S>>,
    coefficients: Vec<Scalar<S>>,
}

impl<'a, S: Ciphersuite> Suspects<'a, S> {
    /// `keys` are the verifying shares of the signers, in the order of the package.
    ///
    /// `None` if a signer is in the package twice, which was checked before.
    pub(super) fn new(
        keys: Vec<Point<S>>,
        package: &'a SigningPackage<S>,
        binding: &'a SigningContext<S>,
        z: &'a [Scalar<S>],
    ) -> Option<Self> {
        let lambda = lagrange::all_at_zero::<S::Curve>(&package.ids)?;
        let weights = lambda.into_iter().map(|lambda| binding.challenge * lambda).collect();
        let mut rng = ChaCha20Rng::from_seed(seed(binding, z));
        let terms = z.len() * 3;
        let coefficients =
            z.iter().map(|_| S::Curve::batch_coefficient_vartime(&mut rng, terms)).collect();
        Some(Self { package, binding, z, keys, weights, coefficients })
    }

    /// The parties whose shares are wrong, when some are.
    pub(super) fn cheaters(&self) -> Vec<PartyId> {
        bad_items(self.z.len(), |part| self.hold(part))
            .into_iter()
            .filter_map(|at| self.package.ids.get(at).copied())
            .collect()
    }

    /// Returns whether the equations of a part of the signers hold. A single signer needs no coefficient.
    fn hold(&self, part: Range<usize>) -> bool {
        let alone = part.len() == 1;
        let mut sum = Sum::<S>::with_capacity(part.len());
        for (term, coefficient) in self.terms(part) {
            if alone {
                return term.holds();
            }
            sum.add(&term, coefficient);
        }
        sum.agree()
    }

    fn terms(&self, part: Range<usize>) -> impl Iterator<Item = (Term<S>, Scalar<S>)> + '_ {
        let binding = self.binding;
        let commitments = self.package.hiding.iter().zip(&self.package.binding);
        let signers = self.z.iter().zip(&binding.factors).zip(&self.weights);
        signers
            .zip(commitments)
            .zip(&self.keys)
            .zip(&self.coefficients)
            .skip(part.start)
            .take(part.len())
            .map(move |(((((z, rho), weight), (d, e)), key), coefficient)| {
                let term = Term { z: *z, rho: *rho, weight: *weight, d: *d, e: *e, key: *key };
                (term.signed(binding.negated), *coefficient)
            })
    }
}

/// Returns whether the share of one signer, whose verifying share is `key`, is right; `None` if it is not one of
/// the signers.
pub(super) fn is_honest<S: Ciphersuite>(
    key: Point<S>,
    package: &SigningPackage<S>,
    binding: &SigningContext<S>,
    party: PartyId,
    z: Scalar<S>,
) -> Option<bool> {
    let at = package.position(party)?;
    let lambda = lagrange::one_at_zero::<S::Curve>(&package.ids, party)?;
    let term = Term::<S> {
        z,
        rho: *binding.factors.get(at)?,
        weight: binding.challenge * lambda,
        d: *package.hiding.get(at)?,
        e: *package.binding.get(at)?,
        key,
    };
    Some(term.signed(binding.negated).holds())
}

/// One signer's equation, z·G = D + ρ·E + weight·Y.
struct Term<S: Ciphersuite> {
    z: Scalar<S>,
    rho: Scalar<S>,
    weight: Scalar<S>,
    d: Point<S>,
    e: Point<S>,
    key: Point<S>,
}

impl<S: Ciphersuite> Term<S> {
    /// The equation for R's sign. If R changed its sign, so did every D_i + ρ_i·E_i. Then the other two terms
    /// change theirs instead, and the equation keeps its form.
    fn signed(self, negated: bool) -> Self {
        if negated { Self { z: -self.z, weight: -self.weight, ..self } } else { self }
    }

    fn holds(&self) -> bool {
        let scalars = [self.z, -self.rho, -self.weight];
        S::Curve::msm_vartime(&scalars, &[S::Curve::generator(), self.e, self.key]) == self.d
    }
}

/// A sum of equations, all terms on one side but that of the generator.
struct Sum<S: Ciphersuite> {
    z: Scalar<S>,
    scalars: Vec<Scalar<S>>,
    points: Vec<Point<S>>,
}

impl<S: Ciphersuite> Sum<S> {
    fn with_capacity(equations: usize) -> Self {
        let terms = equations.saturating_mul(3).saturating_add(1);
        let (scalars, points) = (Vec::with_capacity(terms), Vec::with_capacity(terms));
        Self { z: Scalar::<S>::default(), scalars, points }
    }

    fn add(&mut self, term: &Term<S>, coefficient: Scalar<S>) {
        self.z = self.z + coefficient * term.z;
        self.scalars.extend([coefficient, coefficient * term.rho, coefficient * term.weight]);
        self.points.extend([term.d, term.e, term.key]);
    }

    fn agree(mut self) -> bool {
        self.scalars.push(-self.z);
        self.points.push(S::Curve::generator());
        S::Curve::is_identity(&S::Curve::msm_vartime(&self.scalars, &self.points))
    }
}

/// The seed of the coefficients, which hashes every part of the equations. The challenge binds the key and the
/// message, the binding factors all commitments.
fn seed<S: Ciphersuite>(binding: &SigningContext<S>, z: &[Scalar<S>]) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-frost cheaters");
    transcript.append("suite", S::CONTEXT.as_bytes());
    transcript.append("challenge", S::Curve::encode_scalar(&binding.challenge).as_ref());
    transcript.append_list("factors", binding.factors.iter().map(S::Curve::encode_scalar));
    transcript.append_list("shares", z.iter().map(S::Curve::encode_scalar));
    transcript.finish32()
}
