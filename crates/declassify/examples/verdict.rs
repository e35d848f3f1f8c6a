//! A check of a tag: the comparison itself must not reveal where it failed, and its verdict is public.
//!
//! ```sh
//! cargo run -p quorate-declassify --example verdict
//! ```

use quorate_declassify::declassify;

/// Returns whether two tags are equal, in a time that does not depend on where they differ.
fn equal(one: &[u8; 16], other: &[u8; 16]) -> bool {
    let differing = one.iter().zip(other).fold(0, |bits, (a, b)| bits | (a ^ b));
    // Published: the message is answered or it is not.
    declassify(differing == 0)
}

fn main() {
    let (tag, mut forged) = ([7; 16], [7; 16]);
    forged.iter_mut().take(1).for_each(|byte| *byte ^= 1);
    assert!(equal(&tag, &tag) && !equal(&tag, &forged));
    println!(
        "one tag is right, the other is not; a build with --cfg quorate_watch would say so too"
    );
}
