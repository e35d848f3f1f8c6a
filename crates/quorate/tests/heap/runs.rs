//! Sessions among some parties, in lockstep, with the frames that they sent.

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use num_bigint::BigUint;
use quorate::session::frame::{HEADER, PREFIX};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{
    Outgoing, Parties, PartyId, Progress, Protocol, Session, SessionId, Step, To,
};
use quorate_curve::Curve;
use quorate_testkit::heap::Watchlist;

pub(crate) fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

pub(crate) fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// A message that was sent.
pub(crate) struct Frame {
    pub(crate) round: u8,
    pub(crate) from: PartyId,
    pub(crate) to: To,
    bytes: Zeroizing<Vec<u8>>,
}

impl Frame {
    /// The body, which has an echo or a prefix before it.
    pub(crate) fn body(&self) -> &[u8] {
        &self.bytes[HEADER + PREFIX..]
    }

    /// The last bytes, wherever the body begins.
    pub(crate) fn end(&self, len: usize) -> &[u8] {
        &self.bytes[self.bytes.len() - len..]
    }
}

/// Runs a protocol among all parties. `sent` is shown every message.
pub(crate) fn run<P: Protocol>(
    number: u8,
    parties: &Parties,
    params: impl Fn(PartyId) -> P::Params,
    mut sent: impl FnMut(u8, PartyId, &Outgoing),
) -> Vec<P::Output> {
    let sid = SessionId::new([number; 32]);
    let mut steps: Vec<Step<P>> = parties
        .iter()
        .zip(number..)
        .map(|(me, seed)| Session::start(sid, me, parties, params(me), &mut rng(seed)).unwrap())
        .collect();
    loop {
        let mut mail = Vec::with_capacity(steps.len());
        let mut sessions = Vec::with_capacity(steps.len());
        for Step { session, outgoing } in steps {
            mail.push((session.me(), outgoing));
            sessions.push(session);
        }
        for session in &mut sessions {
            let (round, me) = (session.round().get(), session.me());
            for (from, outgoing) in &mail {
                for message in outgoing {
                    if *from == me {
                        sent(round, me, message);
                    } else if message.to == To::Everyone || message.to == To::Only(me) {
                        session.receive(*from, &message.bytes).unwrap();
                    }
                }
            }
        }
        drop(mail);
        steps = Vec::with_capacity(sessions.len());
        let mut outputs = Vec::new();
        for mut session in sessions {
            loop {
                match session.advance().unwrap() {
                    Progress::Working(working) => session = working,
                    Progress::Waiting(_) => panic!("every frame is there"),
                    Progress::Round(step) => {
                        steps.push(step);
                        break;
                    }
                    Progress::Done { output, .. } => {
                        outputs.push(output);
                        break;
                    }
                }
            }
        }
        if steps.is_empty() {
            return outputs;
        }
    }
}

/// The same, with all frames.
pub(crate) fn recorded<P: Protocol>(
    number: u8,
    parties: &Parties,
    params: impl Fn(PartyId) -> P::Params,
) -> (Vec<P::Output>, Vec<Frame>) {
    let mut frames = Vec::new();
    let outputs = run::<P>(number, parties, params, |round, from, message| {
        let bytes = Zeroizing::new(message.bytes.clone());
        frames.push(Frame { round, from, to: message.to, bytes });
    });
    (outputs, frames)
}

/// Watches for a scalar: as it is encoded, and as it is in memory.
pub(crate) fn watch_scalar<C: Curve>(list: &mut Watchlist, name: &str, scalar: &C::Scalar) {
    list.bytes(name, C::encode_scalar(scalar).as_ref());
    list.memory(name, scalar);
    let limbs = C::scalar_limbs(scalar);
    let limbs: Vec<u8> = limbs.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect();
    list.bytes(name, &limbs);
}

/// Watches for a number.
pub(crate) fn watch_number(list: &mut Watchlist, name: &str, number: &BigUint) {
    list.number(name, &number.to_bytes_be());
}

/// The coefficients of a polynomial of degree 1, from its values at two places.
pub(crate) fn line<C: Curve>(values: [(PartyId, C::Scalar); 2]) -> [C::Scalar; 2] {
    let [(i, at_i), (j, at_j)] = values;
    let place = |id: PartyId| C::Scalar::from(u64::from(id.get()));
    let slope = (at_j - at_i) * C::invert(&(place(j) - place(i)));
    [at_i - slope * place(i), slope]
}
