//! Many proofs at once.

use alloc::vec::Vec;

use quorate_bignum::{Engine, Modulus, Natural, PublicProduct, SecretProduct};
use quorate_paillier::are_units_vartime;
use rand_core::CryptoRng;

use super::group::Group;
use super::prover::Prover;
use super::verifier::{Check, ReceivedProof};
use super::weighed::Weighed;
use super::{Proof, PublicValues, SecretValues, Statement};
use crate::{Error, Own, ProofContext, ProofFault};

/// Checks the numbers of all proofs for being units: one greatest common divisor for each modulus, if nothing is
/// wrong. Each proof's fault stays in its place.
#[must_use]
pub fn check_many<'a, C: Group>(
    received: Vec<Result<ReceivedProof<'a, C>, ProofFault>>,
) -> Vec<Result<Check<'a, C>, ProofFault>> {
    #[cfg(feature = "tracing")]
    let _span = tracing::trace_span!("check_many", proofs = received.len()).entered();
    let faults = unit_faults(&received);
    let checked = received.into_iter().zip(faults).map(|(proof, fault)| match fault {
        Some(fault) => Err(fault),
        None => Check::of_units(proof?),
    });
    checked.collect()
}

impl<'a, C: Group> ReceivedProof<'a, C> {
    /// The check of this proof alone; for several, [`check_many`] is cheaper.
    ///
    /// # Errors
    /// [`ProofFault::Unit`].
    pub fn check(self) -> Result<Check<'a, C>, ProofFault> {
        check_many([Ok(self)].into()).pop().unwrap_or(Err(ProofFault::Values))
    }
}

/// For each proof the first of its numbers that is no unit.
fn unit_faults<C: Group>(
    received: &[Result<ReceivedProof<'_, C>, ProofFault>],
) -> Vec<Option<ProofFault>> {
    struct Group<'s> {
        modulus: &'s Modulus,
        values: Vec<Natural>,
        from: Vec<(usize, &'static str)>,
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (index, proof) in received.iter().enumerate() {
        let Ok(proof) = proof else { continue };
        for (modulus, value, name) in proof.units() {
            let place = groups.iter().position(|group| group.modulus == modulus);
            let place = place.unwrap_or_else(|| {
                groups.push(Group { modulus, values: Vec::new(), from: Vec::new() });
                groups.len() - 1
            });
            if let Some(group) = groups.get_mut(place) {
                group.values.push(value.clone());
                group.from.push((index, name));
            }
        }
    }
    let mut faults: Vec<Option<ProofFault>> = received.iter().map(|_| None).collect();
    for group in groups {
        for (unit, (index, name)) in
            are_units_vartime(group.modulus, &group.values).into_iter().zip(group.from)
        {
            if let (false, Some(fault)) = (unit, faults.get_mut(index)) {
                fault.get_or_insert(ProofFault::Unit(name));
            }
        }
    }
    faults
}

/// Finishes proofs that were begun, with two calls of the engine for all of them, and one more if there are folds
/// in two stages.
///
/// # Errors
/// The errors of [`Prover::weigh`], [`Weighed::respond`] and [`Responder::finish`](super::Responder::finish).
pub fn prove_many<C: Group>(
    engine: &Engine,
    provers: Vec<Prover<'_, C>>,
) -> Result<Vec<Proof>, Error> {
    #[cfg(feature = "tracing")]
    let _span = tracing::trace_span!("prove_many", proofs = provers.len()).entered();
    let mut products: Vec<SecretProduct<'_>> = Vec::new();
    for prover in &provers {
        products.extend(prover.products()?);
    }
    let mut values = engine.evaluate(&products).into_iter();
    drop(products);
    respond_many(engine, provers, &mut values)
}

/// [`prove_many`] from where the provers' products are evaluated: takes their values, in their order, off a list that
/// may have had other work in it.
///
/// # Errors
/// The errors of [`Prover::weigh`], [`Weighed::respond`] and [`Responder::finish`](super::Responder::finish).
pub fn respond_many<C: Group>(
    engine: &Engine,
    provers: Vec<Prover<'_, C>>,
    values: &mut SecretValues<'_>,
) -> Result<Vec<Proof>, Error> {
    #[cfg(feature = "tracing")]
    let _span = tracing::trace_span!("respond_many", proofs = provers.len()).entered();
    let weighed =
        provers.into_iter().map(|prover| prover.weigh(values)).collect::<Result<Vec<_>, _>>()?;
    let products: Vec<SecretProduct<'_>> = weighed.iter().flat_map(Weighed::products).collect();
    let mut values = engine.evaluate(&products).into_iter();
    drop(products);
    let responders = weighed.into_iter().map(|prover| prover.respond(&mut values));
    let responders = responders.collect::<Result<Vec<_>, _>>()?;
    let mut products: Vec<SecretProduct<'_>> = Vec::new();
    for responder in &responders {
        products.extend(responder.products());
    }
    let mut values = engine.evaluate(&products).into_iter();
    drop(products);
    responders.into_iter().map(|responder| responder.finish(&mut values)).collect()
}

/// Combines the images of folds, block by block, with two calls of the engine for the blocks of all of them.
fn combine_images<C: Group>(engine: &Engine, checks: &mut [Result<Check<'_, C>, ProofFault>]) {
    while checks.iter().flatten().any(Check::has_images) {
        let (mut public, mut own) = (Vec::new(), Vec::new());
        for check in checks.iter().flatten() {
            let (theirs, ours) = check.image_products();
            public.extend(theirs);
            own.extend(ours);
        }
        let mut public_values = engine.evaluate_vartime(&public).into_iter();
        let mut own_values = engine.evaluate(&own).into_iter();
        drop((public, own));
        for check in checks.iter_mut() {
            let combined = check.as_mut().map_err(|fault| *fault);
            let combined =
                combined.and_then(|check| check.combine(&mut public_values, &mut own_values));
            if let Err(fault) = combined {
                *check = Err(fault);
            }
        }
    }
}

/// Received proofs whose images are combined: their equations are described and wait to be evaluated.
pub struct Begun<'a, C: Group>(Vec<Result<Check<'a, C>, ProofFault>>);

/// The number of public values among those of [`Begun::products`], and for each proof the fault because of which
/// it has none.
#[derive(Debug)]
pub struct Expected {
    public: usize,
    faults: Vec<Option<ProofFault>>,
}

impl<C: Group> core::fmt::Debug for Begun<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Begun").field(&self.0.len()).finish()
    }
}

