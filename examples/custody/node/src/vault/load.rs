//! Reading the keys of a node from its databases.

use std::rc::Rc;

use custody_core::{KeyId, KeySpec, Refusal, RequestId, Scheme};
use quorate::ecdsa::{AuxInfo, Level};
use quorate::keys::PackageId;
use quorate::keys::agreement::{self, Agreement, Entry, Record};
use quorate::session::Continuity;
use quorate_store::{AnyStore, RecordRow};

use super::{Key, Vault};
use crate::agree::make_durable;
use crate::copies;
use crate::held::{self, Held};
use crate::rows::{KeyRow, ShareRow, decode, encode, internal, ledger, space};
use crate::seal;
use crate::settings::Settings;

impl Vault {
    /// Reads all keys. The agreement of each is opened with this continuity.
    pub(crate) fn load(
        &mut self,
        store: &mut AnyStore,
        continuity: Continuity,
    ) -> Result<(), Refusal> {
        let rows = store.read_records(|rows| rows.all(space::KEYS, &[])).map_err(internal)?;
        for RecordRow { name, content } in rows {
            let id = KeyId::new(name.as_slice().try_into().map_err(internal)?);
            let row: KeyRow = decode(&content)?;
            // A process that was killed has begun to remove a key.
            let has_shares = store.read_records(|rows| rows.count(space::SHARES, id.as_bytes()));
            if has_shares.map_err(internal)? > 0 {
                let key = self.load_key(store, (id, row), continuity)?;
                self.keys.insert(id, key);
            }
        }
        Ok(())
    }

    /// Reads the shares of a key, and opens the agreement about them.
    pub(crate) fn load_key(
        &self,
        store: &mut AnyStore,
        (id, row): (KeyId, KeyRow),
        continuity: Continuity,
    ) -> Result<Key, Refusal> {
        self.check_spec(store, &id, &row.spec)?;
        let shares = self.load_shares(store, &id, &row)?;
        let name = shares.first().map(|held| held.package_id().key_id());
        let name =
            name.ok_or_else(|| internal(format_args!("there is no share of the key {id}")))?;
        let stored = self.stored(store, &id, &shares)?;
        // The key was stored before, whatever the agreement has.
        let continuity = match continuity {
            Continuity::NewStore => Continuity::StayedUp,
            other => other,
        };
        let opening =
            Agreement::open(self.settings.me, name, stored, continuity).map_err(internal)?;
        make_durable(store, &self.settings, (&id, &row), opening.stores(), &shares)?;
        let agreement = opening.stored();
        // Those of a ledger that was restored, or of a release without copies, are missing.
        for held in &shares {
            if agreement.certificate(held.package_id()).is_some() {
                copies::put(store, &self.settings, (&id, &row), &**held)?;
            }
        }
        Ok(Key { row, shares, agreement })
    }

    /// Checks that a specification is the one with which the share was stored: somebody may have exchanged rows.
    fn check_spec(&self, store: &mut AnyStore, id: &KeyId, spec: &KeySpec) -> Result<(), Refusal> {
        let row = store.read_ledger(|rows| rows.get(ledger::SPECS, id.as_bytes()));
        // A node that was restored from a backup has a new ledger.
        let Some(sealed) = row.map_err(internal)? else { return Ok(()) };
        let bound = seal::open(&self.settings.seal_key, seal::SPEC, id, &sealed)?;
        if *bound == fixed(spec)? {
            return Ok(());
        }
        Err(internal(format_args!("the key {id} was made with another specification")))
    }

    /// Binds a key to what stays in its specification.
    pub(super) fn bind_spec(
        &self,
        store: &mut AnyStore,
        id: &KeyId,
        spec: &KeySpec,
    ) -> Result<(), Refusal> {
        let sealed = seal::seal(&self.settings.seal_key, seal::SPEC, id, &fixed(spec)?);
        store.spend(|rows| rows.put(ledger::SPECS, id.as_bytes(), &sealed)).map_err(internal)
    }

    fn load_shares(
        &self,
        store: &mut AnyStore,
        id: &KeyId,
        row: &KeyRow,
    ) -> Result<Vec<Rc<dyn Held>>, Refusal> {
        let rows = store.read_records(|rows| rows.all(space::SHARES, id.as_bytes()));
        let mut shares = Vec::new();
        for RecordRow { content, .. } in rows.map_err(internal)? {
            shares.push(open_share(&self.settings, (id, row.spec.scheme), &decode(&content)?)?);
        }
        shares.sort_by_key(|held| held.package_id().epoch());
        Ok(shares)
    }

    /// The stored parts of an agreement.
    fn stored(
        &self,
        store: &mut AnyStore,
        id: &KeyId,
        shares: &[Rc<dyn Held>],
    ) -> Result<agreement::Stored, Refusal> {
        let record = store.read_records(|rows| rows.get(space::AGREEMENTS, id.as_bytes()));
        let record = record.map_err(internal)?.map(|bytes| Record::from_bytes(&bytes));
        let votes = store.read_ledger(|rows| rows.all(ledger::VOTES, id.as_bytes()));
        let votes = votes.map_err(internal)?.into_iter().map(|row| Entry::from_bytes(&row.content));
        // An unconfirmed share is not part of it yet.
        let held = shares.iter().filter_map(|held| held.agreed().ok());
        Ok(agreement::Stored {
            record: record.transpose().map_err(internal)?,
            held: held.collect(),
            ledger: votes.collect::<Result<_, _>>().map_err(internal)?,
        })
    }
}

/// The part of a specification that stays for the life of the key.
fn fixed(spec: &KeySpec) -> Result<Vec<u8>, Refusal> {
    encode(&KeySpec { threshold: 0, members: Vec::new(), ..spec.clone() })
}

/// Opens a stored share.
pub(crate) fn open_share(
    settings: &Settings,
    (id, scheme): (&KeyId, Scheme),
    ShareRow { public, sealed }: &ShareRow,
) -> Result<Rc<dyn Held>, Refusal> {
    let share = seal::open(&settings.seal_key, seal::SHARE, id, sealed)?;
    held::open(scheme, &share, public).map_err(internal)
}

/// Opens auxiliary information, which takes some milliseconds for each party.
pub(crate) fn open_aux(
    store: &mut AnyStore,
    (vault, level): (&Vault, Level),
    request: &RequestId,
) -> Result<Option<AuxInfo>, Refusal> {
    let row =
        store.read_records(|rows| rows.get(space::AUX, request.as_bytes())).map_err(internal)?;
    let Some(sealed) = row else { return Ok(None) };
    let bytes = seal::open(&vault.settings.seal_key, seal::AUX, request, &sealed)?;
    AuxInfo::from_bytes(level, &bytes).map(Some).map_err(internal)
}

/// The name of rows about a package of a key.
pub(crate) fn package_name(key: &KeyId, package: &PackageId) -> Vec<u8> {
    [key.as_bytes().as_slice(), &package.digest()].concat()
}
