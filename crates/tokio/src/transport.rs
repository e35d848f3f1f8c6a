//! The tasks at the stream and the sink of packets.

use core::fmt;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use futures_core::Stream;
use futures_sink::Sink;
use quorate_runner::{IncomingPacket, OutgoingPacket, Store};
use tokio::sync::{Semaphore, mpsc};

use crate::input::Input;

/// The bytes that a packet counts besides its own.
const OVERHEAD: usize = 128;

/// Bytes of packets that have arrived and wait to be taken in.
pub(crate) struct Intake {
    pub(crate) room: Arc<Semaphore>,
    /// The bytes, at most.
    pub(crate) bytes: u32,
}

impl Intake {
    /// The share of the room that a packet takes. One that is larger than the whole takes the whole.
    fn weight(&self, packet: &IncomingPacket) -> u32 {
        let bytes = packet.bytes.len() + OVERHEAD;
        u32::try_from(bytes).unwrap_or(u32::MAX).min(self.bytes)
    }
}

/// Says that a task has ended, also where it has panicked or its runtime is shut down.
struct Farewell<S: Store, A> {
    inputs: Sender<Input<S, A>>,
    last: Option<Input<S, A>>,
}

impl<S: Store, A> Drop for Farewell<S, A> {
    fn drop(&mut self) {
        if let Some(last) = self.last.take() {
            // The thread may have ended first.
            drop(self.inputs.send(last));
        }
    }
}

/// Hands packets to the runner's thread while there is room for them.
pub(crate) fn read<S: Store, A>(
    packets: impl Stream<Item = IncomingPacket>,
    inputs: Sender<Input<S, A>>,
    intake: Intake,
) -> impl Future<Output = ()> {
    // Here, so that it is there even if the task is never polled.
    let farewell = Farewell { inputs, last: Some(Input::StreamEnded) };
    async move {
        let mut packets = pin!(packets);
        while let Some(packet) = poll_fn(|cx| packets.as_mut().poll_next(cx)).await {
            let room = Arc::clone(&intake.room).acquire_many_owned(intake.weight(&packet)).await;
            let Ok(room) = room else { return };
            if farewell.inputs.send(Input::Packet(packet, room)).is_err() {
                return;
            }
        }
    }
}

/// Hands packets to the sink. When the thread has found the queue full, and half of it is free again, the task says so.
pub(crate) fn write<S: Store, A, O>(
    sink: O,
    mut packets: mpsc::Receiver<OutgoingPacket>,
    inputs: Sender<Input<S, A>>,
    starved: Arc<AtomicBool>,
) -> impl Future<Output = ()>
where
    O: Sink<OutgoingPacket, Error: fmt::Display>,
{
    let farewell = Farewell { inputs, last: Some(Input::SinkClosed) };
    async move {
        let tell = |input| drop(farewell.inputs.send(input));
        let half = packets.max_capacity() >> 1;
        let mut sink = pin!(sink);
        while let Some(packet) = packets.recv().await {
            let mut sent = send(sink.as_mut(), packet).await;
            if packets.is_empty() && sent.is_ok() {
                sent = poll_fn(|cx| sink.as_mut().poll_flush(cx)).await.map_err(|e| e.to_string());
            }
            if let Err(error) = sent {
                tell(Input::NotSent(error));
            }
            if packets.len() <= half && starved.swap(false, Ordering::AcqRel) {
                tell(Input::Room);
            }
        }
        if let Err(error) = poll_fn(|cx| sink.as_mut().poll_close(cx)).await {
            tell(Input::NotSent(error.to_string()));
        }
    }
}

async fn send<O>(mut sink: Pin<&mut O>, packet: OutgoingPacket) -> Result<(), String>
where
    O: Sink<OutgoingPacket, Error: fmt::Display>,
{
    poll_fn(|cx| sink.as_mut().poll_ready(cx)).await.map_err(|error| error.to_string())?;
    sink.start_send(packet).map_err(|error| error.to_string())
}
