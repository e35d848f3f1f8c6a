//! The agreement about new shares of a key: votes, certificates, and the deletion of old shares.
//!
//! Gateways carry the statements, and are trusted with nothing: `docs/spec/agreement.md` of the repository is the specification.

use std::rc::Rc;

use custody_core::{Answer, KeyId, Reason, Refusal, SignedCertificate};
use quorate::PartyId;
use quorate::envelope::Directory;
use quorate::keys::PackageId;
use quorate::keys::agreement::{
    Attempt, Certificate, Committed, Held as Agreed, Prepared, Refused, Signed, Stage, Status,
    Store, Superseded, Tally,
};
use quorate::session::Continuity;
use quorate_store::AnyStore;

use crate::confirm::confirm;
use crate::copies;
use crate::held::Held;
use crate::rows::{KeyRow, ShareRow, internal, ledger, name, space};
use crate::seal;
use crate::settings::Settings;
use crate::vault::{Key, Vault, package_name};

/// The domain of the statements' signatures.
const DOMAIN: &str = "quorate custody agreement about shares v1";

/// The statements that came with an order, by their kinds.
#[derive(Default)]
struct Statements {
    prepared: Vec<Signed<Prepared>>,
    committed: Vec<Signed<Committed>>,
    all_prepared: Vec<Certificate<Prepared>>,
    all_committed: Vec<Certificate<Committed>>,
    certificates: Vec<SignedCertificate>,
}

const SIGNED: u8 = 1;
const CERTIFICATE: u8 = 2;
const KEY: u8 = SignedCertificate::STATEMENT;
const MOST_CERTIFICATES: usize = 32;

/// Continues the agreement with what a gateway has brought, and answers with what others need.
pub(crate) fn agree(
    store: &mut AnyStore,
    vault: &mut Vault,
    id: &KeyId,
    statements: &[Vec<u8>],
) -> Result<Answer, Refusal> {
    vault.key(id)?;
    let settings = vault.settings.clone();
    let came = Statements::read(statements, settings.directory.directory());
    for certificate in &came.certificates {
        confirm(store, vault, id, certificate)?;
    }
    let key = vault.keys.get_mut(id).ok_or_else(|| internal("the key is gone"))?;
    let answered = step(store, &settings, id, key, came);
    match &answered {
        // The key went to others, and all of them have their shares.
        Ok(_) if key.shares.is_empty() => {
            remove_key(store, id)?;
            vault.keys.remove(id);
        }
        Ok(_) => {}
        // A step that was not stored is undone by opening the key again.
        Err(_) => {
            let row = key.row.clone();
            let key = vault.load_key(store, (*id, row), Continuity::StayedUp)?;
            vault.keys.insert(*id, key);
        }
    }
    answered
}

