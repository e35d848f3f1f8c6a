//! A session that survives: `quorate::drive` with a database under it.

use getrandom::SysRng;
use quorate::session::Protocol;
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId, Progress, Session, SessionId};

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
    /// Who takes part.
    pub parties: &'a Parties,
    /// Where the run is kept.
    pub store: &'a mut Store,
    /// Over which its messages go.
    pub mail: &'a mut Mail,
    /// What may happen.
    pub crash: &'a Crash,
}

impl Runner<'_> {
    /// Begins the run, or goes on with it, to its end.
    ///
    /// The result is not stored yet, and the run stays in the database until it is.
    ///
    /// # Errors
    /// [`Stop`]: killed, refused by the database, or aborted with the culprits named.
    pub fn run<P: Protocol>(self, params: P::Params) -> Result<P::Output, Stop> {
        let Self { name, sid, me, parties, store, mail, crash } = self;
        let mut step = match store.session(name)? {
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
            let stored = step.session.slot();
            let mut session = step.session;
            session.prepare();
            step = loop {
                match session.advance().map_err(|stopped| stopped.abort)? {
                    Progress::Done { output, .. } => return Ok(output),
                    Progress::Round(step) => break step,
                    // A service with other sessions would look after those in between.
                    Progress::Working(working) => {
                        session = working;
                        continue;
                    }
                    Progress::Waiting(waiting) => session = waiting,
                }
                // Frames that were received and not stored yet are lost in a crash; hello brings
                // them back. A frame that does not fit is none of this run's business.
                let letter = mail.receive(name, store)?;
                session.receive(letter.from, &letter.bytes).ok();
            };
            store.keep(name, Some(stored), &step)?;
        }
    }
}
