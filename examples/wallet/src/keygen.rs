//! Distributed key generation: every party runs a `Session`, and no one ever sees the key.

use quorate::frost::generic::{Dkg, DkgOutput, DkgParams, KeyShare, PublicKeyPackage};
use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;

use super::home::name;
use super::making::Making;
use super::rounds::Traffic;
use super::suites::WalletSuite;

/// The result of a key generation.
pub(crate) struct Keys<S: WalletSuite> {
    /// The group's key, the same for all. Each party's share is in its file.
    pub(crate) public: PublicKeyPackage<S>,
    /// The messages sent on the way.
    pub(crate) traffic: Traffic,
}

/// Makes a key of which any `threshold` of `parties` can sign.
pub(crate) fn generate<S: WalletSuite>(
    making: &Making,
    threshold: u16,
    parties: &Parties,
) -> Result<Keys<S>, Failure> {
    let params = |_| Ok(DkgParams::new(threshold));
    let run = making.run::<Dkg<S>>(
        making.keygen(),
        parties,
        params,
        |me, output| keep(making, me, output),
        |me| load(making, me),
    )?;
    // All have the same public package.
    let public = run.results.into_iter().next().map(|output| output.public);
    let public = public.ok_or_else(|| Failure::new("there are no parties"))?;
    Ok(Keys { public, traffic: run.traffic })
}

/// Stores what a party has when it is done.
fn keep<S: WalletSuite>(
    making: &Making,
    me: PartyId,
    output: &DkgOutput<S>,
) -> Result<(), Failure> {
    making.keep_public(me, &output.public.to_bytes())?;
    making.home.keep_secret(&name(me, "share"), &output.share.to_bytes())
}

fn load<S: WalletSuite>(making: &Making, me: PartyId) -> Result<DkgOutput<S>, Failure> {
    let public = making.made_public()?;
    let share = making.home.secret(&name(me, "share"))?;
    let public = PublicKeyPackage::from_bytes(&public)?;
    Ok(DkgOutput { share: KeyShare::from_bytes(&share, &public)?, public })
}
