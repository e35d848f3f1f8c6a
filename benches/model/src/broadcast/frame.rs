//! Frames, and what they say.

/// A set of parties, one bit each; also one bit of each party's broadcast.
pub type Bits = u8;

/// Returns whether a party is in a set.
#[must_use]
pub fn has(bits: Bits, party: usize) -> bool {
    bits >> party & 1 == 1
}

/// A round, and whether the frame is for all or for one party.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The broadcast of round 1: one bit.
    One,
    /// The broadcast of round 2: the echo, an answer to the broadcasts of round 1, and one bit.
    Two,
    /// The message to one party in round 2, with the echo. Each recipient has another one.
    Direct,
    /// The broadcast of round 3: the echo, and the confirmation of the result.
    Three,
}

/// The kinds of frames.
pub const KINDS: [Kind; 4] = [Kind::One, Kind::Two, Kind::Direct, Kind::Three];

impl Kind {
    /// The round that it belongs to.
    #[must_use]
    pub const fn round(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two | Self::Direct => 2,
            Self::Three => 3,
        }
    }
}

/// The echo and the body of a frame.
///
/// An echo is a digest. Here it is what it is a digest of: a bit of each party.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Content {
    /// The echo of the broadcasts of the round before; zero in round 1.
    pub echo: Bits,
    /// The bit of a broadcast; the recipient that a message to one party is for.
    pub value: u8,
    /// The answer or the confirmation does not follow from the broadcasts that the echo shows.
    pub wrong: bool,
}

/// A frame on its way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The sender that the frame names.
    pub from: usize,
    /// The kind. A message to one party names that party in [`Content::value`].
    pub kind: Kind,
    /// The echo and the body.
    pub content: Content,
    /// The frame is of another run of the same parties.
    pub is_stray: bool,
}

impl Content {
    /// A content without a mistake.
    #[must_use]
    pub const fn new(echo: Bits, value: u8) -> Self {
        Self { echo, value, wrong: false }
    }

    /// The place in a set of contents.
    const fn place(self) -> u32 {
        (self.echo as u32 & 15) << 3 | (self.value as u32 & 3) << 1 | self.wrong as u32
    }
}

/// A set of contents of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Contents(u128);

impl Contents {
    /// Adds one.
    pub fn insert(&mut self, content: Content) {
        self.0 |= 1 << content.place();
    }

    /// The contents of the set.
    pub fn iter(self) -> impl Iterator<Item = Content> {
        let at = |place: u32| Content {
            echo: (place >> 3) as u8,
            value: (place >> 1 & 3) as u8,
            wrong: place & 1 == 1,
        };
        let mut left = self.0;
        core::iter::from_fn(move || {
            let place = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(at(place))
        })
    }
}
