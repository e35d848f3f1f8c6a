//! Sessions among some parties, in lockstep, with the frames that they sent.

use num_bigint::BigUint;
use quorate::session::frame::{HEADER, PREFIX};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Outgoing, Parties, PartyId, Protocol, Step, To};
use quorate_curve::Curve;
use quorate_testkit::heap::Watchlist;
use quorate_testkit::lockstep::{in_lockstep, sid, start_seeded};

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

/// Runs a protocol among all parties. `sent` gets every message.
pub(crate) fn run<P: Protocol>(
    number: u8,
    parties: &Parties,
    params: impl Fn(PartyId) -> P::Params,
    mut sent: impl FnMut(u8, PartyId, &Outgoing),
) -> Vec<P::Output> {
    let begin = |(me, seed)| start_seeded(sid(number), me, parties, params(me), seed);
    let steps: Vec<Step<P>> = parties.iter().zip(number..).map(begin).collect();
    let results = in_lockstep(steps, |mail, sessions| {
        for one in mail {
            one.outgoing.iter().for_each(|message| sent(one.round, one.from, message));
        }
        for session in sessions {
            let me = session.party_id();
            for one in mail {
                for message in one.to(me) {
                    session.receive(one.from, &message.bytes).unwrap();
                }
            }
        }
    });
    assert_eq!(results.len(), parties.len());
    results.into_values().map(Result::unwrap).collect()
}

/// Runs a protocol among all parties, and records all frames.
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
