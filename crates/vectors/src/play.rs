//! Playing a run: all parties in lockstep, one of which may be corrupt.

use std::collections::BTreeMap;

use quorate::session::Protocol;
use quorate::session::frame::HEADER;
use quorate::{PartyId, Progress, Session, Step, Stopped, To, Unconfirmed};
use quorate_testkit::lockstep::{Mail, advance};

use crate::run::{Course, End, Frames, Place, Player, Script, Started, Trace};
use crate::seeds::Fresh;
use crate::terms::seed;

/// A function of a corrupt party over a frame that it sends or gets, and the recipient: it may alter the frame, empty it so that
/// it is not sent, or add one that contradicts it.
pub(crate) type Lies<'l> = dyn Fn(&Course, Place, PartyId, &mut Vec<u8>) -> Option<Vec<u8>> + 'l;

impl<P: Protocol> Script<P> {
    /// The run in which all are honest.
    pub(crate) fn honest(self) -> Trace<P::Output> {
        let trace = self.play(None, &|_, _, _, _| None);
        assert!(trace.ends.values().all(|end| end.abort.is_none()), "a party fails");
        trace
    }

    /// A run in which a party may be corrupt. It has a session of its own, whose frames `lies` alters on their way. Echoes in its
    /// frames, and in those to it, are the ones that their recipients expect.
    pub(crate) fn play(self, corrupt: Option<PartyId>, lies: &Lies<'_>) -> Trace<P::Output> {
        let (mut course, mut running) = self.begin();
        let mut ends = BTreeMap::new();
        while !running.is_empty() {
            let (mail, mut sessions): (Vec<_>, Vec<_>) = running.drain(..).map(Mail::of).unzip();
            for session in &mut sessions {
                course.deliver(session, &mail, corrupt, lies);
            }
            for session in sessions {
                let me = session.party_id();
                match next(session) {
                    Ok(step) => running.push(step),
                    Err(end) => drop(ends.insert(me, end)),
                }
            }
        }
        ends.retain(|party, _| corrupt != Some(*party));
        Trace { course, ends }
    }

    /// Starts all sessions, and checks what they make of the terms.
    fn begin(self) -> (Course, Vec<Step<P>>) {
        let Self { terms, players } = self;
        let context = terms.context(P::NAME, P::CODE);
        let (mut started, mut steps) = (BTreeMap::new(), Vec::new());
        for Player { party, fresh, params, inputs } in players {
            let all = &terms.parties;
            assert_eq!(Session::<P>::context_of(terms.sid, all, &params), context, "{}", P::NAME);
            let hedge = P::hedge(&params);
            let hedge = hedge.as_ref().map(|hedge| hedge.as_slice());
            let seed = seed(&context, party, &fresh, hedge);
            started.insert(party, Started { fresh, seed, inputs });
            let step = Session::<P>::start(terms.sid, party, all, params, &mut Fresh(Some(fresh)));
            steps.push(step.expect("parameters that fit"));
        }
        let (protocol, frames, asides) = ((P::NAME, P::CODE), Frames::new(), BTreeMap::new());
        (Course { terms, protocol, context, players: started, frames, asides }, steps)
    }
}

/// Begins the next round, or ends the run.
fn next<P: Protocol>(session: Session<P>) -> Result<Step<P>, End<P::Output>> {
    Err(match advance(session) {
        Ok(Progress::Round(step)) => return Ok(step),
        Ok(Progress::Done { output, tombstone }) => {
            End { output: Some(output), abort: None, tombstone: tombstone.as_bytes().to_vec() }
        }
        Ok(Progress::Unconfirmed(unconfirmed)) => unconfirmed.into(),
        // Something is missing for ever.
        Ok(Progress::Waiting(session) | Progress::Working(session)) => {
            session.give_up().map_or_else(End::from, End::from)
        }
        Err(stopped) => stopped.into(),
    })
}

impl<O> From<Unconfirmed<O>> for End<O> {
    fn from(Unconfirmed { output, abort, tombstone }: Unconfirmed<O>) -> Self {
        let tombstone = tombstone.as_bytes().to_vec();
        Self { output: Some(output), abort: Some(abort), tombstone }
    }
}

impl<O> From<Stopped> for End<O> {
    fn from(Stopped { abort, tombstone }: Stopped) -> Self {
        Self { output: None, abort: Some(abort), tombstone: tombstone.as_bytes().to_vec() }
    }
}

impl Course {
    /// Hands a party the frames of a round: by ascending sender, a broadcast before direct messages.
    fn deliver<P: Protocol>(
        &mut self,
        session: &mut Session<P>,
        mail: &[Mail],
        corrupt: Option<PartyId>,
        lies: &Lies<'_>,
    ) {
        let me = session.party_id();
        let own = mail.iter().find(|one| one.from == me).expect("a message in each round");
        let own = &own.outgoing[0].bytes;
        for one in mail {
            for message in one.to(me) {
                let to = (message.to != To::Everyone).then_some(me);
                let (place, sent) = ((one.round, one.from, to), &message.bytes);
                let touched = [one.from, me].map(Some).contains(&corrupt);
                let frames = if touched {
                    self.altered(place, sent, (me, own), lies)
                } else {
                    vec![sent.clone()]
                };
                for frame in &frames {
                    // A frame that is too long is rejected, and nothing more.
                    session.receive(one.from, frame).ok();
                }
                let lied = corrupt == Some(one.from);
                self.note(place, me, if lied { frames } else { vec![sent.clone()] });
            }
        }
    }

    /// The frames that a party gets in the place of one that a corrupt party sends or gets. The first has the echo that the
    /// party expects, which is that of its own frames.
    fn altered(
        &self,
        place: Place,
        sent: &[u8],
        (me, own): (PartyId, &[u8]),
        lies: &Lies<'_>,
    ) -> Vec<Vec<u8>> {
        let mut bytes = sent.to_vec();
        let second = lies(self, place, me, &mut bytes);
        if bytes.is_empty() {
            return Vec::new();
        }
        let echo = HEADER..self.head(place.0);
        bytes[echo.clone()].copy_from_slice(&own[echo]);
        core::iter::once(bytes).chain(second).collect()
    }

    /// Writes down what a party gets at a place.
    fn note(&mut self, place: Place, me: PartyId, frames: Vec<Vec<u8>>) {
        if frames.is_empty() {
            return;
        }
        let known = self.frames.entry(place).or_insert_with(|| frames.clone());
        if *known != frames {
            let [aside] = <[_; 1]>::try_from(frames).expect("one frame that only this party gets");
            self.asides.insert((place, me), aside);
        }
    }
}
