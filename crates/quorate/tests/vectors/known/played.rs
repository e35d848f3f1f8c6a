//! Runs whose frames are recorded.

use std::collections::BTreeMap;

use quorate::Parties;
use quorate::session::{Protocol, SealKey};
use quorate_testkit::lockstep::{Results, id, in_lockstep, sid, start_seeded};

/// A round and a sender.
pub(super) type Place = (u8, u16);
/// Frames, or sealed sessions.
pub(super) type Places = BTreeMap<Place, Vec<u8>>;

/// The frames, the sealed sessions and the ends of a run.
pub(super) struct Played<P: Protocol> {
    /// The frames, as they were delivered.
    pub(super) frames: Places,
    /// The sealed session of each party at the start of each round.
    pub(super) sealed: Places,
    pub(super) ends: Results<P>,
}

/// The part of a party: its number, the byte of its seed, and its parameters.
pub(super) type Part<P> = (u16, u8, <P as Protocol>::Params);

/// Plays a protocol in which a party sends one frame a round. `alter` may change what all others receive, and gets
/// the frames so far.
pub(super) fn play<P: Protocol, const N: usize>(
    session: u8,
    parts: [Part<P>; N],
    alter: impl Fn(Place, &mut Vec<u8>, &Places),
) -> Played<P> {
    let parties = Parties::new(parts.each_ref().map(|(me, ..)| id(*me))).unwrap();
    let start = |(me, seed, params)| start_seeded(sid(session), id(me), &parties, params, seed);
    let (mut frames, mut sealed) = (Places::new(), Places::new());
    let ends = in_lockstep::<P>(parts.into_iter().map(start).collect(), |mail, sessions| {
        for session in sessions.iter() {
            let place = (session.round().get(), session.party_id().get());
            sealed.insert(place, session.seal(&SealKey::new([8; 32])).as_bytes().to_vec());
        }
        for one in mail {
            let [message] = one.outgoing.as_slice() else { panic!("one frame a round") };
            let (place, mut frame) = ((one.round, one.from.get()), message.bytes.clone());
            alter(place, &mut frame, &frames);
            for session in sessions.iter_mut().filter(|session| session.party_id() != one.from) {
                session.receive(one.from, &frame).unwrap();
            }
            frames.insert(place, frame);
        }
    });
    Played { frames, sealed, ends }
}

impl<P: Protocol> Played<P> {
    /// The result of a party that has one.
    pub(super) fn take(&mut self, party: u16) -> P::Output {
        self.ends.remove(&id(party)).unwrap().unwrap()
    }

    /// The body of a frame that begins with a prefix or an echo.
    pub(super) fn body(&self, round: u8, party: u16) -> &[u8] {
        &self.frames[&(round, party)][71..]
    }
}
