//! The shares of a wallet's key and their public side, for keys of any family: those in use, and in the middle of a
//! [change](super::change) those of the next epoch beside them.

use std::path::{Path, PathBuf};

use quorate::PartyId;
use quorate::keys::{Mismatch, SecretShare, SharedKey};
use quorate_examples::failure::Failure;

use super::disk;
use super::family::WalletFamily;
use super::home::{Home, name, no_such_party, public_as};

/// The ending of a file with a share.
pub(crate) const SHARE: &str = "share";
/// The ending of a file with a share of the next epoch.
pub(crate) const NEXT: &str = "next";

/// The public side of the key.
///
/// # Errors
/// A [`Failure`] if it is not there or is damaged.
pub fn current<F: WalletFamily>(dir: &Path) -> Result<SharedKey<F>, Failure> {
    public_as(dir, SharedKey::from_bytes)
}

/// The path of [`next`].
pub(crate) fn next_path(dir: &Path) -> PathBuf {
    dir.join("public.next")
}

/// The public side of the key in the next epoch, in the middle of a change.
///
/// # Errors
/// A [`Failure`] if it is damaged, or is not what follows on `old`.
pub fn next<F: WalletFamily>(
    dir: &Path,
    old: &SharedKey<F>,
) -> Result<Option<SharedKey<F>>, Failure> {
    let path = next_path(dir);
    let Some(bytes) = disk::read(&path)? else { return Ok(None) };
    let path = path.display();
    let next = SharedKey::from_bytes(&bytes)
        .map_err(|error| Failure::new(format!("{path} is damaged: {error}")))?;
    let (old, new) = (old.package_id(), next.package_id());
    let follows = old.epoch().checked_add(1) == Some(new.epoch()) || old == new;
    if follows && old.key_id() == new.key_id() {
        return Ok(Some(next));
    }
    let other = "is of another key, or not of the epoch that comes next: move it away";
    Err(Failure::new(format!("{path} {other}")))
}

/// The shares that a party has in its files.
pub(crate) struct Held<F: WalletFamily> {
    pub(crate) share: Option<SecretShare<F>>,
    pub(crate) next: Option<SecretShare<F>>,
}

impl<F: WalletFamily> Held<F> {
    /// Opens both files.
    pub(crate) fn by(home: &Home, party: PartyId) -> Result<Self, Failure> {
        Ok(Self { share: read(home, party, SHARE)?, next: read(home, party, NEXT)? })
    }

    /// The share of this package, in whichever file.
    pub(crate) fn of(self, key: &SharedKey<F>) -> Option<SecretShare<F>> {
        [self.share, self.next].into_iter().flatten().find(|share| share.expect(key).is_ok())
    }

    pub(crate) fn has(&self, key: &SharedKey<F>) -> bool {
        [&self.share, &self.next].into_iter().flatten().any(|share| share.expect(key).is_ok())
    }
}

/// Whether a party has its share of this package.
pub(crate) fn has<F: WalletFamily>(
    home: &Home,
    party: PartyId,
    key: &SharedKey<F>,
) -> Result<bool, Failure> {
    Ok(Held::by(home, party)?.has(key))
}

/// A party's share of this package, in whichever file.
///
/// # Errors
/// A [`Failure`] if the party has none, or if it is damaged or another one.
pub fn share<F: WalletFamily>(
    home: &Home,
    party: PartyId,
    key: &SharedKey<F>,
) -> Result<SecretShare<F>, Failure> {
    if !key.parties().contains(party) {
        return Err(no_such_party(party, key.parties()));
    }
    let path = home.dir().join(name(party, SHARE));
    let held = Held::by(home, party)?;
    let there = held.share.as_ref().map(|share| share.expect(key));
    match (held.of(key), there) {
        (Some(share), _) => Ok(share),
        (None, Some(Err(why))) => Err(not_of(&path, party, why)),
        (None, _) => Err(Failure::new(format!(
            "cannot read {}: party {party} has lost its share. `repair --party {party}` gives it back, and so does \
             `restore` from a backup",
            path.display()
        ))),
    }
}

/// A file with a share, if it is there: one of this family and this party, of whatever package.
fn read<F: WalletFamily>(
    home: &Home,
    party: PartyId,
    ending: &str,
) -> Result<Option<SecretShare<F>>, Failure> {
    let file = name(party, ending);
    let Some(bytes) = home.secret_if_there(&file)? else { return Ok(None) };
    let path = home.dir().join(file);
    let share = SecretShare::<F>::from_bytes(&bytes).map_err(|error| {
        let path = path.display();
        Failure::new(format!("{path} is no usable key share for {}: {error}", F::SUITE))
    })?;
    if share.party() == party {
        return Ok(Some(share));
    }
    let own = share.party();
    Err(Failure::new(format!(
        "{} is not party {party}'s share of this wallet's key: it is party {own}'s",
        path.display()
    )))
}

/// A share of another package: which, and what to do.
fn not_of(path: &Path, party: PartyId, why: Mismatch) -> Failure {
    let path = path.display();
    let advice = match why {
        Mismatch::WrongEpoch { expected, got } if got > expected => {
            ". A change of the key is under way: run the command that began it again".to_owned()
        }
        Mismatch::WrongEpoch { .. } => format!(
            ". An old copy has come back: move it away, and `repair --party {party}` gives party {party} its share"
        ),
        _ => String::new(),
    };
    Failure::new(format!("{path} is not party {party}'s share of this wallet's key: {why}{advice}"))
}

/// The package that all of `signers` have shares of, and these shares: the wallet's own, or, in the middle of a change,
/// the next one.
///
/// # Errors
/// A [`Failure`] if a signer has no share of either.
pub fn of_signers<F: WalletFamily>(
    home: &Home,
    signers: &[PartyId],
) -> Result<(SharedKey<F>, Vec<SecretShare<F>>), Failure> {
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
