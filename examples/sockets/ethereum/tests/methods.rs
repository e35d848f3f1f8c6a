//! The methods, over keys in memory.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;

use quorate_purpose::evm::{PersonalMessage, Transaction};
use quorate_purpose::{Hash, Kind, TypedData};
use serde_json::{Value, json};
use sockets_backend::{Failure, Scheme};
use sockets_ethereum::{ErrorKind, MAX_BATCH, Signer};
use sockets_testkit::{Local, mutations};

/// Of the secret key that is 32 times 0x46, as EIP-155 has it.
const ACCOUNT: &str = "0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";
const KINDS: [Kind; 6] = [
    Kind::EvmTransaction,
    Kind::EvmBlobs,
    Kind::EvmSetCode,
    Kind::EvmAuthorization,
    Kind::EvmMessage,
    Kind::Eip712,
];

fn local() -> Arc<Local> {
    let keys = Local::new().with("treasury", Scheme::EcdsaSecp256k1, 0x46, &KINDS);
    let keys = keys.with("other", Scheme::EcdsaSecp256k1, 7, &[Kind::EvmTransaction]);
    Arc::new(keys.with("ssh", Scheme::Ed25519, 1, &[Kind::SshSignature]))
}

fn request(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

async fn ask(signer: &Signer, method: &str, params: Value) -> Value {
    signer.rpc(request(method, params).to_string().as_bytes(), "desk").await
}

/// The result of a request.
async fn result(signer: &Signer, method: &str, params: Value) -> Value {
    let answer = ask(signer, method, params).await;
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
    assert_eq!(answer["error"], Value::Null);
    answer["result"].clone()
}

/// The kind and the text of an error.
async fn refused(signer: &Signer, method: &str, params: Value) -> (i64, String) {
    let error = ask(signer, method, params).await["error"].clone();
    (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
}

/// The transaction of the example of EIP-155.
fn example() -> Value {
    json!({
        "from": ACCOUNT, "chainId": "0x1", "nonce": "0x9", "gas": "0x5208", "gasPrice": "0x4a817c800",
        "to": format!("0x{}", "35".repeat(20)), "value": "0xde0b6b3a7640000",
    })
}

/// The example with other fields. Null takes a field away.
fn with(fields: Value) -> Value {
    let mut whole = example();
    for (name, value) in fields.as_object().unwrap() {
        whole[name] = value.clone();
    }
    whole.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    whole
}

#[tokio::test]
async fn example_of_eip155_has_its_signed_bytes() {
    let signer = Signer::new(local(), None);
    let signed = result(&signer, "eth_signTransaction", json!([example()])).await;
    let expected = "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025\
        a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276\
        a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83";
    assert_eq!(signed, expected);
    assert_eq!(result(&signer, "eth_accounts", json!([])).await[1], ACCOUNT);
}

#[tokio::test]
async fn purpose_is_what_the_request_says_and_names_its_access_key() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    let message = json!(["0x68656c6c6f", ACCOUNT]);
    let made = result(&signer, "personal_sign", message).await;
    let asked = local.last().unwrap();
    assert_eq!(asked.purpose, PersonalMessage::new(*b"hello").unwrap().into());
    assert_eq!(asked.on_behalf.as_deref(), Some("desk"));
    // `eth_sign` has the parameters in the other order and signs the same, so neither signs a bare hash.
    let same = json!([ACCOUNT, "0x68656c6c6f"]);
    assert_eq!(result(&signer, "eth_sign", same).await, made);
    let with_password = json!(["0x68656c6c6f", ACCOUNT, "password"]);
    assert_eq!(result(&signer, "personal_sign", with_password).await, made);
    let v = made.as_str().unwrap().get(130..).unwrap();
    assert!(made.as_str().unwrap().len() == 132 && ["1b", "1c"].contains(&v), "{made}");
}

const MAIL: &str = r#"{
    "types": {
        "EIP712Domain": [{ "name": "name", "type": "string" }, { "name": "chainId", "type": "uint256" }],
        "Mail": [{ "name": "to", "type": "address" }, { "name": "amount", "type": "uint256" }]
    },
    "primaryType": "Mail",
    "domain": { "name": "Post", "chainId": 5 },
    "message": { "to": "0x3535353535353535353535353535353535353535", "amount": "1000000000000000000000" }
}"#;

