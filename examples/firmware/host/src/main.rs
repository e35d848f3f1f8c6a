//! A phone and a backup server make a key with a signing device, and the phone signs with the device.
//!
//! The device is the firmware beside this program, in an emulator of a Cortex-M4. The serial line between the two carries
//! everything, so this program is also the network between its own two parties. Where the server is another machine, the phone must
//! neither read nor write what the device and the server say to each other: see `quorate-envelope`.

mod device;

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::path::PathBuf;

use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use getrandom::SysRng;
use quorate_frost::session::rand_core::{Rng as _, UnwrapErr};
use quorate_frost::session::{Outgoing, Parties, PartyId, Progress, Session, SessionId, Step, To};
use quorate_frost_ed25519::{Coordinator, Dkg, DkgOutput, DkgParams};

use device::Device;

type Done<T> = Result<T, Box<dyn Error>>;

const DEVICE: u16 = 1;
const PHONE: u16 = 2;
const MESSAGE: &[u8] = b"pay 5 to Carol";

fn main() -> Done<()> {
    let image = std::env::args().nth(1).map(PathBuf::from);
    let image = image.ok_or("usage: firmware-host PATH, of the firmware")?;
    let mut device = Device::start(&image)?;
    let mut rng = UnwrapErr(SysRng);
    let [mut seed, mut id] = [[0; 32]; 2];
    rng.fill_bytes(&mut seed);
    rng.fill_bytes(&mut id);
    device.send("seed", &seed)?;
    device.send("session", &id)?;

    let mut made = generate(&mut device, SessionId::new(id), &mut rng)?;
    let phone = made.remove(&PHONE).ok_or("the phone has no key")?;
    let public = device.receive("public")?;
    if public != phone.public.to_bytes() {
        return Err("the device has another key".into());
    }
    println!("key of three parties, threshold 2: {:?}", phone.public.verifying_key());
    report("key generation", &device.receive("generated")?)?;

    device.send("message", MESSAGE)?;
    let (nonces, own) = phone.share.commit(&mut rng);
    let devices = device.receive("commitments")?;
    let coordinator = Coordinator::new(phone.public);
    let sent = [(party(DEVICE)?, devices), (party(PHONE)?, own.to_bytes().to_vec())];
    let mut session = coordinator.start(sent, MESSAGE)?;
    device.send("package", &session.package().to_bytes())?;
    let share = phone.share.sign(session.package(), nonces)?;
    session.receive(party(PHONE)?, &share.to_bytes())?;
    session.receive(party(DEVICE)?, &device.receive("share")?)?;
    let signature = coordinator.aggregate(session)?;
    report("a signature", &device.receive("signed")?)?;

    // A verifier needs an ordinary library for Ed25519, and nothing of ours.
    let key = VerifyingKey::from_bytes(&coordinator.public().verifying_key().to_bytes())?;
    key.verify(MESSAGE, &Signature::from_bytes(&signature.to_bytes()))?;
    println!("the signature of the device and the phone verifies");
    Ok(())
}

/// Runs the parties of this program, and carries the frames between all three.
fn generate(
    device: &mut Device,
    id: SessionId,
    rng: &mut UnwrapErr<SysRng>,
) -> Done<BTreeMap<u16, DkgOutput>> {
    let parties = Parties::numbered(3)?;
    let (mut sessions, mut made) = (BTreeMap::new(), BTreeMap::new());
    let mut mail = VecDeque::new();
    for me in [PHONE, 3] {
        let Step { session, outgoing } =
            Session::<Dkg>::start(id, party(me)?, &parties, DkgParams::new(2), rng)?;
        sessions.insert(me, session);
        queue(&mut mail, me, outgoing);
    }
    while made.len() < 2 {
        while let Some((from, to, bytes)) = mail.pop_front() {
            if to == DEVICE {
                device.send("frame", &[&from.to_be_bytes()[..], &bytes].concat())?;
            } else if let Some(session) = sessions.get_mut(&to) {
                session.receive(party(from)?, &bytes)?;
            }
        }
        for me in [PHONE, 3] {
            let Some(session) = sessions.remove(&me) else { continue };
            match session.advance()? {
                Progress::Done { output, .. } => drop(made.insert(me, output)),
                Progress::Round(Step { session, outgoing }) => {
                    sessions.insert(me, session);
                    queue(&mut mail, me, outgoing);
                }
                Progress::Waiting(session) | Progress::Working(session) => {
                    sessions.insert(me, session);
                }
                // A real phone stores this result: the others may have their shares.
                Progress::Unconfirmed(ended) => return Err(ended.abort.into()),
            }
        }
        if mail.is_empty() && made.len() < 2 {
            let frame = device.receive("frame")?;
            let (to, bytes) = frame.split_first_chunk().ok_or("a frame without a recipient")?;
            let to = u16::from_be_bytes(*to);
            for me in [PHONE, 3] {
                if to == 0 || to == me {
                    mail.push_back((DEVICE, me, bytes.to_vec()));
                }
            }
        }
    }
    Ok(made)
}

fn queue(mail: &mut VecDeque<(u16, u16, Vec<u8>)>, from: u16, outgoing: Vec<Outgoing>) {
    for message in outgoing {
        for to in [DEVICE, PHONE, 3] {
            let is_for = match message.to {
                To::Everyone => to != from,
                To::Only(party) => party.get() == to,
            };
            if is_for {
                mail.push_back((from, to, message.bytes.clone()));
            }
        }
    }
}

fn party(number: u16) -> Done<PartyId> {
    Ok(PartyId::new(number).ok_or("no party has this number")?)
}

/// Prints what the device has used at most for this.
fn report(of: &str, numbers: &[u8]) -> Done<()> {
    let (numbers, _) = numbers.as_chunks::<4>();
    let [stack, heap] = <[_; 2]>::try_from(numbers)?.map(u32::from_be_bytes);
    println!("{of}: at most {stack} bytes of stack and {heap} of heap");
    Ok(())
}