fn step(
    store: &mut AnyStore,
    settings: &Settings,
    id: &KeyId,
    key: &mut Key,
    came: Statements,
) -> Result<Answer, Refusal> {
    let sign = |message: &[u8]| settings.identity.sign_statement(DOMAIN, message).to_vec();
    let mut said = Vec::new();
    let held: Vec<Agreed> = key.shares.iter().filter_map(|held| held.agreed().ok()).collect();
    let mut barred = None;
    for agreed in &held {
        barred = None;
        if key.agreement.create(agreed).is_err() || is_settled(key, agreed) {
            continue;
        }
        // A refusal is final for this attempt: the vote of its epoch is another one's, or was lost.
        let step = match key.agreement.prepare(agreed) {
            Ok(step) => step,
            Err(Refused::Barred { floor }) => {
                barred = Some((agreed.attempt().package_id(), floor));
                continue;
            }
            Err(_) => continue,
        };
        make_durable(store, settings, (id, &key.row), step.stores(), &key.shares)?;
        said.push(put(SIGNED, &step.stored().sign(sign).map_err(internal)?.to_bytes()));
    }
    let identities = identities(settings.directory.directory());
    let attempts: Vec<Attempt> = held.iter().map(|held| held.attempt().clone()).collect();
    let mut tallied = tally(&attempts, &came.prepared, &identities);
    let known = key.shares.iter().filter_map(|held| key.agreement.certificate(held.package_id()));
    tallied.extend(known.cloned());
    for certificate in came.all_prepared.iter().chain(&tallied) {
        let Ok(step) = key.agreement.commit(certificate) else { continue };
        make_durable(store, settings, (id, &key.row), step.stores(), &key.shares)?;
        said.push(put(SIGNED, &step.stored().sign(sign).map_err(internal)?.to_bytes()));
    }
    let tallied = tally(&attempts, &came.committed, &identities);
    for certificate in came.all_committed.iter().chain(&tallied) {
        let Ok(step) = key.agreement.supersede(certificate) else { continue };
        make_durable(store, settings, (id, &key.row), step.stores(), &key.shares)?;
        let over = step.stored();
        forget(store, id, key, over)?;
    }
    if let Some((latest, floor)) = barred
        && key.agreement.certificate(latest).is_none()
        && !key.shares.is_empty()
        && !is_done(key)
    {
        return Ok(Answer::Refused(never_votes(latest, floor)));
    }
    let certificates =
        key.shares.iter().filter_map(|held| key.agreement.certificate(held.package_id()));
    said.extend(certificates.map(|one| put(CERTIFICATE, &one.to_bytes())));
    said.extend(key.agreement.evidence().map(|one| put(CERTIFICATE, &one.to_bytes())));
    said.dedup();
    let left = key.agreement.superseded().filter(|_| key.shares.is_empty());
    let epoch = match left {
        Some(over) => over.by().epoch(),
        None => key.signing()?.package_id().epoch(),
    };
    Ok(Answer::Agreement { statements: said, epoch, done: left.is_some() || is_done(key) })
}

/// Why the node never votes about these shares.
fn never_votes(latest: PackageId, floor: Option<u32>) -> Refusal {
    let detail = match floor {
        None => "this node was restored, and votes about no new shares of the key until it is started once with --rejoin-key \
                 KEY=EPOCH"
            .to_owned(),
        Some(floor) => format!(
            "this node was restored, and votes about new shares of an epoch above {floor} alone; these are of epoch {}: make \
             the same change again",
            latest.epoch()
        ),
    };
    Refusal::new(Reason::RolledBack, detail)
}

/// Removes a key of which the node has no share any more.
pub(crate) fn remove_key(store: &mut AnyStore, id: &KeyId) -> Result<(), Refusal> {
    let forget = |rows: &mut quorate_store::Ledger<'_>| {
        rows.remove(ledger::SPECS, id.as_bytes())?;
        rows.remove_all(ledger::COPIES, id.as_bytes())
    };
    store.spend(forget).map_err(internal)?;
    let remove = |rows: &mut quorate_store::Records<'_>| {
        rows.remove_all(space::MATERIAL, id.as_bytes())?;
        rows.remove_all(space::SHARES, id.as_bytes())?;
        rows.remove(space::AGREEMENTS, id.as_bytes())?;
        rows.remove(space::KEYS, id.as_bytes()).map(drop)
    };
    store.records(remove).map_err(internal)
}

/// Returns whether all were known to have this share before the agreement.
fn is_settled(key: &Key, agreed: &Agreed) -> bool {
    agreed.is_settled()
        || key.agreement.superseded().is_some_and(|over| over.by() == agreed.attempt().package_id())
}

/// Returns whether the node counts on one share alone.
fn is_done(key: &Key) -> bool {
    let latest = key.shares.last().map(|held| held.package_id());
    let over = key.agreement.superseded().map(|over| over.by());
    key.shares.len() == 1
        && (over == latest
            || key.agreement.statuses().all(|(_, status)| status == Status::Committed))
}

/// The certificates of attempts of which every member has said so.
fn tally<S: Stage>(
    attempts: &[Attempt],
    statements: &[Signed<S>],
    identities: &impl Fn(PartyId, &[u8], &[u8]) -> bool,
) -> Vec<Certificate<S>> {
    let one = |attempt: &Attempt| {
        let mut tally = Tally::<S>::new(attempt.clone());
        for statement in statements {
            // One that does not verify counts for nothing.
            tally.add(statement.clone(), identities).ok();
        }
        tally.certificate()
    };
    attempts.iter().filter_map(one).collect()
}

