//! A network that repeats, delays and cuts what nodes send.

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::fs;

use bytes::{Bytes, BytesMut};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncWriteExt as _, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_util::codec::{FramedRead, FramedWrite, LengthDelimitedCodec};

use crate::cluster::Cluster;

/// The frames that all connections have carried, without the first frame of each.
static FRAMES: AtomicUsize = AtomicUsize::new(0);

/// The number of frames after which the network only repeats. A sender's pause doubles each time a frame is lost again, so
/// a network that cuts for ever could delay a run for longer than the test waits.
const BAD: usize = 32;

/// Stands before a node: whoever looks for its address finds this one.
async fn stand_before(cluster: &Cluster, node: u16) {
    let behind = cluster.address(node).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    fs::write(cluster.folder(node).join("address"), address).unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(onward) = TcpStream::connect(&behind).await else { continue };
            tokio::spawn(carry(stream, onward));
        }
    });
}

/// Carries frames in one direction, badly, and bytes in the other, well.
async fn carry(from: TcpStream, to: TcpStream) {
    let ((read, mut back), (mut answers, write)) = (from.into_split(), to.into_split());
    let answering = tokio::spawn(async move { copy(&mut answers, &mut back).await });
    let mut frames = FramedRead::new(read, LengthDelimitedCodec::new());
    let mut onward = FramedWrite::new(write, LengthDelimitedCodec::new());
    let mut old: Vec<Bytes> = Vec::new();
    while let Some(Ok(frame)) = frames.next().await {
        let frame = BytesMut::freeze(frame);
        // The first frame of a connection passes: a client's order is the only one.
        let number = if old.is_empty() { 0 } else { FRAMES.fetch_add(1, Ordering::Relaxed) };
        let fault = if number < BAD { number & 7 } else { 0 };
        match fault {
            // The connection ends within a frame.
            5 => {
                let half = frame.slice(..frame.len() >> 1);
                let length = u32::try_from(frame.len()).unwrap().to_be_bytes();
                let raw = onward.get_mut();
                drop(raw.write_all(&length).await);
                drop(raw.write_all(&half).await);
                break;
            }
            // One is late, and another one comes first.
            2 => sleep(Duration::from_millis(100)).await,
            // Everything that has come so far comes again.
            3 => {
                for again in old.clone() {
                    drop(onward.send(again).await);
                }
            }
            _ => drop(onward.send(frame.clone()).await),
        }
        drop(onward.send(frame.clone()).await);
        old.push(frame);
    }
    answering.abort();
}

#[tokio::test]
async fn network_that_repeats_delays_and_cuts_makes_a_run_late_and_changes_nothing() {
    let mut cluster = Cluster::with_keys("network").await;
    // Their connections end, and the next ones are made when there is something to send.
    for node in [1, 2] {
        cluster.kill(node);
    }
    for node in [1, 2] {
        fs::remove_file(cluster.folder(node).join("address")).unwrap();
        cluster.start(node);
        stand_before(&cluster, node).await;
    }
    let [one, two] = cluster.presign("1").await;
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!((one.len(), one), (4, two));
    assert!(FRAMES.load(Ordering::Relaxed) > 5, "no connection was cut");
}
