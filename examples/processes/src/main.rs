//! Two processes make an Ed25519 key and sign, then make an ECDSA key and a presignature, over a pair of pipes.
//!
//! ```sh
//! cargo run --release -p quorate-processes
//! ```

mod pipe;

use core::error::Error;
use core::time::Duration;
use std::io::{Write, stderr, stdin, stdout};
use std::sync::Arc;
use std::time::Instant;

use getrandom::SysRng;
use pipe::Pipe;
use quorate::ecdsa::{
    AuxInfoGen, AuxInfoParams, AuxSecrets, AuxStep, Engine, Keygen, KeygenParams, Level, Presign,
    PresignParams, Secp256k1,
};
use quorate::frost::ed25519::{Coordinator, Dkg, DkgOutput, DkgParams, SigningPackage};
use quorate::runner::{Bounds, Job, MemoryStore, RunEnd, Runner, app_fn};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Protocol, rand_core::UnwrapErr};
use quorate::{Parties, SealKey, SessionId};

const MESSAGE: &[u8] = b"pay 5 to Carol";
/// The lane of the messages of signing; a run has the code of its protocol.
const SIGNING: u8 = 0;
const MINUTE: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    let parties = Parties::numbered(2)?;
    let &[one, two] = parties.as_slice() else { return Err("there are two".into()) };
    if std::env::args().nth(1).is_some_and(|role| role == "party-2") {
        return party(Pipe::new(two, one, stdin(), stdout()));
    }
    let (mut child, pipe) = Pipe::spawn(one, two, &["party-2"])?;
    party(pipe)?;
    if child.wait()?.success() { Ok(()) } else { Err("party 2 has failed".into()) }
}

fn party(mut pipe: Pipe<impl Write>) -> Result<(), Box<dyn Error>> {
    let me = pipe.me;
    let key = run::<Dkg>(&mut pipe, 1, DkgParams::new(2))?;
    sign(&mut pipe, key)?;

    let engine = Engine::detect();
    let key = Arc::new(run::<Keygen<Secp256k1>>(&mut pipe, 2, KeygenParams::new(2))?);
    // Each its own primes; `Level::Bits128` is the default, and takes longer to find primes for.
    let mut search = AuxSecrets::generate(&engine, Level::Bits112, &mut UnwrapErr(SysRng))?;
    let secrets = loop {
        search = match search.step(64)? {
            AuxStep::Searching(search) => search,
            AuxStep::Done(secrets) => break Arc::new(secrets),
        };
    };
    let aux = Arc::new(run::<AuxInfoGen>(&mut pipe, 3, AuxInfoParams::new(engine, secrets))?);
    let params = PresignParams::new(engine, key, aux);
    let presignature = run::<Presign<Secp256k1>>(&mut pipe, 4, params)?;
    say(&format!("party {me}: presignature {:?}\n", presignature.id()))
}

/// The loop. A service stores the record of an end, and its runner has a store that lasts.
fn run<P: Protocol>(
    pipe: &mut Pipe<impl Write>,
    sid: u8, // In life random, agreed on, and never used twice.
    params: P::Params,
) -> Result<P::Output, Box<dyn Error>> {
    let (mut params, mut result) = (Some(params), None);
    let app = app_fn::<P>(
        |_| params.take(),
        |_, end| {
            result = Some(end);
            Zeroizing::default()
        },
    );
    let (rng, key) = (&mut UnwrapErr(SysRng), Arc::new(SealKey::new([0; 32]))); // Nothing leaves the memory.
    let mut runner = Runner::new(pipe.me, key, (MemoryStore::new(), app), Bounds::new(1_000))?;
    let (sid, parties) = (SessionId::new([sid; 32]), Parties::numbered(2)?);
    let clock = Instant::now();
    runner.start(&Job { sid, parties, body: Vec::new(), deadline: 600_000 }, 0, rng)?;
    loop {
        let now = u64::try_from(clock.elapsed().as_millis())?;
        let turn = runner.turn(&mut pipe.lane(P::CODE), now)?;
        if !turn.ended.is_empty() {
            break;
        }
        if turn.failures > 0 {
            return Err("the other process is gone".into());
        }
        let due = runner.next_due()?.unwrap_or(now).saturating_sub(now);
        pipe.wait(P::CODE, Duration::from_millis(due));
    }
    drop(runner);
    match result {
        Some(RunEnd::Done(output)) => Ok(output),
        Some(RunEnd::Stopped { stopped, .. }) => Err(stopped.abort.into()),
        _ => Err("the run is lost".into()),
    }
}

/// RFC 9591: party 1 coordinates, and party 2 looks at what it signs.
fn sign(pipe: &mut Pipe<impl Write>, key: DkgOutput) -> Result<(), Box<dyn Error>> {
    let (me, peer) = (pipe.me, pipe.peer);
    let (nonces, commitments) = key.share.commit(&mut UnwrapErr(SysRng));
    if me > peer {
        pipe.send(SIGNING, &commitments.to_bytes())?;
        let package = pipe.receive(SIGNING, MINUTE).ok_or("party 1 says nothing")?;
        let package = SigningPackage::from_bytes(&package)?;
        if package.message() != MESSAGE {
            return Err("not what was agreed on".into());
        }
        return Ok(pipe.send(SIGNING, &key.share.sign(&package, nonces)?.to_bytes())?);
    }
    let theirs = pipe.receive(SIGNING, MINUTE).ok_or("party 2 says nothing")?;
    let coordinator = Coordinator::new(key.public);
    let mut session = coordinator.start([(me, commitments.to_bytes()), (peer, theirs)], MESSAGE)?;
    pipe.send(SIGNING, &session.package().to_bytes())?;
    session.receive(me, &key.share.sign(session.package(), nonces)?.to_bytes())?;
    session.receive(peer, &pipe.receive(SIGNING, MINUTE).ok_or("party 2 does not sign")?)?;
    let signature = coordinator.finish(session)?;
    coordinator.public().verifying_key().verify(MESSAGE, &signature)?;
    say(&format!("party {me}: {signature:?} of Ed25519 verifies\n"))
}

/// A line in one piece: two processes speak at once.
fn say(line: &str) -> Result<(), Box<dyn Error>> {
    Ok(stderr().write_all(line.as_bytes())?)
}
