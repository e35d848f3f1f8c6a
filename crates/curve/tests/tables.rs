//! The tables of the generators' multiples, computed anew from the curves' equations with big integers.
//!
//! With `QUORATE_BLESS=1` the files are written instead of compared.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking, and divides public numbers"
)]

use std::fs;
use std::path::Path;

use num_bigint::BigUint;

/// Numbers modulo a prime.
struct Field {
    p: BigUint,
}

impl Field {
    fn new(p: &str) -> Self {
        Self { p: number(p) }
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a + b) % &self.p
    }

    fn sub(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a + &self.p - b) % &self.p
    }

    fn mul(&self, a: &BigUint, b: &BigUint) -> BigUint {
        a * b % &self.p
    }

    fn div(&self, a: &BigUint, b: &BigUint) -> BigUint {
        self.mul(a, &b.modinv(&self.p).unwrap())
    }
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

fn small(value: u32) -> BigUint {
    BigUint::from(value)
}

type Point = [BigUint; 2];

/// `1` to `width` times `2^(shift i)` times the generator, for each `i` below `windows`.
fn multiples(
    generator: Point,
    add: impl Fn(&Point, &Point) -> Point,
    [windows, width, shift]: [usize; 3],
) -> Vec<Point> {
    let mut out = Vec::new();
    let mut power = generator;
    for _ in 0..windows {
        let mut multiple = power.clone();
        for k in 0..width {
            if k > 0 {
                multiple = add(&multiple, &power);
            }
            out.push(multiple.clone());
        }
        for _ in 0..shift {
            power = add(&power, &power);
        }
    }
    out
}

/// `y² = x³ + a x + b`; never the neutral element, since the multiples stay below the order.
fn weierstrass(field: &Field, a: &BigUint, [x1, y1]: &Point, [x2, y2]: &Point) -> Point {
    let slope = if x1 == x2 {
        let three = field.mul(&small(3), &field.mul(x1, x1));
        field.div(&field.add(&three, a), &field.add(y1, y1))
    } else {
        field.div(&field.sub(y2, y1), &field.sub(x2, x1))
    };
    let x3 = field.sub(&field.sub(&field.mul(&slope, &slope), x1), x2);
    let y3 = field.sub(&field.mul(&slope, &field.sub(x1, &x3)), y1);
    [x3, y3]
}

/// `-x² + y² = 1 + d x² y²`
fn edwards(field: &Field, d: &BigUint, [x1, y1]: &Point, [x2, y2]: &Point) -> Point {
    let (xx, yy) = (field.mul(x1, x2), field.mul(y1, y2));
    let cross = field.add(&field.mul(x1, y2), &field.mul(y1, x2));
    let product = field.mul(d, &field.mul(&xx, &yy));
    let one = small(1);
    [
        field.div(&cross, &field.add(&one, &product)),
        field.div(&field.add(&yy, &xx), &field.sub(&one, &product)),
    ]
}

/// 32 bytes, the lowest first.
fn bytes(value: &BigUint) -> Vec<u8> {
    let mut out = value.to_bytes_le();
    out.resize(32, 0);
    out
}

fn holds(file: &str, contents: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    if std::env::var_os("QUORATE_BLESS").is_some() {
        fs::write(path, contents).unwrap();
        return;
    }
    assert!(fs::read(path).unwrap() == contents, "{file} is not what the equations give");
}

fn of_weierstrass(file: &str, p: &str, a: &str, generator: [&str; 2]) {
    let (field, a) = (Field::new(p), number(a));
    let add = |one: &Point, other: &Point| weierstrass(&field, &a, one, other);
    let points = multiples(generator.map(number), add, [26, 16, 10]);
    let coordinates = points.iter().flatten();
    holds(file, &coordinates.flat_map(bytes).collect::<Vec<u8>>());
}

#[test]
fn p256() {
    of_weierstrass(
        "p256/table.bin",
        "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
        "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc",
        [
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
        ],
    );
}

#[test]
fn secp256k1() {
    of_weierstrass(
        "secp256k1/table.bin",
        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
        "0",
        [
            "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
        ],
    );
}

/// `y + x`, `y - x` and `2 d x y` of each, and of the odd multiples of the generator and of `2^128` times that.
#[test]
fn edwards25519() {
    let field = Field::new("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
    let d = number("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3");
    let generator = [
        "216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a",
        "6666666666666666666666666666666666666666666666666666666666666658",
    ];
    let add = |one: &Point, other: &Point| edwards(&field, &d, one, other);
    let generator = generator.map(number);
    let mut points = multiples(generator.clone(), add, [32, 8, 8]);
    let high = (0..128).fold(generator.clone(), |point, _| add(&point, &point));
    for point in [generator, high] {
        let all = multiples(point, add, [1, 63, 0]);
        points.extend(all.into_iter().step_by(2));
    }
    let entries = points.iter().flat_map(|[x, y]| {
        let product = field.mul(&field.mul(&small(2), &d), &field.mul(x, y));
        [field.add(y, x), field.sub(y, x), product]
    });
    holds("edwards/table.bin", &entries.flat_map(|value| bytes(&value)).collect::<Vec<u8>>());
}
