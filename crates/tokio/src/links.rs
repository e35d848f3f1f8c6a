//! A queue and a connection for each peer.

use core::convert::Infallible;
use core::fmt;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::{Context, Poll};
use std::collections::BTreeMap;

use futures_sink::Sink;
use quorate_runner::OutgoingPacket;
use quorate_session::PartyId;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

/// The packets that may wait for a peer, unless the caller says otherwise.
const QUEUE: usize = 64;

/// A sink for [`Builder::spawn`](crate::Builder::spawn) that gives each peer a queue and a connection of its own, so that a slow
/// peer delays no other.
///
/// `connect` makes the connection to a peer when there is a packet for it, and again after an error. A packet is lost if the queue
/// of its peer is full or the connection fails; all that wait are lost if no connection can be made. The runner sends them
/// again, less and less often.
///
/// ```no_run
/// use futures_util::SinkExt;
/// use quorate_runner::OutgoingPacket;
/// use quorate_session::PartyId;
/// use quorate_tokio::Links;
/// use tokio::net::TcpStream;
/// use tokio_util::codec::{FramedWrite, LengthDelimitedCodec};
///
/// /// In production the connection is TLS, or the packets are in envelopes.
/// async fn connect(peer: PartyId) -> std::io::Result<impl futures_util::Sink<OutgoingPacket>> {
///     let stream = TcpStream::connect(format!("node{peer}.example:7000")).await?;
///     let frames = FramedWrite::new(stream, LengthDelimitedCodec::new());
///     Ok(frames.with(async |packet: OutgoingPacket| {
///         Ok::<_, std::io::Error>(tokio_util::bytes::Bytes::from(packet.bytes.to_vec()))
///     }))
/// }
///
/// let sink = Links::new(connect);
/// ```
///
/// Closing it waits until the queues are empty. Dropping it closes all connections at once.
#[must_use = "a sink does nothing unless it is polled"]
pub struct Links<C> {
    connect: C,
    queue: usize,
    queues: BTreeMap<PartyId, mpsc::Sender<OutgoingPacket>>,
    /// A task for each queue, which ends when the queue is dropped.
    tasks: JoinSet<()>,
}

impl<C> Links<C> {
    /// Links that `connect` makes.
    pub fn new(connect: C) -> Self {
        Self { connect, queue: QUEUE, queues: BTreeMap::new(), tasks: JoinSet::new() }
    }

    /// Sets the number of packets that may wait for each peer: 64 unless set.
    pub fn queue(self, packets: usize) -> Self {
        Self { queue: packets.clamp(1, Semaphore::MAX_PERMITS), ..self }
    }

    /// Waits for all tasks. A panic of one is that of the sink.
    fn poll_tasks(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            match self.tasks.poll_join_next(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Ready(Some(Err(error))) if error.is_panic() => {
                    std::panic::resume_unwind(error.into_panic())
                }
                Poll::Ready(Some(_)) => {}
            }
        }
    }
}

impl<C, F, L, E> Sink<OutgoingPacket> for Links<C>
where
    C: Fn(PartyId) -> F + Clone + Send + Unpin + 'static,
    F: Future<Output = Result<L, E>> + Send + 'static,
    L: Sink<OutgoingPacket> + Send + 'static,
    E: 'static,
{
    type Error = Infallible;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        let _panics_with_a_task = self.poll_tasks(cx);
        Poll::Ready(Ok(()))
    }

    fn start_send(mut self: Pin<&mut Self>, packet: OutgoingPacket) -> Result<(), Self::Error> {
        let Self { connect, queue, queues, tasks } = &mut *self;
        let peer = packet.to;
        let queue = queues.entry(peer).or_insert_with(|| {
            let (queue, packets) = mpsc::channel(*queue);
            tasks.spawn(forward(connect.clone(), peer, packets));
            queue
        });
        drop(queue.try_send(packet)); // a full queue loses it
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.queues.clear();
        self.poll_tasks(cx).map(Ok)
    }
}

impl<C> fmt::Debug for Links<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let peers: Vec<PartyId> = self.queues.keys().copied().collect();
        f.debug_struct("Links").field("peers", &peers).finish_non_exhaustive()
    }
}

/// Sends the packets of a queue until it is dropped, over one connection after another.
async fn forward<C, F, L, E>(connect: C, peer: PartyId, mut packets: mpsc::Receiver<OutgoingPacket>)
where
    C: Fn(PartyId) -> F,
    F: Future<Output = Result<L, E>>,
    L: Sink<OutgoingPacket>,
{
    while let Some(first) = packets.recv().await {
        let link = connect(peer).await.ok();
        match link {
            Some(link) => send_over(pin!(link), first, &mut packets).await,
            // What waits has waited for this connection. Without it, the next packet would try at once.
            None => while packets.try_recv().is_ok() {},
        }
    }
}

/// Sends over a connection until it fails or the queue is dropped.
async fn send_over<L: Sink<OutgoingPacket>>(
    mut link: Pin<&mut L>,
    first: OutgoingPacket,
    packets: &mut mpsc::Receiver<OutgoingPacket>,
) {
    let mut next = Some(first);
    while let Some(packet) = next {
        let ready = poll_fn(|cx| link.as_mut().poll_ready(cx).map(|ready| ready.is_ok())).await;
        let mut sent = ready && link.as_mut().start_send(packet).is_ok();
        if sent && packets.is_empty() {
            sent = poll_fn(|cx| link.as_mut().poll_flush(cx).map(|sent| sent.is_ok())).await;
        }
        if !sent {
            return;
        }
        next = packets.recv().await;
    }
    poll_fn(|cx| link.as_mut().poll_close(cx).map(drop)).await;
}
