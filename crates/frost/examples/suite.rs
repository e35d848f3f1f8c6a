//! A ciphersuite of one's own: Ristretto255 with a context string that no other application has. So a signature
//! made here is invalid everywhere else. Then 2 of 3 sign with it.
//!
//! ```sh
//! cargo run -p quorate-frost --example suite
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_frost::hash::{SuiteHash, WideSha512};
use quorate_frost::session::Parties;
use quorate_frost::{
    Ciphersuite, Coordinator, Dealing, KeySuite, PointBytes, Scalar, ScalarBytes, Signature,
    signature_bytes,
};

/// Votes of a council: 64 bytes each, over Ristretto255 with SHA-512.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Council;

impl KeySuite for Council {
    type Curve = quorate_frost::curve::Ristretto255;
    type Hash = WideSha512;

    const CONTEXT: &'static str = "COUNCIL-RISTRETTO255-SHA512-v1";
    /// The codes below 128 are for the suites of this family of crates.
    const CODE: u8 = 200;
}

impl Ciphersuite for Council {
    type SignatureBytes = [u8; 64];

    fn challenge(r: &PointBytes<Self>, key: &PointBytes<Self>, message: &[u8]) -> Scalar<Self> {
        let mut hash = Self::Hash::new(Self::CONTEXT, "chal");
        hash.update(r);
        hash.update(key);
        hash.update(message);
        hash.finish::<Self::Curve>()
    }

    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> [u8; 64] {
        signature_bytes(r, z)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let parties = Parties::numbered(3)?;
    let dealing = Dealing::<Council>::new(2, &parties, &mut rng)?;
    let public = dealing.public;

    let (mut signers, mut sent) = (Vec::new(), Vec::new());
    for share in dealing.shares.into_iter().take(2) {
        let share = share.accept(2, &public)?;
        let (nonces, commitments) = share.commit(&mut rng);
        sent.push((share.id(), commitments.to_bytes()));
        signers.push((share, nonces));
    }
    let coordinator = Coordinator::new(public);
    let mut session = coordinator.start(sent, b"motion 12: yes")?;
    for (share, nonces) in signers {
        let signed = share.sign(session.package(), nonces)?;
        session.receive(share.id(), &signed.to_bytes())?;
    }
    let signature = coordinator.aggregate(session)?;

    let key = coordinator.public().verifying_key();
    key.verify(b"motion 12: yes", &Signature::from_bytes(&signature.to_bytes())?)?;
    assert!(key.verify(b"motion 12: no", &signature).is_err());
    println!("two of three voted: {signature:?}");
    Ok(())
}
