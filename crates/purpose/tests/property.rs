//! Random spends, certificates and delegations: each is read again as itself, and no two share a digest.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

mod common;

use std::collections::BTreeSet;

use common::certificates::*;
use quorate_purpose::bitcoin::{Input, Output, Path, SighashType, Spend, Transaction};
use quorate_purpose::evm::{Authorization, SetCodeTransaction, SignedAuthorization};
use quorate_purpose::x509::X509Certificate;
use quorate_purpose::{Integer, KeyKind, Purpose};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.bytes(N).try_into().unwrap()
    }
}

/// Checks that a purpose is read again as itself, and gives what each key signs.
fn checked(purpose: &Purpose) -> Vec<Vec<u8>> {
    assert_eq!(Purpose::from_bytes(&purpose.to_bytes()).as_ref(), Ok(purpose));
    let messages = KeyKind::ALL.into_iter().filter_map(|key| purpose.message(key).ok());
    messages
        .map(|message| match message.raw() {
            Some(raw) => raw.to_vec(),
            None => message.ecdsa_digest().unwrap().to_vec(),
        })
        .collect()
}

fn transaction(random: &mut Random) -> (Transaction, Vec<Output>) {
    let count = 1 + random.below(4);
    let input = |random: &mut Random| Input {
        txid: random.array(),
        index: random.below(9) as u32,
        sequence: random.below(1 << 31) as u32,
    };
    let inputs: Vec<Input> = (0..count).map(|_| input(random)).collect();
    let spent = |random: &mut Random| Output {
        amount: 1_000 + random.below(1_000_000),
        script: match random.below(2) {
            0 => [&[0x51, 32], &random.array::<32>()[..]].concat(),
            _ => [&[0, 20], &random.array::<20>()[..]].concat(),
        },
    };
    let spent: Vec<Output> = (0..count).map(|_| spent(random)).collect();
    let outputs = (0..=random.below(3)).map(|_| {
        let length = random.below(300) as usize;
        Output { amount: random.below(250), script: random.bytes(length) }
    });
    let outputs = outputs.collect();
    let (version, locktime) = (random.below(4) as u32, random.below(1 << 31) as u32);
    (Transaction { version, inputs, outputs, locktime }, spent)
}

#[test]
fn random_spends_are_read_again_and_each_input_has_its_own_digest() {
    let (mut random, mut seen, mut made) = (Random(1), BTreeSet::new(), 0);
    for _ in 0..100 {
        let (transaction, spent) = transaction(&mut random);
        assert_eq!(Transaction::from_bytes(&transaction.to_bytes()).as_ref(), Ok(&transaction));
        for (input, output) in (0_u32..).zip(&spent) {
            let leaf = random.bytes(34);
            let new = |path, sighash| {
                Spend::new(transaction.clone(), spent.clone(), input, path, sighash).unwrap()
            };
            let spends = if output.script[0] == 0 {
                vec![new(Path::SegwitKey, SighashType::All)]
            } else {
                vec![
                    new(Path::TaprootKey, SighashType::Default),
                    new(Path::TaprootKey, SighashType::All),
                    new(Path::TaprootScript(leaf), SighashType::All),
                ]
            };
            for spend in spends {
                let fee = spend.spent().iter().map(|output| output.amount).sum::<u64>()
                    - transaction.outputs.iter().map(|output| output.amount).sum::<u64>();
                let purpose = Purpose::from(spend);
                if let Some(found) = purpose.facts().integer("fee") {
                    assert_eq!(found, &fee.into());
                }
                seen.extend(checked(&purpose));
                made += 1;
            }
        }
    }
    assert_eq!(seen.len(), made, "each has one key, and a digest of its own");
}

#[test]
fn random_certificates_are_read_again() {
    let mut random = Random(2);
    for _ in 0..200 {
        let serial = [&[1 + random.below(127) as u8], &random.array::<7>()[..]].concat();
        let length = 1 + random.below(80) as usize;
        let common: String = random.bytes(length).iter().map(|byte| char::from(*byte)).collect();
        let host = format!("h{}.example.", random.below(1000)).repeat(1 + random.below(4) as usize);
        let names = der(0x30, &der(0x82, host.trim_end_matches('.').as_bytes()));
        let tbs = Tbs {
            serial: der(2, &serial),
            subject: name(&common),
            key: key(ED25519, vec![], &random.array::<32>()),
            extensions: vec![extension(&[0x55, 0x1d, 17], None, &names)],
            ..small()
        };
        let purpose = Purpose::from(X509Certificate::from_tbs_bytes(&tbs.bytes()).unwrap());
        assert_eq!(checked(&purpose), [tbs.bytes()], "the bytes as they were given");
        assert_eq!(purpose.facts().bytes("serial"), Some(&serial[..]));
    }
}

#[test]
fn random_delegations_are_read_again() {
    let (mut random, mut seen) = (Random(3), BTreeSet::new());
    for count in 1..100 {
        let mut item = || {
            let chain = random.below(3) * random.below(1 << 20);
            let (y_parity, nonce) = (random.below(2) as u8, random.below(1 << 30));
            let mut number = || {
                let length = random.below(33) as usize;
                Integer::from_be_bytes(&random.bytes(length)).unwrap()
            };
            let (r, s) = (number(), number());
            let authorization = Authorization::new(chain, random.array(), nonce).unwrap();
            SignedAuthorization { authorization, y_parity, r, s }
        };
        let list: Vec<_> = (0..count % 7 + 1).map(|_| item()).collect();
        let call = common::delegations::blobs().call().clone();
        let transaction = SetCodeTransaction::new(call, list.clone()).unwrap();
        assert_eq!(transaction.authorizations(), list);
        seen.extend(checked(&transaction.into()));
        checked(&list[0].authorization.into());
    }
    assert_eq!(seen.len(), 99);
}