#[tokio::test]
async fn typed_data_comes_as_an_object_or_as_a_text() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    let object: Value = serde_json::from_str(MAIL).unwrap();
    let made = result(&signer, "eth_signTypedData_v4", json!([ACCOUNT, object])).await;
    assert_eq!(local.last().unwrap().purpose, TypedData::from_json(MAIL).unwrap().into());
    assert_eq!(result(&signer, "eth_signTypedData_v4", json!([ACCOUNT, MAIL])).await, made);
    assert_eq!(result(&signer, "eth_signTypedData", json!([ACCOUNT, MAIL])).await, made);
    let twice = MAIL.replace(r#""amount": ""#, r#""amount": "1", "amount": ""#);
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for data in [
        json!(twice),
        json!("{}"),
        json!(""),
        json!([]),
        json!([{ "type": "string" }]),
        json!(nested),
    ] {
        let (code, why) = refused(&signer, "eth_signTypedData_v4", json!([ACCOUNT, data])).await;
        assert!(code == -32602 && why.starts_with("typed data: "), "{why}");
    }
}

/// Each type from its fields alone, with the type named, and what it says on the chain of the socket.
#[tokio::test]
async fn every_type_of_transaction_is_signed() {
    let local = local();
    let signer = Signer::new(local.clone(), Some(1));
    let fee = json!({ "gasPrice": null, "maxFeePerGas": "0x1e", "maxPriorityFeePerGas": "0x2" });
    let list = json!([{ "address": ACCOUNT, "storageKeys": [format!("0x{}", "01".repeat(32))] }]);
    let delegation = json!({
        "chainId": "0x1", "address": ACCOUNT, "nonce": "0x1", "yParity": "0x1",
        "r": format!("0x{}", "11".repeat(32)), "s": format!("0x00{}", "22".repeat(31)),
    });
    let hash = format!("0x01{}", "22".repeat(31));
    let cases = [
        (0_u32, Kind::EvmTransaction, json!({})),
        (0, Kind::EvmTransaction, json!({ "to": null, "data": "0x6001" })),
        (1, Kind::EvmTransaction, json!({ "accessList": list })),
        (2, Kind::EvmTransaction, json!({ "chainId": null })),
        (2, Kind::EvmTransaction, json!({ "accessList": list, "data": "0xAb", "input": "0xab" })),
        (3, Kind::EvmBlobs, json!({ "maxFeePerBlobGas": "0x3", "blobVersionedHashes": [hash] })),
        (4, Kind::EvmSetCode, json!({ "authorizationList": [delegation] })),
    ];
    for (number, kind, fields) in cases {
        let mut whole = with(fields.clone());
        if number >= 2 {
            for (name, value) in fee.as_object().unwrap() {
                whole[name] = value.clone();
            }
            whole.as_object_mut().unwrap().remove("gasPrice");
        }
        let signed = result(&signer, "eth_signTransaction", json!([whole])).await;
        let purpose = local.last().unwrap().purpose;
        assert_eq!(purpose.kind(), kind, "{fields}");
        assert_eq!(purpose.facts().integer("type"), Some(&u64::from(number).into()));
        assert_eq!(purpose.facts().integer("chain"), Some(&1_u64.into()));
        whole["type"] = json!(format!("{number:#x}"));
        assert_eq!(result(&signer, "eth_signTransaction", json!([whole])).await, signed);
        let start = if number == 0 { "0xf8".to_owned() } else { format!("{number:#04x}f8") };
        assert!(signed.as_str().unwrap().starts_with(&start), "{signed}");
    }
}

