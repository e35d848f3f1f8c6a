//! Runs the state machines of `round-based`, wave by wave.

use core::mem::{replace, take};
use std::collections::VecDeque;

use cggmp24::round_based::state_machine::{ProceedResult, StateMachine};
use cggmp24::round_based::{Incoming, MessageDestination, MessageType, Outgoing};
use quorate_benches::ecdsa::Ledger;
use serde::Serialize;

/// The messages on their way to each party.
struct Post<M> {
    boxes: Vec<VecDeque<Incoming<M>>>,
    next: u64,
}

impl<M: Clone> Post<M> {
    fn new(parties: usize) -> Self {
        Self { boxes: (0..parties).map(|_| VecDeque::new()).collect(), next: 0 }
    }

    fn send(&mut self, sender: u16, message: &Outgoing<M>) {
        let (to, msg_type) = match message.recipient {
            MessageDestination::AllParties => (None, MessageType::Broadcast),
            MessageDestination::OneParty(to) => (Some(to), MessageType::P2P),
        };
        for (party, inbox) in (0..).zip(&mut self.boxes) {
            if party != sender && to.is_none_or(|to| to == party) {
                let msg = message.msg.clone();
                inbox.push_back(Incoming { id: self.next, sender, msg_type, msg });
                self.next += 1;
            }
        }
    }
}

/// One party with what it has produced.
struct Party<S: StateMachine> {
    machine: S,
    output: Option<S::Output>,
}

impl<S: StateMachine> Party<S> {
    /// Goes on until the party needs a message that is not there, and gives what it sends.
    fn step(&mut self, mut inbox: VecDeque<Incoming<S::Msg>>) -> Vec<Outgoing<S::Msg>> {
        let mut sent = Vec::new();
        loop {
            match self.machine.proceed() {
                ProceedResult::SendMsg(message) => sent.push(message),
                ProceedResult::NeedsOneMoreMessage => match inbox.pop_front() {
                    Some(message) => {
                        assert!(self.machine.received_msg(message).is_ok(), "it asked for one");
                    }
                    None => return sent,
                },
                ProceedResult::Yielded => {}
                ProceedResult::Output(output) => {
                    self.output = Some(output);
                    return sent;
                }
                ProceedResult::Error(wrong) => panic!("{wrong}"),
            }
        }
    }
}

/// Runs one machine per party to the end. A round is what a party does between what it has received and what
/// it waits for next.
///
/// # Panics
/// If a machine fails or waits for ever.
pub(crate) fn run<S>(machines: Vec<S>, ledger: &mut Ledger) -> Vec<S::Output>
where
    S: StateMachine,
    S::Msg: Clone + Serialize,
{
    let mut post = Post::new(machines.len());
    let mut parties: Vec<Party<S>> =
        machines.into_iter().map(|machine| Party { machine, output: None }).collect();
    for round in 0.. {
        let fresh = Post { next: post.next, ..Post::new(parties.len()) };
        let arrived = replace(&mut post, fresh);
        assert!(round == 0 || arrived.boxes.iter().any(|inbox| !inbox.is_empty()), "a deadlock");
        for ((at, party), mut inbox) in parties.iter_mut().enumerate().zip(arrived.boxes) {
            if party.output.is_some() {
                continue;
            }
            // What a party has received is on its heap.
            let counts = ledger.counts();
            let sent = ledger.work(round, at, || {
                party.step(if counts { inbox.clone() } else { take(&mut inbox) })
            });
            for message in sent {
                ledger.sent(at, || size(&message.msg));
                post.send(at.try_into().expect("few parties"), &message);
            }
        }
        if parties.iter().all(|party| party.output.is_some()) {
            break;
        }
    }
    parties.into_iter().map(|party| party.output.expect("all have ended")).collect()
}

/// Bytes of a message in postcard's form, the most compact of serde's in wide use.
pub(super) fn size(message: &impl Serialize) -> usize {
    postcard::to_allocvec(message).expect("a message").len()
}
