//! The log of decisions in the ledger.

use custody_audit::{Answer, Chain, Decision, Entry, Event, Head, Hex, export, summary};
use custody_core::{Operation, Refusal};
use quorate_store::{AnyStore, Ledger, RecordRow, Records};

use crate::decide::Question;
use crate::rows::{Stored, decode, encode, internal, ledger};
use crate::settings::Settings;

/// The log in one transaction: its end is read once.
pub(crate) struct Log<'a> {
    pub(crate) settings: &'a Settings,
    chain: Option<Chain>,
}

impl<'a> Log<'a> {
    pub(crate) const fn new(settings: &'a Settings) -> Self {
        Self { settings, chain: None }
    }

    /// Appends an event, in the transaction that it belongs to.
    fn push(&mut self, rows: &mut Ledger<'_>, time: u64, event: Event) -> Stored<()> {
        let refused = |why: Refusal| quorate_store::Error::Refused(why.to_string());
        let chain = match &mut self.chain {
            Some(chain) => chain,
            none => none.insert(end(rows, self.settings)?.map_err(refused)?),
        };
        let entry = chain.append(time, event);
        let content = encode(&entry).map_err(refused)?;
        rows.put(ledger::AUDIT, &entry.sequence.to_be_bytes(), &content)
    }
}

/// The end of the log as it is stored.
fn end(rows: &mut Records<'_>, settings: &Settings) -> Stored<Result<Chain, Refusal>> {
    let node = settings.identity.name().as_str();
    let last = rows.last(ledger::AUDIT)?.map(|row| decode::<Entry>(&row.content)).transpose();
    Ok(last.map(|last| last.map_or_else(|| Chain::new(node), |entry| Chain::after(node, &entry))))
}

/// Appends an answer to a request.
pub(crate) fn append(
    rows: &mut Ledger<'_>,
    log: &mut Log<'_>,
    question: &Question<'_>,
    (answer, policies): (Answer, &[String]),
) -> Stored<()> {
    let asked = question.asked;
    let sign = match &asked.verified.operation {
        Operation::Sign(_, sign) if question.facts.iter().next().is_some() => Some(sign),
        _ => None,
    };
    let decision = Decision {
        request: asked.verified.id,
        caller: asked.verified.caller.name.clone(),
        head: asked.head.clone(),
        approvals: asked.approvals.iter().map(|approval| approval.head.clone()).collect(),
        summary: summary(question.facts, sign),
        policies: policies.to_vec(),
        answer,
    };
    log.push(rows, question.now, Event::Decision(Box::new(decision)))
}

/// The answer that a share was given out, for this claim.
pub(crate) const fn released(claim: [u8; 32]) -> Answer {
    Answer::Released { claim: Hex(claim) }
}

/// The answer that a request was refused.
pub(crate) fn refused(why: &Refusal) -> Answer {
    Answer::Refused { reason: why.reason, detail: why.detail.clone() }
}

/// Appends the finding that another node has broken the protocol of a run.
pub(crate) fn accused(
    rows: &mut Ledger<'_>,
    settings: &Settings,
    (node, run, fault): (&str, [u8; 32], &str),
    now: u64,
) -> Stored<()> {
    let event = Event::Accused { node: node.to_owned(), run: Hex(run), fault: fault.to_owned() };
    Log::new(settings).push(rows, now, event)
}

/// The number of entries, those that were deleted included.
pub(crate) fn count(rows: &mut Records<'_>) -> Stored<u64> {
    let last = rows.last(ledger::AUDIT)?;
    let last = last.and_then(|row| row.name.first_chunk().map(|bytes| u64::from_be_bytes(*bytes)));
    Ok(last.map_or(0, |last| last.saturating_add(1)))
}

/// Exports entries as lines of a log that begins after one of them: with signed heads of its beginning and its end.
pub(crate) fn lines(
    store: &mut AnyStore,
    settings: &Settings,
    (after, most): (Option<u64>, usize),
    now: u64,
) -> Result<Vec<String>, Refusal> {
    let after = after.map(u64::to_be_bytes);
    let after = after.as_ref().map(<[u8; 8]>::as_slice);
    let rows = store.read_ledger(|rows| rows.list(ledger::AUDIT, &[], after, most));
    let entries = rows.map_err(internal)?.into_iter().map(|row| decode::<Entry>(&row.content));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return Ok(vec![]) };
    let node = settings.identity.name().as_str();
    let start = first.sequence.checked_sub(1).map(|sequence| {
        let head = Head { node: node.to_owned(), sequence, hash: first.previous, time: now };
        head.sign(&settings.identity)
    });
    let end = Chain::after(node, last).head(now);
    let end = end.ok_or_else(|| internal("the log has no end"))?.sign(&settings.identity);
    let mut text = Vec::new();
    export(&mut text, node, start, entries.into_iter().map(Ok), end).map_err(internal)?;
    let text = String::from_utf8(text).map_err(internal)?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Deletes entries of before this time, `most` at most; the log says so. Returns `true` if there may be more of them.
pub(crate) fn prune(
    rows: &mut Ledger<'_>,
    settings: &Settings,
    (before, now): (u64, u64),
    most: usize,
) -> Stored<bool> {
    let old: Vec<RecordRow> = rows.list(ledger::AUDIT, &[], None, most)?;
    let entry = |row: &RecordRow| decode::<Entry>(&row.content).ok();
    let over: Vec<Entry> =
        old.iter().map_while(entry).take_while(|one| one.time < before).collect();
    let Some(last) = over.last() else { return Ok(false) };
    let node = settings.identity.name().as_str();
    if let Some(head) = Chain::after(node, last).head(now) {
        Log::new(settings).push(rows, now, head.pruned())?;
    }
    over.iter().try_for_each(|entry| {
        rows.remove(ledger::AUDIT, &entry.sequence.to_be_bytes()).map(drop)
    })?;
    Ok(over.len() >= most)
}
