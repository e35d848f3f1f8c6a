//! Acknowledgements to the broker.

use core::time::Duration;
use std::collections::BTreeMap;

use async_nats::{Client, HeaderMap, Message, Subject};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::super::{Peer, Verdict, subjects};
use super::settings::Bounds;

/// What is told of a delivery.
pub(super) enum Note {
    /// It was handed over: its number, and where to acknowledge it.
    Taken(u64, Subject),
    /// What became of it.
    Judged(Box<Judged>),
}

/// A delivery and what became of it.
pub(super) struct Judged {
    /// Its number, if it was handed over.
    pub(super) number: Option<u64>,
    pub(super) attempt: u32,
    pub(super) message: Message,
    pub(super) verdict: Verdict,
}

/// Tells the broker, and that a delivery is still worked at as long as it is.
#[allow(clippy::integer_division_remainder_used, reason = "the macro's own")]
pub(super) async fn work(
    client: Client,
    (me, bounds): (Peer, Bounds),
    mut notes: mpsc::UnboundedReceiver<Note>,
) {
    let mut held: BTreeMap<u64, (Instant, Subject)> = BTreeMap::new();
    let mut clock = interval(bounds.progress);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            note = notes.recv() => match note {
                None => return,
                Some(Note::Taken(number, reply)) => {
                    held.insert(number, (Instant::now(), reply));
                }
                Some(Note::Judged(judged)) => {
                    judged.number.and_then(|number| held.remove(&number));
                    judge(&client, &bounds, me, *judged).await;
                }
            },
            _ = clock.tick() => {
                held.retain(|_, (since, _)| since.elapsed() < bounds.hold);
                for (_, reply) in held.values().filter(|(since, _)| since.elapsed() >= bounds.progress) {
                    client.publish(reply.clone(), "+WPI".into()).await.ok();
                }
            }
        }
    }
}

/// Tells the broker what became of a delivery. What is lost here comes again, as any message may.
async fn judge(client: &Client, bounds: &Bounds, me: Peer, judged: Judged) {
    let Judged { attempt, message, verdict, .. } = judged;
    let Some(reply) = message.reply else { return };
    let words = match verdict {
        Verdict::Done => "+ACK".to_owned(),
        Verdict::Later => format!("-NAK {{\"delay\": {}}}", pause(bounds, attempt).as_nanos()),
        Verdict::Refused(why) => {
            let why: String = why.chars().filter(|c| !c.is_control()).take(200).collect();
            let mut headers = HeaderMap::new();
            headers.insert("Reason", why.as_str());
            headers.insert("Subject", message.subject.as_str());
            let dead = subjects::dead(me);
            client.publish_with_headers(dead, headers, message.payload).await.ok();
            format!("+TERM {why}")
        }
    };
    client.publish(reply, words.into()).await.ok();
}

/// Twice as long each time, up to a hundred times.
fn pause(bounds: &Bounds, attempt: u32) -> Duration {
    let factor = 1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX);
    bounds.pause.saturating_mul(factor.clamp(1, 100))
}