/// Fields that are wrong, and what is said of them.
#[allow(clippy::too_many_lines, reason = "a table")]
fn wrong() -> Vec<(Value, &'static str)> {
    vec![
        (json!({ "nonce": null }), "nonce is missing"),
        (json!({ "gas": null }), "gas is missing"),
        (json!({ "gasPrice": null }), "gasPrice is missing"),
        (json!({ "chainId": null }), "chainId is missing"),
        (json!({ "chainId": "0x0" }), "the id of the chain is zero"),
        (json!({ "nonce": "0x09" }), "nonce: expected a number with 0x and without leading zeros"),
        (json!({ "nonce": "9" }), "nonce: expected a number with 0x"),
        (json!({ "nonce": "0x" }), "nonce: expected a number with 0x"),
        (json!({ "nonce": "-0x1" }), "nonce: expected a number with 0x"),
        (json!({ "nonce": "0x+1" }), "nonce: expected hexadecimal digits"),
        (json!({ "nonce": 9 }), "expected a string"),
        (json!({ "nonce": "0xffffffffffffffff" }), "no nonce is that high"),
        (json!({ "nonce": "0x10000000000000000" }), "nonce: expected at most 64 bits"),
        (
            json!({ "value": format!("0x1{}", "00".repeat(32)) }),
            "value: expected 0x and 1 to 64 digits",
        ),
        (json!({ "to": "0x35" }), "to: expected 20 bytes"),
        (json!({ "to": "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }), "checksum"),
        (json!({ "to": "ann.eth" }), "to: expected 0x"),
        (json!({ "to": "" }), "to: expected 0x"),
        (json!({ "to": "0x" }), "to: expected 20 bytes"),
        (json!({ "data": "0x1" }), "data: expected 0x and an even number of digits"),
        (json!({ "data": "0x01", "input": "0x02" }), "data and input differ"),
        (json!({ "gasLimit": "0x5208" }), "unknown field `gasLimit`"),
        (json!({ "type": "0x2" }), "gasPrice: no field of type 2"),
        (json!({ "type": "0x5" }), "gasPrice: no field of type 5"),
        (json!({ "type": "0x7f", "gasPrice": null }), "transactions of this type are unknown"),
        (json!({ "type": "0x0", "accessList": [] }), "accessList: no field of type 0"),
        (json!({ "maxFeePerGas": "0x1" }), "gasPrice: no field of type 2"),
        (
            json!({ "gasPrice": null, "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x2" }),
            "the priority fee is above",
        ),
        (
            json!({ "type": "0x4", "gasPrice": null, "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x1" }),
            "the transaction has no delegation",
        ),
        (
            json!({ "type": "0x3", "gasPrice": null, "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x1", "maxFeePerBlobGas": "0x1" }),
            "the transaction has no blob",
        ),
        (
            json!({ "type": "0x3", "to": null, "gasPrice": null, "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x1", "maxFeePerBlobGas": "0x1" }),
            "this type makes no contract",
        ),
        (json!({ "from": null }), "missing field `from`"),
        (json!({ "from": "treasury" }), "the account: expected"),
        (
            json!({ "accessList": [{ "address": ACCOUNT, "storageKeys": ["0x01"] }] }),
            "storageKeys: expected 32 bytes",
        ),
    ]
}

#[tokio::test]
async fn transaction_that_is_wrong_is_refused_with_the_field() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    for (fields, expected) in wrong() {
        let (code, why) =
            refused(&signer, "eth_signTransaction", json!([with(fields.clone())])).await;
        assert!(code == -32602 && why.contains(expected), "{fields}: {why}");
    }
    let twice = request("eth_signTransaction", json!([example()]));
    let twice = twice.to_string().replace(r#""nonce":"0x9""#, r#""nonce":"0x9","nonce":"0xa""#);
    let answer = signer.rpc(twice.as_bytes(), "desk").await;
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("duplicate field `nonce`"),
        "{answer}"
    );
    assert_eq!(local.signed(), 0);
}

#[tokio::test]
async fn account_that_is_not_there_and_key_that_has_none_are_unknown() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    assert_eq!(result(&signer, "eth_accounts", json!([])).await.as_array().unwrap().len(), 2);
    let stranger = with(json!({ "from": format!("0x{}", "35".repeat(20)) }));
    assert_eq!(refused(&signer, "eth_signTransaction", json!([stranger])).await.0, -32001);
    let (code, _) =
        refused(&signer, "personal_sign", json!(["0x00", format!("0x{}", "00".repeat(32))])).await;
    assert_eq!(code, -32602);
    assert_eq!(local.signed(), 0);
}

/// The examples of EIP-55, and what is in one case alone.
#[tokio::test]
async fn checksum_of_an_address_is_checked_if_there_is_one() {
    let signer = Signer::new(local(), None);
    for to in [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "0xde709f2102306220921060314715629080e2fb77",
    ] {
        result(&signer, "eth_signTransaction", json!([with(json!({ "to": to }))])).await;
    }
}

/// A key that is bound to transactions signs no messages.
#[tokio::test]
async fn failure_of_the_committee_has_a_number_that_libraries_know() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    let other = result(&signer, "eth_accounts", json!([])).await[0].clone();
    assert_eq!(refused(&signer, "personal_sign", json!(["0x00", other])).await.0, 4001);
    let text = || "why".to_owned();
    let cases = [
        (Failure::Refused(text()), 4001, 403),
        (Failure::Conflict(text()), 4001, 403),
        (Failure::WrongPurpose(text()), 4001, 403),
        (Failure::Malformed(text()), -32602, 400),
        (Failure::Expired(text()), -32002, 503),
        (Failure::Unavailable(text()), -32002, 503),
        (Failure::Broken(text()), -32603, 500),
    ];
    for (failure, expected, status) in cases {
        local.fail(Some(failure));
        let (code, why) = refused(&signer, "personal_sign", json!(["0x00", ACCOUNT])).await;
        assert!(code == expected && why.contains("why"), "{why}");
        let refused = signer.rest(ACCOUNT, br#"{ "data": "0x00" }"#, "desk").await.unwrap_err();
        assert_eq!(refused.kind.status(), status);
    }
}

#[tokio::test]
async fn socket_of_one_chain_signs_for_no_other() {
    let local = local();
    let signer = Signer::new(local.clone(), Some(5));
    assert_eq!(result(&signer, "eth_chainId", json!([])).await, "0x5");
    for (method, params) in [
        ("eth_signTransaction", json!([example()])),
        (
            "eth_signTypedData_v4",
            json!([ACCOUNT, MAIL.replace(r#""chainId": 5"#, r#""chainId": 6"#)]),
        ),
    ] {
        let (code, why) = refused(&signer, method, params).await;
        assert!(code == -32602 && why.contains("signs for the chain 5 alone"), "{why}");
    }
    // The delegation of EIP-7702 on every chain, by the REST of web3signer.
    let everywhere = format!("{{ \"data\": \"0x05d78094{}80\" }}", "35".repeat(20));
    let why = signer.rest(ACCOUNT, everywhere.as_bytes(), "desk").await.unwrap_err();
    assert!(why.message.contains("signs for the chain 5 alone"), "{why}");
    assert_eq!(local.signed(), 0);
    result(&signer, "eth_signTypedData_v4", json!([ACCOUNT, MAIL])).await;
    result(&signer, "eth_signTransaction", json!([with(json!({ "chainId": null }))])).await;
    assert_eq!(local.last().unwrap().purpose.facts().integer("chain"), Some(&5_u64.into()));
    let all = Signer::new(local, None);
    assert_eq!(refused(&all, "eth_chainId", json!([])).await.0, -32601);
    all.rest(ACCOUNT, everywhere.as_bytes(), "desk").await.unwrap();
}

#[tokio::test]
async fn envelope_that_is_wrong_is_refused() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    let sign = json!(["0x00", ACCOUNT]);
    let cases = [
        (json!({ "jsonrpc": "2.0", "method": "personal_sign", "params": sign }), -32600),
        (
            json!({ "jsonrpc": "2.0", "id": null, "method": "personal_sign", "params": sign }),
            -32600,
        ),
        (json!({ "jsonrpc": "2.0", "id": [1], "method": "personal_sign", "params": sign }), -32600),
        (json!({ "jsonrpc": "1.0", "id": 1, "method": "personal_sign", "params": sign }), -32600),
        (json!({ "id": 1, "method": "personal_sign", "params": sign }), -32600),
        (json!({ "jsonrpc": "2.0", "id": 1, "params": sign }), -32600),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "method": "personal_sign", "params": { "data": "0x00" } }),
            -32602,
        ),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "personal_sign" }), -32602),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "personal_sign", "params": [1, 2] }), -32602),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction", "params": [] }),
            -32601,
        ),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "personal_Sign", "params": sign }), -32601),
        (json!([]), -32600),
        (json!("personal_sign"), -32600),
        (json!(null), -32600),
    ];
    for (body, code) in cases {
        let answer = signer.rpc(body.to_string().as_bytes(), "desk").await;
        assert_eq!(answer["error"]["code"], code, "{body}: {answer}");
    }
    for body in [&b""[..], b"{", b"[", b"{} {}", b"\xff", b"[1,]"] {
        assert_eq!(signer.rpc(body, "desk").await["error"]["code"], -32700, "{body:?}");
    }
    assert_eq!(local.signed(), 0);
}

