//! One input's signature as a purpose.

use alloc::vec::Vec;

use super::script;
use super::transaction::{Input, Output, Transaction, total};
use crate::error::Malformed;
use crate::message::sha256;
use crate::wire::{block, check_length};

/// How an output is spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// Taproot, by the output key (BIP-341).
    TaprootKey,
    /// Taproot, by this script of version 0xc0 (BIP-342), without an `OP_CODESEPARATOR` before the check.
    TaprootScript(Vec<u8>),
    /// P2WPKH (BIP-143).
    SegwitKey,
    /// P2WSH (BIP-143), by this script, without an `OP_CODESEPARATOR` before the check.
    SegwitScript(Vec<u8>),
}

impl Path {
    const fn code(&self) -> u8 {
        match self {
            Self::TaprootKey => 0,
            Self::TaprootScript(_) => 1,
            Self::SegwitKey => 2,
            Self::SegwitScript(_) => 3,
        }
    }

    pub(super) const fn script(&self) -> Option<&Vec<u8>> {
        match self {
            Self::TaprootScript(script) | Self::SegwitScript(script) => Some(script),
            Self::TaprootKey | Self::SegwitKey => None,
        }
    }

    pub(super) const fn is_taproot(&self) -> bool {
        matches!(self, Self::TaprootKey | Self::TaprootScript(_))
    }

    /// Returns whether an output with this script is spent in this way.
    fn fits(&self, output: &[u8]) -> bool {
        match self {
            Self::TaprootKey | Self::TaprootScript(_) => script::output_key(output).is_some(),
            Self::SegwitKey => script::key_hash(output).is_some(),
            Self::SegwitScript(shown) => script::script_hash(output) == Some(&sha256(shown)),
        }
    }
}

/// The parts of the transaction that a signature commits to. Types that leave out inputs or outputs do not exist here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SighashType {
    /// `SIGHASH_DEFAULT`: commits to all parts, in Taproot's shorter signature.
    Default,
    /// `SIGHASH_ALL`: commits to all parts.
    All,
}

impl SighashType {
    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Default => 0,
            Self::All => 1,
        }
    }

    pub(super) const fn from_code(code: u32) -> Result<Self, Malformed> {
        match code {
            0 => Ok(Self::Default),
            1 => Ok(Self::All),
            _ => Err(Malformed("the type of the signature leaves parts of the transaction open")),
        }
    }
}

/// The signature of one input of a Bitcoin transaction. A transaction with several inputs takes a purpose for each.
///
/// The body is the code of the path (0 to 3) and of the signature's type, the number of the input (4), the script of a
/// script path, the unsigned transaction, both behind their lengths (4), and the outputs that the inputs spend: amount and
/// `scriptPubKey`, as in a transaction.
///
/// The signature commits to all inputs and all new outputs. In Taproot it also commits to the amounts and scripts of all
/// outputs that are spent (BIP-341): a false amount gives a signature that no node accepts, so the fee holds. A signature
/// of BIP-143 commits to the amount of its own input alone. Facts that it does not commit to are absent: with several
/// inputs there is no `fee`.
///
/// Facts: `path` (`taproot-key`, `taproot-script`, `segwit-key`, `segwit-script`), `sighash` (`default`, `all`), `input`,
/// `outpoint`, `amount`, `script` (of the output that this input spends), `output_key` or `key_hash` or `script_hash`,
/// `witness_script` and `leaf_hash` (of script paths), `version`, `locktime`, `locktime_enforced`, `replaceable`
/// (BIP-125), `output_total`, and, where the signature commits to them, `input_total` and `fee`. Lists in the order of the
/// transaction: `outpoints`, `sequences`, `output_amounts`, `output_scripts`, `output_types`, and, where the signature
/// commits to them, `input_amounts` and `input_scripts`. An outpoint is the text that explorers show. Types are `p2tr`,
/// `p2wpkh`, `p2wsh`, `p2pkh`, `p2sh`, `p2a`, `op_return` and `other`.
///
/// Nobody can see from it which outputs are change: compare their scripts with the wallet's own. A leaf's place in the tree
/// is not checked either: a leaf that the output key does not commit to gives a signature of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spend {
    pub(super) transaction: Transaction,
    pub(super) spent: Vec<Output>,
    pub(super) input: u32,
    pub(super) path: Path,
    pub(super) sighash: SighashType,
}

impl Spend {
    /// The signature of the input with this number, counted from zero. `spent` are the outputs that the inputs spend, in
    /// their order.
    ///
    /// # Errors
    /// If the transaction is not as its fields say, an output is missing, the path is not that of the output, or there is
    /// more in the new outputs than in the old ones.
    pub fn new(
        transaction: Transaction,
        spent: Vec<Output>,
        input: u32,
        path: Path,
        sighash: SighashType,
    ) -> Result<Self, Malformed> {
        transaction.check()?;
        let new = Self { transaction, spent, input, path, sighash };
        new.check()?;
        Ok(new)
    }

    pub(super) fn check(&self) -> Result<(), Malformed> {
        if self.spent.len() != self.transaction.inputs.len() {
            return Err(Malformed("not each input has the output that it spends"));
        }
        let (_, output) = self.spends().ok_or(Malformed("no input has this number"))?;
        if !self.path.fits(&output.script) {
            return Err(Malformed("the output is not spent in this way"));
        }
        if self.sighash == SighashType::Default && !self.path.is_taproot() {
            return Err(Malformed("only Taproot has the default type of signatures"));
        }
        if total(&self.spent)? < total(&self.transaction.outputs)? {
            return Err(Malformed("the new outputs are more than the old ones"));
        }
        let mut bytes = Vec::new();
        self.put(&mut bytes);
        check_length(bytes.len())
    }

    /// The transaction.
    #[must_use]
    pub const fn transaction(&self) -> &Transaction {
        &self.transaction
    }

    /// The outputs that the inputs spend, in the order of the inputs.
    #[must_use]
    pub fn spent(&self) -> &[Output] {
        &self.spent
    }

    /// The input that is signed, and the output that it spends.
    pub(super) fn spends(&self) -> Option<(&Input, &Output)> {
        let input = usize::try_from(self.input).ok()?;
        Some((self.transaction.inputs.get(input)?, self.spent.get(input)?))
    }

    /// Returns whether the signature commits to the amounts and scripts of all outputs that are spent.
    pub(super) fn commits_to_spent(&self) -> bool {
        self.path.is_taproot() || self.spent.len() == 1
    }

    /// Appends the body.
    pub(super) fn put(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&[self.path.code(), self.sighash.code()]);
        to.extend_from_slice(&self.input.to_be_bytes());
        if let Some(script) = self.path.script() {
            block(to, script);
        }
        block(to, &self.transaction.to_bytes());
        self.spent.iter().for_each(|output| output.write(to));
    }
}
