//! Spends from partially signed transactions of the versions 0 (BIP-174, BIP-371) and 2 (BIP-370).
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::spends::*;
use common::*;
use quorate_purpose::Malformed;
use quorate_purpose::bitcoin::{Input, Output, Spend, Transaction};

fn reason(result: Result<Spend, Malformed>) -> &'static str {
    result.unwrap_err().reason()
}

fn field(key: &[u8], value: &[u8]) -> Vec<u8> {
    [&[u8::try_from(key.len()).unwrap()], key, &compact(value)].concat()
}

fn compact(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap();
    let [low, high] = length.to_le_bytes();
    let head = if length < 0xfd { vec![low] } else { vec![0xfd, low, high] };
    [&head[..], bytes].concat()
}

fn serialized(output: &Output) -> Vec<u8> {
    [&output.amount.to_le_bytes()[..], &compact(&output.script)].concat()
}

/// A PSBT of version 0: the fields of the global map, of each input and of each output.
fn psbt(global: &[u8], inputs: &[Vec<u8>], outputs: usize) -> Vec<u8> {
    let inputs: Vec<u8> = inputs.iter().flat_map(|fields| [&fields[..], &[0]].concat()).collect();
    [b"psbt\xff", global, &[0], &inputs[..], &vec![0; outputs]].concat()
}

fn unsigned(transaction: &Transaction) -> Vec<u8> {
    field(&[0], &transaction.to_bytes())
}

fn psbt_of(spend: &Spend, own: usize, extra: &[u8]) -> Vec<u8> {
    let mut inputs: Vec<Vec<u8>> =
        spend.spent().iter().map(|output| field(&[1], &serialized(output))).collect();
    inputs[own].extend_from_slice(extra);
    let outputs = spend.transaction().outputs.len();
    psbt(&unsigned(spend.transaction()), &inputs, outputs)
}

#[test]
fn a_psbt_gives_the_spend_of_each_path() {
    assert_eq!(Spend::from_psbt(&psbt_of(&bip341_key(), 4, &[]), 4), Ok(bip341_key()));
    let default = field(&[3], &[0; 4]);
    assert_eq!(Spend::from_psbt(&psbt_of(&bip341_key(), 4, &default), 4), Ok(bip341_key()));
    assert_eq!(Spend::from_psbt(&psbt_of(&p2wpkh(), 1, &[]), 1), Ok(p2wpkh()));
    let script = field(&[5], &hex(BIP143_SCRIPT));
    assert_eq!(Spend::from_psbt(&psbt_of(&p2wsh(), 0, &script), 0), Ok(p2wsh()));
    let leaf =
        field(&[&[0x15], &[0xc0; 33][..]].concat(), &[&hex(CORE_SCRIPT)[..], &[0xc0]].concat());
    let all = field(&[3], &[1, 0, 0, 0]);
    let psbt = psbt_of(&core_script(), 0, &[all, leaf].concat());
    assert_eq!(Spend::from_psbt_leaf(&psbt, 0, &hex(CORE_SCRIPT)), Ok(core_script()));
    assert_eq!(
        reason(Spend::from_psbt_leaf(&psbt, 0, &[0x51])),
        "the PSBT does not have this leaf"
    );
}

/// The transaction of BIP-144's form has the same hash as without its witnesses.
#[test]
fn a_previous_transaction_is_compared_with_its_hash() {
    let past = core_key();
    let witnesses = {
        let bytes = past.to_bytes();
        let (body, locktime) = bytes.split_last_chunk::<4>().unwrap();
        let (version, body) = body.split_first_chunk::<4>().unwrap();
        [&version[..], &[0, 1], body, &[1, 2, 7, 7], &[0], locktime].concat()
    };
    let input = Input { txid: double_sha256(&past.to_bytes()), index: 0, sequence: 1 };
    let transaction = Transaction {
        version: 2,
        inputs: vec![input],
        outputs: vec![output(600, "51")],
        locktime: 0,
    };
    for whole in [past.to_bytes(), witnesses] {
        let psbt = psbt(&unsigned(&transaction), &[field(&[0], &whole)], 1);
        let spend = Spend::from_psbt(&psbt, 0).unwrap();
        assert_eq!(spend.spent(), &past.outputs[..1]);
    }
    let mut other = past.clone();
    other.outputs[0].amount += 1;
    let lie = psbt(&unsigned(&transaction), &[field(&[0], &other.to_bytes())], 1);
    assert_eq!(
        reason(Spend::from_psbt(&lie, 0)),
        "a previous transaction is not the one that is spent"
    );
    let both =
        [field(&[0], &past.to_bytes()), field(&[1], &serialized(&other.outputs[0]))].concat();
    assert_eq!(
        reason(Spend::from_psbt(&psbt(&unsigned(&transaction), &[both], 1), 0)),
        "a previous transaction has another output than the PSBT"
    );
}

