//! One list of products, evaluated by every engine that runs on this machine.
//!
//! ```sh
//! cargo run --release -p quorate-bignum --example powers
//! ```

use core::error::Error;
use std::time::Instant;

use quorate_bignum::{Engine, Integer, Modulus, Natural, PublicProduct};

fn main() -> Result<(), Box<dyn Error>> {
    // An odd modulus of 3072 bits, and eight products of two powers each under it.
    let bytes = |fill: u8, length: usize| vec![fill; length];
    let modulus = Modulus::new(&Natural::from_be_bytes(&bytes(0xff, 384)))?;
    let product = |number: u8| {
        let exponent =
            |length| Integer::from(Natural::from_be_bytes(&bytes(0x5a ^ number, length)));
        PublicProduct::new(&modulus)
            .power(Natural::from_be_bytes(&bytes(number, 383)), exponent(96))
            .power(Natural::from(u64::from(number)), exponent(325))
    };
    let products: Vec<_> = (1..=8).map(product).collect();

    let mut first = None;
    for engine in Engine::own() {
        let clock = Instant::now();
        let values =
            engine.evaluate_vartime(&products).into_iter().collect::<Result<Vec<_>, _>>()?;
        println!("{engine}: {:?} for {} products", clock.elapsed(), values.len());
        assert!(*first.get_or_insert_with(|| values.clone()) == values, "engines differ");
    }
    Ok(())
}
