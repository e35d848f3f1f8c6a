//! The stock of presignatures in a wallet's folder, and the records of those that are spent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quorate::keys::SharedKey;
use quorate::session::SpentTable;
use quorate::{PartyId, SealKey};
use quorate_cggmp::{Ecdsa, Presignature};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

use super::EcdsaSuite;
use super::signing::{self, Signer};
use crate::disk::{self, Privacy, write_first, write_whole};
use crate::home::Home;
use crate::lock::Lock;

/// The folder of presignatures.
pub(super) const STOCK: &str = "presignatures";
/// The folder of records.
pub(super) const SPENT: &str = "spent";

/// The folder of presignatures.
pub(crate) fn stock(dir: &Path) -> PathBuf {
    dir.join(STOCK)
}

/// Puts every signer's part of a presignature into the stock.
pub(crate) fn keep<C: EcdsaSuite>(
    home: &Home,
    presignatures: &[Presignature<C>],
) -> Result<(), Failure> {
    let stock = stock(home.dir());
    let _lock = Lock::wait(&stock)?;
    for one in presignatures {
        let sealed = one.seal(&home.seal_key(one.party())?);
        write_whole(
            &stock.join(name_of(&one.id().name(), one.party())),
            &sealed,
            Privacy::OwnerOnly,
        )?;
    }
    Ok(())
}

/// Takes a presignature of exactly these signers out of the stock: the parts of all of them in
/// ascending order, or none if none is left.
///
/// It never goes back, whatever becomes of it. Several processes take one after the other, and so
/// different ones.
pub(crate) fn take<C: EcdsaSuite>(
    home: &Home,
    signers: &[Signer<C>],
) -> Result<Option<Vec<Presignature<C>>>, Failure> {
    let stock = stock(home.dir());
    let _lock = Lock::wait(&stock)?;
    let Some(found) = find::<C>(home, signers)? else { return Ok(None) };
    for part in &found {
        disk::delete(&stock.join(name_of(&part.id().name(), part.party())))?;
    }
    Ok(Some(found))
}

/// A presignature of exactly these signers and this epoch of their key, which stays in the stock.
pub(crate) fn find<C: EcdsaSuite>(
    home: &Home,
    signers: &[Signer<C>],
) -> Result<Option<Vec<Presignature<C>>>, Failure> {
    let key = signers.first().map(|signer| signer.key.info());
    let key = key.ok_or_else(|| Failure::new("there are no signers"))?;
    let signers = &signing::together(signers)?;
    let stock = stock(home.dir());
    let names = names(&stock)?;
    let mut keys = Vec::new();
    for signer in signers.iter() {
        keys.push((signer, home.seal_key(signer)?));
    }
    // One for each presignature that the first of them has a part of.
    let first = signers.as_slice().first().map_or(0, |party| party.get());
    let ending = format!(".party-{first}");
    for id in names.iter().filter_map(|name| name.strip_suffix(&ending)) {
        let parts = keys.iter().map(|(party, key)| open_part(&stock, id, *party, key));
        let Some(parts) = parts.collect::<Result<Option<Vec<_>>, _>>()? else { continue };
        let serves = |part: &Presignature<C>| {
            part.info().signers() == signers && part.info().is_of(key).is_ok()
        };
        if parts.iter().all(serves) {
            return Ok(Some(parts));
        }
    }
    Ok(None)
}

fn names(stock: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(stock).map_err(Failure::file("read", stock))? {
        names.extend(entry?.file_name().into_string().ok());
    }
    names.sort_unstable();
    Ok(names)
}

/// Deletes the presignatures that nobody can spend: of another epoch, of parties that have left, or with a part that is
/// lost or does not open. Says how many there were.
pub(super) fn keep_only<C: EcdsaSuite>(
    home: &Home,
    key: &SharedKey<Ecdsa<C>>,
) -> Result<usize, Failure> {
    let stock = stock(home.dir());
    let _lock = Lock::wait(&stock)?;
    let mut parts = BTreeMap::<String, Vec<String>>::new();
    for name in names(&stock)? {
        if let Some((id, _)) = name.split_once(".party-") {
            parts.entry(id.to_owned()).or_default().push(name);
        }
    }
    let mut keys = BTreeMap::new();
    for party in key.parties().iter() {
        keys.insert(party, home.seal_key(party)?);
    }
    let opens = |id: &str, party| {
        let key = keys.get(&party)?;
        open_part::<C>(&stock, id, party, key).ok().flatten()
    };
    let serves = |id: &str, names: &[String]| {
        let Some(first) = keys.keys().find_map(|party| opens(id, *party)) else { return false };
        let info = first.info();
        let whole = info.signers().len() == names.len();
        let current = info.package_id() == key.package_id();
        current && whole && info.signers().iter().all(|signer| opens(id, signer).is_some())
    };
    parts.retain(|id, names| !serves(id, names));
    for name in parts.values().flatten() {
        disk::delete(&stock.join(name))?;
    }
    Ok(parts.len())
}

/// One signer's part of a presignature, if it has one.
fn open_part<C: EcdsaSuite>(
    stock: &Path,
    id: &str,
    party: PartyId,
    key: &SealKey,
) -> Result<Option<Presignature<C>>, Failure> {
    let path = stock.join(format!("{id}.party-{}", party.get()));
    let Some(sealed) = disk::read(&path)? else { return Ok(None) };
    let damaged = |why: &str| Failure::new(format!("{} is damaged: {why}", path.display()));
    let part = Presignature::open(&sealed, key).map_err(|error| damaged(&error.to_string()))?;
    if hex(&part.id().name()) != id || part.party() != party {
        return Err(damaged("it is another one"));
    }
    Ok(Some(part))
}

fn name_of(id: &[u8; 32], party: PartyId) -> String {
    format!("{}.party-{}", hex(id), party.get())
}

/// One signer's records of what it has spent: a file for each, which is never deleted and never
/// written twice.
pub(crate) struct Spent {
    dir: PathBuf,
    party: PartyId,
}

impl Spent {
    pub(crate) fn of(home: &Home, party: PartyId) -> Self {
        Self { dir: home.dir().join(SPENT), party }
    }
}

impl SpentTable for Spent {
    type Error = Failure;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 32], Failure> {
        let path = self.dir.join(name_of(id, self.party));
        // What decides between two processes is that one of them makes the file.
        if write_first(&path, digest, Privacy::OwnerOnly).map_err(Failure::file("write", &path))? {
            return Ok(*digest);
        }
        let stored = fs::read(&path).map_err(Failure::file("read", &path))?;
        let damaged = |_| Failure::new(format!("{} is damaged", path.display()));
        stored.try_into().map_err(damaged)
    }
}
