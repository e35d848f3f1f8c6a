//! A session of a victim that was sealed, continued, opened again and continued otherwise. All
//! others are corrupt, and send it other messages the second time.

mod keys;
mod masks;
mod opened;

use std::collections::BTreeMap;

use quorate_cggmp::curves::Curve;
use quorate_cggmp::{MessageDigest, Presign, Presignature, Secp256k1};
use quorate_session::{
    Abort, PartyId, Progress, Protocol, RecordError, SealKey, Sealed, Session, SpentInMemory, Step,
    To,
};

use crate::support::*;

type C = Secp256k1;
type Scalar = <C as Curve>::Scalar;

const VICTIM: u16 = 2;

fn seal_key() -> SealKey {
    SealKey::new([8; 32])
}

/// The offset of the body in a frame.
const BODY: usize = HEADER + ECHO;

/// The broadcasts of a recorded round.
fn bodies(frames: &Frames, round: u8) -> BTreeMap<PartyId, Vec<u8>> {
    let broadcasts = frames.iter().filter(|(place, _)| place.1 == round && place.2);
    broadcasts.map(|(place, frame)| (place.0, frame[BODY..].to_vec())).collect()
}

/// The end of a party that was continued.
struct Played<P: Protocol> {
    /// None if it waits for frames that are not there.
    result: Option<Result<P::Output, Abort>>,
    /// Before the frames of each round.
    seals: Vec<Sealed>,
    /// The party's broadcasts, round by round.
    said: Vec<Vec<u8>>,
}

impl<P: Protocol> Played<P> {
    fn output(self) -> P::Output {
        self.result.unwrap().unwrap()
    }
}

/// Continues a party from this step, with the recorded frames of its peers. `alter` changes their
/// bodies, by round, sender and whether it is a broadcast. Their echoes are made to agree with the
/// messages that the party gets.
fn go_on<P: Protocol>(
    mut step: Step<P>,
    frames: &Frames,
    alter: impl Fn(u8, PartyId, bool, &mut Vec<u8>),
) -> Played<P> {
    let me = step.session.party_id();
    let mut told = bodies(frames, step.session.round().get() - 1);
    let (mut seals, mut said) = (Vec::new(), Vec::new());
    let result = loop {
        let Step { mut session, outgoing } = step;
        seals.push(session.seal(&seal_key()));
        let round = session.round().get();
        let mut now = BTreeMap::new();
        if let Some(own) = outgoing.iter().find(|message| message.to == To::Everyone) {
            said.push(own.bytes[BODY..].to_vec());
            now.insert(me, own.bytes[BODY..].to_vec());
        }
        for (place, frame) in frames.iter().filter(|(place, _)| place.3 == me && place.1 == round) {
            let mut body = frame[BODY..].to_vec();
            alter(round, place.0, place.2, &mut body);
            let mut sent = frame[..BODY].to_vec();
            if round > 1 {
                let bodies: Vec<&[u8]> = told.values().map(Vec::as_slice).collect();
                sent[HEADER..].copy_from_slice(&echo(&context(frame), Round(round - 1), &bodies));
            }
            sent.extend(&body);
            session.receive(place.0, &sent).unwrap();
            if place.2 {
                now.insert(place.0, body);
            }
        }
        told = now;
        step = match advance(session) {
            Ok(Progress::Round(step)) => step,
            Ok(Progress::Done { output, .. }) => break Some(Ok(output)),
            Ok(Progress::Waiting(_) | Progress::Working(_)) => break None,
            Ok(Progress::Unconfirmed(unconfirmed)) => break Some(Err(unconfirmed.abort)),
            Err(stopped) => break Some(Err(stopped.abort)),
        };
    };
    Played { result, seals, said }
}

/// Adds a multiple of the generator to the point at this place of a body.
fn shift(body: &mut [u8], at: usize, times: i8) {
    let mut point = C::decode_point(&body[at..at + 33]).unwrap();
    for _ in 0..times.unsigned_abs() {
        point = if times < 0 { point - C::generator() } else { point + C::generator() };
    }
    body[at..at + 33].copy_from_slice(&C::encode_point(&point));
}

