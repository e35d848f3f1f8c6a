//! What nodes say about their histories: how far each has come, and what the others have seen of it.

use quorate::session::wire::Reader;

use super::Unreadable;

/// A random value of one life of a worker. Whoever answers it has heard it in that life.
pub type Challenge = [u8; 16];

/// A place in a node's history: what it has released so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Mark {
    /// The number of times that the node has begun its history anew.
    pub epoch: u64,
    /// The number of releases so far.
    pub number: u64,
    /// The hash of all of them.
    pub head: [u8; 32],
}

/// What a node knows of another node's history, and how far it has come itself: the answer to a sign of life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The challenge of the sign of life.
    pub echo: Challenge,
    /// What the sender had kept of the recipient's history before that.
    pub seen: Mark,
    /// Whether the sender has stayed up since the recipient last relied on its own history, and has kept what it released
    /// until then.
    pub vouches: bool,
    /// The end of the sender's own history.
    pub mark: Mark,
    /// Whether the sender relies on its own history.
    pub relies: bool,
}

pub(super) fn put_mark(out: &mut Vec<u8>, mark: &Mark) {
    out.extend_from_slice(&mark.epoch.to_be_bytes());
    out.extend_from_slice(&mark.number.to_be_bytes());
    out.extend_from_slice(&mark.head);
}

pub(super) fn read_mark(reader: &mut Reader<'_>) -> Result<Mark, Unreadable> {
    Ok(Mark { epoch: reader.u64()?, number: reader.u64()?, head: reader.array()? })
}

pub(super) fn put_witness(out: &mut Vec<u8>, witness: &Witness) {
    let Witness { echo, seen, vouches, mark, relies } = witness;
    out.extend_from_slice(echo);
    put_mark(out, seen);
    put_mark(out, mark);
    out.push(u8::from(*vouches) | u8::from(*relies) << 1);
}

pub(super) fn read_witness(reader: &mut Reader<'_>) -> Result<Witness, Unreadable> {
    let (echo, seen, mark) = (reader.array()?, read_mark(reader)?, read_mark(reader)?);
    let flags = reader.u8()?;
    if flags > 3 {
        return Err(Unreadable);
    }
    Ok(Witness { echo, seen, vouches: flags & 1 != 0, mark, relies: flags & 2 != 0 })
}
