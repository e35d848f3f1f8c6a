//! Signed transactions: what ethers 6.17 makes of the same fields and the same signature.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use quorate_purpose::Malformed;
use quorate_purpose::evm::{BlobTransaction, SetCodeTransaction, Signature, Transaction};

/// The type and the chain, what wallets hash, r and s with the parity of y, what a node takes.
type Case = (&'static str, &'static str, (&'static str, &'static str, bool), &'static str);

const CASES: [Case; 6] = [
    (
        "legacy",
        "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080",
        (
            "28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276",
            "67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
            false,
        ),
        "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
    ),
    (
        "type 1",
        "01f8570580078252089435353535353535353535353535353535353535358001f838f794aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaae1a00101010101010101010101010101010101010101010101010101010101010101",
        (
            "4106c463422fa2bc365c67b01d15014a949f9bdaf7c33c97526aa80c759ac38f",
            "2bacfff5d8dbb9280a1f546f0e232afdc741fd4cc96b486e1923f516c3a8b76c",
            false,
        ),
        "01f89a0580078252089435353535353535353535353535353535353535358001f838f794aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaae1a0010101010101010101010101010101010101010101010101010101010101010180a04106c463422fa2bc365c67b01d15014a949f9bdaf7c33c97526aa80c759ac38fa02bacfff5d8dbb9280a1f546f0e232afdc741fd4cc96b486e1923f516c3a8b76c",
    ),
    (
        "type 2, a new contract",
        "02cf82210501021e8252088005826001c0",
        (
            "6f323260b70abba689f89d72282ce53d6f87fbc570ec84664b2ce7a0553963a9",
            "16a8b90d79342ba2d66148d2286e3a864c51d606e39fd4a3ea357a979def8d63",
            false,
        ),
        "02f85282210501021e8252088005826001c080a06f323260b70abba689f89d72282ce53d6f87fbc570ec84664b2ce7a0553963a9a016a8b90d79342ba2d66148d2286e3a864c51d606e39fd4a3ea357a979def8d63",
    ),
    (
        "type 3",
        "03f8440101021e82520894353535353535353535353535353535353535353505826001c003e1a00122222222222222222222222222222222222222222222222222222222222222",
        (
            "dc240aa72b9625d697bea39ab65614ac218f3644f090c594a83af867b24ad7ab",
            "276dd6bc9f8fca717689c8b6362ffdd562099d0457940be791cc1e18c1dc7cb6",
            false,
        ),
        "03f8870101021e82520894353535353535353535353535353535353535353505826001c003e1a0012222222222222222222222222222222222222222222222222222222222222280a0dc240aa72b9625d697bea39ab65614ac218f3644f090c594a83af867b24ad7aba0276dd6bc9f8fca717689c8b6362ffdd562099d0457940be791cc1e18c1dc7cb6",
    ),
    (
        "type 4",
        "04f87f0101021e82520894353535353535353535353535353535353535353505826001c0f85cf85a019435353535353535353535353535353535353535350101a01111111111111111111111111111111111111111111111111111111111111111a02222222222222222222222222222222222222222222222222222222222222222",
        (
            "a164e80c7afde306e89e39874b94cb83cdc4205f460c95ffea8018ea6b48e5dc",
            "42d24aa478e1e4b7df4e6b079f99414888245f1dc4e157857ccfd9ae21529a6c",
            false,
        ),
        "04f8c20101021e82520894353535353535353535353535353535353535353505826001c0f85cf85a019435353535353535353535353535353535353535350101a01111111111111111111111111111111111111111111111111111111111111111a0222222222222222222222222222222222222222222222222222222222222222280a0a164e80c7afde306e89e39874b94cb83cdc4205f460c95ffea8018ea6b48e5dca042d24aa478e1e4b7df4e6b079f99414888245f1dc4e157857ccfd9ae21529a6c",
    ),
    (
        "legacy on the last chain",
        "f4098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008088ffffffffffffffff8080",
        (
            "3592937267a59b3ab2da795c6b0dced6878ee87fdf3cbe092d90baea8b22160d",
            "163523030bb6d7e931718863f4579361d88b8e11d26889a24c42b50b668b4301",
            true,
        ),
        "f875098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008089020000000000000022a03592937267a59b3ab2da795c6b0dced6878ee87fdf3cbe092d90baea8b22160da0163523030bb6d7e931718863f4579361d88b8e11d26889a24c42b50b668b4301",
    ),
];

fn signed(unsigned: &[u8], signature: &Signature) -> Result<Vec<u8>, Malformed> {
    match unsigned.first() {
        Some(3) => Ok(BlobTransaction::from_unsigned_bytes(unsigned)?.signed_bytes(signature)),
        Some(4) => Ok(SetCodeTransaction::from_unsigned_bytes(unsigned)?.signed_bytes(signature)),
        _ => Ok(Transaction::from_unsigned_bytes(unsigned)?.signed_bytes(signature)),
    }
}

#[test]
fn signed_transactions_are_those_of_another_implementation() {
    for (name, unsigned, (r, s, is_y_odd), expected) in CASES {
        let [r, s] = [r, s].map(|number| hex(number).try_into().unwrap());
        let signature = Signature { is_y_odd, r, s };
        assert_eq!(to_hex(&signed(&hex(unsigned), &signature).unwrap()), expected, "{name}");
    }
}

#[test]
fn numbers_of_a_signature_have_no_leading_zeros() {
    let mut r = [0; 32];
    r[2..].fill(0x11);
    let transaction = Transaction::new(eip155()).unwrap();
    let bytes = transaction.signed_bytes(&Signature { is_y_odd: true, r, s: [0x22; 32] });
    let end = format!("26{}{}{}{}", "9e", "11".repeat(30), "a0", "22".repeat(32));
    assert!(to_hex(&bytes).ends_with(&end), "{}", to_hex(&bytes));
}

/// A signed transaction is not taken for one that is to be signed.
#[test]
fn signed_transaction_is_not_signed_again() {
    let signature = Signature { is_y_odd: false, r: [1; 32], s: [2; 32] };
    for (name, unsigned, ..) in CASES {
        let bytes = signed(&hex(unsigned), &signature).unwrap();
        assert!(signed(&bytes, &signature).is_err(), "{name}");
    }
}
