//! A session that survives: `quorate::drive` with a database under it.

use getrandom::SysRng;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::{Protocol, Sealed, Slot, Stopped};
use quorate::{Parties, PartyId, Progress, Session, SessionId};
use quorate_examples::failure::Failure;

use super::mail::Mail;
use super::node::Stop;
use super::step::Crash;
use super::store::Store;

/// A run of a protocol at one node.
pub struct Runner<'a> {
    /// The name of the run, the same at all nodes, and a topic of the mail.
    pub name: &'static str,
    /// Under which the run is known to the library, and no other.
    pub sid: SessionId,
    /// This node.
    pub me: PartyId,
    /// The parties.
    pub parties: &'a Parties,
    /// The place of the run in the store.
    pub store: &'a mut Store,
    /// Over which its messages go.
    pub mail: &'a mut Mail,
    /// The events of a session.
    pub crash: &'a Crash,
}

/// A run that has ended, which the database does not know yet.
#[must_use]
pub struct Ended<T> {
    /// The result; or why there is none, with a result that not all have confirmed.
    pub result: Result<T, (Failure, Option<T>)>,
    /// The change to write to the database.
    pub end: End,
}

/// The end of a run.
pub struct End {
    /// The slot of the last session in the database.
    pub last: Slot,
    /// The seal or the tombstone that takes its place.
    pub tombstone: Sealed,
}

impl Runner<'_> {
    /// Begins the run, or goes on with it, to its end.
    ///
    /// The result is not stored yet, and the run stays in the database until it is.
    ///
    /// # Errors
    /// [`Stop`]: killed, or refused by the database. A run that has ended is not begun again,
    /// whoever asks for it: with another seed it would answer a second time what it has answered.
    pub fn run<P: Protocol>(self, params: P::Params) -> Result<Ended<P::Output>, Stop> {
        let Self { name, sid, me, parties, store, mail, crash } = self;
        let context = Session::<P>::context_of(sid, parties, &params);
        let mut step = match store.session(&context)? {
            Some(over) if over.is_tombstone() => {
                let why = format!("{name} has ended, and is not begun again under the same id");
                return Err(Failure::new(why).into());
            }
            // The same messages come out as before, byte for byte.
            Some(sealed) => Session::<P>::open(&sealed, params, store.key())?,
            None => {
                let step = Session::<P>::start(sid, me, parties, params, &mut UnwrapErr(SysRng))?;
                store.keep(name, None, &step)?;
                step
            }
        };
        loop {
            // Persisted, and only now sent.
            crash.passes(&format!("{name}-{}", step.session.round().get()))?;
            for message in &step.outgoing {
                mail.send(message.to, name, &message.bytes);
            }
            let last = step.session.slot();
            let mut session = step.session;
            step = loop {
                session = match session.advance() {
                    Ok(Progress::Done { output, tombstone }) => {
                        return Ok(Ended { result: Ok(output), end: End { last, tombstone } });
                    }
                    Ok(Progress::Round(step)) => break step,
                    Ok(Progress::Waiting(session)) => session,
                    // A service with other sessions would look after those in between.
                    Ok(Progress::Working(more)) => {
                        session = more;
                        continue;
                    }
                    Err(stopped) => return Ok(Ended::stopped(last, stopped)),
                };
                // Frames that were received and not stored yet are lost in a crash; hello brings
                // them back.
                let Some(letter) = mail.receive(name, store)? else {
                    return Ok(Ended::stopped(last, session.give_up()));
                };
                // A frame that does not fit does no harm. Why it does not is for the operator.
                if let Err(why) = session.receive(letter.from, &letter.bytes) {
                    store.reject(name, letter.from, &why.to_string())?;
                }
            };
            store.keep(name, Some(last), &step)?;
        }
    }
}

impl<T> Ended<T> {
    fn stopped(last: Slot, stopped: Stopped<T>) -> Self {
        let Stopped { abort, unconfirmed, tombstone } = stopped;
        let why = Failure::new(abort.to_string());
        Self { result: Err((why, unconfirmed)), end: End { last, tombstone } }
    }
}
