//! The messages that wait for acknowledgement.

use alloc::vec::Vec;

use super::world::*;
use crate::Bounds;
use crate::store::{BeginOutcome, NewStep, OutgoingMessage, PacketId, Store};
use crate::testing::toy::{Seals, party};
use crate::testing::violation::Violation;

pub(super) fn letters_wait_for_acknowledgement<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    let one = run(1)?;
    // The first is for two.
    let both = OutgoingMessage { to: [party(2), party(3)].into(), ..message(2, 1, 5) };
    let messages = [both, message(2, 2, 4)];
    begin(&mut store, &one, 100, &messages)?;
    let due = |store: &mut S, now, most| {
        let found = store.due(now, &bounds(), most).map_err(Violation::Failed)?;
        let whole = found.iter().all(|one| one.sealed == [one.id[0]; 50]);
        rule(whole, "a message comes out as it went in")?;
        Ok(found.into_iter().map(|message| (message.to.get(), message.id[0])).collect::<Vec<_>>())
    };
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(
        counts.messages == 3 && counts.outbox == 100,
        "messages are counted by recipient, and the bytes of each once",
    )?;
    rule(
        store.next(&KINDS).map_err(Violation::Failed)? == Some(4),
        "the next moment is the first message's",
    )?;
    rule(due(&mut store, 3, 9)?.is_empty(), "nothing is sent before its time")?;
    rule(
        due(&mut store, 5, 1)? == [(2, 2)],
        "what is due first is sent first, and no more than asked for",
    )?;
    let mut rest = due(&mut store, 5, 9)?;
    rest.sort_unstable();
    rule(rest == [(2, 1), (3, 1)], "then the rest")?;
    rule(due(&mut store, 5, 9)?.is_empty(), "once")?;
    store = reopen(store);
    rule(due(&mut store, 14, 9)?.is_empty(), "and not again too soon")?;
    rule(due(&mut store, 15, 9)?.len() == 3, "but again")?;
    rule(due(&mut store, 34, 9)?.is_empty(), "later each time")?;
    let acknowledge = |store: &mut S, by, ids: &[PacketId]| {
        store.acknowledge(party(by), ids).map_err(Violation::Failed)
    };
    rule(
        acknowledge(&mut store, 3, &[[1; 32], [2; 32]])? == 1,
        "a peer acknowledges its own messages",
    )?;
    rule(acknowledge(&mut store, 3, &[[1; 32]])? == 0, "once")?;
    let left = due(&mut store, 35, 9)?;
    rule(
        left.len() == 2 && left.iter().all(|(to, _)| *to == 2),
        "what is acknowledged is not sent, but to the others",
    )?;
    rule(acknowledge(&mut store, 2, &[[1; 32]])? == 1, "the last recipient acknowledges")?;
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.messages == 1 && counts.outbox == 50, "what all have is forgotten")?;
    store.prune(9_999).map_err(Violation::Failed)?;
    rule(
        store.counts().map_err(Violation::Failed)?.messages == 1,
        "nothing is forgotten before its time",
    )?;
    prune(&mut store, 10_000)?;
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.messages == 0 && counts.outbox == 0, "a message is forgotten at its time")
}

pub(super) fn letters_end_with_their_run<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    let (one, two) = (run(1)?, run(2)?);
    begin(
        &mut store,
        &one,
        100,
        &[message(2, 1, 0), OutgoingMessage { until: 20, ..message(2, 2, 0) }],
    )?;
    begin(&mut store, &two, 100, &[message(2, 3, 0)])?;
    let due = did(store.due(0, &bounds(), 9))?;
    let context = seal(&one, 0)?.slot().session();
    let of_one = |id: PacketId| id == [1; 32] || id == [2; 32];
    let named = due.iter().all(|due| (due.context == context) == of_one(due.id));
    rule(due.len() == 3 && named, "a message comes with the run that it is of")?;
    let last = [message(3, 4, 0)];
    let end = NewStep { outcome: Some(b"outcome"), until: 60, ..step(&one.tombstone, &last) };
    rule(did(store.swap(seal(&one, 0)?.slot(), &end))?, "a run ends")?;
    store = reopen(store);
    let messages = |store: &mut S| Ok(did(store.counts())?.messages);
    prune(&mut store, 20)?;
    let whole = "the messages of a run that has ended are kept until their time";
    rule(messages(&mut store)? == 3, whole)?;
    prune(&mut store, 59)?;
    rule(messages(&mut store)? == 3, whole)?;
    prune(&mut store, 60)?;
    rule(messages(&mut store)? == 1, "the messages of a run that has ended have an end")?;
    let end = NewStep { outcome: Some(b"outcome"), until: 70, ..step(&two.tombstone, &[]) };
    let context = seal(&two, 0)?.slot().session();
    rule(did(store.abandon(&context, &end))?, "a run is abandoned")?;
    prune(&mut store, 70)?;
    rule(messages(&mut store)? == 0, "the messages of a run that was abandoned have an end")
}

pub(super) fn a_peer_fills_its_own_outbox<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    begin(&mut store, &run(1)?, 100, &[message(2, 1, 0)])?;
    begin(&mut store, &run(2)?, 100, &[message(2, 2, 0)])?;
    store = reopen(store);
    let try_begin = |store: &mut S, run: &Seals, to: &[u16], outbox| {
        let messages =
            [OutgoingMessage { to: to.iter().copied().map(party).collect(), ..message(2, 9, 0) }];
        did(store.begin(&new_run(run, 100, &messages)?, &Bounds { outbox, ..bounds() }))
    };
    let (three, four) = (run(3)?, run(4)?);
    for to in [&[2][..], &[3, 2]] {
        let full = try_begin(&mut store, &three, to, 99)?;
        rule(full == BeginOutcome::Outbox, "the messages to a peer are bounded")?;
    }
    let counts = did(store.counts())?;
    rule((counts.open, counts.messages) == (2, 2), "a run that is refused changes nothing")?;
    let other = try_begin(&mut store, &three, &[3], 99)?;
    rule(has_begun(other), "a peer that acknowledges nothing holds up no other")?;
    let same = try_begin(&mut store, &four, &[2], 100)?;
    rule(has_begun(same), "up to the bound of each peer")
}
