//! A signer on a board without an operating system.
//!
//! The signer speaks over a serial line, in lines of text: `word` or `word HEX`. It makes its share of a key together with two other
//! parties, and signs the messages that it is sent with one of them. What a real device has to add is marked here with "Yours".
#![no_std]
#![no_main]

#[cfg(not(feature = "emulator"))]
compile_error!(
    "the seed of the random numbers comes over the line: give your board's own, or turn on the feature `emulator`"
);

extern crate alloc;

mod memory;
mod serial;

use alloc::boxed::Box;
use core::cell::RefCell;
use core::error::Error;
use core::fmt::{Display, Write as _};
use core::panic::PanicInfo;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng as _;
use cortex_m_rt::{ExceptionFrame, entry, exception};
use quorate_frost::session::{Ended, Parties, PartyId, Session, SessionId, To, drive};
use quorate_frost_ed25519::{Dkg, DkgOutput, DkgParams, SigningPackage};

use crate::memory::Memory;
use crate::serial::Serial;

type Done<T> = Result<T, Box<dyn Error>>;

#[entry]
fn start() -> ! {
    // SAFETY: it is the first call of the program.
    let memory = unsafe { Memory::new() };
    let mut serial = Serial::open();
    if let Err(why) = serve(&mut serial, &memory) {
        fail(&mut serial, &why);
    }
    stop()
}

fn serve(serial: &mut Serial, memory: &Memory) -> Done<()> {
    let seed = serial.expect("seed")?;
    let mut rng = ChaCha20Rng::from_seed(seed.as_slice().try_into()?);
    let key = generate(serial, &mut rng)?;
    // Yours: store the share and the package before anybody hears of the key. `KeyShare::from_bytes` needs both.
    serial.say("public", &[&key.public.to_bytes()]);
    memory.report(serial, "generated");
    loop {
        match sign(serial, &key, &mut rng) {
            Ok(()) => memory.report(serial, "signed"),
            Err(why) => fail(serial, &why),
        }
    }
}

/// Makes the share of party 1, with parties 2 and 3 on the other end of the line.
///
/// Yours: show the parties, the threshold and in the end the key. Encrypt and authenticate the frames (`quorate-envelope`).
fn generate(serial: &mut Serial, rng: &mut ChaCha20Rng) -> Done<DkgOutput> {
    let parties = Parties::numbered(3)?;
    let me = PartyId::new(1).ok_or("no party has this number")?;
    let id = SessionId::new(serial.expect("session")?.as_slice().try_into()?);
    let first = Session::<Dkg>::start(id, me, &parties, DkgParams::new(2), rng)?;
    let line = RefCell::new(serial);
    let ended = drive(
        first,
        |message| {
            let to = match message.to {
                To::Everyone => 0,
                To::Only(party) => party.get(),
            };
            line.borrow_mut().say("frame", &[&to.to_be_bytes(), &message.bytes]);
        },
        || {
            loop {
                match frame(&mut line.borrow_mut()) {
                    Ok(frame) => return Some(frame),
                    Err(why) => fail(&mut line.borrow_mut(), &why),
                }
            }
        },
    )?;
    match ended {
        Ended::Done(key) => Ok(key),
        // Yours: store it as well. The others may have their shares, and say so later.
        Ended::Unconfirmed(ended) => Err(ended.abort.into()),
    }
}

/// The next frame, and its sender.
fn frame(serial: &mut Serial) -> Done<(PartyId, alloc::vec::Vec<u8>)> {
    let line = serial.expect("frame")?;
    let (from, bytes) = line.split_first_chunk().ok_or("a frame without a sender")?;
    let from = PartyId::new(u16::from_be_bytes(*from)).ok_or("no party has this number")?;
    Ok((from, bytes.to_vec()))
}

/// Signs the message that it is sent first.
fn sign(serial: &mut Serial, key: &DkgOutput, rng: &mut ChaCha20Rng) -> Done<()> {
    let message = serial.expect("message")?;
    // Yours: show the message here, and wait for a button.
    let (nonces, commitments) = key.share.commit(rng);
    serial.say("commitments", &[&commitments.to_bytes()]);
    let package = SigningPackage::from_bytes(&serial.expect("package")?)?;
    if package.message() != message.as_slice() {
        return Err("the package is for another message".into());
    }
    serial.say("share", &[&key.share.sign(&package, nonces)?.to_bytes()]);
    Ok(())
}

fn fail(serial: &mut Serial, why: &dyn Display) {
    serial.say("failed", &[]);
    writeln!(serial, "{why}").ok();
}

/// Yours: wipe the memory and begin again.
fn stop() -> ! {
    loop {
        cortex_m::asm::wfi();
    }
}

#[panic_handler]
fn panicked(info: &PanicInfo<'_>) -> ! {
    fail(&mut Serial::open(), info);
    stop()
}

// SAFETY: it returns to nothing.
#[exception]
unsafe fn HardFault(_: &ExceptionFrame) -> ! {
    fail(&mut Serial::open(), &"a hard fault");
    stop()
}
