//! `cggmp21`.

use cggmp21::rug::Integer;
use cggmp21::security_level::define_security_level;
use cggmp21::{DataToSign, PartialSignature, Presignature};

fixture!(cggmp21);

/// A presignature with its public part.
pub(super) type Presigned<E> = Presignature<E>;

/// As the crate's own level, but for the primes.
#[derive(Clone)]
pub(super) struct Short;
define_security_level!(Short {
    security_bits = 256,
    epsilon = 230,
    ell = 256,
    ell_prime = 848,
    m = 128,
    q = Integer::from(Integer::ONE << 128_u32),
});

pub(super) fn primes<L: SecurityLevel>(setup: Setup) -> Vec<PregeneratedPrimes<L>> {
    let two = |primes: Vec<Integer>| {
        let [p, q]: [Integer; 2] = primes.try_into().expect("two primes");
        PregeneratedPrimes::new(p, q).expect("primes long enough")
    };
    super::primes::primes(setup, 2).into_iter().map(two).collect()
}

pub(super) fn data<E: Curve>(data: &DataToSign<E>) -> DataToSign<E> {
    *data
}

/// Every signer issues its part; then every signer puts all parts together and verifies the signature, since
/// nothing else tells whether the parts were good.
pub(super) fn sign<E, L>(presigned: &[Presigned<E>], shares: &[KeyShare<E, L>], ledger: &mut Ledger)
where
    E: Curve,
    L: SecurityLevel,
    NonZero<Point<E>>: AlwaysHasAffineX<E>,
{
    let data = DataToSign::digest::<Sha256>(MESSAGE);
    let mut parts = Vec::new();
    for (party, presignature) in presigned.iter().enumerate() {
        let presignature = presignature.clone();
        let part = ledger.work(0, party, || presignature.issue_partial_signature(data));
        ledger.sent(party, || machines::size(&part));
        parts.push(part);
    }
    for (party, _) in presigned.iter().enumerate() {
        ledger.work(1, party, || {
            let signature = PartialSignature::combine(&parts).expect("parts");
            signature
                .verify(&shares[party].core.shared_public_key, &data)
                .expect("a valid signature");
        });
    }
}
