//! Three parties, a thread each, channels for the network: a protocol of one round, the loop that
//! drives it, a seal before anything is sent.
//!
//! ```sh
//! cargo run -p quorate-session --example threads
//! ```

use core::error::Error;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use getrandom::{SysRng, rand_core::Rng, rand_core::UnwrapErr};
use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol, Round,
    Run, SealKey, Session, SessionId, To, drive,
};

/// A protocol in which each party learns whether all of them hold the same document.
struct Compare;

impl Protocol for Compare {
    const NAME: &'static str = "compare";
    const CODE: u8 = 255;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = String;
    type State = Vec<u8>;
    type Output = bool;

    fn bind(_: &String, _: &mut Binding) {}

    fn limits(_: &String, _: usize, _: Round) -> Limits {
        Limits { broadcast: 64, direct: 0 }
    }

    fn start(document: String, run: &Run) -> Result<(Vec<u8>, Outbox), ParamError> {
        let mut transcript = run.transcript("document");
        transcript.append("text", document.as_bytes());
        let digest = transcript.finish().to_vec();
        Ok((digest.clone(), Outbox::broadcast(digest)))
    }

    fn next(own: Vec<u8>, _: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(inbox.each().all(|message| message.broadcast == own)))
    }
}

/// A frame with its sender, as an authenticated transport delivers it.
type Incoming = (PartyId, Vec<u8>);

fn main() -> Result<(), Box<dyn Error>> {
    let parties = Parties::numbered(3)?;
    let mut sid = [0; 32];
    UnwrapErr(SysRng).fill_bytes(&mut sid);
    let (ends, boxes): (BTreeMap<_, _>, Vec<_>) = parties
        .iter()
        .map(|party| {
            let (send, receive) = channel::<Incoming>();
            ((party, send), (party, receive))
        })
        .unzip();

    let mut threads = Vec::new();
    for (me, inbox) in boxes {
        let (ends, parties) = (ends.clone(), parties.clone());
        let life = move || party(me, SessionId::new(sid), &parties, &ends, &inbox);
        threads.push((me, thread::spawn(life)));
    }
    for (me, thread) in threads {
        let same = thread.join().map_err(|_| "a thread panicked")??;
        println!("party {me}: {}", if same { "all hold the same" } else { "they differ" });
    }
    Ok(())
}

fn party(
    me: PartyId,
    sid: SessionId,
    parties: &Parties,
    ends: &BTreeMap<PartyId, Sender<Incoming>>,
    inbox: &Receiver<Incoming>,
) -> Result<bool, String> {
    let mut rng = UnwrapErr(SysRng);
    let document = "we agree".to_owned();
    let step = Session::<Compare>::start(sid, me, parties, document, &mut rng)
        .map_err(|error| error.to_string())?;

    // Stored before anything is sent: a process that ends here resumes with the same messages.
    let key = SealKey::generate(&mut rng).map_err(|error| error.to_string())?;
    let stored = step.session.seal(&key);
    println!("party {me}: {} bytes stored", stored.as_bytes().len());

    let ended = drive(
        step,
        |message| {
            for (party, end) in ends.iter().filter(|(party, _)| **party != me) {
                if matches!(message.to, To::Everyone) || message.to == To::Only(*party) {
                    // A thread that has ended receives no more messages.
                    end.send((me, message.bytes.clone())).ok();
                }
            }
        },
        || inbox.recv_timeout(Duration::from_secs(5)).ok(),
    )
    .map_err(|stopped| stopped.to_string())?;
    Ok(ended.into_output())
}
