//! Random schedules: a party that sends anything, frames in any order, early, twice and contradicting each other, and
//! sessions that are opened at any moment, both ways, beside those that stay in memory.

use std::collections::BTreeMap;

use quorate_session::frame::{HEADER, Header, PREFIX};
use quorate_session::{
    Abort, Outgoing, Parties, PartyId, Progress, Protocol, Round, Session, Step, To,
};

use crate::lockstep::{Halted, advance, give_up, seal_key, sid, start};
use crate::rng::Lcg;

/// The next state of a session.
#[derive(PartialEq, Eq, Debug)]
enum Gone {
    /// To the next round, with its messages and the seal.
    Round(Vec<Outgoing>, Vec<u8>),
    Waiting(Vec<PartyId>),
    Done(Vec<u8>),
    Stopped(Abort, Option<Vec<u8>>),
}

/// A run to be played by random schedules: its parties, the parameters of each, and the stored form of a result.
pub struct Schedules<'s, P: Protocol> {
    /// The parties of the run.
    pub parties: &'s Parties,
    /// The party that is corrupt.
    pub corrupt: PartyId,
    /// The parameters of each.
    pub params: &'s dyn Fn(PartyId) -> P::Params,
    /// The stored form of a result.
    pub stored: &'s dyn Fn(P::Output) -> Vec<u8>,
}

/// A party: three sessions that have to be the same. The corrupt party has one session only.
struct Player<P: Protocol> {
    sessions: Vec<Session<P>>,
    sent: Vec<Outgoing>,
}

/// A frame on its way.
struct Flying {
    from: PartyId,
    to: PartyId,
    bytes: Vec<u8>,
}

/// The number of times that sessions came to each end: done, stopped, given up.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ends {
    /// With a result.
    pub done: usize,
    /// With a blame, or a check that failed.
    pub stopped: usize,
    /// Waiting for ever.
    pub given_up: usize,
}

/// A run on its way.
struct Play<'s, P: Protocol> {
    of: &'s Schedules<'s, P>,
    number: u8,
    random: Lcg,
    players: BTreeMap<PartyId, Player<P>>,
    flying: Vec<Flying>,
    ends: Ends,
}

impl<P: Protocol> Schedules<'_, P> {
    /// Plays `runs` schedules, and counts their ends.
    pub fn all(&self, runs: u64) -> Ends {
        let mut ends = Ends::default();
        for seed in 0..runs {
            let Ends { done, stopped, given_up } = self.play(seed);
            ends.done += done;
            ends.stopped += stopped;
            ends.given_up += given_up;
        }
        ends
    }

    /// Plays one schedule. At every moment the sessions that were opened send, seal and end as the one in memory does, and
    /// no honest party is blamed by another.
    pub fn play(&self, seed: u64) -> Ends {
        let number = seed.to_le_bytes()[0];
        let mut play = Play {
            of: self,
            number,
            random: Lcg(seed),
            players: BTreeMap::new(),
            flying: Vec::new(),
            ends: Ends::default(),
        };
        for me in self.parties.iter() {
            let count = if me == self.corrupt { 1 } else { 3 };
            let steps =
                (0..count).map(|_| start::<P>(sid(number), me, self.parties, (self.params)(me)));
            let (sessions, mut sent): (Vec<_>, Vec<_>) =
                steps.map(|Step { session, outgoing }| (session, outgoing)).unzip();
            let sent = sent.swap_remove(0);
            play.send(me, &sent);
            play.players.insert(me, Player { sessions, sent });
        }
        let mut idle = 0;
        while idle < 40 && play.players.keys().any(|me| *me != self.corrupt) {
            idle = if play.flying.is_empty() { idle + 1 } else { 0 };
            match play.random.below(8) {
                0 => play.reopen(),
                1 | 2 => play.advance(),
                _ => play.deliver(),
            }
        }
        play.give_up();
        play.ends
    }
}

