//! A payment of Ethereum: py-evm verifies and executes it.

use std::path::PathBuf;
use std::process::Command;

use bitcoin::secp256k1::PublicKey;
use custody_core::SignatureDescription;
use quorate_purpose::Kind;
use quorate_purpose::evm::{Fees, Transaction, Unsigned};
use sha3::{Digest as _, Keccak256};

use super::{Service, account, hex, recovered};

/// The chain of py-evm's tests.
const CHAIN: u64 = 131_277_322_940_537;
const RECIPIENT: [u8; 20] = [0x35; 20];
const ETHER: &str = "1000000000000000000";

fn payment() -> Transaction {
    let fees = Fees::Dynamic {
        max_fee: 30_000_000_000,
        max_priority_fee: 1_000_000_000,
        access_list: vec![],
    };
    Transaction::new(Unsigned {
        chain: CHAIN,
        nonce: 0,
        fees,
        gas_limit: 21_000,
        to: Some(RECIPIENT),
        value: ETHER.parse().unwrap(),
        data: vec![],
    })
    .unwrap()
}

/// The bytes that go to the network: the parity and the signature stand behind the fields (EIP-1559).
fn signed(unsigned: &[u8], made: &SignatureDescription) -> Vec<u8> {
    let [kind, head, rest @ ..] = unsigned else { panic!("no transaction") };
    // A list of up to 55 bytes, or one whose length has a byte of its own.
    let fields = if *head < 0xf8 { rest } else { &rest[1..] };
    let parity = if made.recovery_id == Some(0) { 0x80 } else { 1 };
    let mut list = [fields, &[parity]].concat();
    for number in made.signature.chunks(32) {
        let zeros = number.iter().take_while(|byte| **byte == 0).count();
        list.push(0x80 + (32 - zeros) as u8);
        list.extend_from_slice(&number[zeros..]);
    }
    [&[*kind, 0xf8, list.len() as u8], &list[..]].concat()
}

/// A Python that has `eth-tester` with `py-evm`: `.ci/run interface` names one.
fn python() -> Option<PathBuf> {
    let python = std::env::var_os("CUSTODY_EVM").unwrap_or_else(|| "python3".into());
    let found = Command::new(&python).args(["-c", "import eth_tester, eth"]).output();
    found.ok().filter(|output| output.status.success()).map(|_| python.into())
}

#[tokio::test(flavor = "multi_thread")]
async fn payment_is_executed_by_a_chain() {
    let service = Service::start("acceptance-evm", "ecdsa-secp256k1", Kind::EvmTransaction).await;
    let unsigned = payment().unsigned_bytes();
    let made = service.sign(payment(), "m/0/7").await;
    let own = recovered(Keccak256::digest(&unsigned).into(), &made);
    let child = service.describe("m/0/7").await.child.unwrap();
    assert_eq!(own, PublicKey::from_slice(&child.public_key).unwrap());
    let Some(python) = python() else {
        eprintln!("eth-tester is not installed: not executed (pip install 'eth-tester[py-evm]')");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../acceptance/evm.py");
    let raw = hex(&signed(&unsigned, &made));
    let arguments = [raw, hex(&account(&own)), hex(&RECIPIENT)].map(|text| format!("0x{text}"));
    let run = Command::new(python).arg(script).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    // The nonce of the sender, and what the recipient has.
    assert_eq!(said.trim(), format!("1 {ETHER}"), "{}", String::from_utf8_lossy(&run.stderr));
}