/// Deletes what is superseded: shares, their copies, and what was made with them.
fn forget(
    store: &mut AnyStore,
    id: &KeyId,
    key: &mut Key,
    over: Superseded,
) -> Result<(), Refusal> {
    let gone: Vec<PackageId> = key
        .shares
        .iter()
        .map(|held| held.package_id())
        .filter(|package| over.covers(*package))
        .collect();
    for package in &gone {
        let name = package_name(id, package);
        // The copy goes first: what is interrupted here leaves a share that the next certificate deletes.
        store.spend(|ledger| ledger.remove(ledger::COPIES, &name)).map_err(internal)?;
        let remove = |rows: &mut quorate_store::Records<'_>| {
            rows.remove_all(space::MATERIAL, &name)?;
            rows.remove(space::SHARES, &name)
        };
        store.records(remove).map_err(internal)?;
    }
    key.shares.retain(|held| !gone.contains(&held.package_id()));
    Ok(())
}

/// Makes what a step lists durable, in its order.
pub(crate) fn make_durable(
    store: &mut AnyStore,
    settings: &Settings,
    (id, key): (&KeyId, &KeyRow),
    stores: &[Store],
    shares: &[Rc<dyn Held>],
) -> Result<(), Refusal> {
    for one in stores {
        match one {
            Store::Ledger(entry) => {
                let (content, id) = (entry.to_bytes(), id.as_bytes().as_slice());
                let row = name(&[id, &content]);
                store.spend(|rows| rows.put(ledger::VOTES, &row, &content)).map_err(internal)?;
            }
            Store::Record(record) => {
                let record = record.to_bytes();
                store
                    .records(|rows| rows.put(space::AGREEMENTS, id.as_bytes(), &record))
                    .map_err(internal)?;
            }
            Store::Backups(package) => {
                let held = shares.iter().find(|held| held.package_id() == *package);
                let held = held.ok_or_else(|| internal("the share that was voted for is gone"))?;
                copies::put(store, settings, (id, key), &**held)?;
            }
        }
    }
    Ok(())
}

/// The row of a share.
pub(crate) fn share_row(settings: &Settings, id: &KeyId, held: &dyn Held) -> ShareRow {
    let sealed = seal::seal(&settings.seal_key, seal::SHARE, id, &held.secret());
    ShareRow { public: held.package(), sealed }
}

impl Statements {
    /// Reads what verifies; anything else is dropped, and so are more certificates than a change has: each takes a verification
    /// for each member.
    fn read(statements: &[Vec<u8>], directory: &Directory) -> Self {
        let (mut read, identities) = (Self::default(), identities(directory));
        let mut left = MOST_CERTIFICATES;
        for statement in statements {
            let is_certificate = matches!(statement.first(), Some(&CERTIFICATE | &KEY));
            left = if is_certificate { left.saturating_sub(1) } else { left };
            match statement.split_first().filter(|_| !is_certificate || left > 0) {
                Some((&SIGNED, bytes)) => {
                    read.prepared.extend(Signed::from_bytes(bytes));
                    read.committed.extend(Signed::from_bytes(bytes));
                }
                Some((&CERTIFICATE, bytes)) => {
                    read.all_prepared.extend(Certificate::from_bytes(bytes, &identities));
                    read.all_committed.extend(Certificate::from_bytes(bytes, &identities));
                }
                Some((&KEY, bytes)) => {
                    read.certificates.extend(SignedCertificate::from_bytes(bytes))
                }
                _ => {}
            }
        }
        read
    }
}

fn put(kind: u8, bytes: &[u8]) -> Vec<u8> {
    [&[kind], bytes].concat()
}

/// The identities of the directory.
fn identities(directory: &Directory) -> impl Fn(PartyId, &[u8], &[u8]) -> bool + '_ {
    |party, message, signature| {
        let member = directory.member_of(party).zip(signature.try_into().ok());
        member.is_some_and(|(member, signature)| {
            member.current.verify_statement(DOMAIN, message, signature)
        })
    }
}
