//! The files of a FROST wallet in its [folder](super::home).

use std::path::Path;

use quorate::PartyId;
use quorate::frost::generic::{KeyShare, PublicKeyPackage};
use quorate_examples::failure::Failure;

use super::home::{Home, name, public, public_path};
use super::suites::WalletSuite;

/// Reads the public key package.
///
/// # Errors
/// A [`Failure`] if it is not there or is damaged.
pub fn open_public<S: WalletSuite>(dir: &Path) -> Result<PublicKeyPackage<S>, Failure> {
    PublicKeyPackage::from_bytes(&public(dir)?).map_err(|error| {
        Failure::new(format!("{} is damaged: {error}", public_path(dir).display()))
    })
}

/// Reads a party's share and makes sure that it is this party's share of this key.
///
/// # Errors
/// A [`Failure`] if the party has none, or if it is damaged or another one.
pub fn open_share<S: WalletSuite>(
    home: &Home,
    party: PartyId,
    public: &PublicKeyPackage<S>,
) -> Result<KeyShare<S>, Failure> {
    let Some(expected) = public.verifying_share(party) else {
        let count = public.parties().len();
        return Err(Failure::new(format!(
            "party {party} is not one of the {count} of this wallet"
        )));
    };
    let file = name(party, "share");
    let bytes = home.secret(&file)?;
    let path = home.dir().join(file);
    let path = path.display();
    let share = KeyShare::<S>::from_bytes(&bytes).map_err(|error| {
        Failure::new(format!("{path} is no usable key share for {}: {error}", S::NAME))
    })?;
    let same_group = share.package_id() == public.package_id()
        && share.verifying_key() == public.verifying_key()
        && share.threshold() == public.threshold()
        && share.epoch() == public.epoch()
        && share.parties() == public.parties();
    if share.id() != party || share.verifying_share() != expected || !same_group {
        return Err(Failure::new(format!(
            "{path} is not party {party}'s share of this wallet's key"
        )));
    }
    Ok(share)
}
