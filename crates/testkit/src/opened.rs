//! Sessions that are opened at every slot, both ways: from the messages that they sent, and by an audit, which does
//! everything again.

use std::time::Instant;

use quorate_session::{
    Abort, Outgoing, Parties, PartyId, Progress, Protocol, Sealed, Session, Step, Stopped,
    Unconfirmed,
};

use crate::lockstep::{Frames, Place, advance, record, seal_key, sid, start};

/// The end of a round for a session.
#[derive(PartialEq, Eq, Debug)]
enum End {
    /// The messages of the next, and the seal.
    Round(Vec<Outgoing>, Vec<u8>),
    Done(Vec<u8>),
    Stopped(Abort, Option<Vec<u8>>),
    Waiting,
}

/// A run to be opened: its parties, the parameters of each, and the stored form of a result.
pub struct Opened<'o, P: Protocol> {
    /// The parties of the run.
    pub parties: &'o Parties,
    /// The parameters of each.
    pub params: &'o dyn Fn(PartyId) -> P::Params,
    /// The stored form of a result.
    pub stored: &'o dyn Fn(P::Output) -> Vec<u8>,
}

impl<P: Protocol> Opened<'_, P> {
    /// Plays recorded frames to one party, and opens its session before each frame and after the last of every round, both
    /// ways. Both sessions send what was sent, have the same seal, and continue alike. They do so with the frames recorded,
    /// and with the round's frames when one of them is altered in its last byte. Returns the number of slots.
    pub fn at_every_slot(&self, number: u8, me: PartyId, frames: &Frames) -> usize {
        let mut slots = 0;
        let mut step = start::<P>(sid(number), me, self.parties, (self.params)(me));
        loop {
            let Step { mut session, outgoing } = step;
            let round = session.round().get();
            let mine: Vec<(&Place, &Vec<u8>)> =
                frames.iter().filter(|(place, _)| (place.3, place.1) == (me, round)).collect();
            let first = session.seal(&seal_key());
            for (place, frame) in &mine {
                drop(self.both(me, &session.seal(&seal_key()), &outgoing));
                session.receive(place.0, frame).expect("a frame that fits");
                slots += 1;
            }
            self.altered(me, (&first, &outgoing), &mine);
            let complete = session.seal(&seal_key());
            let [opened, audited] = self.both(me, &complete, &outgoing).map(|one| self.end(one).0);
            slots += 1;
            let (live, next) = self.end(session);
            assert!(opened == live && audited == live, "opened in round {round}");
            match next {
                Some(next) => step = next,
                None => return slots,
            }
        }
    }

    /// Opens a session both ways, and compares.
    fn both(&self, me: PartyId, sealed: &Sealed, sent: &[Outgoing]) -> [Session<P>; 2] {
        let opened = Session::<P>::open(sealed, (self.params)(me), &seal_key()).expect("it opens");
        let audited =
            Session::<P>::audit(sealed, (self.params)(me), &seal_key()).expect("the same");
        [opened, audited].map(|Step { session, outgoing }| {
            assert_eq!(outgoing, sent);
            assert!(session.seal(&seal_key()) == *sealed);
            session
        })
    }

    /// Continues with altered frames, unlike the run that was recorded.
    fn altered(
        &self,
        me: PartyId,
        (sealed, sent): (&Sealed, &[Outgoing]),
        frames: &[(&Place, &Vec<u8>)],
    ) {
        for wrong in 0..frames.len() {
            let [opened, audited] = self.both(me, sealed, sent).map(|mut session| {
                for (at, (place, frame)) in frames.iter().enumerate() {
                    let mut frame = (*frame).clone();
                    if let (true, Some(last)) = (at == wrong, frame.last_mut()) {
                        *last ^= 1;
                    }
                    session.receive(place.0, &frame).ok();
                }
                self.end(session).0
            });
            assert_eq!(opened, audited);
        }
    }

    /// The end of the round, and the next if there is one.
    fn end(&self, session: Session<P>) -> (End, Option<Step<P>>) {
        match advance(session) {
            Ok(Progress::Round(step)) => {
                let sealed = step.session.seal(&seal_key()).as_bytes().to_vec();
                (End::Round(step.outgoing.clone(), sealed), Some(step))
            }
            Ok(Progress::Done { output, .. }) => (End::Done((self.stored)(output)), None),
            Ok(Progress::Waiting(_) | Progress::Working(_)) => (End::Waiting, None),
            Ok(Progress::Unconfirmed(Unconfirmed { output, abort, .. })) => {
                (End::Stopped(abort, Some((self.stored)(output))), None)
            }
            Err(Stopped { abort, .. }) => (End::Stopped(abort, None), None),
        }
    }
}

