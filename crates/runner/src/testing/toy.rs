//! Sealed sessions with slots that follow each other.

use alloc::vec::Vec;
use core::convert::Infallible;

use quorate_session::rand_core::{TryCryptoRng, TryRng};
use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol, Round,
    Run, SealKey, Sealed, Session, SessionId,
};

struct Toy;

impl Protocol for Toy {
    const NAME: &'static str = "store conformance";
    const CODE: u8 = 254;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    /// The length of the broadcasts, at most.
    type Params = usize;
    type State = ();
    type Output = ();

    fn bind(_: &usize, _: &mut Binding) {}

    fn limits(longest: &usize, _: usize, _: Round) -> Limits {
        Limits { broadcast: *longest, direct: 0 }
    }

    fn start(longest: usize, run: &Run) -> Result<((), Outbox), ParamError> {
        let body = if run.party_id() == party(1) { Vec::new() } else { alloc::vec![7; longest] };
        Ok(((), Outbox::broadcast(body)))
    }

    fn next((): (), _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(()))
    }
}

struct Fixed(u8);

impl TryRng for Fixed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.into())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.into())
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

/// Party 1, 2 or 3.
pub(super) fn party(number: u16) -> PartyId {
    let number = core::num::NonZeroU16::new(number).unwrap_or(core::num::NonZeroU16::MIN);
    PartyId::from(number)
}

/// A run by its number: its session at the start, after one frame, after two, and its tombstone.
pub(super) struct Seals {
    pub(super) sid: SessionId,
    pub(super) seals: Vec<Sealed>,
    pub(super) tombstone: Sealed,
}

pub(super) fn seals(run: u8) -> Option<Seals> {
    seals_of(SessionId::new([run; 32]), 1)
}

/// A run of any session id, with frames of this length in the sessions.
pub(super) fn seals_of(sid: SessionId, length: usize) -> Option<Seals> {
    let parties = Parties::numbered(3).ok()?;
    let start = |me: u16| {
        let step = Session::<Toy>::start(sid, party(me), &parties, length, &mut Fixed(1));
        step.ok()
    };
    let key = SealKey::new([1; 32]);
    let mut session = start(1)?.session;
    let mut seals = Vec::from([session.seal(&key)]);
    for peer in [2, 3] {
        let sent = start(peer)?;
        session.receive(party(peer), &sent.outgoing.first()?.bytes).ok()?;
        seals.push(session.seal(&key));
    }
    Some(Seals { sid, seals, tombstone: session.tombstone() })
}
