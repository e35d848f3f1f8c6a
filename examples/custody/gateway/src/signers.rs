//! The record of who signed what, for audits.

use custody_core::RequestId;
use quorate::PartyId;

use crate::config::Now;
use crate::database::{Database, Space, Write};
use crate::engine::Engine;

/// A signature that a gateway has put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureRecord {
    /// The request.
    pub request: RequestId,
    /// The time, in seconds since 1970.
    pub time: u64,
    /// The names of the nodes that gave a share.
    pub signers: Vec<String>,
}

impl Engine {
    /// Records the signers of a request that ends at this time. The row goes with that of the end.
    pub(crate) fn record_signers(&mut self, request: RequestId, signers: &[PartyId], now: Now) {
        let members = signers.iter().filter_map(|party| self.directory.member_of(*party));
        let names: Vec<_> = members.map(|member| member.name.as_str()).collect();
        // A list of names always has an encoding.
        let content = postcard::to_stdvec(&names).unwrap_or_default();
        let name = [now.wall.to_be_bytes().as_slice(), request.as_bytes()].concat();
        self.writes.push(Write::Put(Space::Signers, name, content));
    }
}

impl Database {
    /// Reads the record of all signatures that the gateway keeps, the oldest first. The gateway may run meanwhile.
    ///
    /// # Errors
    /// The error of the database, or [`Damaged`](quorate_store::Error::Damaged).
    pub fn signatures(mut self) -> Result<Vec<SignatureRecord>, quorate_store::Error> {
        let rows = self.read(Space::Signers)?;
        let record = |row: quorate_store::RecordRow| {
            let (time, request) = row.name.split_first_chunk()?;
            Some(SignatureRecord {
                request: RequestId::new(request.try_into().ok()?),
                time: u64::from_be_bytes(*time),
                signers: postcard::from_bytes(&row.content).ok()?,
            })
        };
        let damaged = || quorate_store::Error::Damaged("a record of signers".to_owned());
        rows.into_iter().map(|row| record(row).ok_or_else(damaged)).collect()
    }
}
