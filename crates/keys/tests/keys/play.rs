//! Runs in which some parties are corrupt. They see the messages of the honest ones in a round before they send
//! their own, and tell each party what they like.

use std::collections::BTreeMap;

use quorate_keys::session::frame::{self, HEADER, Header, PREFIX};
use quorate_keys::session::{
    Abort, Blame, Fault, Outgoing, Parties, PartyId, Progress, Protocol, Round, SealKey, Session,
    Stopped, To,
};
use quorate_testkit::lockstep::{Halted, give_up};

use crate::group::{id, rng, sid};

/// The messages so far, as the honest party with the least number received them.
pub struct Said {
    pub context: [u8; 32],
    /// By round, the first at index 0, and party. For the current round, only the messages of the honest parties.
    pub rounds: Vec<BTreeMap<u16, Vec<u8>>>,
}

impl Said {
    /// The message of a party in a round, counted from 1.
    pub fn by(&self, round: usize, party: u16) -> &[u8] {
        self.rounds[round - 1].get(&party).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A function for the messages of corrupt parties: of which party, to which, in which round; `None` to send none.
pub trait Lies: FnMut(u8, u16, u16, &Said) -> Option<Vec<u8>> {}
impl<L: FnMut(u8, u16, u16, &Said) -> Option<Vec<u8>>> Lies for L {}

/// The ends of the honest parties.
pub struct Ended<O> {
    pub results: BTreeMap<u16, Result<O, Halted<O>>>,
}

impl<O> Ended<O> {
    /// Checks that every honest party names exactly these parties, with these faults.
    pub fn named(&self, expected: &[(u16, Fault)]) -> &Self {
        assert!(!self.results.is_empty());
        for (party, result) in &self.results {
            assert_eq!(
                self.blames(*party),
                expected,
                "by party {party}: {:?}",
                result.as_ref().err()
            );
        }
        self
    }

    pub fn blames(&self, party: u16) -> Vec<(u16, Fault)> {
        match &self.results[&party] {
            Err(Halted { abort: Abort::Misbehaviour(blames), .. }) => {
                let name = |blame: &Blame| {
                    assert!(blame.evidence.as_ref().is_none_or(|one| !one.frames.is_empty()));
                    (blame.party.get(), blame.fault)
                };
                blames.iter().map(name).collect()
            }
            _ => vec![],
        }
    }

    /// Every blame, with the party that blames.
    pub fn all_blames(&self) -> Vec<(u16, &Blame)> {
        let mut all = vec![];
        for (party, result) in &self.results {
            if let Err(Halted { abort: Abort::Misbehaviour(blames), .. }) = result {
                all.extend(blames.iter().map(|blame| (*party, blame)));
            }
        }
        all
    }

    /// The result of a party, if it was not confirmed.
    pub fn unconfirmed(&self, party: u16) -> Option<&O> {
        self.results[&party].as_ref().err()?.unconfirmed.as_ref()
    }
}

/// Plays a run to its end. Parties in `corrupt` have no session; `lies` speaks for them. A party that still waits
/// at the end gives up.
pub fn play<P: Protocol>(
    all: &Parties,
    corrupt: &[u16],
    mut params: impl FnMut(PartyId) -> P::Params,
    mut lies: impl Lies,
) -> Ended<P::Output> {
    run::<P>(all, corrupt, &mut params, &mut lies)
}

/// The body of [`play`], compiled once for each protocol and not for every caller.
fn run<P: Protocol>(
    all: &Parties,
    corrupt: &[u16],
    params: &mut dyn FnMut(PartyId) -> P::Params,
    lies: &mut dyn Lies,
) -> Ended<P::Output> {
    let mut results = BTreeMap::new();
    let mut running: BTreeMap<u16, (Session<P>, Vec<Outgoing>)> = BTreeMap::new();
    for me in all.iter().filter(|me| !corrupt.contains(&me.get())) {
        let start = Session::<P>::start(sid(3), me, all, params(me), &mut rng(me.get().into()));
        let step = start.unwrap();
        running.insert(me.get(), (step.session, step.outgoing));
    }
    let me = running.values().next().unwrap().0.party_id();
    let context = Session::<P>::context_of(sid(3), all, &params(me));
    let mut said = Said { context, rounds: vec![] };
    for round in 1..=P::ROUNDS {
        let honest: BTreeMap<u16, Vec<u8>> =
            running.iter().map(|(party, (_, sent))| (*party, broadcast(sent))).collect();
        said.rounds.push(honest.iter().map(|(party, frame)| (*party, body(frame))).collect());
        let mut lied = BTreeMap::new();
        for (to, heard) in &honest {
            for from in corrupt {
                let Some(body) = lies(round, *from, *to, &said) else { continue };
                lied.insert(
                    (*from, *to),
                    (forged::<P>(&context, round, *from, heard, &body), body),
                );
            }
        }
        let last = said.rounds.len() - 1;
        for ((from, _), (_, body)) in lied.iter().rev() {
            said.rounds[last].insert(*from, body.clone());
        }
        let mut next = BTreeMap::new();
        for (party, (mut session, _)) in running {
            let both = opened::<P>(&session, &mut || params(id(party)));
            let receive = |session: &mut Session<P>| {
                for (from, frame) in honest.iter().filter(|(from, _)| **from != party) {
                    session.receive(id(*from), frame).unwrap();
                }
                for ((from, _), (frame, _)) in lied.iter().filter(|((_, to), _)| *to == party) {
                    // A frame that is too long is not accepted.
                    session.receive(id(*from), frame).ok();
                }
            };
            receive(&mut session);
            let progress = session.advance();
            for mut session in both {
                receive(&mut session);
                same(&progress, &session.advance());
            }
            match progress {
                Ok(Progress::Round(step)) => {
                    next.insert(party, (step.session, step.outgoing));
                }
                other => drop(results.insert(party, ended(other))),
            }
        }
        running = next;
    }
    Ended { results }
}

/// A session that was sealed and opened, both from what it sent and by an audit.
fn opened<P: Protocol>(
    session: &Session<P>,
    params: &mut dyn FnMut() -> P::Params,
) -> [Session<P>; 2] {
    let sealed = session.seal(&key());
    let opened = Session::open(&sealed, params(), &key()).unwrap().session;
    let audited = Session::audit(&sealed, params(), &key()).unwrap().session;
    for again in [&opened, &audited] {
        assert!(again.seal(&key()) == sealed);
    }
    [opened, audited]
}

fn key() -> SealKey {
    SealKey::new([6; 32])
}

/// Checks that both sessions came to the same end.
fn same<P: Protocol>(one: &Result<Progress<P>, Stopped>, other: &Result<Progress<P>, Stopped>) {
    match (one, other) {
        (Ok(Progress::Round(one)), Ok(Progress::Round(other))) => {
            assert_eq!(one.outgoing, other.outgoing);
            assert!(one.session.seal(&key()) == other.session.seal(&key()));
        }
        (Ok(Progress::Done { .. }), Ok(Progress::Done { .. }))
        | (Ok(Progress::Waiting(_)), Ok(Progress::Waiting(_))) => {}
        (Ok(Progress::Unconfirmed(one)), Ok(Progress::Unconfirmed(other))) => {
            assert_eq!(one.abort, other.abort);
        }
        (Err(one), Err(other)) => assert_eq!(one.abort, other.abort),
        _ => panic!("one goes on, and one does not"),
    }
}

/// The end of a session that does not proceed. A session that waits gives up.
fn ended<P: Protocol>(
    progress: Result<Progress<P>, Stopped>,
) -> Result<P::Output, Halted<P::Output>> {
    match progress.map_err(Halted::from)? {
        Progress::Done { output, .. } => Ok(output),
        Progress::Unconfirmed(unconfirmed) => Err(unconfirmed.into()),
        Progress::Waiting(session) | Progress::Working(session) => Err(give_up(session)),
        Progress::Round(_) => unreachable!("another round"),
    }
}

/// A broadcast, with the echo that its recipient expects.
fn forged<P: Protocol>(
    context: &[u8; 32],
    round: u8,
    from: u16,
    heard: &[u8],
    body: &[u8],
) -> Vec<u8> {
    let prefix: [u8; PREFIX] = heard[HEADER..HEADER + PREFIX].try_into().unwrap();
    let header = Header {
        version: frame::VERSION,
        code: P::CODE,
        round: Round(round),
        from: id(from),
        to: None,
        context: *context,
    };
    header.frame(Some(&prefix), body)
}

/// The one frame that a party of these protocols sends in a round.
fn broadcast(sent: &[Outgoing]) -> Vec<u8> {
    assert!(sent.len() == 1 && sent[0].to == To::Everyone);
    sent[0].bytes.clone()
}

fn body(frame: &[u8]) -> Vec<u8> {
    frame[HEADER + PREFIX..].to_vec()
}
