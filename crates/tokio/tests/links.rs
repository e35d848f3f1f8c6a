//! A queue and a connection for each peer.
#![allow(missing_docs, clippy::panic, clippy::unwrap_used, reason = "tests")]

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::Arc;

use futures_channel::mpsc::{self, UnboundedReceiver};
use futures_util::{FutureExt as _, Sink, SinkExt as _, StreamExt as _, future, sink};
use quorate_runner::OutgoingPacket;
use quorate_session::PartyId;
use quorate_session::zeroize::Zeroizing;
use quorate_tokio::Links;
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(20);

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn packet(to: u16, byte: u8) -> OutgoingPacket {
    OutgoingPacket { to: id(to), bytes: Zeroizing::new(vec![byte]) }
}

type Link = core::pin::Pin<Box<dyn Sink<OutgoingPacket, Error = ()> + Send>>;

/// A connection to a peer, and what arrives there.
fn link() -> (Link, UnboundedReceiver<u8>) {
    let (sender, arrived) = mpsc::unbounded();
    let bytes = sender.sink_map_err(drop);
    let link =
        bytes.with(|packet: OutgoingPacket| future::ready(packet.bytes.first().copied().ok_or(())));
    (Box::pin(link), arrived)
}

/// Gives out connections, one an attempt, and counts the attempts.
fn connects<F: Future<Output = Result<Link, ()>> + Send>(
    attempts: &Arc<AtomicUsize>,
    connect: impl Fn(PartyId, usize) -> F + Clone + Send + Unpin + 'static,
) -> impl Fn(PartyId) -> F + Clone + Send + Unpin + 'static {
    let attempts = Arc::clone(attempts);
    move |peer| connect(peer, attempts.fetch_add(1, Ordering::Relaxed))
}

async fn next(arrived: &mut UnboundedReceiver<u8>) -> Option<u8> {
    timeout(SOON, arrived.next()).await.unwrap()
}

/// A lock around what is given out once.
fn once<T: Send>(value: T) -> Arc<std::sync::Mutex<Option<T>>> {
    Arc::new(std::sync::Mutex::new(Some(value)))
}

#[tokio::test]
async fn a_peer_that_is_slow_delays_no_other_and_loses_what_its_queue_does_not_hold() {
    let (gate, opened) = tokio::sync::oneshot::channel::<()>();
    let ((slow, mut slow_arrived), (quick, mut quick_arrived)) = (link(), link());
    let links = [once((slow, Some(opened))), once((quick, None))];
    let connect = move |peer: PartyId| {
        let (link, gate) = links[usize::from(peer == id(2))].lock().unwrap().take().unwrap();
        async move {
            if let Some(gate) = gate {
                gate.await.unwrap();
            }
            Ok::<Link, ()>(link)
        }
    };
    let mut links = Links::new(connect).queue(4);
    for byte in 0..10 {
        links.send(packet(1, byte)).await.unwrap();
    }
    links.send(packet(2, 99)).await.unwrap();
    assert_eq!(next(&mut quick_arrived).await, Some(99));
    // The first has left the queue for the connection that is being made: there is room for one.
    for byte in 10..20 {
        links.send(packet(1, byte)).await.unwrap();
    }
    gate.send(()).unwrap();
    for byte in [0, 1, 2, 3, 10] {
        assert_eq!(next(&mut slow_arrived).await, Some(byte));
    }
    timeout(SOON, links.close()).await.unwrap().unwrap();
    assert_eq!((next(&mut slow_arrived).await, next(&mut quick_arrived).await), (None, None));
}

#[tokio::test]
async fn a_connection_that_breaks_is_made_again_and_what_waits_for_one_that_cannot_be_made_is_lost()
{
    let (good, mut arrived) = link();
    let (good, attempts) = (once(good), Arc::new(AtomicUsize::new(0)));
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&taken);
    let connect = connects(&attempts, move |_, attempt| {
        let (good, taken) = (Arc::clone(&good), Arc::clone(&counted));
        async move {
            match attempt {
                0 => Err(()),
                1 => Ok(Box::pin(sink::unfold(taken, async |taken, _| {
                    taken.fetch_add(1, Ordering::Relaxed);
                    Err(())
                })) as Link),
                _ => good.lock().unwrap().take().ok_or(()),
            }
        }
    });
    let until = async |count: &AtomicUsize, number| {
        while count.load(Ordering::Relaxed) < number {
            tokio::task::yield_now().await;
        }
        tokio::task::yield_now().await;
    };
    let mut links = Links::new(connect);
    links.send(packet(1, 1)).await.unwrap();
    links.send(packet(1, 2)).await.unwrap();
    timeout(SOON, until(&attempts, 1)).await.unwrap();
    links.send(packet(1, 3)).await.unwrap();
    timeout(SOON, until(&taken, 1)).await.unwrap();
    links.send(packet(1, 4)).await.unwrap();
    assert_eq!(next(&mut arrived).await, Some(4));
    assert_eq!(attempts.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn closing_sends_what_is_queued_and_dropping_does_not() {
    let (first, mut arrived) = link();
    let first = once(first);
    let mut links = Links::new(move |_| future::ready(first.lock().unwrap().take().ok_or(())));
    for byte in 0..3 {
        links.feed(packet(1, byte)).await.unwrap();
    }
    timeout(SOON, links.close()).await.unwrap().unwrap();
    assert_eq!(arrived.collect::<Vec<_>>().await, [0, 1, 2]);

    let (second, never) = link();
    arrived = never;
    let second = once(second);
    let mut links = Links::new(move |_| {
        let link = second.lock().unwrap().take();
        async move {
            future::pending::<()>().await;
            link.ok_or(())
        }
    });
    links.send(packet(1, 0)).await.unwrap();
    tokio::task::yield_now().await;
    drop(links);
    assert_eq!(next(&mut arrived).await, None);
}

#[tokio::test]
async fn a_panic_of_a_connection_is_a_panic_of_the_sink() {
    async fn connect(_: PartyId) -> Result<Link, ()> {
        panic!("no connection")
    }
    let mut links = Links::new(connect);
    links.send(packet(1, 0)).await.unwrap();
    tokio::task::yield_now().await;
    let sent = core::panic::AssertUnwindSafe(links.send(packet(1, 1))).catch_unwind().await;
    assert_eq!(sent.unwrap_err().downcast_ref::<&str>(), Some(&"no connection"));
}
