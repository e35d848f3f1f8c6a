//! The finding of a node about its databases, by what its peers have answered.

use core::time::Duration;
use std::time::Instant;

use custody_core::{LedgerHead, Reason, Refusal, Witness};
use quorate::PartyId;
use quorate::envelope::Name;
use quorate::session::Continuity;
use quorate_store::{AnyStore, Standing};

use super::{Witnesses, from_wire, to_wire};
use crate::rows::{KeyRow, decode, internal, ledger, space};

/// The time between two looks at what peers have answered.
const LOOK: Duration = Duration::from_millis(20);
/// The time for which other peers may answer once one knows of a later head, so that an operator can compare their answers.
const COMPARE: Duration = Duration::from_secs(3);
/// The time in which peers that are up hear of a node that has rejoined: several heartbeats.
const SPREAD: Duration = Duration::from_secs(5);

/// The finding of a node about its databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// They are the latest, for this reason.
    Latest(Continuity),
    /// Too few peers can say so: they were restarted as well, or are down.
    Unknown,
    /// They were restored, for this reason.
    RolledBack(Refusal),
}

/// The answers of all peers at one moment.
#[derive(Default)]
struct View {
    /// The last step of the node's own ledger.
    step: u64,
    needed: usize,
    peers: usize,
    vouching: Vec<Name>,
    /// Peers that know of a head which the node does not know, with its step.
    ahead: Vec<(Name, u64)>,
    silent: Vec<Name>,
}

