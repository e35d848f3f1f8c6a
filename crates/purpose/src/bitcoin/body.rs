//! A spend as the body of a purpose.

use alloc::vec::Vec;

use super::spend::{Path, SighashType, Spend};
use super::transaction::{Output, Transaction};
use super::{facts, sighash};
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};
use crate::wire::Reader;

impl Body for Spend {
    const KIND: Kind = Kind::BitcoinSpend;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(body);
        let (path, sighash) = (reader.byte()?, SighashType::from_code(reader.byte()?.into())?);
        let input = u32::from_be_bytes(reader.array()?);
        let path = match path {
            0 => Path::TaprootKey,
            1 => Path::TaprootScript(reader.block()?.into()),
            2 => Path::SegwitKey,
            3 => Path::SegwitScript(reader.block()?.into()),
            _ => return Err(Malformed("the path of the spend is unknown")),
        };
        let transaction = Transaction::from_bytes(reader.block()?)?;
        let mut spent = Vec::new();
        for _ in &transaction.inputs {
            spent.push(Output::read(&mut reader)?);
        }
        reader.end()?;
        let read = Self { transaction, spent, input, path, sighash };
        read.check()?;
        Ok(read)
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.put(to);
    }

    /// BIP-340 takes the digest of BIP-341 as its message. ECDSA signs two times SHA-256 of BIP-143's preimage, of which one
    /// is in the bytes.
    fn signed(&self, key: KeyKind) -> Option<Message> {
        match key {
            KeyKind::Bip340 if self.path.is_taproot() => {
                Some(Message::Raw(sighash::taproot(self).to_vec()))
            }
            KeyKind::EcdsaSecp256k1 => {
                let bytes = sighash::segwit(self)?.to_vec();
                Some(Message::Hashed { hash: Hash::Sha256, bytes })
            }
            _ => None,
        }
    }

    fn add_facts(&self, facts: &mut Facts) {
        facts::add(self, facts);
    }
}
