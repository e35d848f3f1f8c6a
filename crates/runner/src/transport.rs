//! The caller's transport.

use alloc::vec::Vec;

use quorate_session::PartyId;

use crate::store::Store;
use crate::{EndedRun, Error, Runner, Time};

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

    /// The next packet that has arrived; `None` if there is none.
    ///
    /// # Errors
    /// The transport's own. What peers have sent comes again.
    fn receive(&mut self) -> Result<Option<IncomingPacket>, Self::Error>;
}

/// A packet that has arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IncomingPacket {
    /// The sender, as the transport has authenticated it.
    pub from: PartyId,
    /// The packet.
    pub bytes: Vec<u8>,
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

/// Packets that are taken in at once.
const TOGETHER: usize = 64;

/// The next packets that have arrived. A failure is counted, and ends them.
fn gather<T: Transport>(transport: &mut T, failures: &mut u64) -> Vec<IncomingPacket> {
    let mut packets = Vec::new();
    while packets.len() < TOGETHER {
        match transport.receive() {
            Ok(Some(packet)) => packets.push(packet),
            Ok(None) => break,
            Err(_) => {
                *failures = failures.saturating_add(1);
                break;
            }
        }
    }
    packets
}

impl<S: Store, A> Runner<S, A> {
    /// Takes in what has arrived, works, and sends what is due. Call it when something arrives, and at
    /// [`next_due`](Self::next_due).
    ///
    /// # Errors
    /// As for [`work`](Self::work) and [`outgoing`](Self::outgoing). A transport that fails is counted, and nothing is lost.
    pub fn turn<T: Transport>(
        &mut self,
        transport: &mut T,
        now: Time,
    ) -> Result<TurnOutcome, Error<S::Error>> {
        let mut turn = TurnOutcome::default();
        let (mut taken, mut more) = (0_usize, true);
        while more && taken < TURN {
            let packets = gather(transport, &mut turn.failures);
            more = packets.len() >= TOGETHER;
            taken += packets.len();
            self.receive_all(&packets, now).into_iter().try_for_each(|taken| taken.map(drop))?;
        }
        let worked = self.work_off(now);
        for packet in self.outgoing(now, TURN)? {
            if transport.send(packet.to, &packet.bytes).is_err() {
                turn.failures = turn.failures.saturating_add(1);
            }
        }
        worked?;
        turn.ended = core::mem::take(&mut self.events);
        Ok(turn)
    }
}
