//! The files of a FROST wallet in its [folder](super::home).

use std::path::{Path, PathBuf};

use quorate::PartyId;
use quorate::frost::generic::{Frost, KeyShare, PublicKeyPackage, SecretShare};
use quorate_examples::failure::Failure;

use super::disk;
use super::home::{Home, name, no_such_party, public_as};
use super::suites::WalletSuite;

/// Reads the public key package.
///
/// # Errors
/// A [`Failure`] if it is not there or is damaged.
pub fn open_public<S: WalletSuite>(dir: &Path) -> Result<PublicKeyPackage<S>, Failure> {
    public_as(dir, PublicKeyPackage::from_bytes)
}

/// Reads the package that a refresh has made and not all parties have acknowledged, if there is one.
///
/// # Errors
/// A [`Failure`] if it is damaged.
pub fn open_next<S: WalletSuite>(dir: &Path) -> Result<Option<PublicKeyPackage<S>>, Failure> {
    let path = next_path(dir);
    let Some(bytes) = disk::read(&path)? else { return Ok(None) };
    let damaged = |error| Failure::new(format!("{} is damaged: {error}", path.display()));
    PublicKeyPackage::from_bytes(&bytes).map(Some).map_err(damaged)
}

/// The package after a refresh.
pub(crate) fn next_path(dir: &Path) -> PathBuf {
    dir.join("public.next")
}

/// The public key package that all of `signers` have shares of, and these shares: the wallet's own,
/// or, in the middle of a refresh, the next one.
///
/// # Errors
/// A [`Failure`] if a signer has no share of either.
pub fn open_group<S: WalletSuite>(
    home: &Home,
    signers: &[PartyId],
) -> Result<(PublicKeyPackage<S>, Vec<KeyShare<S>>), Failure> {
    let open = |public: &PublicKeyPackage<S>| {
        let shares = signers.iter().map(|signer| open_share(home, *signer, public));
        shares.collect::<Result<Vec<_>, _>>()
    };
    let public = open_public(home.dir())?;
    let refused = match open(&public) {
        Ok(shares) => return Ok((public, shares)),
        Err(refused) => refused,
    };
    if let Some(next) = open_next(home.dir())?
        && let Ok(shares) = open(&next)
    {
        return Ok((next, shares));
    }
    Err(refused)
}

/// Reads a party's share and makes sure that it is this party's share of this package. In the
/// middle of a refresh it may be the one beside the old one.
///
/// # Errors
/// A [`Failure`] if the party has none, or if it is damaged or another one.
pub fn open_share<S: WalletSuite>(
    home: &Home,
    party: PartyId,
    public: &PublicKeyPackage<S>,
) -> Result<KeyShare<S>, Failure> {
    let share = open_file(home, party, public, &name(party, "share"));
    let next = name(party, "next");
    if share.is_err() && home.dir().join(&next).exists() {
        return open_file(home, party, public, &next).or(share);
    }
    share
}

fn open_file<S: WalletSuite>(
    home: &Home,
    party: PartyId,
    public: &PublicKeyPackage<S>,
    file: &str,
) -> Result<KeyShare<S>, Failure> {
    if !public.parties().contains(party) {
        return Err(no_such_party(party, public.parties()));
    }
    let open = SecretShare::<Frost<S>>::from_bytes;
    let share = home.key_share(party, file, S::NAME, open, |share: &SecretShare<Frost<S>>| {
        share.party() == party && share.expect(public.shared()).is_ok()
    })?;
    Ok(KeyShare::from_bytes(&share.to_bytes(), public)?)
}
