//! Sessions against a peer and a storage that send whatever they like.

use std::collections::BTreeSet;

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use quorate_frost::Dkg;
use quorate_frost::session::container::{self, DIGEST, Kind, Label, MAGIC, NO_CURVE};
use quorate_frost::session::{
    Abort, Check, FrameFate, PartyId, Progress, SealKey, Sealed, Session, Step, Stopped,
    Transcript, Unconfirmed,
};

use crate::fixture::{KEY, Suite, id};
use crate::generation::{Generation, is_broadcast, may_finish, start};
use crate::input::Input;

/// Bytes of a frame's header without and with the digest of the round before.
const HEADER: usize = 39;
const ECHO: usize = 32;
/// Bytes of a seal that are in clear: the header of the container, and the slot.
const SEAL_HEADER: usize = container::HEADER + 38;
const NONCE: usize = 24;
const FAMILY: &str = "quorate-session";

/// A frame that the fuzzer sends, in which round, and in whose name.
struct Attack {
    round: u8,
    from: PartyId,
    frame: Vec<u8>,
    /// Set if the sender then withholds what it should have sent.
    instead: bool,
}

/// Control byte (round, sender, how the frame is made, whether it replaces the right one), length
/// in two bytes, bytes; and again.
fn attacks<P: Generation>(data: &[u8]) -> Vec<Attack> {
    let run = P::run();
    let mut input = Input::new(data);
    let mut attacks = Vec::new();
    while let (Some(control), true) = (input.next(), attacks.len() < 12) {
        let round = 1 + (control & 3) % P::ROUNDS;
        let from = id(u16::from(control >> 2 & 3) + 1);
        let length = usize::from(u16::from_be_bytes([input.byte(), input.byte()]));
        let bytes = input.bytes(length);
        // The honest frame of that sender and round, if there is one.
        let honest = run.received(id(1), round).find(|(sender, _)| *sender == from);
        let frame = match (control >> 4 & 3, honest) {
            (1, Some((_, honest))) => {
                let header = honest.get(..HEADER).unwrap_or_default();
                [header, bytes].concat()
            }
            (2, Some((_, honest))) => {
                let header = honest.get(..HEADER + ECHO).unwrap_or_default();
                [header, bytes].concat()
            }
            (3, Some((_, honest))) => {
                Input::new(bytes).tampered(honest).expect("a frame is not empty")
            }
            _ => bytes.to_vec(),
        };
        attacks.push(Attack { round, from, frame, instead: control & 0x40 != 0 });
    }
    attacks
}

pub(crate) fn session_frame<S: Suite>(data: &[u8]) -> bool {
    frames::<Dkg<S>>(data)
}

/// Party 1 gets frames of the fuzzer's, then in every round the right ones, unless one took their
/// place. If it kept none of the former, it finishes; if it did, it doesn't, and their senders,
/// and nobody else, may be blamed.
pub(crate) fn frames<P: Generation>(data: &[u8]) -> bool {
    let run = P::run();
    let attacks = attacks::<P>(data);
    let (mut guilty, mut replaced) = (BTreeSet::new(), BTreeSet::new());
    // In which rounds.
    let mut altered = BTreeSet::new();
    let mut step = start::<P>(id(1));
    for round in 1..=P::ROUNDS {
        let mut session = step.session;
        for attack in attacks.iter().filter(|attack| attack.round == round) {
            if let Some(of) = offer(&mut session, attack) {
                guilty.insert(attack.from);
                altered.insert(of);
                let place = (of, attack.from, is_broadcast(&attack.frame));
                replaced.extend(attack.instead.then_some(place));
            }
        }
        for (from, frame) in run.received(id(1), round) {
            if !replaced.contains(&(round, from, is_broadcast(frame))) {
                let fate = session.receive(from, frame);
                assert!(fate.is_ok(), "an honest frame was rejected: {fate:?}");
                assert!(fate != Ok(FrameFate::Conflicting) || guilty.contains(&from));
            }
        }
        if run.received(id(1), round).next().is_none() {
            // The honest run has ended before: this is the round that looks for the guilty.
            assert!(!guilty.is_empty(), "goes on without a reason");
            return true;
        }
        assert_eq!(session.waiting_for().count(), 0);
        step = match worked(session) {
            Ok(Progress::Round(step)) => step,
            Ok(Progress::Waiting(_) | Progress::Working(_)) => panic!("all has been delivered"),
            Ok(Progress::Done { output, .. }) => {
                assert!(may_finish(&guilty), "finished with an altered frame of {guilty:?}");
                assert!(P::public(id(1), &output) == run.public);
                return true;
            }
            Ok(Progress::Unconfirmed(Unconfirmed { abort, .. })) | Err(Stopped { abort, .. }) => {
                assert!(!guilty.is_empty(), "aborted without a reason: {abort}");
                assert!(abort.culprits().all(|party| guilty.contains(&party)), "{abort}");
                check_evidence(&abort, &guilty);
                check_unattributed::<P>(&abort, &altered);
                return true;
            }
        };
    }
    panic!("more rounds than there are");
}

/// Advances, through all the work that a round takes.
fn worked<P: Generation>(mut session: Session<P>) -> Result<Progress<P>, Stopped> {
    loop {
        match session.advance()? {
            Progress::Working(working) => session = working,
            progress => return Ok(progress),
        }
    }
}

