//! The confirmation of a share whose key generation ended without one.

use custody_core::{KeyId, Reason, Refusal, SignedCertificate};
use quorate::keys::ShareState;
use quorate::session::Continuity;
use quorate_store::AnyStore;

use crate::rows::{ShareRow, encode, internal, space};
use crate::seal;
use crate::vault::{Vault, package_name};

/// Confirms the share of the package that **all** members have certified: each of them has its share.
pub(crate) fn confirm(
    store: &mut AnyStore,
    vault: &mut Vault,
    id: &KeyId,
    certificate: &SignedCertificate,
) -> Result<(), Refusal> {
    let verified = certificate.verify(vault.settings.directory.directory());
    let verified = verified.map_err(|why| Refusal::new(Reason::BadSignature, why))?;
    let key = vault.key(id)?;
    let unconfirmed = key.shares.iter().find(|held| {
        let all = held.parties().iter().eq(verified.spec.members.iter().copied());
        held.state() == ShareState::Unconfirmed && all && held.package() == verified.package
    });
    let Some(held) = unconfirmed.filter(|_| verified.key == *id) else { return Ok(()) };
    let sealed =
        seal::seal(&vault.settings.seal_key, seal::SHARE, id, &held.confirmed().map_err(internal)?);
    let share = encode(&ShareRow { public: held.package(), sealed })?;
    let (name, row) = (package_name(id, &held.package_id()), key.row.clone());
    store.records(|rows| rows.put(space::SHARES, &name, &share)).map_err(internal)?;
    let key = vault.load_key(store, (*id, row), Continuity::StayedUp)?;
    vault.keys.insert(*id, key);
    Ok(())
}