/// Answers and logs have no more of a name than tells it, and no line of its own.
#[tokio::test]
async fn text_of_an_error_is_short_and_of_one_line() {
    let signer = Signer::new(local(), None);
    let long = "x\n".repeat(500_000);
    let mut fields = with(json!({}));
    fields[&long] = json!("0x1");
    for (method, params) in [
        ("eth_signTransaction", json!([fields])),
        (long.as_str(), json!([])),
        ("eth_sign", json!([ACCOUNT, long])),
    ] {
        let (_, why) = refused(&signer, method, params).await;
        assert!(why.chars().count() <= 400 && !why.contains('\n'), "{why}");
    }
    let body = format!("{{ {}: \"0x00\" }}", json!(long));
    let why = signer.rest(ACCOUNT, body.as_bytes(), "desk").await.unwrap_err();
    assert!(why.message.chars().count() <= 400 && !why.message.contains('\n'), "{why}");
}

#[tokio::test]
async fn list_is_answered_in_order_and_is_short() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    let good = request("personal_sign", json!(["0x00", ACCOUNT]));
    let list = json!([good, 5, request("eth_accounts", json!([])), [good]]).to_string();
    let answers = signer.rpc(list.as_bytes(), "desk").await;
    assert!(answers[0]["result"].is_string() && answers[2]["result"].is_array(), "{answers}");
    assert_eq!(
        (&answers[1]["error"]["code"], &answers[3]["error"]["code"]),
        (&json!(-32600), &json!(-32600))
    );
    assert_eq!((answers.as_array().unwrap().len(), local.signed()), (4, 1));
    let long = Value::Array(vec![good; MAX_BATCH + 1]).to_string();
    assert_eq!(signer.rpc(long.as_bytes(), "desk").await["error"]["code"], -32005);
    assert_eq!(local.signed(), 1);
}

