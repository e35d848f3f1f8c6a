//! Transactions of EVM chains: the example of EIP-155, and the encodings of EIP-2930 and EIP-1559.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_purpose::evm::{Fees, Transaction, Unsigned};
use quorate_purpose::{Integer, KeyKind, Purpose, Value};

/// EIP-155, "Example": the signing data and the signing hash.
const EIP155: &str = "ec098504a817c800825208943535353535353535353535353535353535353535880de0\
    b6b3a764000080018080";

#[test]
fn the_example_of_eip155_has_its_signing_hash() {
    let transaction = Transaction::new(eip155()).unwrap();
    assert_eq!(transaction.unsigned_bytes(), hex(EIP155));
    assert_eq!(Transaction::from_unsigned_bytes(&hex(EIP155)).unwrap(), transaction);
    let purpose = Purpose::from(transaction);
    let digest = purpose.message(KeyKind::EcdsaSecp256k1).unwrap().ecdsa_digest().unwrap();
    assert_eq!(to_hex(&digest), "daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53");
    for key in KeyKind::ALL.into_iter().filter(|key| *key != KeyKind::EcdsaSecp256k1) {
        assert!(purpose.message(key).is_err(), "{key:?}");
    }
}

#[test]
fn facts_of_a_transaction() {
    let facts = Purpose::from(Transaction::new(dynamic()).unwrap()).facts();
    let integer = |name| facts.integer(name).and_then(Integer::to_u128);
    assert_eq!(facts.text("purpose"), Some("evm-transaction"));
    assert_eq!(integer("chain"), Some(8453));
    assert_eq!(integer("nonce"), Some(9));
    assert_eq!(integer("type"), Some(2));
    assert_eq!(integer("value"), Some(1_000_000_000_000_000_000));
    assert_eq!(integer("gas_limit"), Some(60_000));
    assert_eq!(integer("max_fee"), Some(30_000_000_000));
    assert_eq!(integer("max_priority_fee"), Some(1_000_000_000));
    assert_eq!(integer("data_length"), Some(68));
    assert_eq!(integer("access_list_length"), Some(2));
    assert_eq!(facts.bytes("to"), Some(&[0x35; 20][..]));
    assert_eq!(facts.bytes("selector"), Some(&hex("a9059cbb")[..]));
    assert_eq!(facts.bytes("data").map(<[u8]>::len), Some(68));
    assert_eq!(facts.get("contract_creation"), Some(&Value::Bool(false)));

    let fees = Fees::AccessList { gas_price: 7, access_list: vec![] };
    let creation = Unsigned { to: None, data: vec![1; 5], fees, ..eip155() };
    let facts = Purpose::from(Transaction::new(creation).unwrap()).facts();
    assert!(facts.is_true("contract_creation"));
    assert_eq!((facts.get("to"), facts.get("selector")), (None, None));
    assert_eq!(facts.get("max_priority_fee"), None);
}

/// Written by hand after the two EIPs.
#[test]
fn types_1_and_2_are_encoded_as_their_eips_say() {
    let fees = Fees::AccessList { gas_price: 7, access_list: access_list() };
    let to = "94".to_owned() + &"35".repeat(20);
    let keys = format!("f842a0{}a0{}", "01".repeat(32), "02".repeat(32));
    let list = format!("f872f85994{}{keys}d694{}c0", "aa".repeat(20), "bb".repeat(20));
    let middle = format!("825208{to}880de0b6b3a764000080{list}");
    let first = Transaction::new(Unsigned { fees, ..eip155() }).unwrap();
    assert_eq!(to_hex(&first.unsigned_bytes()), format!("01f899010907{middle}"));
    let fees = Fees::Dynamic { max_priority_fee: 7, max_fee: 0x80, access_list: access_list() };
    let second = Transaction::new(Unsigned { fees, ..eip155() }).unwrap();
    assert_eq!(to_hex(&second.unsigned_bytes()), format!("02f89b0109078180{middle}"));
}

fn error(bytes: &[u8]) -> &'static str {
    Transaction::from_unsigned_bytes(bytes).unwrap_err().reason()
}