impl Witnesses {
    /// Waits until peers have answered, on the thread of the runner, and says how the store stands. With `rejoin` it takes a store
    /// of which nobody has said anything in time for a restored one.
    ///
    /// # Errors
    /// A [`Refusal`] if the store fails.
    pub fn wait(&self, store: &mut AnyStore, rejoin: bool) -> Result<Finding, Refusal> {
        let head = store.head().map_err(internal)?;
        let threshold = threshold(store)?;
        let patience = {
            let state = &mut *self.state();
            state.head = head.map(to_wire);
            Duration::from_millis(state.patience)
        };
        let since = Instant::now();
        loop {
            let view = self.view(store, threshold)?;
            self.state().waits = Some((view.waits(), view.ahead()));
            let times = (since.elapsed(), patience);
            if let Some(finding) = view.finding(store, times, rejoin)? {
                return Ok(finding);
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until the peers that are up have heard of this node since it has rejoined. Until then they know of a head from before, and a
    /// node that is restarted would be refused once more.
    pub(crate) fn spread(&self, store: &mut AnyStore) -> Result<(), Refusal> {
        self.set_head(store.head().map_err(internal)?);
        let (since, longest) =
            (Instant::now(), SPREAD.min(Duration::from_millis(self.state().patience)));
        while since.elapsed() < longest && !self.has_spread(store)? {
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    fn has_spread(&self, store: &mut AnyStore) -> Result<bool, Refusal> {
        let seen: Vec<Option<LedgerHead>> = {
            let state = self.state();
            let peers = state.peers.keys().filter(|party| !state.excluded.contains(party));
            peers.map(|party| state.answers.get(party).and_then(|answer| answer.seen)).collect()
        };
        for head in seen {
            if !matches!(standing(store, head)?, Some((Standing::Known, _))) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn view(&self, store: &mut AnyStore, threshold: usize) -> Result<View, Refusal> {
        let (step, set, peers) = {
            let state = self.state();
            let counts = |party: &PartyId| !state.excluded.contains(party);
            let peers = state.peers.iter().filter(|(party, _)| counts(party));
            let peers =
                peers.map(|(party, name)| (name.clone(), state.answers.get(party).copied()));
            let step = state.head.map_or(0, |head| head.step);
            (step, state.needed, peers.collect::<Vec<(Name, Option<Witness>)>>())
        };
        let needed = set.unwrap_or(threshold).min(peers.len());
        let mut view = View { step, needed, peers: peers.len(), ..View::default() };
        for (name, answer) in peers {
            let Some(answer) = answer else {
                view.silent.push(name);
                continue;
            };
            match standing(store, answer.seen)? {
                Some((Standing::Unknown, step)) => view.ahead.push((name, step)),
                Some((Standing::Known, _)) if answer.vouches => view.vouching.push(name),
                _ => {}
            }
        }
        Ok(view)
    }
}

/// How what a peer has heard stands to the store, and the step of it.
fn standing(
    store: &mut AnyStore,
    seen: Option<LedgerHead>,
) -> Result<Option<(Standing, u64)>, Refusal> {
    let standing = |seen| Ok((store.standing(&from_wire(seen)).map_err(internal)?, seen.step));
    seen.map(standing).transpose()
}

impl View {
    /// The finding, once enough is known.
    fn finding(
        &self,
        store: &mut AnyStore,
        (elapsed, patience): (Duration, Duration),
        rejoin: bool,
    ) -> Result<Option<Finding>, Refusal> {
        if store.rolled_back().is_some() || is_from_backup(store)? {
            return Ok(Some(Finding::RolledBack(self.rolled_back())));
        }
        let (vouching, answered) =
            (self.vouching.len(), self.peers.saturating_sub(self.silent.len()));
        if !self.ahead.is_empty() {
            let compared = self.silent.is_empty() || elapsed >= COMPARE.min(patience);
            return Ok(compared.then(|| Finding::RolledBack(self.rolled_back())));
        }
        let otherwise = if self.needed == 0 { Continuity::Operator } else { Continuity::Peers };
        // A store of which a peer knows more is not new: it was lost.
        let continuity = store.continuity(otherwise).map_err(internal)?;
        if continuity == Continuity::NewStore && answered >= self.needed || vouching >= self.needed
        {
            return Ok(Some(Finding::Latest(continuity)));
        }
        let late = elapsed >= patience;
        if self.silent.is_empty() || late && vouching > 0 {
            return Ok(Some(Finding::Unknown));
        }
        Ok((late && rejoin).then(|| Finding::RolledBack(self.rolled_back())))
    }

    fn ahead(&self) -> Vec<Name> {
        self.ahead.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The reason why the node waits.
    fn waits(&self) -> Refusal {
        let (vouching, needed) = (self.vouching.len(), self.needed);
        let silent = list(&self.silent);
        Refusal::new(
            Reason::NotVouched,
            format_args!(
                "{vouching} of {needed} other nodes vouch for the databases of this one; no answer from {silent}{}",
                self.told()
            ),
        )
    }

    /// The reason why the node does not open, with all that an operator needs to decide.
    fn rolled_back(&self) -> Refusal {
        let lies = match self.ahead.as_slice() {
            [(alone, _)] if !self.vouching.is_empty() => format!(
                ". {alone} is alone with it, and {} vouch for the databases as they are: if nothing was restored, {alone} \
                 lies or is damaged, and this node starts with --exclude-witness {alone}",
                list(&self.vouching)
            ),
            _ => String::new(),
        };
        Refusal::new(
            Reason::RolledBack,
            format_args!(
                "a database of this node was restored to an older copy: put the current one in its place, or start the node \
                 with --rejoin, and with --accept-watermarks once its chains are past all that it may have signed{}{lies}",
                self.told()
            ),
        )
    }

    /// The statements of the peers that are ahead.
    fn told(&self) -> String {
        let step = self.step;
        let each = self.ahead.iter().map(|(name, seen)| {
            format!(". {name} has heard of step {seen} of this node, which has come to step {step}")
        });
        each.collect()
    }
}

fn list(names: &[Name]) -> String {
    let names: Vec<_> = names.iter().map(ToString::to_string).collect();
    if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
}

/// Returns whether the store was made from a backup, and no operator has let the node rejoin since.
fn is_from_backup(store: &mut AnyStore) -> Result<bool, Refusal> {
    let row = store.read_ledger(|rows| rows.get(ledger::RESTORED, &[])).map_err(internal)?;
    Ok(row.is_some())
}

/// The greatest threshold of the keys of a store; 1 without keys.
fn threshold(store: &mut AnyStore) -> Result<usize, Refusal> {
    let rows = store.read_records(|rows| rows.all(space::KEYS, &[])).map_err(internal)?;
    rows.iter().try_fold(1, |greatest, row| {
        let KeyRow { spec, .. } = decode(&row.content)?;
        Ok(greatest.max(usize::from(spec.threshold)))
    })
}