#[test]
fn psbts_that_are_not_in_their_form_are_refused() {
    let good = psbt_of(&bip341_key(), 4, &[]);
    let from = |bytes: &[u8]| reason(Spend::from_psbt(bytes, 4));
    for end in 0..good.len() {
        assert!(Spend::from_psbt(&good[..end], 4).is_err(), "{end}");
    }
    assert_eq!(from(&[&good[..], &[0]].concat()), "bytes follow the end");
    assert_eq!(from(b"psbt\xfe"), "this is no PSBT");
    let twice = field(&[3], &[0; 4]).repeat(2);
    let twice = psbt_of(&bip341_key(), 4, &twice);
    assert_eq!(from(&twice), "a map of the PSBT has a key twice");
    let open = psbt_of(&bip341_key(), 4, &field(&[3], &[0x83, 0, 0, 0]));
    assert_eq!(from(&open), "the type of the signature leaves parts of the transaction open");
    assert_eq!(reason(Spend::from_psbt(&good, 9)), "no input has this number");
    assert_eq!(reason(Spend::from_psbt(&good, 2)), "the output is not spent in this way");
    let version = [unsigned(&bip341()), field(&[0xfb], &[1, 0, 0, 0])].concat();
    assert_eq!(from(&psbt(&version, &[], 0)), "PSBTs of this version are unknown");
    assert_eq!(from(&psbt(&[], &[], 0)), "the PSBT has no transaction");
    let without = psbt(&unsigned(&bip341()), &vec![vec![]; 9], 2);
    assert_eq!(from(&without), "not each input has the output that it spends");
    assert_eq!(
        reason(Spend::from_psbt(&psbt_of(&p2wsh(), 0, &[]), 0)),
        "the PSBT has no witness script"
    );
}

/// A PSBT of version 2 for the spend, with fields that the inputs and the global map have besides.
fn version_2(spend: &Spend, global: &[u8], inputs: &[u8]) -> Vec<u8> {
    let transaction = spend.transaction();
    let count = |list: usize| vec![u8::try_from(list).unwrap()];
    let head = [
        field(&[0xfb], &[2, 0, 0, 0]),
        field(&[2], &transaction.version.to_le_bytes()),
        field(&[4], &count(transaction.inputs.len())),
        field(&[5], &count(transaction.outputs.len())),
        global.to_vec(),
        vec![0],
    ];
    let input = |(input, output): (&Input, &Output)| {
        [
            &field(&[1], &serialized(output))[..],
            &field(&[0x0e], &input.txid),
            &field(&[0x0f], &input.index.to_le_bytes()),
            &field(&[0x10], &input.sequence.to_le_bytes()),
            inputs,
            &[0],
        ]
        .concat()
    };
    let maps = transaction.inputs.iter().zip(spend.spent()).flat_map(input);
    let output = |output: &Output| {
        [&field(&[3], &output.amount.to_le_bytes())[..], &field(&[4], &output.script), &[0]]
            .concat()
    };
    let outputs = transaction.outputs.iter().flat_map(output);
    [&b"psbt\xff"[..], &head.concat(), &maps.chain(outputs).collect::<Vec<u8>>()].concat()
}

#[test]
fn a_psbt_of_version_2_gives_the_same_spend() {
    let locktime = field(&[3], &bip341().locktime.to_le_bytes());
    let good = version_2(&bip341_key(), &locktime, &[]);
    assert_eq!(Spend::from_psbt(&good, 4), Ok(bip341_key()));
    for end in 0..good.len() {
        assert!(Spend::from_psbt(&good[..end], 4).is_err(), "{end}");
    }
    let locktime_of = |global: &[u8], inputs: &[u8]| {
        let psbt = version_2(&bip341_key(), global, inputs);
        Spend::from_psbt(&psbt, 4).map(|spend| spend.transaction().locktime)
    };
    let height = field(&[0x12], &7_u32.to_le_bytes());
    let time = field(&[0x11], &500_000_007_u32.to_le_bytes());
    assert_eq!(locktime_of(&[], &[]), Ok(0));
    assert_eq!(locktime_of(&locktime, &height), Ok(7));
    assert_eq!(locktime_of(&locktime, &time), Ok(500_000_007));
    assert_eq!(locktime_of(&[], &[height.clone(), time].concat()), Ok(7));
    let refused = |global: &[u8], inputs: &[u8]| {
        let psbt = version_2(&bip341_key(), global, inputs);
        reason(Spend::from_psbt(&psbt, 4))
    };
    assert_eq!(refused(&[], &field(&[0x12], &[0; 4])), "a locktime is out of range");
    assert_eq!(refused(&[], &field(&[0x11], &[7, 0, 0, 0])), "a locktime is out of range");
    assert_eq!(refused(&[], &field(&[0x12], &[7, 0])), "a part of the PSBT has another length");
    let both = "the PSBT has a transaction, and its parts";
    assert_eq!(refused(&unsigned(&bip341()), &[]), both);
    let head = [field(&[0xfb], &[2, 0, 0, 0]), field(&[2], &[2, 0, 0, 0])].concat();
    let missing = "the PSBT has not all parts of the transaction";
    assert_eq!(reason(Spend::from_psbt(&psbt(&head, &[], 0), 0)), missing);
    let huge = [head, field(&[4], &[0xfe, 0xff, 0xff, 0xff, 0xff])].concat();
    assert_eq!(reason(Spend::from_psbt(&psbt(&huge, &[], 0), 0)), "it ends too early");
}