impl<P: Protocol> Play<'_, P> {
    fn some_party(&mut self) -> Option<PartyId> {
        let at = self.random.below(self.players.len().max(1));
        self.players.keys().nth(at).copied()
    }

    fn send(&mut self, from: PartyId, outgoing: &[Outgoing]) {
        for to in self.of.parties.iter().filter(|to| *to != from) {
            for one in
                outgoing.iter().filter(|one| one.to == To::Everyone || one.to == To::Only(to))
            {
                self.flying.push(Flying { from, to, bytes: one.bytes.clone() });
                // Once the corrupt party has no session any more, it copies broadcasts of the others.
                let dead = !self.players.is_empty() && !self.players.contains_key(&self.of.corrupt);
                if dead
                    && to != self.of.corrupt
                    && one.to == To::Everyone
                    && self.random.below(2) == 0
                {
                    let mut bytes = one.bytes.clone();
                    bytes[3..5].copy_from_slice(&self.of.corrupt.get().to_be_bytes());
                    self.flying.push(Flying { from: self.of.corrupt, to, bytes });
                }
            }
        }
    }

    /// Seals one party's sessions, and opens them both ways.
    fn reopen(&mut self) {
        let Some(me) = self.some_party().filter(|me| *me != self.of.corrupt) else { return };
        let Some(player) = self.players.get_mut(&me) else { return };
        let sealed = player.sessions[0].seal(&seal_key());
        for at in [1, 2] {
            let own = player.sessions[at].seal(&seal_key());
            assert!(own == sealed, "another seal");
            let params = (self.of.params)(me);
            let step = if at == 1 {
                Session::<P>::open(&own, params, &seal_key())
            } else {
                Session::<P>::audit(&own, params, &seal_key())
            };
            let Step { session, outgoing } = step.expect("it opens");
            assert!(outgoing == player.sent, "other messages");
            player.sessions[at] = session;
        }
    }

    fn deliver(&mut self) {
        if self.flying.is_empty() {
            return;
        }
        let at = self.random.below(self.flying.len());
        let Flying { from, to, bytes } = self.flying.swap_remove(at);
        // Once more, later.
        if self.random.below(12) == 0 {
            self.flying.push(Flying { from, to, bytes: bytes.clone() });
        }
        let lies = from == self.of.corrupt;
        let bytes = if lies { self.lie(to, bytes) } else { bytes };
        let Some(player) = self.players.get_mut(&to) else { return };
        let receipts = player.sessions.iter_mut().map(|session| session.receive(from, &bytes));
        let receipts: Vec<_> = receipts.collect();
        assert!(receipts.windows(2).all(|two| two[0] == two[1]), "{receipts:?}");
        assert!(
            lies || receipts.iter().all(Result::is_ok) || to == self.of.corrupt || early(&receipts)
        );
    }

    /// The frame that the corrupt party sends in place of this one.
    fn lie(&mut self, to: PartyId, mut bytes: Vec<u8>) -> Vec<u8> {
        let Some(Header { round, .. }) = Header::parse(&bytes) else { return bytes };
        let echoed = round == Round::FIRST || {
            let params = (self.of.params)(to);
            P::limits(&params, self.of.parties.len(), Round(round.get() - 1)).broadcast > 0
        };
        let start = if echoed { HEADER + PREFIX } else { HEADER };
        // The echo that the other expects.
        let expected = self.players.get(&to).and_then(|player| player.sent.first());
        let expected =
            expected.filter(|one| Header::parse(&one.bytes).is_some_and(|one| one.round == round));
        if let (true, Some(one)) =
            (echoed && round != Round::FIRST && self.random.below(20) > 0, expected)
        {
            bytes[HEADER..start].copy_from_slice(&one.bytes[HEADER..start]);
        }
        let mut body = bytes.split_off(start.min(bytes.len()));
        // One lie in some rounds, the same to all or not.
        let broadcast = u64::from(Header::parse(&bytes).is_some_and(|header| header.to.is_none()));
        let common = u64::from(self.number) * 1_000 + u64::from(round.get()) * 10 + broadcast;
        let mut dice = Lcg(common.wrapping_mul(0x9e37_79b9));
        dice.number();
        let mut own = Lcg(self.random.number());
        let (dice, often) = if self.random.below(15) == 0 { (&mut own, 2) } else { (&mut dice, 6) };
        if dice.below(often) == 0 && !body.is_empty() {
            let at = dice.below(body.len());
            match dice.below(5) {
                0 => body.truncate(at),
                1 => body.fill(0),
                2 => body.rotate_left(at),
                _ => body[at] ^= 1 << dice.below(8),
            }
        }
        bytes.extend(body);
        bytes
    }

    fn advance(&mut self) {
        let Some(me) = self.some_party() else { return };
        let Some(Player { sessions, sent }) = self.players.remove(&me) else { return };
        let mut gone = Vec::new();
        let mut next = Vec::new();
        for session in sessions {
            let (end, session) = self.end(session);
            gone.push(end);
            next.extend(session);
        }
        assert!(gone.windows(2).all(|two| two[0] == two[1]), "party {me}: {:?}", brief(&gone));
        match gone.swap_remove(0) {
            Gone::Round(outgoing, _) => {
                self.players.insert(me, Player { sessions: next, sent: outgoing.clone() });
                self.send(me, &outgoing);
            }
            Gone::Waiting(_) => drop(self.players.insert(me, Player { sessions: next, sent })),
            Gone::Done(_) => self.ends.done += usize::from(me != self.of.corrupt),
            Gone::Stopped(abort, _) => {
                self.ends.stopped += usize::from(me != self.of.corrupt);
                self.fair(me, &abort);
            }
        }
    }

    /// Asserts that an honest party blames no other honest party.
    fn fair(&self, me: PartyId, abort: &Abort) {
        let fair = me == self.of.corrupt || abort.culprits().all(|one| one == self.of.corrupt);
        assert!(fair, "party {me}: {abort}");
    }

    fn end(&self, session: Session<P>) -> (Gone, Option<Session<P>>) {
        match advance(session) {
            Ok(Progress::Round(Step { session, outgoing })) => {
                let sealed = session.seal(&seal_key()).as_bytes().to_vec();
                (Gone::Round(outgoing, sealed), Some(session))
            }
            Ok(Progress::Waiting(session) | Progress::Working(session)) => {
                (Gone::Waiting(session.waiting_for().collect()), Some(session))
            }
            Ok(Progress::Done { output, .. }) => (Gone::Done((self.of.stored)(output)), None),
            Ok(Progress::Unconfirmed(unconfirmed)) => (self.halted(unconfirmed.into()), None),
            Err(stopped) => (self.halted(stopped.into()), None),
        }
    }

    fn halted(&self, Halted { abort, unconfirmed }: Halted<P::Output>) -> Gone {
        let abort = match abort {
            // Rejections are counted since the session was opened.
            Abort::Missing { round, parties, .. } => {
                Abort::Missing { round, parties, rejected: Vec::new() }
            }
            abort => abort,
        };
        Gone::Stopped(abort, unconfirmed.map(self.of.stored))
    }

    fn give_up(&mut self) {
        for (me, player) in core::mem::take(&mut self.players) {
            let gone = player.sessions.into_iter().map(|session| self.halted(give_up(session)));
            let gone: Vec<Gone> = gone.collect();
            assert!(gone.windows(2).all(|two| two[0] == two[1]), "party {me}: {:?}", brief(&gone));
            self.ends.given_up += usize::from(me != self.of.corrupt);
            if let Some(Gone::Stopped(abort, _)) = gone.first() {
                self.fair(me, abort);
            }
        }
    }
}

/// A frame of a round that is further off than the next.
fn early<T>(receipts: &[Result<T, quorate_session::Rejected>]) -> bool {
    receipts.iter().all(|one| matches!(one, Err(quorate_session::Rejected::BadFrame)))
}

fn brief(gone: &[Gone]) -> Vec<String> {
    let one = |gone: &Gone| match gone {
        Gone::Round(outgoing, sealed) => {
            format!("round, {} messages, {} bytes", outgoing.len(), sealed.len())
        }
        Gone::Stopped(abort, unconfirmed) => format!("{abort:?}, {}", unconfirmed.is_some()),
        other => format!("{other:?}").chars().take(200).collect(),
    };
    gone.iter().map(one).collect()
}
