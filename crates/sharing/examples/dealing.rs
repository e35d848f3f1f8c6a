//! A secret shared among five parties, three of which put it together. A wrong share is detected at
//! once.
//!
//! ```sh
//! cargo run -p quorate-sharing --example dealing
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_curve::{Curve, Ristretto255 as C};
use quorate_sharing::{Commitment, PartyId, Polynomial, lagrange};

fn main() -> Result<(), Box<dyn Error>> {
    let ids: Vec<PartyId> = (1..=5).filter_map(PartyId::new).collect();
    let dealt = Polynomial::<C>::random(3, &mut UnwrapErr(SysRng))?;
    let shares = dealt.evaluate_many(&ids);

    // The dealer publishes a commitment whose number of points is the threshold.
    let mut published = Vec::new();
    dealt.commit().encode_into(&mut published);
    let commitment = Commitment::<C>::decode(&published, 3)?;
    for (id, share) in ids.iter().zip(shares.expose()) {
        assert!(commitment.verify_share_vartime(*id, share));
        assert!(!commitment.verify_share_vartime(*id, &(*share + 1.into())));
    }
    println!("five shares checked against {} bytes", published.len());

    // Any three make the secret; two make a number that means nothing.
    for (some, holds) in [(0..3, true), (2..5, true), (0..2, false)] {
        let (ids, shares) = (ids.get(some.clone()), shares.expose().get(some));
        let (Some(ids), Some(shares)) = (ids, shares) else { return Err("five shares".into()) };
        let secret = lagrange::interpolate_at_zero::<C>(ids, shares).ok_or("distinct parties")?;
        assert_eq!(C::mul_base(secret.expose()) == *commitment.constant(), holds);
    }
    println!("three of them make the secret, two do not");
    Ok(())
}
