//! Accusations: nodes that have broken the protocol of a run, as this one found.

use custody_core::{Accusation, Answer, Refusal};
use quorate::session::{Abort, Check, SessionId};
use quorate::{PartyId, runner::Job};
use quorate_store::AnyStore;

use crate::audit;
use crate::rows::{decode, encode, internal, space};
use crate::settings::Settings;

/// The time after which the log has a further entry about the same node, in seconds.
const QUIET: u64 = 3600;

/// The parties that an abort shows to have broken the protocol, each with its fault.
pub(crate) fn accused(job: &Job, me: PartyId, abort: &Abort) -> Vec<(u16, String)> {
    match abort {
        Abort::Misbehaviour(blames) => {
            blames.iter().map(|blame| (blame.party.get(), blame.to_string())).collect()
        }
        // Somebody lies about broadcasts. This node knows what it sent, so of two parties it is the other one.
        Abort::Unattributed { check: Check::EchoMismatch, .. } if job.parties.len() == 2 => {
            let others = job.parties.iter().filter(|party| *party != me);
            others.map(|party| (party.get(), abort.to_string())).collect()
        }
        _ => Vec::new(),
    }
}

/// Stores accusations. The log has one entry about a node in an hour.
pub(crate) fn store(
    store: &mut AnyStore,
    settings: &Settings,
    run: SessionId,
    accused: &[(u16, String)],
    now: u64,
) -> Result<(), Refusal> {
    for (number, fault) in accused {
        let Some(party) = PartyId::new(*number) else { continue };
        let (name, run) = (number.to_be_bytes(), *run.as_bytes());
        let earlier = store.read_records(|rows| rows.get(space::ACCUSED, &name));
        let earlier = earlier.map_err(internal)?.map(|row| decode::<Accusation>(&row));
        let earlier = earlier.transpose()?;
        let count = earlier.as_ref().map_or(0, |one| one.count).saturating_add(1);
        let row = Accusation { party, count, last: now, run, fault: fault.clone() };
        let content = encode(&row)?;
        store.records(|rows| rows.put(space::ACCUSED, &name, &content)).map_err(internal)?;
        if earlier.is_some_and(|one| one.last.saturating_add(QUIET) > now) {
            continue;
        }
        let member = settings.directory.directory().member_of(party);
        let node = member.map_or_else(|| number.to_string(), |member| member.name.to_string());
        store
            .spend(|rows| audit::accused(rows, settings, (&node, run, fault), now))
            .map_err(internal)?;
    }
    Ok(())
}

/// Lists the accusations.
pub(crate) fn list(store: &mut AnyStore) -> Result<Answer, Refusal> {
    let rows =
        store.read_records(|rows| rows.list(space::ACCUSED, &[], None, Answer::MAX_ACCUSATIONS));
    let all = rows.map_err(internal)?.into_iter().map(|row| decode(&row.content));
    Ok(Answer::Accusations(all.collect::<Result<_, _>>()?))
}
