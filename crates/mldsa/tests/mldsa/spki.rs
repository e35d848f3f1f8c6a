//! Verifying keys in the form that other software reads.

use crate::common::deal;
use quorate_mldsa::Level;
use spki::DecodePublicKey;

/// The crates `spki` and `ml-dsa` read the key of each level from DER and PEM (RFC 9881), and refuse that of
/// another level.
#[test]
fn others_read_the_key_of_each_level() {
    for (level, length) in [(Level::MlDsa44, 1334), (Level::MlDsa65, 1974), (Level::MlDsa87, 2614)]
    {
        let key = deal(level, 2, 2).public.verifying_key().clone();
        let (der, pem) = (key.to_spki_der(), key.to_spki_pem());
        assert_eq!(der.len(), length);
        let read = [
            read::<ml_dsa::MlDsa44>(&der, &pem),
            read::<ml_dsa::MlDsa65>(&der, &pem),
            read::<ml_dsa::MlDsa87>(&der, &pem),
        ];
        let expected = Level::ALL.map(|other| (other == level).then(|| key.to_bytes()));
        assert!(read == expected, "{level}");
        assert!(pem.lines().all(|line| line.len() <= 64) && pem.ends_with("-----\n"));
    }
}

/// The key in FIPS 204's encoding, if it is one of this parameter set.
fn read<P>(der: &[u8], pem: &str) -> Option<Vec<u8>>
where
    P: ml_dsa::MlDsaParams,
    ml_dsa::VerifyingKey<P>: DecodePublicKey + PartialEq,
{
    let key = ml_dsa::VerifyingKey::<P>::from_public_key_der(der).ok();
    assert!(key == ml_dsa::VerifyingKey::<P>::from_public_key_pem(pem).ok());
    Some(key?.encode().to_vec())
}
