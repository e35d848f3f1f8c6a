//! The gateway's loop.

use core::time::Duration;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use quorate_examples::failure::Failure;

use super::Gateway;
use super::ask::Ask;
use crate::bus::{Ack, Bus, Event};
use crate::node::now;
use crate::wire::read_delivery;

/// What is taken in one turn, at most.
const MOST: usize = 1024;

/// Something for a gateway.
#[derive(Debug)]
pub enum Input {
    /// Of the bus.
    Bus(Event),
    /// It is asked.
    Ask(Ask),
    /// It is over.
    End,
}

impl From<Event> for Input {
    fn from(event: Event) -> Self {
        Self::Bus(event)
    }
}

/// Works, until it is told to end, nobody is left to write to it, or `turned` says that it is enough, after each turn.
///
/// # Errors
/// A [`Failure`] of the database, of `turned`, or of a key that cannot be made.
pub fn serve(
    gateway: &mut Gateway,
    bus: &dyn Bus,
    inbox: &Receiver<Input>,
    mut turned: impl FnMut(&mut Gateway) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    loop {
        let due = gateway.next_due(now()).saturating_sub(now());
        let mut pause = Duration::from_millis(due.clamp(1, 1000));
        let (mut acks, mut came): (Vec<Ack>, Vec<_>) = (Vec::new(), Vec::new());
        let mut asked = Vec::new();
        while acks.len().saturating_add(asked.len()) < MOST {
            match inbox.recv_timeout(pause) {
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => break,
                Ok(Input::Ask(ask)) => asked.push(ask),
                Ok(Input::Bus(Event::Delivery(delivery))) => {
                    acks.extend(read_delivery(delivery, &mut came));
                }
                // Whatever is open is given again.
                Ok(Input::Bus(Event::Reset | Event::Refused(..))) => {}
            }
            pause = Duration::ZERO;
        }
        let parcels = gateway.turn(came, asked, now())?;
        bus.publish(parcels);
        acks.into_iter().for_each(Ack::done);
        if turned(gateway)? {
            return Ok(());
        }
    }
}
