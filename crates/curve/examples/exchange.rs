//! One function over all five groups: two secrets, two public points, one shared point.
//!
//! ```sh
//! cargo run -p quorate-curve --example exchange
//! ```

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_curve::{
    Curve, Ed448, Ed25519, P256, RandomnessError, Ristretto255, Secp256k1, Secret,
    random_nonzero_scalar,
};

fn main() -> Result<(), RandomnessError> {
    exchange::<Ed25519>()?;
    exchange::<Ristretto255>()?;
    exchange::<Ed448>()?;
    exchange::<P256>()?;
    exchange::<Secp256k1>()
}

fn exchange<C: Curve>() -> Result<(), RandomnessError> {
    let mut rng = UnwrapErr(SysRng);
    let (alice, bob) = (
        Secret::new(random_nonzero_scalar::<C>(&mut rng)?),
        Secret::new(random_nonzero_scalar::<C>(&mut rng)?),
    );
    // Received bytes are decoded strictly: on the curve, in the group, in the one valid form.
    let [from_alice, from_bob] =
        [&alice, &bob].map(|secret| C::encode_point(&C::mul_base(secret.expose())));
    let shared = |own: &Secret<C::Scalar>, received: &C::PointBytes| {
        C::decode_point(received.as_ref()).map(|point| C::mul(&point, own.expose()))
    };
    let (ours, theirs) = (shared(&alice, &from_bob), shared(&bob, &from_alice));
    assert!(ours.is_some() && ours == theirs);
    println!("{}: {} bytes each way, one shared point", C::NAME, from_alice.as_ref().len());
    Ok(())
}