/// Offers a frame. Answers for which round it was kept, if its sender never sent it.
fn offer<P: Generation>(session: &mut Session<P>, attack: &Attack) -> Option<u8> {
    let before = session.slot();
    let fate = session.receive(attack.from, &attack.frame);
    if matches!(fate, Err(_) | Ok(FrameFate::Duplicate)) {
        assert!(session.slot() == before, "stored: {fate:?}");
        return None;
    }
    let round = session.round().get() + u8::from(fate == Ok(FrameFate::Early));
    let run = P::run();
    let mut honest = (1..=P::ROUNDS).flat_map(|round| run.received(id(1), round));
    let is_honest = honest.any(|sent| sent == (attack.from, &attack.frame));
    (!is_honest).then_some(round)
}

/// Checks that an abort without a culprit has one of the causes that blame no party: the digest of a
/// round's broadcasts is wrong, or the broadcasts of round 1 were others.
fn check_unattributed<P: Generation>(abort: &Abort, altered: &BTreeSet<u8>) {
    let Abort::Unattributed { round, check, .. } = abort else { return };
    let explained = match check {
        Check::EchoMismatch if round.get() == 2 => altered.iter().any(|round| *round <= 2),
        Check::EchoMismatch if P::LATE => altered.iter().any(|of| (*of + 1) >= round.get()),
        Check::EchoMismatch => altered.contains(&round.get()),
        _ => false,
    };
    assert!(explained, "nobody is named: {abort}");
}

/// Evidence of equivocation is there against the guilty only.
pub(crate) fn check_evidence(abort: &Abort, guilty: &BTreeSet<PartyId>) {
    let Abort::Misbehaviour(blames) = abort else { return };
    assert!(!blames.is_empty());
    for blame in blames {
        let evidence = blame.evidence.as_ref().expect("sessions keep the frames");
        assert!(!evidence.proves_equivocation(blame.party) || guilty.contains(&blame.party));
    }
}

pub(crate) fn sealed_session<S: Suite>(data: &[u8]) -> bool {
    seals::<Dkg<S>>(data)
}

/// An even first byte: the rest is a seal. An odd one: it is a seal's header and content, which
/// are sealed with the right key, and with the right context if the next bit is set as well.
pub(crate) fn seals<P: Generation>(data: &[u8]) -> bool {
    let run = P::run();
    let key = SealKey::new(KEY);
    let Some((mode, rest)) = data.split_first() else { return false };
    let forged = mode & 1 == 1;
    let bytes = if forged {
        let Some((header, content)) = rest.split_first_chunk::<SEAL_HEADER>() else { return false };
        let mut header = *header;
        if mode & 2 == 2 {
            header[container::HEADER..container::HEADER + 32]
                .copy_from_slice(&run.seals[0].slot().session());
        }
        forge(&header, content)
    } else {
        rest.to_vec()
    };
    let Ok(sealed) = Sealed::from_bytes(&bytes) else { return false };
    assert_eq!(sealed.as_bytes(), bytes);
    let Ok(step) = Session::<P>::open(&sealed, P::params(id(1)), &key) else { return false };
    assert!(forged || run.seals.contains(&sealed), "opened what nobody sealed");
    assert!(step.session.slot() == sealed.slot());
    check_seal(&step, &key);
    true
}

/// A session that is sealed and opened again is where it was.
pub(crate) fn check_seal<P: Generation>(step: &Step<P>, key: &SealKey) {
    let sealed = step.session.seal(key);
    let again = Session::<P>::open(&sealed, P::params(id(1)), key).expect("just sealed");
    assert!(again.outgoing == step.outgoing, "other messages after a restart");
    assert!(again.session.slot() == sealed.slot());
    assert!(again.session.seal(key) == sealed);
}

/// Seals any content as if a session had.
fn forge(header: &[u8; SEAL_HEADER], content: &[u8]) -> Vec<u8> {
    let nonce = [7; NONCE];
    let payload = Payload { msg: content, aad: &associated(header) };
    let sealed = cipher().encrypt(&XNonce::from(nonce), payload).expect("short");
    let mut bytes = [header.as_slice(), &nonce, &sealed].concat();
    let [_, _, _, _, version, code, _, family_code, ..] = *header;
    let kind = Kind { code, name: "a sealed session", version };
    Label { kind, curve: NO_CURVE, family: FAMILY, family_code }.end(&mut bytes);
    bytes
}

/// Undoes a seal: header and content.
pub(crate) fn unseal(sealed: &Sealed) -> Vec<u8> {
    let bytes = sealed.as_bytes();
    let (header, rest) = bytes[..bytes.len() - DIGEST].split_first_chunk().expect("a header");
    let (nonce, msg) = rest.split_first_chunk::<NONCE>().expect("a nonce");
    let payload = Payload { msg, aad: &associated(header) };
    let content = cipher().decrypt(&XNonce::from(*nonce), payload).expect("the same key");
    [header.as_slice(), &content].concat()
}

fn cipher() -> XChaCha20Poly1305 {
    let mut transcript = Transcript::new("seal: encryption");
    transcript.append("key", &KEY);
    XChaCha20Poly1305::new(&transcript.finish32().into())
}

fn associated(header: &[u8; SEAL_HEADER]) -> [u8; 32] {
    let (head, slot) = header.split_at(container::HEADER);
    let mut transcript = Transcript::new("quorate sealed form");
    transcript.append("magic", &MAGIC);
    transcript.append("header", &head[4..8]);
    transcript.append("curve", NO_CURVE.as_bytes());
    transcript.append("family", FAMILY.as_bytes());
    transcript.append("purpose", &[]);
    transcript.append("clear", slot);
    transcript.finish32()
}
