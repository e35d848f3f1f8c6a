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

fn limbs(x: &Integer, count: usize) -> Vec<u64> {
    let mut x = x.clone();
    let limbs = (0..count)
        .map(|_| {
            let limb = x.clone().keep_bits(52).to_u64().unwrap();
            x >>= 52;
            limb
        })
        .collect();
    assert_eq!(x, 0, "fits");
    limbs
}

fn pack(xs: &[Integer; 8], count: usize) -> Vec<Block> {
    let lanes = xs.each_ref().map(|x| limbs(x, count));
    (0..count).map(|j| Block(core::array::from_fn(|i| lanes[i][j]))).collect()
}

fn unpack(blocks: &[Block]) -> [Integer; 8] {
    core::array::from_fn(|i| {
        let mut x = Integer::new();
        for block in blocks.iter().rev() {
            assert!(block.0[i] < 1 << 52, "normalised");
            x <<= 52;
            x += block.0[i];
        }
        x
    })
}

fn moduli(limbs: usize, rand: &mut RandState<'_>) -> [Integer; 8] {
    let bits = 52 * u32::try_from(limbs).unwrap() - 8;
    let ones = Integer::from(Integer::u_pow_u(2, bits)) - 1u32;
    let mut random = || {
        let mut n = Integer::from(Integer::random_bits(bits, rand));
        n.set_bit(bits - 1, true).set_bit(0, true);
        n
    };
    let (a, b, c) = (random(), random(), random());
    [
        a,
        b,
        ones.clone(),
        (Integer::from(1) << (bits - 1)) + 1u32,
        Integer::from(&ones - 2u32),
        // Every limb but the ends zero, then every second limb full.
        (Integer::from(1) << (bits - 30)) + 1u32,
        {
            let full = Integer::from((1u64 << 52) - 1);
            let mut n = Integer::new();
            for j in (0..limbs).step_by(2) {
                n += full.clone() << (52 * u32::try_from(j).unwrap());
            }
            n.keep_bits_mut(bits);
            n
        },
        c,
    ]
    .map(|mut n| {
        n.set_bit(0, true);
        n
    })
}

fn inverse(n: &Integer) -> u64 {
    let word = Integer::from(1) << 52;
    let k = n.clone().invert(&word).unwrap();
    (word - k).to_u64().unwrap()
}

struct Case {
    n: [Integer; 8],
    nb: Vec<Block>,
    k0: Block,
    size: usize,
    r_inv: [Integer; 8],
    scratch: Vec<Block>,
}

impl Case {
    fn new(size: usize, n: [Integer; 8]) -> Self {
        let r = Integer::from(1) << (52 * u32::try_from(size).unwrap());
        Case {
            nb: pack(&n, size),
            k0: Block(n.each_ref().map(inverse)),
            r_inv: n.each_ref().map(|n| r.clone().invert(n).unwrap()),
            n,
            size,
            scratch: vec![Block([!0; 8]); Eight::scratch(size)],
        }
    }
    fn mul(&mut self, eight: &Eight, a: &[Integer; 8], b: &[Integer; 8]) -> [Integer; 8] {
        let mut out = vec![Block([!0; 8]); self.size];
        let (pa, pb) = (pack(a, self.size), pack(b, self.size));
        eight.mul(&mut out, &pa, &pb, &self.nb, &self.k0, &mut self.scratch);
        let got = unpack(&out);
        for i in 0..8 {
            assert!(got[i] < Integer::from(&self.n[i] * 2), "bound");
            let want = Integer::from(&a[i] * &b[i]) * &self.r_inv[i] % &self.n[i];
            assert_eq!(Integer::from(&got[i] % &self.n[i]), want, "lane {i} size {}", self.size);
        }
        got
    }
    fn sqr(&mut self, eight: &Eight, a: &[Integer; 8]) -> [Integer; 8] {
        let mut out = vec![Block([!0; 8]); self.size];
        eight.sqr(&mut out, &pack(a, self.size), &self.nb, &self.k0, &mut self.scratch);
        let got = unpack(&out);
        let again = self.mul(eight, a, a);
        assert_eq!(got, again, "square is product, size {}", self.size);
        got
    }
}

#[test]
fn agrees_with_gmp() {
    let Some(ifma) = Ifma::detect() else { return };
    let eight = Eight::new(ifma);
    let mut rand = RandState::new();
    for size in (10..=120).step_by(10) {
        let mut case = Case::new(size, moduli(size, &mut rand));
        let n = case.n.clone();
        let edges: Vec<[Integer; 8]> = vec![
            n.each_ref().map(|_| Integer::new()),
            n.each_ref().map(|_| Integer::from(1)),
            n.each_ref().map(|n| Integer::from(n - 1u32)),
            n.each_ref().map(|n| Integer::from(n * 2u32) - 1u32),
            n.each_ref().map(|n| Integer::from(n * 16u32) - 1u32),
            n.clone(),
            n.each_ref().map(|n| {
                let bits = n.significant_bits() + 1;
                (Integer::from(1) << (bits - 1)) - 1u32
            }),
            n.each_ref().map(|n| Integer::from(n * 2u32).random_below(&mut rand)),
        ];
        for a in &edges {
            case.sqr(&eight, a);
            for b in &edges {
                case.mul(&eight, a, b);
            }
        }
        let (mut x, mut y) = (edges[7].clone(), edges[3].clone());
        for _ in 0..50 {
            x = case.sqr(&eight, &x);
            y = case.mul(&eight, &x, &y);
        }
    }
}

