//! Backups: the shares of a node, and nothing of what was spent.

use std::collections::BTreeMap;

use custody_core::{KeyId, Reason, Refusal, RequestId, Scheme};
use quorate::SealKey;
use quorate::ecdsa::{AuxInfo, Level};
use quorate::keys::ShareState;
use quorate::session::Continuity;
use quorate_store::{AnyStore, Records};
use serde::{Deserialize, Serialize};

use crate::held;
use crate::rows::{KeyRow, ShareRow, Stored, decode, encode, internal, ledger, space};
use crate::{seal, watermark};

/// The spaces of rows that a backup has.
const SPACES: [u8; 5] = [space::KEYS, space::SHARES, space::AUX, space::AGREEMENTS, space::PRIMES];
/// The keys and shares of a node. What is secret in it is sealed, under a key that is not the node's.
///
/// The ledger, presignatures and nonces are not in it, so the backup alone cannot sign. A node that is restored from it has to
/// rejoin.
#[derive(Serialize, Deserialize)]
pub struct Backup {
    rows: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    space: u8,
    name: Vec<u8>,
    content: Vec<u8>,
}

/// A share in a backup that belongs to its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The key.
    pub key: KeyId,
    /// The scheme.
    pub scheme: Scheme,
    /// The number of times that the shares had changed.
    pub epoch: u32,
    /// `false` if not all members were known to have their shares of this epoch.
    pub is_confirmed: bool,
}

impl Backup {
    /// Reads the rows, and seals what is secret under `to` instead of the node's key `from`. The node may run meanwhile.
    ///
    /// # Errors
    /// A [`Refusal`] if the store fails or has a row that does not open.
    pub fn take(store: &mut AnyStore, from: &SealKey, to: &SealKey) -> Result<Self, Refusal> {
        // One transaction: what the node changes meanwhile is in it wholly or not at all.
        let rows = store.records(|records| {
            let mut rows = Vec::new();
            SPACES.into_iter().try_for_each(|space| list(records, space, &mut rows))?;
            Ok(rows)
        });
        let rows = rows.map_err(internal)?.into_iter().map(|row| row.reseal(from, to));
        Ok(Self { rows: rows.collect::<Result<_, _>>()? })
    }

    /// Puts the rows into the empty store of a new node, and seals what is secret under its key `to`. The node has to rejoin.
    ///
    /// # Errors
    /// A [`Refusal`] if the store is not empty or fails, or if a row does not open.
    pub fn restore(
        self,
        store: &mut AnyStore,
        from: &SealKey,
        to: &SealKey,
    ) -> Result<(), Refusal> {
        let keys = store.read_records(|rows| rows.count(space::KEYS, &[])).map_err(internal)?;
        let continuity = store.continuity(Continuity::Operator).map_err(internal)?;
        if keys > 0 || continuity != Continuity::NewStore {
            return Err(Refusal::new(
                Reason::Limit,
                "expected empty databases: restore into new ones",
            ));
        }
        let rows = self.rows.into_iter().map(|row| row.reseal(from, to));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        // The ledger knows that it is not the one of these shares before the shares are there.
        store.spend(|rows| rows.put(ledger::RESTORED, &[], &[])).map_err(internal)?;
        watermark::lose(store)?;
        let put = |records: &mut Records<'_>| {
            rows.iter().try_for_each(|row| records.put(row.space, &row.name, &row.content))
        };
        store.records(put).map_err(internal)
    }

    /// Opens every share with the key `seal`, and checks that it belongs to the public side of its key. It needs no store and forgets
    /// the shares, so it cannot sign.
    ///
    /// # Errors
    /// A [`Refusal`] that names the key whose share does not open or does not belong to it.
    pub fn check(&self, seal: &SealKey, level: Level) -> Result<Vec<Checked>, Refusal> {
        let mut specs = BTreeMap::new();
        for row in self.of(space::KEYS) {
            let key: KeyRow = decode(&row.content)?;
            specs.insert(row.key()?, key.spec);
        }
        for row in self.of(space::AUX) {
            let request = RequestId::new(row.name.as_slice().try_into().map_err(internal)?);
            let bytes = seal::open(seal, seal::AUX, request, &row.content)?;
            AuxInfo::from_bytes(level, &bytes).map_err(internal)?;
        }
        let checked = self.of(space::SHARES).map(|row| {
            let key = row.key()?;
            let spec = specs.get(&key);
            let spec = spec.ok_or_else(|| internal(format_args!("there is no key {key}")))?;
            check_share(seal, (key, spec.scheme), &row.content)
                .map_err(|why| internal(format_args!("the share of the key {key}: {}", why.detail)))
        });
        checked.collect()
    }

    /// The latest epoch of each key.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn epochs(&self, seal: &SealKey, level: Level) -> Result<BTreeMap<KeyId, u32>, Refusal> {
        let mut epochs = BTreeMap::new();
        for Checked { key, epoch, .. } in self.check(seal, level)? {
            let latest = epochs.entry(key).or_insert(epoch);
            *latest = epoch.max(*latest);
        }
        Ok(epochs)
    }

    fn of(&self, space: u8) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.space == space)
    }
}

/// Checks one share against the public side that lies beside it, and both against the id of the key.
fn check_share(
    seal: &SealKey,
    (key, scheme): (KeyId, Scheme),
    content: &[u8],
) -> Result<Checked, Refusal> {
    let ShareRow { public, sealed } = decode(content)?;
    let share = seal::open(seal, seal::SHARE, key, &sealed)?;
    let held = held::open(scheme, &share, &public).map_err(internal)?;
    if KeyId::of(scheme, &held.public_key()) != key {
        return Err(internal("it belongs to another key"));
    }
    let is_confirmed = held.state() != ShareState::Unconfirmed;
    Ok(Checked { key, scheme, epoch: held.package_id().epoch(), is_confirmed })
}

/// Reads all rows of a space.
fn list(records: &mut Records<'_>, space: u8, rows: &mut Vec<Row>) -> Stored<()> {
    let all = records.all(space, &[])?;
    rows.extend(all.into_iter().map(|row| Row { space, name: row.name, content: row.content }));
    Ok(())
}

impl Row {
    /// The key whose id the name begins with.
    fn key(&self) -> Result<KeyId, Refusal> {
        let id = self.name.first_chunk().ok_or_else(|| internal("a row of no key"))?;
        Ok(KeyId::new(*id))
    }

    /// The row with what is secret in it sealed under another key.
    fn reseal(self, from: &SealKey, to: &SealKey) -> Result<Self, Refusal> {
        let again = |purpose, name: String, sealed: &[u8]| {
            let secret = seal::open(from, purpose, &name, sealed)?;
            Ok::<_, Refusal>(seal::seal(to, purpose, &name, &secret))
        };
        let content = match self.space {
            space::SHARES => {
                let ShareRow { public, sealed } = decode(&self.content)?;
                let sealed = again(seal::SHARE, self.key()?.to_string(), &sealed)?;
                encode(&ShareRow { public, sealed })?
            }
            space::AUX => {
                let request = RequestId::new(self.name.as_slice().try_into().map_err(internal)?);
                again(seal::AUX, request.to_string(), &self.content)?
            }
            space::PRIMES => again(seal::PRIMES, String::new(), &self.content)?,
            space::KEYS | space::AGREEMENTS => self.content,
            other => {
                return Err(internal(format_args!("a backup has no rows of the space {other}")));
            }
        };
        Ok(Self { content, ..self })
    }
}

impl core::fmt::Debug for Backup {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Backup").field("rows", &self.rows.len()).finish()
    }
}
