//! Hardened passwords: a login server has each password hashed with a key that three other processes share (VOPRF of
//! RFC 9497). Its client is the crate `voprf`, which verifies the answers, and knows nothing of shares.
//!
//! A thief of the login server's database cannot try passwords: each try needs two of the three parties. They see no
//! password, and count what they are asked. Their side is in `src/oprf.rs`.

use argon2::Argon2;
use bitcoin::hashes::{Hash, sha256};
use quorate::{Parties, PartyId};
use quorate_cookbook::Failure;
use quorate_cookbook::mesh;
use quorate_cookbook::oprf::{BUDGET, Gateway, serve};
use quorate_cookbook::tool::check;
use rand_core_06::OsRng;
use voprf::{EvaluationElement, Group, Proof, Ristretto255, VoprfClient};
use zeroize::{Zeroize, Zeroizing};

fn main() -> Result<(), Failure> {
    mesh::main(4, |mesh| {
        let parties = Parties::new(mesh.parties.iter().skip(1))?;
        if mesh.me.get() != 1 {
            return serve(mesh, &parties);
        }
        login_server(&mut Gateway::new(mesh, &parties)?)
    })
}

/// One user, whose logins meet with more and more misfortune.
fn login_server(parties: &mut Gateway<'_>) -> Result<(), Failure> {
    let [two, three] = [PartyId::new(2).ok_or("zero")?, PartyId::new(3).ok_or("zero")?];
    let record = register(parties, "correct horse")?;
    check(login(parties, &record, "correct horse")?, "the password is not accepted")?;
    check(!login(parties, &record, "battery staple")?, "another password is accepted")?;

    // An intruder in party 3 evaluates wrongly, once: it is named, and the user is still logged in, with the help of party 4.
    parties.break_into(three)?;
    check(login(parties, &record, "correct horse")?, "a lie changes the hash")?;
    check(parties.cheaters == [three], "the intruder is not named")?;

    // Party 2 is off: the other two are enough.
    parties.unplug(two)?;
    check(login(parties, &record, "correct horse")?, "two parties are not enough")?;

    // Somebody with the login server's rights guesses. Party 3 has been asked five times, and answers the rest of its budget.
    let mut guesses = 0;
    let refused = loop {
        match login(parties, &record, &format!("guess {guesses}")) {
            Ok(accepted) => check(!accepted, "a guess is accepted")?,
            Err(refused) => break refused.to_string(),
        }
        guesses += 1;
        check(guesses < BUDGET, "nobody counts")?;
    };
    check(guesses == BUDGET - 5, "the parties count wrongly")?;
    check(refused == "party 2 is down; party 3 refuses", "it is another error")?;
    println!(
        "password: the crate voprf takes what two of three parties answer, with one down or lying; guess {} is refused",
        guesses + 1
    );
    Ok(())
}

/// The login server's record of a user.
struct Record {
    salt: [u8; 16],
    hash: sha256::Hash,
}

fn register(parties: &mut Gateway<'_>, password: &str) -> Result<Record, Failure> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt)?;
    Ok(Record { salt, hash: harden(parties, password, &salt)? })
}

fn login(parties: &mut Gateway<'_>, record: &Record, password: &str) -> Result<bool, Failure> {
    Ok(harden(parties, password, &record.salt)? == record.hash)
}

/// The hash of a password.
fn harden(parties: &mut Gateway<'_>, password: &str, salt: &[u8]) -> Result<sha256::Hash, Failure> {
    // For the day on which two parties' shares are stolen too: then guesses are slow.
    let mut slow = Zeroizing::new([0; 32]);
    Argon2::default().hash_password_into(password.as_bytes(), salt, &mut *slow)?;
    // The client of RFC 9497: it hides the input, and refuses an answer that is not proved under the public key.
    let failed = |why: voprf::Error| format!("the client: {why:?}");
    let client = VoprfClient::<Ristretto255>::blind(&*slow, &mut OsRng).map_err(failed)?;
    let (element, proof) = parties.evaluate(&client.message.serialize())?;
    let element = EvaluationElement::deserialize(&element).map_err(failed)?;
    let proof = Proof::deserialize(&proof).map_err(failed)?;
    let key = Ristretto255::deserialize_elem(&parties.public_key()).map_err(|_| "no key")?;
    let output = client.state.finalize(&*slow, &element, &proof, key);
    let mut output = output.map_err(failed)?;
    let hash = sha256::Hash::hash(&output);
    output.as_mut_slice().zeroize();
    Ok(hash)
}