/// Both halves of a pair, and the number that it stands for.
fn joined([a, b]: &[[Integer; 8]; 2], n: &[Integer; 8]) -> [Integer; 8] {
    core::array::from_fn(|i| Integer::from(&b[i] * &n[i]) + &a[i])
}

/// The ends of the range of a half of a pair, and a number within it, for each modulus.
fn edges(n: &[Integer; 8], rand: &mut RandState<'_>) -> [[Integer; 8]; 6] {
    let each = |f: &dyn Fn(&Integer) -> Integer| n.each_ref().map(f);
    [
        each(&|_| Integer::new()),
        each(&|_| Integer::from(1)),
        each(&|n| Integer::from(n - 1u32)),
        each(&|n| Integer::from(n * 2u32) + 1u32),
        each(&|n| Integer::from(n * 8u32) - 1u32),
        n.each_ref().map(|n| Integer::from(n * 2u32).random_below(rand)),
    ]
}

#[test]
fn pairs_agree_with_gmp() {
    let Some(ifma) = Ifma::detect() else { return };
    let eight = Eight::new(ifma);
    let mut rand = RandState::new();
    for size in (10..=60).step_by(10) {
        let case = Case::new(size, moduli(size, &mut rand));
        let n = &case.n;
        let r = Integer::from(1) << (52 * u32::try_from(size).unwrap());
        let each = |f: &dyn Fn(&Integer) -> Integer| n.each_ref().map(f);
        let complement = pack(&each(&|n| Integer::from(n + 1u32) - Integer::from(&r % n)), size);
        let mut scratch = vec![Block([!0; 8]); Eight::pair_scratch(size)];
        let packed = |[a, b]: &[[Integer; 8]; 2]| [pack(a, size), pack(b, size)].concat();
        let mut check = |x: &[[Integer; 8]; 2], y: &[[Integer; 8]; 2]| {
            let mut out = vec![Block([!0; 8]); 2 * size];
            let (nb, k0) = (&case.nb, &case.k0);
            if x == y {
                eight.sqr_pairs(&mut out, &packed(x), nb, k0, &complement, &mut scratch);
                let mut product = vec![Block([!0; 8]); 2 * size];
                let both = [&packed(x)[..], &packed(x)[..]];
                eight.mul_pairs(&mut product, both, nb, k0, &complement, &mut scratch);
                assert!(unpack(&out[..size]) == unpack(&product[..size]));
                assert!(unpack(&out[size..]) == unpack(&product[size..]));
            } else {
                let both = [&packed(x)[..], &packed(y)[..]];
                eight.mul_pairs(&mut out, both, nb, k0, &complement, &mut scratch);
            }
            let out = [unpack(&out[..size]), unpack(&out[size..])];
            let [got, x, y] = [&out, x, y].map(|pair| joined(pair, n));
            for i in 0..8 {
                let square = Integer::from(&n[i] * &n[i]);
                let bound = Integer::from(&n[i] * 2) + 2u32;
                assert!(out[0][i] < bound && out[1][i] < bound, "bound");
                let want = Integer::from(&x[i] * &y[i]) * r.clone().invert(&square).unwrap();
                assert_eq!(Integer::from(&got[i] % &square), want % square, "lane {i} size {size}");
            }
            out
        };
        let edges = edges(n, &mut rand);
        let full = each(&|_| Integer::from(&r - 1u32));
        for (k, a) in edges.iter().enumerate() {
            for b in edges.iter().skip(k % 2) {
                let x = [a.clone(), b.clone()];
                let square = check(&x, &x);
                for c in &edges {
                    check(&x, &[c.clone(), a.clone()]);
                }
                check(&x, &square);
            }
            if k < 3 {
                check(&[full.clone(), edges[0].clone()], &[a.clone(), edges[2].clone()]);
            }
        }
        let mut x = [edges[5].clone(), edges[2].clone()];
        for _ in 0..50 {
            let square = check(&x, &x);
            x = check(&square, &x);
        }
    }
}

#[test]
fn selects() {
    let Some(ifma) = Ifma::detect() else { return };
    let eight = Eight::new(ifma);
    for size in [10usize, 40, 70] {
        for entries in [1usize, 2, 8, 32, 37] {
            let word = |e: usize, j: usize, i: usize| ((e * 1000 + j) * 8 + i) as u64;
            let table: Vec<Block> = (0..entries * size)
                .map(|at| Block(core::array::from_fn(|i| word(at / size, at % size, i))))
                .collect();
            let shared: Vec<u64> =
                (0..entries * size).map(|at| word(at / size, at % size, 0)).collect();
            let shared = Eight::arranged(&shared, size);
            let index = Block([0, 31, 5, 7, 36, 1, 1, 30].map(|i| i % entries as u64));
            let mut out = vec![Block([!0; 8]); size];
            for round in 0..4 {
                match round {
                    0 => eight.select_vartime(&mut out, &table, &index),
                    1 => eight.select(&mut out, &table, &index),
                    2 => eight.select_shared_vartime(&mut out, &shared, &index),
                    _ => eight.select_shared(&mut out, &shared, &index),
                }
                for (j, block) in out.iter().enumerate() {
                    for i in 0..8 {
                        let lane = if round < 2 { i } else { 0 };
                        assert_eq!(block.0[i], word(index.0[i] as usize, j, lane));
                    }
                }
                out.fill(Block([!0; 8]));
            }
        }
    }
}
