//! Runs sessions round by round.

use core::time::Duration;
use std::time::Instant;

use quorate_cggmp::session::{Parties, PartyId, Progress, Protocol, Session, SessionId, Step, To};
use quorate_testkit::lockstep::Mail;
use rand_core::Rng;

use super::Ledger;
use crate::generator;

enum Party<P: Protocol> {
    Running(Box<Session<P>>),
    Ended(P::Output),
}

/// Enters the messages of a step into the ledger, and separates them from the session.
fn sent<P: Protocol>(
    step: Step<P>,
    at: usize,
    parties: &Parties,
    ledger: &mut Ledger,
) -> (Mail, Party<P>) {
    let (mail, session) = Mail::of(step);
    for message in &mail.outgoing {
        let to = match message.to {
            To::Everyone => None,
            To::Only(party) => parties.position(party),
        };
        ledger.sent_to(at, to, || message.bytes.len());
    }
    (mail, Party::Running(Box::new(session)))
}

/// Runs a session for each party to the end. In each round the parties come in a random order. The time in which `params`
/// makes a party's parameters is measured too.
pub(crate) fn run<P: Protocol>(
    sid: SessionId,
    parties: &Parties,
    mut params: impl FnMut(PartyId) -> P::Params,
    ledger: &mut Ledger,
) -> Vec<P::Output> {
    let (mut mail, mut running) = (Vec::new(), Vec::new());
    for (at, me) in parties.iter().enumerate() {
        let mut rng = generator(at.try_into().expect("few parties"));
        let step = ledger.work(0, at, || {
            Session::<P>::start(sid, me, parties, params(me), &mut rng).expect("valid parameters")
        });
        let (own, party) = sent(step, at, parties, ledger);
        mail.push(own);
        running.push(party);
    }
    let mut order = generator(255);
    for round in 1.. {
        if running.iter().all(|party| matches!(party, Party::Ended(_))) {
            break;
        }
        let mut next = Vec::new();
        let mut turns: Vec<(usize, Party<P>)> = running.into_iter().enumerate().collect();
        shuffle(&mut turns, &mut order);
        let mut after: Vec<(usize, Party<P>)> = turns
            .into_iter()
            .map(|(at, party)| {
                let Party::Running(session) = party else { return (at, party) };
                let party = match turn((round, at), *session, &mail, ledger) {
                    Progress::Round(step) => {
                        let (own, party) = sent(step, at, parties, ledger);
                        next.push(own);
                        party
                    }
                    Progress::Done { output, .. } => Party::Ended(output),
                    Progress::Waiting(session) => panic!("{session:?} misses messages"),
                    Progress::Working(_) => unreachable!("advanced to the end of its work"),
                    Progress::Unconfirmed(unconfirmed) => panic!("{}", unconfirmed.abort),
                };
                (at, party)
            })
            .collect();
        after.sort_by_key(|(at, _)| *at);
        running = after.into_iter().map(|(_, party)| party).collect();
        mail = next;
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
    (round, at): (usize, usize),
    session: Session<P>,
    mail: &[Mail],
    ledger: &mut Ledger,
) -> Progress<P> {
    let me = session.party_id();
    let mine = mail.iter().flat_map(|one| one.to(me).map(|frame| (one.from, frame.bytes.clone())));
    let inbox: Vec<(PartyId, Vec<u8>)> = mine.collect();
    let mut longest = Duration::ZERO;
    let progress = ledger.work(round, at, || advance(session, &inbox, &mut longest));
    ledger.piece(longest);
    progress
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
