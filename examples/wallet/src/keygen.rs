//! Distributed key generation: every party runs a `Session`, and no one ever sees the key.

use quorate::Parties;
use quorate::frost::generic::{Ciphersuite, Dkg, DkgParams, KeyShare, PublicKeyPackage};

use super::rounds::{self, Sent};
use quorate_examples::failure::Failure;

/// What a key generation gives, of all parties together.
pub struct Keys<S: Ciphersuite> {
    /// Each party's share, in ascending order of the parties.
    pub shares: Vec<KeyShare<S>>,
    /// The group's key, the same for all.
    pub public: PublicKeyPackage<S>,
    /// What was sent on the way.
    pub rounds: Vec<Sent>,
}

/// Makes a key of which any `threshold` of `parties` can sign.
///
/// # Errors
/// A [`Failure`]; no key has been made.
pub fn generate<S: Ciphersuite>(threshold: u16, parties: &Parties) -> Result<Keys<S>, Failure> {
    let params = core::iter::repeat_with(|| DkgParams::new(threshold));
    let run = rounds::run::<Dkg<S>>(parties, params, |_| {})?;
    // All have the same public package.
    let public = run.results.first().map(|output| output.public.clone());
    let public = public.ok_or_else(|| Failure::new("there are no parties"))?;
    let shares = run.results.into_iter().map(|output| output.share).collect();
    Ok(Keys { shares, public, rounds: run.rounds })
}
