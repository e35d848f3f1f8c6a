//! From accepted responses to a signature. All of it is public.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{PerParty, wire::bounded};

use crate::poly::{Poly, add_all, zeros};
use crate::rounding::{high_bits, reaches_vartime};
use crate::sign::terms::Terms;
use crate::sign::view::{Response, Slot, View};
use crate::signature::{Hint, Signature};

/// The outcome of an attempt.
#[derive(Clone, PartialEq, Eq)]
pub struct Attempted {
    /// The signature, verified. `None` if the attempt had no luck, which happens about every second time. Then sign
    /// again, with another session id and another number of the attempt.
    ///
    /// `None` does not mean that nobody has a signature. A corrupt signer has the responses of the others and may
    /// keep its own. So a party that has sent its responses treats the message as signed, whatever the outcome of
    /// the attempt, and signs no other message in its place.
    pub signature: Option<Signature>,
    /// The number of slots that each signer has accepted, as it told this party. A signer that accepts far fewer
    /// than the others over many attempts is at fault, or refuses to sign.
    pub accepted: PerParty<u16>,
}

impl fmt::Debug for Attempted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempted")
            .field("signature", &self.signature)
            .field("accepted", &self.accepted)
            .finish()
    }
}

/// The first good signature of an attempt, if there is one.
pub(crate) fn aggregate(terms: &Terms, view: &View, responses: &PerParty<Response>) -> Attempted {
    // At most `ParameterSet::slots` each.
    let count = |(party, response): (_, &Response)| (party, bounded(response.accepted()));
    let accepted = responses.iter().map(count).collect();
    let signature = view.slots.iter().enumerate().find_map(|(index, slot)| {
        let z1 = responses.values().map(|response| response.0.get(index)?.as_deref());
        sum(terms, slot, z1.collect::<Option<Vec<_>>>()?)
    });
    Attempted { signature, accepted }
}

/// The signature of a slot that all have accepted, if it passes the limits of FIPS 204.
fn sum(terms: &Terms, slot: &Slot, parts: Vec<&[Poly]>) -> Option<Signature> {
    let level = terms.set().level;
    let mut z = zeros(level.l());
    parts.iter().for_each(|z1| add_all(&mut z, z1));
    // At most six of γ1, so far below q/2.
    z.iter_mut().for_each(Poly::center);
    let limit = level.gamma1() - level.beta();
    if z.iter().flat_map(Poly::iter).any(|z| reaches_vartime(z, limit)) {
        return None;
    }
    let key = terms.public.verifying_key();
    let mut rows = Vec::with_capacity(level.k());
    // δ = w − v = z2 − c·t0: short enough that a hint turns the high bits of v to those of w.
    for (w, v) in slot.w.iter().zip(key.commitment(&terms.a, &slot.c, &z)) {
        let pairs = || w.iter().zip(v.iter());
        if pairs().any(|(w, v)| reaches_vartime(w - v, level.gamma2() + 1)) {
            return None;
        }
        let differ = |(w, v)| high_bits(level, w) != high_bits(level, v);
        rows.push(
            (0..=u8::MAX)
                .zip(pairs())
                .filter(|(_, pair)| differ(*pair))
                .map(|(at, _)| at)
                .collect(),
        );
    }
    let weight: usize = rows.iter().map(Vec::len).sum();
    if weight > level.omega() {
        return None;
    }
    let signature =
        Signature { level, challenge: slot.hash.clone(), response: z, hint: Hint::new(rows) };
    key.verify_by(&terms.a, &terms.mu, &signature).is_ok().then_some(signature)
}
