//! Solana: a transfer, in the format of its legacy messages, signed by an Ed25519 key of three parties; verified by OpenSSL.

use quorate::PartyId;
use quorate::frost::ed25519::{Ed25519Sha512 as Ed25519, Signature};
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::tool::{Desk, base64, run};
use quorate_cookbook::{Failure, frost};

/// Of the smallest unit.
const AMOUNT: u64 = 5_000_000;
const CAROL: [u8; 32] = [0xca; 32];
/// In life the newest block's, which the signers look up too.
const BLOCK: [u8; 32] = [0xb1; 32];
/// The program that transfers.
const SYSTEM: [u8; 32] = [0; 32];

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let key = frost::Key::<Ed25519>::make(mesh)?;
    let payer: [u8; 32] = key.public.verifying_key().to_bytes();
    if mesh.me.get() != 1 {
        return key.cosign(mesh, |message| {
            if *message != transfer(&payer, AMOUNT) {
                return Err("not the payment to Carol".into());
            }
            Ok(message.to_vec())
        });
    }
    let message = transfer(&payer, AMOUNT);
    let signature: Signature =
        key.sign(mesh, PartyId::new(2).ok_or("zero")?, &message, &message)?;
    // A transaction: the number of signatures, the signatures, the message.
    let transaction = [&[1][..], &signature.to_bytes(), &message].concat();

    let desk = Desk::new()?;
    // The key as RFC 8410 has it.
    let spki = [&[0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0][..], &payer].concat();
    let pem =
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", base64(&spki, false));
    let (public, file) = (desk.file("public.pem", pem)?, desk.file("message", &transaction[65..])?);
    let signature = desk.file("signature", &transaction[1..65])?;
    let args = [
        "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", &public, "-sigfile", &signature, "-in",
        &file,
    ];
    run("openssl", &args, b"")?;
    println!(
        "solana: OpenSSL verifies the signature of a transaction of {} bytes",
        transaction.len()
    );
    Ok(())
}

/// A message with one instruction. Every list has its length in front, of one byte below 128.
fn transfer(payer: &[u8; 32], amount: u64) -> Vec<u8> {
    // One signature is needed, of an account that is written to; one account without a signature is read only.
    let header = [1, 0, 1];
    let accounts = [&[3][..], payer, &CAROL, &SYSTEM].concat();
    // The program is account 2; from account 0 to account 1; instruction 2 of the system program, and the amount.
    let data = [&2_u32.to_le_bytes()[..], &amount.to_le_bytes()].concat();
    let instruction = [&[1, 2, 2, 0, 1, 12][..], &data].concat();
    [&header[..], &accounts, &BLOCK, &instruction].concat()
}
