//! Against GMP.
#![allow(
    clippy::unwrap_used,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "a test stops at the first surprise"
)]
use super::*;
use rug::Integer;
use rug::rand::RandState;

fn pack(x: &Integer, blocks: usize) -> Vec<Block> {
    let mut x = x.clone();
    let out = (0..blocks)
        .map(|_| {
            Block(core::array::from_fn(|_| {
                let limb = x.clone().keep_bits(52).to_u64().unwrap();
                x >>= 52;
                limb
            }))
        })
        .collect();
    assert_eq!(x, 0, "fits");
    out
}

fn unpack(blocks: &[Block]) -> Integer {
    let mut x = Integer::new();
    for limb in blocks.iter().flat_map(|b| b.0).rev() {
        assert!(limb < 1 << 52, "normalised");
        x <<= 52;
        x += limb;
    }
    x
}

fn moduli(blocks: usize, rand: &mut RandState<'_>) -> Vec<Integer> {
    let bits = 416 * u32::try_from(blocks).unwrap() - 8;
    let ones = (Integer::from(1) << bits) - 1u32;
    let mut out = vec![
        ones.clone(),
        Integer::from(&ones - 2u32),
        (Integer::from(1) << (bits - 1)) + 1u32,
        (Integer::from(1) << (bits - 30)) + 1u32,
        Integer::from(3),
        (Integer::from(1) << (bits - 100)) - 1u32,
    ];
    for _ in 0..2 {
        let mut n = Integer::from(Integer::random_bits(bits, rand));
        n.set_bit(bits - 1, true).set_bit(0, true);
        out.push(n);
    }
    out
}

#[test]
fn agrees_with_gmp() {
    let Some(ifma) = Ifma::detect() else { return };
    let one = One::new(ifma);
    let mut rand = RandState::new();
    for blocks in 1..=16 {
        for n in moduli(blocks, &mut rand) {
            let nb = pack(&n, blocks);
            let word = Integer::from(1u64 << 52);
            let k0 = (word.clone() - n.clone().invert(&word).unwrap()).to_u64().unwrap();
            let mut k = nb.clone();
            one.inverse(&mut k, &nb, k0);
            let r = Integer::from(1) << (416 * u32::try_from(blocks).unwrap());
            assert_eq!((unpack(&k) * &n + 1u32) % &r, 0, "inverse");
            let r_inv = r.clone().invert(&n).unwrap();
            let mut scratch = vec![Block([!0; 8]); One::scratch(blocks)];
            let mut mul = |a: &Integer, b: &Integer, square: bool| {
                let mut out = vec![Block([!0; 8]); blocks];
                let (pa, pb) = (pack(a, blocks), pack(b, blocks));
                if square {
                    one.sqr(&mut out, &pa, &nb, &k, &mut scratch);
                } else {
                    one.mul(&mut out, &pa, &pb, &nb, &k, &mut scratch);
                }
                let got = unpack(&out);
                assert!(got < Integer::from(&n * 2), "bound");
                let want = Integer::from(a * b) * &r_inv % &n;
                assert_eq!(Integer::from(&got % &n), want, "{blocks} blocks, square {square}");
                got
            };
            let edges = [
                Integer::new(),
                Integer::from(1),
                Integer::from(&n - 1u32),
                n.clone(),
                Integer::from(&n * 2u32) - 1u32,
                Integer::from(&n * 16u32) - 1u32,
                (Integer::from(1) << n.significant_bits()) - 1u32,
                Integer::from(&r % &n),
                Integer::from(&n * 2u32).random_below(&mut rand),
            ];
            for a in &edges {
                mul(a, a, true);
                for b in &edges {
                    mul(a, b, false);
                }
            }
            let (mut x, mut y) = (edges[8].clone(), edges[4].clone());
            for _ in 0..50 {
                x = mul(&x, &x, true);
                y = mul(&x, &y, false);
            }
        }
    }
}

#[test]
fn selects() {
    let Some(ifma) = Ifma::detect() else { return };
    let one = One::new(ifma);
    let table: Vec<Block> = (0..32 * 5u64).map(|i| Block([i; 8])).collect();
    for index in [0, 1, 31] {
        let mut out = vec![Block([!0; 8]); 5];
        one.select(&mut out, &table, index);
        assert!((index * 5..).zip(&out).all(|(i, b)| b.0 == [i; 8]));
    }
}
