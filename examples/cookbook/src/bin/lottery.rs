//! A lottery: three parties draw the winner of a round by a verifiable random function of RFC 9381, and another
//! implementation, the crate `vrf-rfc9381`, verifies the draw.
//!
//! Nobody chooses the winner: the output for a round and its entries is fixed by the key, whichever two parties compute it.

use std::collections::BTreeMap;
use std::sync::Arc;

use bitcoin::hashes::{Hash, sha256};
use getrandom::SysRng;
use quorate::prf::vrf::{EcvrfEd25519Tai, VrfProof};
use quorate::prf::{Contribution, ProofExchange, ProofExchangeParams, ProofPackage, Query, Vrf};
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId};
use quorate_cookbook::Failure;
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::prf::{ASKING, Key, REFUSAL, ask};
use quorate_cookbook::run::run;
use quorate_cookbook::tool::check;
use vrf_rfc9381::ec::edwards25519::EdVrfProof;
use vrf_rfc9381::ec::edwards25519::tai::EdVrfEdwards25519TaiPublicKey as StockVerifier;
use vrf_rfc9381::{Proof, Verifier};

type Draws = Vrf<EcvrfEd25519Tai>;

const ROUND: u64 = 7;
const ENTRIES: &str = "alice\nbob\ncarol\ndave\nerin";

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let all = mesh.parties.clone();
    let key = Key::<Draws>::make(mesh, &all)?;
    if mesh.me.get() != 1 {
        return draw_on_request(mesh, &key);
    }
    let mut outputs = Vec::new();
    for number in [2, 3] {
        let other = PartyId::new(number).ok_or("zero")?;
        ask(mesh, other, &announcement(ROUND, ENTRIES))?;
        let proof = draw(mesh, &key, other, &input(ROUND, ENTRIES))?;
        outputs.push(verify(key.public.verifying_key().as_bytes(), &proof.to_bytes())?);
    }
    check(outputs[0] == outputs[1], "another pair has another output")?;

    // With an entry more, the round would have another winner. A party draws each round once.
    let two = PartyId::new(2).ok_or("zero")?;
    let more = format!("{ENTRIES}\nmallory");
    let refused = ask(mesh, two, &announcement(ROUND, &more)).err().ok_or("it is drawn again")?;
    check(refused.to_string() == "party 2 refuses", "it is another error")?;
    let winner = winner(&outputs[0]);
    println!(
        "lottery: {winner} wins round {ROUND}, by a proof that the crate vrf-rfc9381 verifies"
    );
    Ok(())
}

/// The others: draw with party 1, each round for one list of entries.
fn draw_on_request(mesh: &mut Mesh, key: &Key<Draws>) -> Result<(), Failure> {
    // In life a table in a database. A party that forgot it would draw a round again.
    let mut drawn = BTreeMap::new();
    while let Some((from, announced)) = mesh.order(ASKING) {
        let (round, entries) = announced.split_first_chunk().ok_or("no round")?;
        let (round, entries) = (u64::from_be_bytes(*round), core::str::from_utf8(entries)?);
        let input = input(round, entries);
        if *drawn.entry(round).or_insert_with(|| input.clone()) != input {
            mesh.send(from, ASKING, REFUSAL)?;
            continue;
        }
        mesh.send(from, ASKING, b"yes")?;
        draw(mesh, key, from, &input)?;
    }
    Ok(())
}

/// One draw by two parties, which have both agreed to the input: both have the proof.
fn draw(
    mesh: &mut Mesh,
    key: &Key<Draws>,
    other: PartyId,
    input: &[u8],
) -> Result<VrfProof<EcvrfEd25519Tai>, Failure> {
    // Round one: shares of the output, and commitments to nonces. A wrong share names its sender.
    let query = Query::vrf(&key.public, input)?;
    let (nonces, own) = query.contribute(&key.share, &mut UnwrapErr(SysRng))?;
    mesh.send(other, ASKING, &own.to_bytes())?;
    let theirs = Contribution::from_bytes(other, &mesh.receive_from(other, ASKING)?)?;
    let package = Arc::new(ProofPackage::new(&key.public, &query, [own, theirs])?);
    // Round two: shares of the proof, as a run of the session layer.
    let share = package.prove(&key.share, nonces)?;
    let pair = Parties::new([mesh.me, other])?;
    // The other of party 1, which is in each draw.
    let number = u8::try_from(mesh.me.get().max(other.get()))?;
    run::<ProofExchange<Draws>>(mesh, number, &pair, ProofExchangeParams::new(package, share))
}

/// The bytes that announce a round.
fn announcement(round: u64, entries: &str) -> Vec<u8> {
    [&round.to_be_bytes()[..], entries.as_bytes()].concat()
}

/// The input α of the function: the round, and a hash of its entries.
fn input(round: u64, entries: &str) -> Vec<u8> {
    let digest = sha256::Hash::hash(entries.as_bytes());
    [&b"quorate lottery"[..], &round.to_be_bytes(), digest.as_ref()].concat()
}

/// The output β, from somebody else's verifier, which has the key, the round, the entries and the proof.
fn verify(key: &[u8], proof: &[u8]) -> Result<Vec<u8>, Failure> {
    let verifier = StockVerifier::from_slice(key).map_err(|_| "no key")?;
    let output = |input: &[u8], proof: &[u8]| {
        let proof = EdVrfProof::decode_pi(proof).ok()?;
        verifier.verify(input, proof).ok().map(|output| output.to_vec())
    };
    check(output(&input(ROUND + 1, ENTRIES), proof).is_none(), "another round was taken")?;
    check(output(&input(ROUND, "mallory"), proof).is_none(), "other entries were taken")?;
    let mut altered = proof.to_vec();
    altered[40] ^= 1; // in the challenge
    check(output(&input(ROUND, ENTRIES), &altered).is_none(), "an altered proof was taken")?;
    Ok(output(&input(ROUND, ENTRIES), proof).ok_or("the proof does not verify")?)
}

/// The output as a number, modulo the number of entries. It has 64 bytes, which leave no bias that counts.
fn winner(output: &[u8]) -> &'static str {
    let entries: Vec<_> = ENTRIES.lines().collect();
    let add = |place, byte: &u8| (place * 256 + usize::from(*byte)) % entries.len();
    entries[output.iter().fold(0, add)]
}
