//! Runs sessions round by round.

use core::time::Duration;
use std::time::Instant;

use quorate_cggmp::session::{
    Outgoing, Parties, PartyId, Progress, Protocol, Session, SessionId, To,
};

use rand_core::Rng;

use super::Ledger;
use crate::generator;

/// The frames on their way to each party.
struct Post {
    parties: Vec<PartyId>,
    boxes: Vec<Vec<(PartyId, Vec<u8>)>>,
}

impl Post {
    fn new(parties: &Parties) -> Self {
        let parties: Vec<PartyId> = parties.iter().collect();
        Self { boxes: vec![Vec::new(); parties.len()], parties }
    }

    fn send(&mut self, from: usize, outgoing: Vec<Outgoing>, ledger: &mut Ledger) {
        let sender = self.parties[from];
        for message in outgoing {
            let to = match message.to {
                To::Everyone => None,
                To::Only(party) => self.parties.iter().position(|one| *one == party),
            };
            ledger.sent_to(from, to, || message.bytes.len());
            for (&party, inbox) in self.parties.iter().zip(&mut self.boxes) {
                if party != sender && matches!(message.to, To::Everyone)
                    || message.to == To::Only(party)
                {
                    inbox.push((sender, message.bytes.clone()));
                }
            }
        }
    }

    fn collect(&mut self, at: usize) -> Vec<(PartyId, Vec<u8>)> {
        core::mem::take(&mut self.boxes[at])
    }
}

enum Party<P: Protocol> {
    Running(Box<Session<P>>),
    Ended(P::Output),
}

/// Runs a session for each party to the end; in each round the parties come in a random order. Parameters are made in the measured part, by party.
pub(crate) fn run<P: Protocol>(
    sid: SessionId,
    parties: &Parties,
    mut params: impl FnMut(PartyId) -> P::Params,
    ledger: &mut Ledger,
) -> Vec<P::Output> {
    let mut post = Post::new(parties);
    let mut running = Vec::new();
    for (at, me) in parties.iter().enumerate() {
        let mut rng = generator(at.try_into().expect("few parties"));
        let step = ledger.work(0, at, || {
            Session::<P>::start(sid, me, parties, params(me), &mut rng).expect("valid parameters")
        });
        post.send(at, step.outgoing, ledger);
        running.push(Party::Running(Box::new(step.session)));
    }
    let mut order = generator(255);
    for round in 1.. {
        if running.iter().all(|party| matches!(party, Party::Ended(_))) {
            break;
        }
        let mut next = Post::new(parties);
        let mut turns: Vec<(usize, Party<P>)> = running.into_iter().enumerate().collect();
        shuffle(&mut turns, &mut order);
        let mut after: Vec<(usize, Party<P>)> = turns
            .into_iter()
            .map(|(at, party)| (at, turn(round, at, party, &mut post, &mut next, ledger)))
            .collect();
        after.sort_by_key(|(at, _)| *at);
        running = after.into_iter().map(|(_, party)| party).collect();
        post = next;
    }
    let output = |party| match party {
        Party::Ended(output) => output,
        Party::Running(_) => unreachable!("all have ended"),
    };
    running.into_iter().map(output).collect()
}

/// The parties of a round come in a random order, the same in every run.
fn shuffle<T>(turns: &mut [T], rng: &mut impl Rng) {
    for last in (1..turns.len()).rev() {
        let random = rng.next_u64() % (last as u64 + 1);
        turns.swap(last, usize::try_from(random).expect("at most the last"));
    }
}

/// A party's turn in a round.
fn turn<P: Protocol>(
    round: usize,
    at: usize,
    party: Party<P>,
    post: &mut Post,
    next: &mut Post,
    ledger: &mut Ledger,
) -> Party<P> {
    let Party::Running(session) = party else { return party };
    let inbox = post.collect(at);
    let mut longest = Duration::ZERO;
    let progress = ledger.work(round, at, || advance(*session, &inbox, &mut longest));
    ledger.piece(longest);
    match progress {
        Progress::Round(step) => {
            next.send(at, step.outgoing, ledger);
            Party::Running(Box::new(step.session))
        }
        Progress::Done { output, .. } => Party::Ended(output),
        Progress::Waiting(session) => panic!("{session:?} misses messages"),
        Progress::Working(_) => unreachable!("advanced to the end of its work"),
        Progress::Unconfirmed(unconfirmed) => panic!("{}", unconfirmed.abort),
    }
}

/// A party's part of a round: it takes the frames, and advances in pieces, of which the longest is taken down.
fn advance<P: Protocol>(
    mut session: Session<P>,
    inbox: &[(PartyId, Vec<u8>)],
    longest: &mut Duration,
) -> Progress<P> {
    for (from, frame) in inbox {
        session.receive(*from, frame).expect("a good frame");
    }
    loop {
        let start = Instant::now();
        let progress = session.advance().expect("honest parties");
        *longest = start.elapsed().max(*longest);
        match progress {
            Progress::Working(working) => session = working,
            progress => return progress,
        }
    }
}
