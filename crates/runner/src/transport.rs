//! The caller's transport.

use alloc::vec::Vec;

use quorate_session::{PartyId, Protocol};

use crate::store::Store;
use crate::{App, EndedRun, Error, Runner, Time};

/// The delivery of packets to and from peers, authenticated and encrypted, in any order, with losses and copies: two
/// functions, each of which may fail.
pub trait Transport {
    /// The transport's error.
    type Error;

    /// Sends a packet to a peer, encrypted to it.
    ///
    /// # Errors
    /// The transport's own. The packet is sent again later.
    fn send(&mut self, to: PartyId, packet: &[u8]) -> Result<(), Self::Error>;

    /// The next packet that has arrived, with its authenticated sender; `None` if there is none.
    ///
    /// # Errors
    /// The transport's own. What peers have sent comes again.
    fn receive(&mut self) -> Result<Option<(PartyId, Vec<u8>)>, Self::Error>;
}

/// The outcome of a [turn](Runner::turn).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TurnOutcome {
    /// The runs that have ended.
    pub ended: Vec<EndedRun>,
    /// The packets that could not be sent, and the calls of [`Transport::receive`] that failed.
    pub failures: u64,
}

/// Packets taken in and messages sent in a turn, at most.
const TURN: usize = 1024;

impl<P: Protocol, S: Store, A: App<P>> Runner<P, S, A> {
    /// Takes in what has arrived, works, and sends what is due. Call it when something arrives, and at
    /// [`next_due`](Self::next_due).
    ///
    /// # Errors
    /// Those of the runner. A transport that fails is counted, and nothing is lost.
    pub fn turn<T: Transport>(
        &mut self,
        transport: &mut T,
        now: Time,
    ) -> Result<TurnOutcome, Error<S::Error>> {
        let mut turn = TurnOutcome::default();
        for _ in 0..TURN {
            match transport.receive() {
                Ok(Some((from, packet))) => drop(self.receive(from, &packet, now)?),
                Ok(None) => break,
                Err(_) => {
                    turn.failures = turn.failures.saturating_add(1);
                    break;
                }
            }
        }
        let worked = self.work_off(now);
        for parcel in self.outgoing(now, TURN)? {
            if transport.send(parcel.to, &parcel.bytes).is_err() {
                turn.failures = turn.failures.saturating_add(1);
            }
        }
        worked?;
        turn.ended = core::mem::take(&mut self.events);
        Ok(turn)
    }
}
