//! `cggmp24`.

use cggmp24::backend::Integer;
use cggmp24::security_level::define_security_level;
use cggmp24::signing::{AnyDataToSign, PresignaturePublicData};
use cggmp24::{DataToSign, PartialSignature, Presignature};

fixture!(cggmp24);

/// A presignature with its public part.
pub(super) type Presigned<E> = (Presignature<E>, PresignaturePublicData<E>);

/// As the crate's own level, but for the primes.
#[derive(Clone)]
pub(crate) struct Short;
define_security_level!(Short {
    kappa_bits: 256,
    rsa_prime_bitlen: 1024,
    rsa_pubkey_bitlen: 2047,
    epsilon: 512,
    ell: 256,
    ell_prime: 1280,
    m: 128,
});

pub(crate) fn primes<L: SecurityLevel>(setup: Setup) -> Vec<PregeneratedPrimes<L>> {
    let four = |primes: Vec<rug::Integer>| {
        let primes: Vec<_> = primes.into_iter().map(Integer::from_rug).collect();
        let four: [Integer; 4] = primes.try_into().expect("four primes");
        four.try_into().expect("primes long enough")
    };
    super::primes::primes(setup, 4).into_iter().map(four).collect()
}

pub(super) fn data<E: Curve>(data: &DataToSign<E>) -> &dyn AnyDataToSign<E> {
    data
}

/// Every signer issues its part; then every signer puts all parts together, which checks each of them.
pub(super) fn sign<E, L>(presigned: &[Presigned<E>], _: &[KeyShare<E, L>], ledger: &mut Ledger)
where
    E: Curve,
    L: SecurityLevel,
    NonZero<Point<E>>: AlwaysHasAffineX<E>,
{
    let data = DataToSign::digest::<Sha256>(MESSAGE);
    let mut parts = Vec::new();
    for (party, (presignature, _)) in presigned.iter().enumerate() {
        let presignature = presignature.clone();
        let part = ledger.work(0, party, || presignature.issue_partial_signature(data));
        ledger.sent(party, || machines::size(&part));
        parts.push(part);
    }
    for (party, (_, public)) in presigned.iter().enumerate() {
        let signature = ledger.work(1, party, || PartialSignature::combine(&parts, public, data));
        assert!(signature.is_some(), "valid parts");
    }
}
