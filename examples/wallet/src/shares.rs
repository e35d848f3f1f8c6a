//! The shares of a wallet's key and their public side, for keys of any family: those in use, and in the middle of a
//! [change](super::change) those of the next epoch beside them.

use std::path::Path;

use quorate::PartyId;
use quorate::keys::{Mismatch, SecretShare, SharedKey};
use quorate_examples::{Failure, Result, bail};

use super::disk;
use super::family::StoredKey;
use super::home::{Home, check_party, name};

/// The name of [`next`].
pub(crate) const NEXT_PUBLIC: &str = "public.next";
/// The ending of a file with a share.
pub(crate) const SHARE: &str = "share";
/// The ending of a file with a share of the next epoch.
pub(crate) const NEXT: &str = "next";

/// The public side of the key.
pub fn current<F: StoredKey>(dir: &Path) -> Result<SharedKey<F>> {
    let path = dir.join(F::PUBLIC);
    SharedKey::from_bytes(&F::read_public(dir)?).map_err(Failure::about(&path, "is damaged"))
}

/// The public side of the key in the next epoch, in the middle of a change.
pub fn next<F: StoredKey>(dir: &Path, old: &SharedKey<F>) -> Result<Option<SharedKey<F>>> {
    let path = dir.join(F::NEXT_PUBLIC);
    let Some(bytes) = disk::read(&path)? else { return Ok(None) };
    let next = SharedKey::from_bytes(&bytes).map_err(Failure::about(&path, "is damaged"))?;
    let (old, new) = (old.package_id(), next.package_id());
    let follows = old.epoch().checked_add(1) == Some(new.epoch()) || old == new;
    if follows && old.key_id() == new.key_id() {
        return Ok(Some(next));
    }
    let other = "is of another key, or not of the epoch that comes next: move it away";
    Err(Failure::at(&path, other))
}

/// Returns whether a party has its share of this package.
pub(crate) fn has<F: StoredKey>(home: &Home, party: PartyId, key: &SharedKey<F>) -> Result<bool> {
    Ok(find(home, party, key)?.is_some())
}

/// The parties that have their shares of this package, and those that have not.
pub(crate) fn holders<F: StoredKey>(
    home: &Home,
    key: &SharedKey<F>,
) -> Result<(Vec<PartyId>, Vec<PartyId>)> {
    let (mut have, mut lack) = (Vec::new(), Vec::new());
    for party in key.parties().iter() {
        if has(home, party, key)? { &mut have } else { &mut lack }.push(party);
    }
    Ok((have, lack))
}

/// A party's share of this package, in whichever file.
pub fn share<F: StoredKey>(
    home: &Home,
    party: PartyId,
    key: &SharedKey<F>,
) -> Result<SecretShare<F>> {
    check_party(party, key.parties())?;
    if let Some(share) = find(home, party, key)? {
        return Ok(share);
    }
    let path = home.path(&name(party, F::SHARE));
    match stored(home, party, F::SHARE)?.map(|share| share.check_belongs_to(key)) {
        Some(Err(why)) => Err(not_of(&path, party, why)),
        _ => bail!(
            "cannot read {}: party {party} has lost its share. `repair --party {party}` gives it back, and so does \
             `restore` from a backup",
            path.display()
        ),
    }
}

/// A party's share of this package, in whichever file, if it has one.
fn find<F: StoredKey>(
    home: &Home,
    party: PartyId,
    key: &SharedKey<F>,
) -> Result<Option<SecretShare<F>>> {
    let both = [stored(home, party, F::SHARE)?, stored(home, party, F::NEXT)?];
    Ok(both.into_iter().flatten().find(|share| share.check_belongs_to(key).is_ok()))
}

/// A file with a share, if it is there: one of this family and this party, of whatever package.
pub(crate) fn stored<F: StoredKey>(
    home: &Home,
    party: PartyId,
    ending: &str,
) -> Result<Option<SecretShare<F>>> {
    let file = name(party, ending);
    let Some(bytes) = home.secret_if_there(&file)? else { return Ok(None) };
    let path = home.path(&file);
    let unusable = format!("is no usable key share for {}", F::OF);
    let share = SecretShare::<F>::from_bytes(&bytes).map_err(Failure::about(&path, unusable))?;
    if share.id() == party {
        return Ok(Some(share));
    }
    let own = share.id();
    let other = format!("is not party {party}'s share of this wallet's key: it is party {own}'s");
    Err(Failure::at(&path, other))
}

/// The failure for a share of another package: which one, and what to do.
fn not_of(path: &Path, party: PartyId, why: Mismatch) -> Failure {
    let advice = match why {
        Mismatch::WrongEpoch { expected, got } if got > expected => {
            ". A change of the key is under way: run the command that began it again".to_owned()
        }
        Mismatch::WrongEpoch { .. } => format!(
            ". An old copy has come back: move it away, and `repair --party {party}` gives party {party} its share"
        ),
        _ => String::new(),
    };
    Failure::at(path, format!("is not party {party}'s share of this wallet's key: {why}{advice}"))
}

/// The package of which all `signers` have shares, and these shares. It is the wallet's own, or, in the middle of a change, the
/// next one.
pub fn of_signers<F: StoredKey>(
    home: &Home,
    signers: &[PartyId],
) -> Result<(SharedKey<F>, Vec<SecretShare<F>>)> {
    let open = |key: &SharedKey<F>| {
        let shares = signers.iter().map(|signer| share(home, *signer, key));
        shares.collect::<Result<Vec<_>, _>>()
    };
    let key = current(home.dir())?;
    let refused = match open(&key) {
        Ok(shares) => return Ok((key, shares)),
        Err(refused) => refused,
    };
    if let Some(next) = next(home.dir(), &key)?
        && let Ok(shares) = open(&next)
    {
        return Ok((next, shares));
    }
    Err(refused)
}
