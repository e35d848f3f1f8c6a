//! A transaction that is not yet signed.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::compact;
use crate::error::Malformed;
use crate::wire::Reader;

/// 21 million bitcoins, in satoshis.
const MAX_MONEY: u64 = 2_100_000_000_000_000;
/// The longest transaction without witnesses that nodes relay (400,000 units of weight).
const MAX_BYTES: usize = 100_000;

/// An output that is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The transaction, by its hash. Explorers show the bytes in the reverse order.
    pub txid: [u8; 32],
    /// The number of its output.
    pub index: u32,
    /// The sequence number (BIP-68, BIP-125).
    pub sequence: u32,
}

/// An amount, and the script that guards it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Satoshis.
    pub amount: u64,
    /// The `scriptPubKey`.
    pub script: Vec<u8>,
}

/// A transaction that is not yet signed. The amounts are those of the outputs: an input's amount is elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The version.
    pub version: u32,
    /// The outputs that are spent. At least one, and each once.
    pub inputs: Vec<Input>,
    /// The new outputs. At least one.
    pub outputs: Vec<Output>,
    /// The block or the second before which nobody takes the transaction.
    pub locktime: u32,
}

impl Input {
    pub(super) fn put_outpoint(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.txid);
        to.extend_from_slice(&self.index.to_le_bytes());
    }
}

impl Output {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let amount = compact::u64(reader)?;
        Ok(Self { amount, script: compact::bytes(reader)?.into() })
    }

    pub(super) fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.amount.to_le_bytes());
        compact::put_bytes(to, &self.script);
    }
}

/// The sum of amounts, if there are as many bitcoins.
pub(super) fn total(outputs: &[Output]) -> Result<u64, Malformed> {
    const MUCH: Malformed = Malformed("the amounts are more than all bitcoins");
    outputs.iter().try_fold(0_u64, |sum, output| {
        sum.checked_add(output.amount).filter(|sum| *sum <= MAX_MONEY).ok_or(MUCH)
    })
}

impl Transaction {
    pub(super) fn check(&self) -> Result<(), Malformed> {
        if self.inputs.is_empty() || self.outputs.is_empty() {
            return Err(Malformed("it has no input, or no output"));
        }
        if self.inputs.iter().any(|input| input.txid == [0; 32]) {
            return Err(Malformed("an input spends no output"));
        }
        let spent: BTreeSet<_> =
            self.inputs.iter().map(|input| (&input.txid, input.index)).collect();
        if spent.len() < self.inputs.len() {
            return Err(Malformed("an output is spent twice"));
        }
        total(&self.outputs)?;
        if self.to_bytes().len() > MAX_BYTES {
            return Err(Malformed("no node relays a transaction of this length"));
        }
        Ok(())
    }

    /// The form that is sent, without witnesses and with empty scripts of the inputs.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.version.to_le_bytes().to_vec();
        compact::put_size(&mut bytes, self.inputs.len());
        for input in &self.inputs {
            input.put_outpoint(&mut bytes);
            bytes.push(0);
            bytes.extend_from_slice(&input.sequence.to_le_bytes());
        }
        compact::put_size(&mut bytes, self.outputs.len());
        self.outputs.iter().for_each(|output| output.write(&mut bytes));
        bytes.extend_from_slice(&self.locktime.to_le_bytes());
        bytes
    }

    /// Reads [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// If it is not the one encoding, an input has a script or a witness, or no node would take the transaction.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        if bytes.len() > MAX_BYTES {
            return Err(Malformed("no node relays a transaction of this length"));
        }
        let mut reader = Reader::new(bytes);
        let (version, mut inputs, mut outputs) =
            (compact::u32(&mut reader)?, Vec::new(), Vec::new());
        for _ in 0..compact::size(&mut reader)? {
            let (txid, index) = (reader.array()?, compact::u32(&mut reader)?);
            if !compact::bytes(&mut reader)?.is_empty() {
                return Err(Malformed("an input has a script: it is signed already"));
            }
            inputs.push(Input { txid, index, sequence: compact::u32(&mut reader)? });
        }
        for _ in 0..compact::size(&mut reader)? {
            outputs.push(Output::read(&mut reader)?);
        }
        let locktime = compact::u32(&mut reader)?;
        reader.end()?;
        let read = Self { version, inputs, outputs, locktime };
        read.check()?;
        Ok(read)
    }
}
