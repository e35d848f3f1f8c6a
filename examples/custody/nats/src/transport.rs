//! The interface of a transport, and its two directions over queues.

use core::convert::Infallible;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::Stream;
use futures_sink::Sink;
use quorate_envelope::Name;
use tokio::task::JoinSet;

use crate::queues::Queues;

/// An envelope that has arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incoming {
    /// The sender, as the broker names it. The envelope's signature proves who it is.
    pub from: Name,
    /// The envelope.
    pub envelope: Vec<u8>,
}

/// An envelope to send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outgoing {
    /// The recipient.
    pub to: Name,
    /// The envelope.
    pub envelope: Vec<u8>,
}

/// One member's end of a network.
///
/// The sink always has room: envelopes beyond its bounds are dropped, the oldest first. The stream ends when the network does.
pub trait Transport {
    /// The stream of envelopes that have arrived.
    type Receiver: Stream<Item = Incoming> + Send + Unpin + 'static;
    /// The sink of envelopes to send.
    type Sender: Sink<Outgoing, Error = Infallible> + Send + Unpin + 'static;

    /// Divides the transport into its two directions.
    fn split(self) -> (Self::Receiver, Self::Sender);
}

/// A stream of envelopes from bounded queues, one for each sender, which take turns.
pub struct Receiver {
    pub(crate) arrived: Queues,
    /// The task that fills the queues. It ends with the stream.
    pub(crate) _filler: JoinSet<()>,
}

impl Stream for Receiver {
    type Item = Incoming;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Incoming>> {
        let next = self.arrived.poll_pop(cx);
        next.map(|next| next.map(|(from, envelope)| Incoming { from, envelope }))
    }
}

/// A sink of envelopes that is always ready.
pub struct Sender(pub(crate) Box<dyn FnMut(Outgoing) + Send>);

impl Sink<Outgoing> for Sender {
    type Error = Infallible;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(mut self: Pin<&mut Self>, outgoing: Outgoing) -> Result<(), Infallible> {
        (self.0)(outgoing);
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Receiver")
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender")
    }
}
