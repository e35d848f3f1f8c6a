//! Times the opening of a sealed presigning among three, in each round: `opening` with moduli of 3072 bits, `opening 2048`;
//! to be run with `--release`. Beside it stand the audit, which does everything again, the size of the seal, and the step
//! that follows.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a measurement that fails stops")]

use std::time::Instant;

use quorate_cggmp::{Presign, Secp256k1};
use quorate_paillier::Level;
use quorate_session::sim::Network;
use quorate_session::{Progress, SealKey, Session, SessionId, Step, To};
use quorate_testkit::Stuck;
use quorate_testkit::ecdsa::{Group, NUMBERS, keys, run_aux};
use quorate_testkit::lockstep::parties;

type Run = Presign<Secp256k1>;

/// The least of five times, in milliseconds.
fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let begun = Instant::now();
        drop(work());
        begun.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let small = std::env::args().nth(1).as_deref() == Some("2048");
    let level = if small { Level::Bits112 } else { Level::Bits128 };
    let aux = run_aux(Network::new(1), level, &NUMBERS);
    let group = Group::<Secp256k1> { keys: keys(&NUMBERS, 3), aux };
    let (all, key) = (parties(NUMBERS), SealKey::new([1; 32]));
    let mut steps: Vec<Step<Run>> = all
        .iter()
        .map(|me| {
            let mut rng = Stuck::at(me.get().to_be_bytes()[1]);
            let sid = SessionId::new([1; 32]);
            Session::start(sid, me, &all, group.params(me), &mut rng).unwrap()
        })
        .collect();
    while !steps.is_empty() {
        let session = &steps[0].session;
        let (round, me, sealed) = (session.round(), session.me(), session.seal(&key));
        let open = least(|| Session::<Run>::open(&sealed, group.params(me), &key).unwrap());
        let audit = least(|| Session::<Run>::audit(&sealed, group.params(me), &key).unwrap());
        let messages: Vec<_> = steps
            .iter()
            .flat_map(|step| step.outgoing.iter().map(|sent| (step.session.me(), sent.clone())))
            .collect();
        let mut first = None;
        let mut next = Vec::new();
        for Step { mut session, .. } in steps {
            for (from, sent) in &messages {
                if *from != session.me()
                    && [To::Everyone, To::Only(session.me())].contains(&sent.to)
                {
                    session.receive(*from, &sent.bytes).unwrap();
                }
            }
            let begun = Instant::now();
            let progress = session.advance().unwrap();
            first.get_or_insert(begun.elapsed().as_secs_f64() * 1e3);
            if let Progress::Round(step) = progress {
                next.push(step);
            }
        }
        steps = next;
        let (size, step) = (sealed.as_bytes().len(), first.unwrap_or_default());
        println!(
            "round {round}: open {open:.1} ms, audit {audit:.1} ms, next step {step:.1} ms, seal {size} bytes"
        );
    }
}
