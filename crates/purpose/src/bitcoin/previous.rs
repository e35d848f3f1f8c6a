//! A transaction of the past, of which one output is spent.

use super::compact;
use super::transaction::{Input, Output};
use crate::error::Malformed;
use crate::message::sha256;
use crate::wire::Reader;

/// The output that an input spends, from the whole transaction that made it.
pub(super) fn output(bytes: &[u8], input: &Input) -> Result<Output, Malformed> {
    let mut reader = Reader::new(bytes);
    let mut hashed = reader.take(4)?.to_vec();
    // Without inputs, and one output: the mark of a transaction with witnesses (BIP-144).
    let has_witnesses = bytes.get(4..6) == Some(&[0, 1]);
    if has_witnesses {
        reader.take(2)?;
    }
    let (inputs, mut outputs) = (compact::size(&mut reader)?, alloc::vec::Vec::new());
    compact::put_size(&mut hashed, inputs);
    for _ in 0..inputs {
        hashed.extend_from_slice(reader.take(36)?);
        compact::put_bytes(&mut hashed, compact::bytes(&mut reader)?);
        hashed.extend_from_slice(reader.take(4)?);
    }
    for _ in 0..compact::size(&mut reader)? {
        outputs.push(Output::read(&mut reader)?);
    }
    compact::put_size(&mut hashed, outputs.len());
    outputs.iter().for_each(|output| output.write(&mut hashed));
    if has_witnesses {
        for _ in 0..inputs {
            for _ in 0..compact::size(&mut reader)? {
                compact::bytes(&mut reader)?;
            }
        }
    }
    hashed.extend_from_slice(reader.take(4)?);
    reader.end()?;
    if sha256(&sha256(&hashed)) != input.txid {
        return Err(Malformed("a previous transaction is not the one that is spent"));
    }
    let spent = usize::try_from(input.index).ok().filter(|index| *index < outputs.len());
    spent.map(|index| outputs.swap_remove(index)).ok_or(Malformed("an input spends no output"))
}