/// The place of S_j in a body of round 3.
const S: usize = 32;

/// k̃ and χ̃ of a party that keeps no record of spent presignatures, from two signatures.
fn own_secrets(group: &Group<C>, party: u16, stored: &[u8]) -> [Scalar; 2] {
    let messages = [b"one", b"two"];
    let open = || Presignature::<C>::from_bytes(stored).unwrap();
    let nonces = messages.map(|message| nonce(open().info(), &group.itself(), message));
    let shares = messages.map(|message| {
        let claim =
            open().claim(group.key_of(id(party)), &no_path(), MessageDigest::sha256(message));
        sigma(&release(claim.unwrap()))
    });
    solved(shares, nonces)
}

/// One run ends twice: a second share of the victim is never released, whatever message it signs.
fn spent_once(group: &Group<C>, first: Presignature<C>, second: &[u8]) {
    let key = group.key_of(id(VICTIM));
    let mut table = SpentInMemory::new();
    let name = first.id();
    let claim = first.claim(key, &no_path(), MessageDigest::sha256(b"one")).unwrap();
    let receipt = claim.record().store(&mut table).unwrap();
    let on = receipt.record().digest;
    claim.release(receipt).unwrap();
    for message in [b"one", b"two"] {
        let second = Presignature::<C>::from_bytes(second).unwrap();
        assert_eq!(second.id(), name);
        let claim = second.claim(key, &no_path(), MessageDigest::sha256(message)).unwrap();
        let refused = claim.record().store(&mut table).unwrap_err();
        assert_eq!(refused, RecordError::Spent { id: name.name(), on });
    }
}

/// Two corrupt signers move their S_j by opposite amounts, which leaves the sum as it is: with the
/// victim's last seal opened again there are two presignatures of one nonce. They have one name.
#[test]
fn one_nonce_has_one_name() {
    let group = Group::<C>::new(3);
    let all = parties(NUMBERS);
    let params = |party| group.params(party);
    let (frames, results) = record::<Presign<C>>(&all, sid(SESSION), params, |_, _, _| {});
    let victim = start::<Presign<C>>(sid(SESSION), id(VICTIM), &all, params(id(VICTIM)));
    let first = go_on(victim, &frames, |_, _, _, _| {});
    let again = Session::open(&first.seals[2], params(id(VICTIM)), &seal_key()).unwrap();
    let second = go_on::<Presign<C>>(again, &frames, |round, from, _, body| {
        if round == 3 {
            shift(body, S, if from == id(7) { 1 } else { -1 });
        }
    });
    let (first, second) = (first.output(), second.output());
    assert!(first.id() == second.id() && first.info().digest() != second.info().digest());
    // Two shares of the victim would give the whole key.
    let (mut k, mut chi) = (Scalar::default(), Scalar::default());
    for (party, one) in results {
        let stored = if party == id(VICTIM) { second.to_bytes() } else { one.unwrap().to_bytes() };
        let [its_k, its_chi] = own_secrets(&group, party.get(), &stored);
        (k, chi) = (k + its_k, chi + its_chi);
    }
    assert!(C::mul_base(&(chi * C::invert(&k))) == *group.keys[0].verifying_key().point());
    let second = second.to_bytes();
    spent_once(&group, first, &second);
}

/// With the seal of round 1 opened again, a corrupt signer takes another γ, and moves Γ by a known
/// amount: two nonces that are related. The two presignatures have one name.
#[test]
fn a_moved_nonce_keeps_the_name() {
    let group = Group::<C>::new(3);
    let all = parties(NUMBERS);
    let run = |other: u8| {
        let seed = |party: PartyId| if party == id(7) { other } else { party.get() as u8 };
        let params = |party| group.params(party);
        let (_, mut results) =
            record_seeded::<Presign<C>>((&all, seed), sid(SESSION), params, |_, _, _| {});
        results.remove(&id(VICTIM)).unwrap().unwrap()
    };
    let (first, second) = (run(7), run(99));
    assert!(gamma(first.info()) != gamma(second.info()));
    assert!(first.id() == second.id() && first.info().digest() != second.info().digest());
    spent_once(&group, first, &second.to_bytes());
}