impl<'a, C: Group> Begun<'a, C> {
    /// Begins checks: units, and images of folds, with two calls of the engine for each block of statements.
    #[must_use]
    pub fn new(engine: &Engine, received: Vec<Result<ReceivedProof<'a, C>, ProofFault>>) -> Self {
        let mut checks = check_many(received);
        combine_images(engine, &mut checks);
        Self(checks)
    }

    /// The products of all equations: those under moduli of others, those under one's own, and the faults of proofs that
    /// have none.
    fn equations(
        &self,
    ) -> (Vec<PublicProduct<'_>>, Vec<SecretProduct<'_>>, Vec<Option<ProofFault>>) {
        let (mut public, mut own) = (Vec::new(), Vec::new());
        let described = self.0.iter().map(|check| {
            let check = check.as_ref().map_err(|fault| *fault)?;
            let (theirs, ours) = (check.products()?, check.own_products()?);
            public.extend(theirs);
            own.extend(ours);
            Ok(())
        });
        let faults = described.map(Result::err).collect();
        (public, own, faults)
    }

    /// The equations, as products for a list with others that have secrets in them. They fill lanes that would be
    /// empty.
    #[must_use]
    pub fn products(&self) -> (Vec<SecretProduct<'_>>, Expected) {
        let (public, own, faults) = self.equations();
        let expected = Expected { public: public.len(), faults };
        (public.into_iter().map(SecretProduct::from).chain(own).collect(), expected)
    }

    /// Takes the values of [`Self::products`], in their order, off a list, and says which proofs hold.
    #[must_use]
    pub fn verdicts(
        self,
        Expected { public, faults }: Expected,
        values: &mut SecretValues<'_>,
    ) -> Vec<Result<(), ProofFault>> {
        let public = values.take(public).map(|value| value.map(|value| value.declassify()));
        let mut public = public.collect::<Vec<_>>().into_iter();
        self.settle(faults, &mut public, values)
    }

    fn settle(
        self,
        faults: Vec<Option<ProofFault>>,
        public: &mut PublicValues<'_>,
        own: &mut SecretValues<'_>,
    ) -> Vec<Result<(), ProofFault>> {
        let verdicts = self.0.into_iter().zip(faults).map(|(check, fault)| match fault {
            Some(fault) => Err(fault),
            None => check?.verdict(public, own),
        });
        verdicts.collect()
    }
}

/// The verdicts on proofs, with two calls of the engine for all of them: one for public products, one for those under
/// one's own factors; two more for each block of statements, if some are long folds. Each proof's fault stays in its place.
#[must_use]
pub fn verify_many<C: Group>(
    engine: &Engine,
    received: Vec<Result<ReceivedProof<'_, C>, ProofFault>>,
) -> Vec<Result<(), ProofFault>> {
    #[cfg(feature = "tracing")]
    let _span = tracing::trace_span!("verify_many", proofs = received.len()).entered();
    let begun = Begun::new(engine, received);
    let (public, own, faults) = begun.equations();
    let mut public_values = engine.evaluate_vartime(&public).into_iter();
    let mut own_values = engine.evaluate(&own).into_iter();
    drop((public, own));
    begun.settle(faults, &mut public_values, &mut own_values)
}

/// One proof from beginning to end.
///
/// # Errors
/// The errors of [`Prover::new`] and [`prove_many`].
pub fn prove<'a, C: Group, S: Statement<'a, C>>(
    engine: &Engine,
    statement: &S,
    witness: S::Witness,
    context: ProofContext<'a>,
    own: Own<'a>,
    rng: &mut impl CryptoRng,
) -> Result<Proof, Error> {
    let prover = Prover::new(statement, witness, context, own, rng)?;
    prove_many(engine, [prover].into())?.pop().ok_or(Error::Values)
}

/// Verifies one proof.
///
/// # Errors
/// The [`ProofFault`] that was found.
pub fn verify<'a, C: Group, S: Statement<'a, C>>(
    engine: &Engine,
    statement: &S,
    proof: &[u8],
    context: ProofContext<'a>,
    own: Own<'a>,
) -> Result<(), ProofFault> {
    let proof = ReceivedProof::new(statement, proof, context, own);
    verify_many(engine, [proof].into()).pop().unwrap_or(Err(ProofFault::Values))
}