/// The times of a round, in microseconds, each the least of several.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// For a session that was never sealed before: it receives, advances and is sealed.
    pub cached: f64,
    /// For one that is read from its stored bytes and opened first, and then does the same.
    pub cold: f64,
    /// The opening alone.
    pub open: f64,
    /// The audit.
    pub audit: f64,
    /// Bytes of the seal.
    pub size: usize,
}

impl Times {
    const NONE: Self = Self {
        cached: f64::INFINITY,
        cold: f64::INFINITY,
        open: f64::INFINITY,
        audit: f64::INFINITY,
        size: 0,
    };
}

/// Times every round of a run for one party, several times, and prints the results. The last column is the cost of a
/// step that is opened first, relative to one that is not.
pub fn timed<P: Protocol>(
    name: &str,
    (parties, me): (&Parties, PartyId),
    (runs, audits): (u8, bool),
    params: impl Fn(PartyId) -> P::Params,
) {
    let mut times = Vec::new();
    for run in 0..runs {
        let (frames, _) = record::<P>(parties, sid(run), &params, |_, _, _| {});
        one_party::<P>((run, me, parties), (&params, audits && run == 0), &frames, &mut times);
    }
    println!("{name}, {} parties", parties.len());
    println!("  round   seal bytes   audit us    open us    cached us   cold us   cold/cached");
    for (round, Times { cached, cold, open, audit, size }) in (1..).zip(times) {
        println!(
            "  {round:5} {size:12} {audit:10.0} {open:10.0} {cached:9.0} {cold:9.0} {:10.2}",
            cold / cached
        );
    }
}

fn one_party<P: Protocol>(
    (run, me, parties): (u8, PartyId, &Parties),
    (params, audit): (&impl Fn(PartyId) -> P::Params, bool),
    frames: &Frames,
    times: &mut Vec<Times>,
) {
    let mut session = start::<P>(sid(run), me, parties, params(me)).session;
    let mut rounds = 0;
    loop {
        let round = session.round().get();
        let sealed = session.seal(&seal_key());
        let mine: Vec<_> =
            frames.iter().filter(|(place, _)| (place.3, place.1) == (me, round)).collect();
        let on = |mut session: Session<P>| {
            for (place, frame) in &mine {
                session.receive(place.0, frame).expect("a frame that fits");
            }
            let Ok(progress) = advance(session) else { panic!("an honest run") };
            let Progress::Round(step) = progress else { return None };
            drop(step.session.seal(&seal_key()));
            Some(step.session)
        };
        let open = |bytes: &[u8]| {
            let sealed = Sealed::from_bytes(bytes).expect("a seal");
            Session::<P>::open(&sealed, params(me), &seal_key()).expect("it opens").session
        };
        if times.len() <= rounds {
            times.push(Times::NONE);
        }
        let Some(least) = times.get_mut(rounds) else { return };
        let bytes = sealed.as_bytes();
        least.size = least.size.max(bytes.len());
        if audit {
            let audit = || Session::<P>::audit(&sealed, params(me), &seal_key());
            drop(take(&mut least.audit, audit));
        }
        for _ in 0..3 {
            take(&mut least.open, || open(bytes));
            take(&mut least.cold, || on(open(bytes)));
        }
        let Some(next) = take(&mut least.cached, || on(session)) else { return };
        session = next;
        rounds += 1;
    }
}

/// Does the work, and keeps the time if it is the least.
fn take<T>(least: &mut f64, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = work();
    *least = least.min(begun.elapsed().as_secs_f64() * 1e6);
    done
}
