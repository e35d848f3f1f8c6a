//! Requests for signatures of Ethereum: what is read of a transaction is what is signed, and what a node would get is not signed again.

use quorate_purpose::Purpose;
use quorate_purpose::evm::{BlobTransaction, SetCodeTransaction, Signature, Transaction};
use sockets_ethereum::{Call, MAX_BATCH, Prepared, Requests, TransactionRequest};

use crate::seeds::Seed;

const SIGNATURE: Signature = Signature { is_y_odd: true, r: [1; 32], s: [2; 32] };

/// The first byte chooses: the body of a request, or a transaction for a socket of all chains or of one.
pub(crate) fn check(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    match what % 3 {
        0 => body(rest),
        1 => core::str::from_utf8(rest).is_ok_and(|json| transaction(json, None)),
        _ => core::str::from_utf8(rest).is_ok_and(|json| transaction(json, Some(1337))),
    }
}

fn body(bytes: &[u8]) -> bool {
    let requests = match Requests::read(bytes) {
        Ok(Requests::One(request)) => vec![request],
        Ok(Requests::Batch(requests)) => requests,
        Err(_) => return false,
    };
    assert!((1..=MAX_BATCH).contains(&requests.len()));
    let mut are_calls = true;
    for request in requests {
        match Call::read(request) {
            Ok(call) => {
                assert!(call.id.is_string() || call.id.is_number());
                for json in &call.params {
                    transaction(json.get(), None);
                }
            }
            Err((id, _)) => {
                assert!(id.is_string() || id.is_number() || id.is_null());
                are_calls = false;
            }
        }
    }
    are_calls
}

fn transaction(json: &str, chain: Option<u64>) -> bool {
    let Ok(request) = TransactionRequest::from_json(json) else { return false };
    let Ok(prepared) = request.prepare(chain) else { return false };
    let purpose = prepared.purpose();
    assert_eq!(Purpose::from_bytes(&purpose.to_bytes()).as_ref(), Ok(&purpose));
    let facts = purpose.facts();
    assert!(facts.integer("chain").is_some());
    let signed = prepared.signed_bytes(&SIGNATURE);
    let is_read_again = match prepared {
        Prepared::Plain(_) => Transaction::from_unsigned_bytes(&signed).is_ok(),
        Prepared::Blobs(_) => BlobTransaction::from_unsigned_bytes(&signed).is_ok(),
        Prepared::SetCode(_) => SetCodeTransaction::from_unsigned_bytes(&signed).is_ok(),
    };
    assert!(!is_read_again, "a signed transaction is one to be signed");
    let first = if facts.integer("type") == Some(&0_u64.into()) { 0xc0..=0xff } else { 1..=4 };
    assert!(signed.first().is_some_and(|byte| first.contains(byte)));
    true
}

const LEGACY: &str = r#"{"from":"0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f","chainId":"0x1","nonce":"0x9","gas":"0x5208","gasPrice":"0x4a817c800","to":"0x3535353535353535353535353535353535353535","value":"0xde0b6b3a7640000"}"#;
const DYNAMIC: &str = r#"{"from":"0x00","type":"0x2","nonce":"0x0","gas":"0x1","maxFeePerGas":"0x2","maxPriorityFeePerGas":"0x1","data":"0x6001","input":"0x6001","accessList":[{"address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","storageKeys":["0x0101010101010101010101010101010101010101010101010101010101010101"]}]}"#;
const BLOBS: &str = r#"{"from":"0x00","chainId":"0x1","nonce":"0x0","gas":"0x1","maxFeePerGas":"0x2","maxPriorityFeePerGas":"0x1","to":"0x3535353535353535353535353535353535353535","maxFeePerBlobGas":"0x3","blobVersionedHashes":["0x0101010101010101010101010101010101010101010101010101010101010101"]}"#;
const SET_CODE: &str = r#"{"from":"0x00","chainId":"0x1","nonce":"0x0","gas":"0x1","maxFeePerGas":"0x2","maxPriorityFeePerGas":"0x1","to":"0x3535353535353535353535353535353535353535","authorizationList":[{"chainId":"0x0","address":"0x3535353535353535353535353535353535353535","nonce":"0x1","yParity":"0x0","r":"0x01","s":"0x2"}]}"#;

fn seed(name: &str, what: u8, text: &str) -> Seed {
    Seed { target: "ethereum", name: name.into(), bytes: [&[what], text.as_bytes()].concat() }
}

pub(crate) fn seeds() -> Vec<Seed> {
    let call =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"eth_signTransaction","params":[{LEGACY}]}}"#);
    let accounts = r#"{"jsonrpc":"2.0","id":"a","method":"eth_accounts"}"#;
    vec![
        seed("call", 0, &call),
        seed("list", 0, &format!("[{accounts},{accounts}]")),
        seed("legacy", 1, LEGACY),
        seed("dynamic", 2, DYNAMIC),
        seed("blobs", 1, BLOBS),
        seed("set_code", 1, SET_CODE),
    ]
}

/// A name that stands twice, leading zeros, a chain that is missing, a checksum that is wrong, and a notification.
pub(crate) fn refused() -> Vec<Seed> {
    vec![
        seed("twice", 1, &LEGACY.replace(r#""gas":"#, r#""gas":"0x1","gas":"#)),
        seed("zeros", 1, &LEGACY.replace("0x9\"", "0x09\"")),
        seed("no_chain", 1, DYNAMIC),
        seed("checksum", 2, &DYNAMIC.replace("0x5aA", "0x5AA")),
        seed("notification", 0, r#"{"jsonrpc":"2.0","method":"eth_accounts"}"#),
        seed("empty", 0, "[]"),
    ]
}
