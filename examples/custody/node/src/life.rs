//! Lives of nodes: a node begins another one when it does not know that its databases are the latest.
//!
//! A restored node has forgotten runs. If it began one of them again, it would send another first message in the same session, and
//! its peers would accuse it. So the id of a session has the lives of all parties. Within one life a run is stored before its
//! first message and never forgotten; in another life it has another session, whoever repeats the order. Only the node's own life
//! matters for that. Those of the peers make all parties agree upon the session: until they do, the run does not end, and the
//! next order begins another one.

use custody_core::Refusal;
use quorate_store::AnyStore;

use crate::rows::{internal, space};

/// A random number, or [`FIRST`].
pub(crate) type Life = [u8; 16];

/// The life of a node that has drawn none.
pub(crate) const FIRST: Life = [0; 16];

/// Draws another life.
pub(crate) fn draw() -> Result<Life, Refusal> {
    let mut life = FIRST;
    getrandom::fill(&mut life).map_err(internal)?;
    Ok(life)
}

/// Reads the life of the node.
pub(crate) fn load(store: &mut AnyStore) -> Result<Life, Refusal> {
    let row = store.read_records(|rows| rows.get(space::LIFE, &[])).map_err(internal)?;
    row.map_or(Ok(FIRST), |row| row.as_slice().try_into().map_err(internal))
}