#[tokio::test]
async fn rest_reads_what_it_signs() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    let keys = signer.public_keys().await.unwrap();
    let unsigned = "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080";
    let body = format!("{{ \"data\": \"0x{unsigned}\" }}");
    let with_prefix = keys[1].replace("0x", "04");
    let upper = ACCOUNT[2..].to_uppercase();
    let mut made = vec![];
    for name in [ACCOUNT, &keys[1], &keys[1][2..], &with_prefix, &upper] {
        made.push(signer.rest(name, body.as_bytes(), "desk").await.unwrap());
    }
    made.dedup();
    let expected = "0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa63627667cbe9d8997f761aecb703304b3800\
        ccf555c9f3dc64214b297fb1966a3b6d831b";
    assert_eq!(made, [expected]);
    let bytes: Vec<u8> = (0..unsigned.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&unsigned[at..at + 2], 16).unwrap())
        .collect();
    assert_eq!(
        local.last().unwrap().purpose,
        Transaction::from_unsigned_bytes(&bytes).unwrap().into()
    );
    let before = local.signed();
    for (name, body, kind) in [
        (ACCOUNT, "{}", ErrorKind::Params),
        (ACCOUNT, r#"{ "data": "" }"#, ErrorKind::Params),
        (ACCOUNT, r#"{ "data": "0x00", "other": 1 }"#, ErrorKind::Params),
        (ACCOUNT, r#"{ "data": "0x00", "data": "0x01" }"#, ErrorKind::Params),
        // A digest, a legacy transaction without a chain, the hash of typed data: nobody can read them.
        (
            ACCOUNT,
            r#"{ "data": "0x0000000000000000000000000000000000000000000000000000000000000000" }"#,
            ErrorKind::Refused,
        ),
        (ACCOUNT, r#"{ "data": "0xc9808080808080808080" }"#, ErrorKind::Refused),
        (ACCOUNT, r#"{ "data": "0x1901" }"#, ErrorKind::Refused),
        ("0x00", r#"{ "data": "0x00" }"#, ErrorKind::Params),
        ("../eth2", r#"{ "data": "0x00" }"#, ErrorKind::Params),
        (&"00".repeat(20), r#"{ "data": "0x00" }"#, ErrorKind::Account),
    ] {
        assert_eq!(
            signer.rest(name, body.as_bytes(), "desk").await.unwrap_err().kind,
            kind,
            "{name} {body}"
        );
    }
    assert_eq!(local.signed(), before);
}

/// A key that is bound to opaque messages signs what nobody can read, as such.
#[tokio::test]
async fn opaque_data_is_signed_by_a_key_for_it_alone() {
    let keys = Local::new().with("any", Scheme::EcdsaSecp256k1, 0x46, &[Kind::OpaqueMessage]);
    let local = Arc::new(keys);
    let signer = Signer::new(local.clone(), None);
    signer.rest(ACCOUNT, br#"{ "data": "0x1901" }"#, "desk").await.unwrap();
    let opaque = quorate_purpose::OpaqueMessage::hashed(Hash::Keccak256, [0x19, 1]).unwrap();
    assert_eq!(local.last().unwrap().purpose, opaque.into());
}

#[tokio::test]
async fn damaged_request_never_panics() {
    let local = local();
    let signer = Signer::new(local.clone(), None);
    let good =
        request("eth_signTransaction", json!([with(json!({ "accessList": [] }))])).to_string();
    let (mut signed, mut refused) = (0, 0);
    for damaged in mutations(good.as_bytes()) {
        let before = local.signed();
        let answer = signer.rpc(&damaged, "desk").await;
        if answer["error"].is_null() {
            signed += 1;
        } else {
            assert_eq!(local.signed(), before, "{answer}");
            refused += 1;
        }
    }
    assert!(signed > 0 && refused > signed, "{signed} {refused}");
}
