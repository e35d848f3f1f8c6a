//! A node's statements of its keys, as it sends them to gateways.

use quorate::session::wire::Reader;

use super::Unreadable;
use super::fields::{long, parties, put_long, put_parties};
use crate::request::{KeyId, Scheme};
use crate::statement::{SignedStatement, Statement};

/// The longest public key.
const LONGEST_KEY: usize = 64;
/// The bytes of the shortest statement: its fields of a fixed length, with two nodes.
const SHORTEST: usize = 98;

/// Statements of all keys that all have stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// The [digest](super::holding::digest) of what the node held when it made them.
    pub holds: [u8; 32],
    /// The statements.
    pub list: Vec<SignedStatement>,
}

pub(super) fn put(out: &mut Vec<u8>, stated: &Stated) {
    out.extend_from_slice(&stated.holds);
    out.extend_from_slice(&u32::try_from(stated.list.len()).unwrap_or(u32::MAX).to_be_bytes());
    for SignedStatement { statement, signature } in &stated.list {
        out.extend_from_slice(&statement.key.0);
        out.push(statement.scheme.code());
        put_long(out, &statement.public_key);
        out.push(u8::from(statement.chain_code.is_some()));
        out.extend_from_slice(statement.chain_code.as_ref().map_or(&[], |code| code));
        out.extend_from_slice(&statement.epoch.to_be_bytes());
        out.extend_from_slice(&statement.threshold.to_be_bytes());
        put_parties(out, &statement.committee);
        out.extend_from_slice(signature);
    }
}

pub(super) fn read(reader: &mut Reader<'_>) -> Result<Stated, Unreadable> {
    let (holds, count) = (reader.array()?, reader.u32()?);
    // None is shorter: a length that promises more than there is costs nothing.
    reader.expect(usize::try_from(count).map_err(|_| Unreadable)?, SHORTEST)?;
    let list = (0..count).map(|_| {
        let (key, scheme) = (KeyId(reader.array()?), reader.u8()?);
        let scheme = Scheme::from_code(scheme).ok_or(Unreadable)?;
        let public_key = long(reader, LONGEST_KEY)?.to_vec();
        let chain_code = match reader.u8()? {
            0 => None,
            1 => Some(reader.array()?),
            _ => return Err(Unreadable),
        };
        let (epoch, threshold) = (reader.u32()?, reader.u16()?);
        let committee = parties(reader)?;
        let statement =
            Statement { key, scheme, public_key, chain_code, epoch, threshold, committee };
        Ok(SignedStatement { statement, signature: reader.array()? })
    });
    Ok(Stated { holds, list: list.collect::<Result<_, _>>()? })
}
