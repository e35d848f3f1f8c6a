//! What a node holds of keys, as it tells others.

use quorate::session::Transcript;
use quorate::session::wire::Reader;

use super::Unreadable;
use super::fields::{long, put_long};
use crate::request::{KeyId, Scheme};

/// The longest public side of a key.
const LONGEST_PUBLIC: usize = 1 << 20;
/// The bytes of a list, at most.
const LONGEST_LIST: usize = 8 << 20;

/// How shares of a key stand at a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stands {
    /// It has made its own, and may drop it.
    Made,
    /// It keeps its own until all have stored others of their epoch or a later one.
    Kept,
    /// It has given its word that its own is stored, and keeps it.
    Promised,
    /// All have stored theirs.
    Stored,
    /// All have stored theirs, and this node is none of them, or has lost its own.
    Left,
}

/// In the order of their numbers.
const STANDS: [Stands; 5] =
    [Stands::Made, Stands::Promised, Stands::Stored, Stands::Left, Stands::Kept];

impl Stands {
    /// Whether the node has a share, and will have it until all have stored others.
    #[must_use]
    pub const fn keeps(self) -> bool {
        matches!(self, Self::Kept | Self::Promised | Self::Stored)
    }

    /// Its number in messages.
    const fn code(self) -> u8 {
        match self {
            Self::Made => 0,
            Self::Promised => 1,
            Self::Stored => 2,
            Self::Left => 3,
            Self::Kept => 4,
        }
    }
}

/// Shares of a key at a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Holding {
    /// The key.
    pub key: KeyId,
    /// Its scheme.
    pub scheme: Scheme,
    /// How they stand.
    pub stands: Stands,
    /// The public side of the key with these shares.
    pub public: Vec<u8>,
}

/// A name of all that a node holds.
#[must_use]
pub fn digest(list: &[Holding]) -> [u8; 32] {
    let mut transcript = Transcript::new("custody holdings");
    let mut bytes = Vec::new();
    put_list(&mut bytes, list);
    transcript.append("list", &bytes);
    transcript.finish32()
}

/// As much of a list as may be sent, in order.
#[must_use]
pub fn bounded(mut list: Vec<Holding>) -> Vec<Holding> {
    list.sort_unstable();
    let mut bytes = 0_usize;
    let end = list.iter().position(|one| {
        bytes = bytes.saturating_add(one.public.len()).saturating_add(22);
        bytes > LONGEST_LIST
    });
    list.truncate(end.unwrap_or(list.len()));
    list
}

pub(super) fn put_list(out: &mut Vec<u8>, list: &[Holding]) {
    out.extend_from_slice(&u32::try_from(list.len()).unwrap_or(u32::MAX).to_be_bytes());
    for Holding { key, scheme, stands, public } in list {
        out.extend_from_slice(&key.0);
        out.extend_from_slice(&[scheme.code(), stands.code()]);
        put_long(out, public);
    }
}

pub(super) fn read_list(reader: &mut Reader<'_>) -> Result<Vec<Holding>, Unreadable> {
    let count = reader.u32()?;
    // None is shorter: a length that promises more than there is costs nothing.
    reader.expect(usize::try_from(count).map_err(|_| Unreadable)?, 22)?;
    let list = (0..count).map(|_| {
        let (key, scheme) = (KeyId(reader.array()?), reader.u8()?);
        let stands = STANDS.get(usize::from(reader.u8()?)).ok_or(Unreadable)?;
        let scheme = Scheme::from_code(scheme).ok_or(Unreadable)?;
        Ok(Holding { key, scheme, stands: *stands, public: long(reader, LONGEST_PUBLIC)?.to_vec() })
    });
    list.collect()
}
