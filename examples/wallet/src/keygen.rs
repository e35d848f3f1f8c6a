//! Distributed key generation: every party runs a `Session`, and no one ever sees the key.

use quorate::Parties;
use quorate::frost::generic::{Dkg, DkgOutput, DkgParams, KeyShare, PublicKeyPackage};
use quorate_examples::failure::Failure;

use super::form::Form;
use super::making::Making;
use super::suites::WalletSuite;
use super::traffic::Traffic;

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
    let run = making.run::<Dkg<S>>(making.keygen(), parties, params, &form())?;
    // All have the same public package.
    let public = run.results.into_iter().next().map(|output| output.public);
    let public = public.ok_or_else(|| Failure::new("there are no parties"))?;
    Ok(Keys { public, traffic: run.traffic })
}

/// What a party has when it is done.
fn form<S: WalletSuite>() -> Form<DkgOutput<S>> {
    Form {
        public: |output| output.public.to_bytes(),
        file: "share",
        secret: |output| output.share.to_bytes(),
        read: |public, share| {
            let public = PublicKeyPackage::from_bytes(public)?;
            Ok(DkgOutput { share: KeyShare::from_bytes(share, &public)?, public })
        },
    }
}
