//! Opening a node's databases.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use custody_core::{Reason, Refusal};
use quorate::ecdsa::{AuxInfoGen, Ecdsa, Keygen, P256, PresignMany, Secp256k1};
use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{Dkg, Frost};
use quorate::frost::secp256k1_tr::TaprootInternal;
use quorate::keys::Reshare;
use quorate::mldsa;
use quorate::runner::{Bounds, Runner};
use quorate::session::Continuity;
use quorate_store::{AnyStore, Ledger};

use crate::maintain::settle;
use crate::rows::{internal, ledger};
use crate::settings::Settings;
use crate::vault::Vault;
use crate::witness::{Finding, Witnesses};
use crate::{copies, life, stock, watermark};

/// Opens a node on its store. `continuity` says how it is known that the store is the latest; with [`Continuity::Unknown`] the node
/// drops everything that it has made ahead, and its open runs.
///
/// Prefer [`open_witnessed`]: here the node does not hear whether its peers were restored, and does not tell them that it was. Then
/// runs with it come to no result.
///
/// # Errors
/// A [`Refusal`] if something in the store does not open.
pub fn open(
    settings: Settings,
    store: AnyStore,
    continuity: Continuity,
) -> Result<Runner<AnyStore, Vault>, Refusal> {
    // The ledger is in no backup, so at least one of the two databases is the latest, unless one was found restored.
    let votes = match store.rolled_back() {
        Some(_) => Continuity::Unknown,
        None => Continuity::Operator,
    };
    open_with(settings, store, None, (continuity, votes))
}

/// Opens a node when its peers have said what they know of it. It blocks until then: call it on the thread of the runner.
///
/// If too few can vouch, the node drops everything that it has made ahead. If its databases were restored, it starts only where
/// `rejoin` says so, and then drops the same, does not vote about new shares ([`Node::rejoin`](crate::Node::rejoin)), and signs
/// nothing that has a watermark ([`Node::accept_watermarks`](crate::Node::accept_watermarks)).
///
/// # Errors
/// A [`Refusal`] with [`Reason::RolledBack`], or if something in the store does not open.
pub fn open_witnessed(
    settings: Settings,
    mut store: AnyStore,
    witnesses: &Witnesses,
    rejoin: bool,
) -> Result<Runner<AnyStore, Vault>, Refusal> {
    let finding = witnesses.wait(&mut store, rejoin)?;
    let rejoins = matches!(finding, Finding::RolledBack(_));
    let (continuity, votes) = match finding {
        Finding::Latest(continuity) => (continuity, Continuity::Operator),
        Finding::Unknown => (Continuity::Unknown, Continuity::Operator),
        Finding::RolledBack(_) if rejoin => {
            // Runs that lack what the ledger remembers do not show that the ledger is the latest: both may be of copies that were
            // taken one after the other.
            watermark::lose(&mut store)?;
            (Continuity::Unknown, Continuity::Unknown)
        }
        Finding::RolledBack(why) => return Err(why),
    };
    let peers = Some(witnesses.clone());
    let mut runner = open_with(settings, store, peers, (continuity, votes))?;
    rejoined(runner.store())?;
    witnesses.rely(life::load(runner.store())?);
    if rejoins {
        witnesses.spread(runner.store())?;
    }
    Ok(runner)
}

/// From now on a node that was restored from a backup is one that has rejoined.
fn rejoined(store: &mut AnyStore) -> Result<(), Refusal> {
    let row = store.read_ledger(|rows| rows.get(ledger::RESTORED, &[])).map_err(internal)?;
    let remove = |rows: &mut Ledger<'_>| rows.remove(ledger::RESTORED, &[]).map(drop);
    row.map_or(Ok(()), |_| store.spend(remove).map_err(internal))
}

fn open_with(
    settings: Settings,
    mut store: AnyStore,
    witnesses: Option<Witnesses>,
    (continuity, votes): (Continuity, Continuity),
) -> Result<Runner<AnyStore, Vault>, Refusal> {
    check_format(&mut store)?;
    // A new store may stand for one that was lost. Without witnesses nobody could tell the peers of another life.
    let is_new = continuity == Continuity::NewStore;
    if is_new && witnesses.is_some() || !is_new && !continuity.keeps_stock() {
        stock::drop_all(&mut store, Some(life::draw()?))?;
    }
    let life = life::load(&mut store)?;
    // The ledger is the newer of the two, so nothing that it has was deleted on purpose.
    if store.rolled_back().is_some_and(|which| !which.is_spent) {
        copies::restore(&mut store, &settings)?;
    }
    let mut vault = Vault::new(settings, life, witnesses);
    vault.load(&mut store, votes)?;
    copies::drop_old(&mut store)?;
    let builder =
        Runner::builder(vault.settings.me, Arc::clone(&vault.settings.seal_key), continuity)
            .protocol::<Keygen<Secp256k1>>()
            .protocol::<Keygen<P256>>()
            .protocol::<AuxInfoGen>()
            .protocol::<PresignMany<Secp256k1>>()
            .protocol::<PresignMany<P256>>()
            .protocol::<Dkg<Ed25519Sha512>>()
            .protocol::<Dkg<TaprootInternal>>()
            .protocol::<Dkg<Ed448Shake256>>()
            .protocol::<mldsa::Dkg>()
            .protocol::<mldsa::Sign>()
            .protocol::<Reshare<Ecdsa<Secp256k1>>>()
            .protocol::<Reshare<Ecdsa<P256>>>()
            .protocol::<Reshare<Frost<Ed25519Sha512>>>()
            .protocol::<Reshare<Frost<TaprootInternal>>>()
            .protocol::<Reshare<Frost<Ed448Shake256>>>()
            .bounds(BOUNDS);
    let mut runner = builder.open(store, vault).map_err(internal)?;
    if continuity == Continuity::Unknown && runner.store().rolled_back().is_some() {
        // The runs end that were open, before others begin. What fails here is tried again by the runner, and by `maintain`.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        runner.work(u64::try_from(now.as_millis()).unwrap_or(u64::MAX)).ok();
        settle(runner.store())?;
    }
    Ok(runner)
}

/// Refuses a ledger of format 1: here its requests would be unknown, and would be decided and signed once more.
fn check_format(store: &mut AnyStore) -> Result<(), Refusal> {
    for space in ledger::OF_FORMAT_1 {
        if store.read_ledger(|rows| rows.last(space)).map_err(internal)?.is_some() {
            return Err(Refusal::new(
                Reason::Unsupported,
                "the database of what was spent has requests of format 1, and this release reads format 2: start the release before \
                 it",
            ));
        }
    }
    Ok(())
}

/// A message is sent again within half a second: the network is near, and whoever was killed wants to hear of it.
const BOUNDS: Bounds = Bounds { resend: 100, resend_max: 500, ..Bounds::new(1000) };
