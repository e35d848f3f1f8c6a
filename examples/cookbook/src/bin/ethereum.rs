//! Ethereum: a payment (EIP-1559) that `alloy` builds and has signed by a wallet of three parties, and a permit (EIP-712, EIP-2612);
//! `alloy` finds the account in what came out, from the bytes that go to the network.

use std::sync::Arc;
use std::thread;

use alloy_consensus::transaction::{RlpEcdsaDecodableTx, SignerRecoverable};
use alloy_consensus::{SignableTransaction, TxEip1559, TxEnvelope};
use alloy_network::eip2718::{Decodable2718, Encodable2718};
use alloy_network::{
    Ethereum, EthereumWallet, Network, NetworkTransactionBuilder, TransactionBuilder,
};
use alloy_primitives::{Address, B256, Signature, TxKind, U256};
use alloy_signer::{Signer, SignerSync};
use alloy_sol_types::{Eip712Domain, SolStruct, eip712_domain, sol};
use quorate::ecdsa::{DerivationPath, Secp256k1};
use quorate_cookbook::ethereum::{Account, address, digest, ready, recoverable, typed};
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::{Failure, ecdsa};

const CAROL: Address = Address::new([0xca; 20]);
const TOKEN: Address = Address::new([0x70; 20]);
const CHAIN: u64 = 1;
/// Of the smallest unit: a hundredth of an ether.
const AMOUNT: u64 = 10_000_000_000_000_000;

sol! {
    struct Permit { address owner; address spender; uint256 value; uint256 nonce; uint256 deadline; }
}

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let mut key = ecdsa::Key::<Secp256k1>::make(mesh, 2)?;
    let path: DerivationPath = "m".parse()?;
    let owner = address(key.share.verifying_key());
    if mesh.me.get() != 1 {
        return key.cosign(mesh, |shown| {
            if is_payment(shown) || shown == typed(&permit(owner), &domain()) {
                return Ok((path.clone(), digest(shown)));
            }
            Err("neither the payment to Carol nor her permit".into())
        });
    }
    let (account, orders) = Account::new(owner, CHAIN);
    let wallet = thread::spawn(move || ready(use_wallet(account))?);
    for (shown, reply) in orders {
        let signature = key.sign(mesh, (&shown, &path), digest(&shown))?;
        reply.send(recoverable(&signature)?)?;
    }
    let raw = wallet.join().map_err(|_| "the wallet has panicked")??;
    println!("ethereum: {owner} is the sender of {} bytes, and the owner of the permit", raw.len());
    Ok(())
}

/// A program that knows nothing of committees: it gives back the transaction's bytes.
async fn use_wallet(account: Account) -> Result<Vec<u8>, Failure> {
    let (owner, account) = (account.address(), Arc::new(account));
    let wallet = EthereumWallet::from(Arc::clone(&account));
    let payment = <Ethereum as Network>::TransactionRequest::default()
        .with_chain_id(CHAIN)
        .with_nonce(7)
        .with_to(CAROL)
        .with_value(U256::from(AMOUNT))
        .with_gas_limit(21_000)
        .with_max_fee_per_gas(30_000_000_000)
        .with_max_priority_fee_per_gas(1_000_000_000);
    let raw = payment.build(&wallet).await?.encoded_2718();
    let decoded = TxEnvelope::decode_2718_exact(&raw)?;
    // Nodes do the same: they refuse a high s (EIP-2).
    assert_eq!(SignerRecoverable::recover_signer(&decoded)?, owner);
    let TxEnvelope::Eip1559(signed) = decoded else {
        return Err("another type of transaction".into());
    };
    found(signed.signature(), &signed.tx().signature_hash(), owner)?;

    let permit = permit(owner);
    let signature = account.sign_typed_data(&permit, &domain()).await?;
    found(&signature, &permit.eip712_signing_hash(&domain()), owner)?;
    // What nobody can look at is not signed.
    let blind = account.sign_hash_sync(&B256::ZERO).err().ok_or("a hash was signed")?;
    assert!(blind.is_unsupported());
    Ok(raw)
}

/// The owner is found by the signature, with s low and the right parity, and by no other parity or hash.
fn found(signature: &Signature, hash: &B256, owner: Address) -> Result<(), Failure> {
    assert!(signature.normalize_s().is_none());
    assert_eq!(signature.recover_address_from_prehash(hash)?, owner);
    let other = signature.with_parity(!signature.v()).recover_address_from_prehash(hash);
    assert!(other.is_ok_and(|other| other != owner));
    assert!(signature.recover_address_from_prehash(&!*hash).is_ok_and(|other| other != owner));
    Ok(())
}

/// A signer reads the transaction itself: on which chain, to whom, how much, and what it costs.
fn is_payment(shown: &[u8]) -> bool {
    let Some((_, mut rest)) = shown.split_first() else { return false };
    TxEip1559::rlp_decode(&mut rest).is_ok_and(|tx| {
        tx.encoded_for_signing() == shown
            && (tx.chain_id, tx.to, tx.value) == (CHAIN, TxKind::Call(CAROL), U256::from(AMOUNT))
            && tx.input.is_empty()
            && tx.max_fee_per_gas.saturating_mul(tx.gas_limit.into()) <= 1_000_000_000_000_000
    })
}

/// Carol may take a thousand tokens.
fn permit(owner: Address) -> Permit {
    let [value, nonce, deadline] = [1_000_u64, 0, 4_102_444_800].map(U256::from);
    Permit { owner, spender: CAROL, value, nonce, deadline }
}

fn domain() -> Eip712Domain {
    eip712_domain! { name: "Token", version: "1", chain_id: CHAIN, verifying_contract: TOKEN, }
}
