//! The lies of a party that cheats.

use core::ops::Range;

use quorate::session::Check;
use quorate::{Fault, PartyId};
use quorate_curve::Curve;

use crate::run::{Course, Place};

/// A function that makes a body from what was sent before.
type Body<'a> = dyn Fn(&Course) -> Vec<u8> + 'a;

/// A change of a body.
pub(crate) enum Edit<'a> {
    /// A byte less.
    Shorter,
    /// A byte more.
    Longer,
    /// These bytes are all ones.
    Ones(Range<usize>),
    /// These bytes are zeros.
    Zeros(Range<usize>),
    /// The last bit of this byte is another one.
    Flip(usize),
    /// This byte has this value.
    Byte(usize, u8),
    /// The scalar in these bytes is one more.
    Next(Range<usize>),
    /// The generator is added to the point in these bytes.
    Moved(Range<usize>),
    /// The body is another one.
    Forged(Box<Body<'a>>),
    /// A second message, with another last bit.
    Twice,
    /// No message.
    Nothing,
}

impl Edit<'_> {
    /// Changes the body of a frame behind this head. Returns a second frame, if there is one.
    pub(crate) fn apply<C: Curve>(
        &self,
        course: &Course,
        frame: &mut Vec<u8>,
        head: usize,
    ) -> Option<Vec<u8>> {
        let within = |range: &Range<usize>| head + range.start..head + range.end;
        match self {
            Self::Shorter => drop(frame.pop()),
            Self::Longer => frame.push(0),
            Self::Ones(range) => frame[within(range)].fill(0xff),
            Self::Zeros(range) => frame[within(range)].fill(0),
            Self::Flip(at) => frame[head + at] ^= 1,
            Self::Byte(at, value) => frame[head + at] = *value,
            Self::Next(range) => increment::<C>(&mut frame[within(range)]),
            Self::Moved(range) => {
                let bytes = &mut frame[within(range)];
                let point = C::decode_point(bytes).expect("a point") + C::generator();
                bytes.copy_from_slice(C::encode_point(&point).as_ref());
            }
            Self::Forged(body) => {
                frame.truncate(head);
                frame.extend(body(course));
            }
            Self::Twice => {
                let mut other = frame.clone();
                *other.last_mut().expect("a body") ^= 1;
                return Some(other);
            }
            Self::Nothing => frame.clear(),
        }
        None
    }
}

/// Adds one to an encoded scalar.
pub(crate) fn increment<C: Curve>(bytes: &mut [u8]) {
    let scalar = C::decode_scalar(bytes).expect("a scalar") + C::Scalar::from(1);
    bytes.copy_from_slice(C::encode_scalar(&scalar).as_ref());
}

/// The messages of a round that a culprit alters.
pub(crate) enum Of {
    /// Its broadcast.
    Broadcast,
    /// Its messages to one party.
    Direct,
    /// Its messages of both kinds.
    Any,
    /// Its messages that this party gets.
    To(PartyId),
    /// The messages that it sends, and those that it gets.
    BothWays,
}

/// A change of some messages of a round.
pub(crate) struct Lie<'a> {
    /// The round.
    pub(crate) round: u8,
    /// The messages.
    pub(crate) of: Of,
    /// The change.
    pub(crate) edit: Edit<'a>,
}

impl Lie<'_> {
    /// Returns whether a message to `me` is one of these.
    pub(crate) fn is_about(&self, (round, from, to): Place, me: PartyId, culprit: PartyId) -> bool {
        let of = match self.of {
            Of::Broadcast => to.is_none(),
            Of::Direct => to.is_some(),
            Of::Any | Of::BothWays => true,
            Of::To(party) => party == me,
        };
        round == self.round && of && (from == culprit || matches!(self.of, Of::BothWays))
    }
}

/// A way to cheat, and the fault that honest parties find.
pub(crate) struct Cheat<'a> {
    /// The lie, in words.
    pub(crate) what: &'static str,
    /// The lies.
    pub(crate) lies: Vec<Lie<'a>>,
    /// The fault.
    pub(crate) fault: Fault,
    /// The round in which it is found.
    pub(crate) found: u8,
    /// The check that fails for parties that cannot know who the culprit is.
    pub(crate) bystanders: Option<Check>,
}

impl<'a> Cheat<'a> {
    /// A lie whose fault every honest party finds in the same round.
    pub(crate) fn new(what: &'static str, lie: Lie<'a>, fault: Fault) -> Self {
        Self { what, found: lie.round, lies: vec![lie], fault, bystanders: None }
    }

    /// Adds a lie.
    pub(crate) fn with(mut self, lie: Lie<'a>) -> Self {
        self.lies.push(lie);
        self
    }

    /// Sets the round in which the fault is found.
    pub(crate) fn found(self, round: u8) -> Self {
        Self { found: round, ..self }
    }
}
