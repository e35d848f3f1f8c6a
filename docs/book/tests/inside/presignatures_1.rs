//! Two parties pay with a presignature of a run of four.

use getrandom::SysRng;
use quorate::ecdsa::{AuxInfoGen, AuxInfoParams, AuxSecrets, Keygen, KeygenParams, Level};
use quorate::session::rand_core::UnwrapErr;
use quorate_testkit::fixtures;

use super::*;

#[test]
fn one_of_four_presignatures_pays() {
    let parties = Parties::numbered(2).unwrap();
    let made = Network::new(1)
        .run::<Keygen<Secp256k1>>(SessionId::new([1; 32]), &parties, |_| KeygenParams::new(2))
        .unwrap();
    let keys: Vec<Key> = made.results.into_values().map(|key| Arc::new(key.unwrap())).collect();
    let secrets: Vec<_> = (0..2)
        .map(|index| {
            let primes = fixtures::primes(Level::Bits112, index);
            AuxSecrets::from_primes(Level::Bits112, &primes, &mut UnwrapErr(SysRng))
        })
        .map(|secrets| Arc::new(secrets.unwrap()))
        .collect();
    let made = Network::new(2)
        .run::<AuxInfoGen>(SessionId::new([2; 32]), &parties, |party| {
            AuxInfoParams::new(Arc::clone(&secrets[usize::from(party.get() - 1)]))
        })
        .unwrap();
    let aux: Vec<_> = made.results.into_values().map(|aux| Arc::new(aux.unwrap())).collect();
    pay(&parties, &keys, &aux).unwrap();
}
