//! A worker's loop.

use core::time::Duration;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use quorate_examples::failure::Failure;

use super::{Node, now};
use crate::bus::{Ack, Bus, Event};
use crate::wire::read_delivery;

/// The deliveries of one turn, at most.
const MOST: usize = 256;

/// Something for a worker.
#[derive(Debug)]
pub enum Input {
    /// Of the bus.
    Bus(Event),
    /// It is over.
    End,
}

impl From<Event> for Input {
    fn from(event: Event) -> Self {
        Self::Bus(event)
    }
}

/// Works, until it is told to end, or there is nobody left to write to it; `turned` is told after each turn.
///
/// # Errors
/// A [`Failure`] of the databases. What was not acknowledged comes again to a node that is started again.
pub fn serve(
    node: &mut Node,
    bus: &dyn Bus,
    inbox: &Receiver<Input>,
    mut turned: impl FnMut(&mut Node),
) -> Result<(), Failure> {
    if let Some(routes) = node.routes() {
        bus.listen(&routes);
    }
    loop {
        let mut pause = node.pause(now())?;
        let (mut acks, mut came): (Vec<Ack>, Vec<_>) = (Vec::new(), Vec::new());
        while acks.len() < MOST {
            match inbox.recv_timeout(pause) {
                Ok(Input::End) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => break,
                Ok(Input::Bus(Event::Delivery(delivery))) => {
                    acks.extend(read_delivery(delivery, &mut came));
                }
                // Whoever waits for something asks again.
                Ok(Input::Bus(Event::Reset | Event::Refused(..))) => {}
            }
            pause = Duration::ZERO;
        }
        let parcels = node.turn(came, now())?;
        if let Some(routes) = node.routes() {
            bus.listen(&routes);
        }
        bus.publish(parcels);
        acks.into_iter().for_each(Ack::done);
        turned(node);
    }
}