#[test]
fn transactions_without_a_chain_or_of_unknown_types_are_refused() {
    let without = hex(&EIP155.replace("018080", "").replacen("ec", "e9", 1));
    assert_eq!(error(&without), "it has no id of a chain: it could be repeated on every chain");
    let zero = hex(&EIP155.replace("018080", "808080"));
    assert_eq!(error(&zero), "the id of the chain is zero");
    assert_eq!(error(&hex(&EIP155.replace("018080", "010180"))), "it has a signature already");
    assert_eq!(error(&hex(&EIP155.replace("018080", "018001"))), "it has a signature already");
    for first in [0, 3, 4, 5, 0x7f, 0x80] {
        let typed = Transaction::new(dynamic()).unwrap().unsigned_bytes();
        let typed = [&[first], &typed[1..]].concat();
        assert_eq!(error(&typed), "transactions of this type are unknown", "{first}");
    }
    assert_eq!(error(&[]), "transactions of this type are unknown");
    assert_eq!(error(&hex("0205")), "RLP has a byte where a list belongs");
    assert_eq!(error(&hex("0280")), "RLP has a string where a list belongs");
}

#[test]
fn other_encodings_of_the_same_transaction_are_refused() {
    const SHORTEST: &str = "a length of RLP is not in its shortest form";
    let good = EIP155.to_owned();
    let longer =
        |from: &str, to: &str, head: &str| good.replacen(from, to, 1).replacen("ec", head, 1);
    assert_eq!(error(&hex(&longer("ec09", "ec8109", "ed"))), SHORTEST);
    assert_eq!(
        error(&hex(&longer("825208", "83005208", "ed"))),
        "a number of RLP begins with zeros"
    );
    assert_eq!(error(&hex(&longer("ec", "f82c", "f82c"))), SHORTEST);
    assert_eq!(error(&hex(&longer("825208", "b8025208", "ed"))), SHORTEST);
    assert_eq!(error(&hex(&(good.clone() + "00"))), "bytes follow the end");
    assert_eq!(error(&hex(&longer("8080", "808001", "ed"))), "bytes follow the end");
    assert_eq!(error(&hex("f90000")), SHORTEST);
    assert_eq!(error(&hex("ffffffffffffffffff")), "it ends too early");
    assert_eq!(error(&hex("c1c0")), "RLP has a list where a string belongs");
    let wide = "89ffffffffffffffffff";
    assert_eq!(
        error(&hex(&longer("ec09", &format!("ec{wide}"), "f5"))),
        "a number has more than 64 bits"
    );
}

#[test]
fn fields_out_of_range_are_refused() {
    let reason = |unsigned| Transaction::new(unsigned).unwrap_err().reason();
    assert_eq!(reason(Unsigned { chain: 0, ..eip155() }), "the id of the chain is zero");
    assert_eq!(reason(Unsigned { nonce: u64::MAX, ..eip155() }), "no nonce is that high");
    assert_eq!(reason(Unsigned { value: (-1_i64).into(), ..eip155() }), "the value is negative");
    assert_eq!(reason(Unsigned { data: vec![0; 1 << 20], ..eip155() }), "it is too long");
    let fees = Fees::Dynamic { max_priority_fee: 2, max_fee: 1, access_list: vec![] };
    assert_eq!(reason(Unsigned { fees, ..eip155() }), "the priority fee is above the highest fee");
    let short =
        EIP155.replace(&format!("94{}", "35".repeat(20)), &format!("93{}", "35".repeat(19)));
    assert_eq!(error(&hex(&short.replacen("ec", "eb", 1))), "no address is that long");
    let price = EIP155.replace("8504a817c800", &format!("91{}", "ff".repeat(17)));
    assert_eq!(error(&hex(&price.replacen("ec", "f838", 1))), "a price has more than 128 bits");
    let value = EIP155.replace("880de0b6b3a7640000", &format!("a1{}", "ff".repeat(33)));
    assert_eq!(error(&hex(&value.replacen("ec", "f845", 1))), "a number has more than 256 bits");
    let slots = to_hex(&Transaction::new(dynamic()).unwrap().unsigned_bytes());
    let slots =
        slots.replace(&format!("a0{}", "01".repeat(32)), &format!("9f{}80", "01".repeat(31)));
    assert_eq!(error(&hex(&slots)), "a slot of storage has not 32 bytes");
    let address = to_hex(&Transaction::new(dynamic()).unwrap().unsigned_bytes());
    let address =
        address.replace(&format!("94{}", "bb".repeat(20)), &format!("93{}80", "bb".repeat(19)));
    assert_eq!(error(&hex(&address)), "no address is that long");
}

#[test]
fn the_largest_amount_is_a_fact() {
    let value = Integer::from_be_bytes(&[0xff; 32]).unwrap();
    let all = Purpose::from(Transaction::new(Unsigned { value, ..eip155() }).unwrap());
    assert_eq!(Purpose::from_bytes(&all.to_bytes()).unwrap(), all);
    assert_eq!(all.facts().integer("value"), Some(&value));
}
