//! Operations and who does them.

use core::hint::black_box;

use quorate_bignum::{Comb, Engine, Modulus, Natural, PublicProduct, SecretModulus, SecretProduct};

use super::inputs::{Inputs, LIST, PEDERSEN};

/// A timed operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// One public power, exponent as long as the modulus.
    Modexp,
    /// One power with a secret exponent.
    ModexpSecret,
    /// Public powers in a list of eight, time for one.
    ModexpBatch8,
    /// Powers with secret exponents in a list of eight, time for one.
    ModexpSecretBatch8,
    /// `r^N mod N^2` with a secret r in a list of eight, time for one: the cost of an encryption for another party.
    NthPowerBatch8,
    /// `s^x t^y` with exponents of 768 and 2600 bits in a list of eight under one modulus, time for one.
    PedersenBatch8,
    /// These products with tables of at most 100 KB.
    PedersenCombBatch8,
    /// Building those tables.
    CombBuild,
    /// An inverse of a public number.
    Inverse,
    /// An inverse of a secret.
    InverseSecret,
    /// Making the square of a public modulus, with its constants.
    SquareOf,
    /// Making the square of a secret modulus, in constant time.
    SquareOfSecret,
    /// A safe prime.
    SafePrime,
}

/// A piece of work.
pub struct Work<'a> {
    /// Does it once.
    pub run: Box<dyn FnMut() + 'a>,
    /// How many products that is.
    pub products: u32,
}

/// An engine of ours or another library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contender {
    /// An engine.
    Engine(Engine),
    /// crypto-bigint's own Montgomery form.
    CryptoBigint,
    /// num-bigint's `modpow`.
    NumBigint,
}

impl Contender {
    /// Every contender of this build that this machine runs.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let engines = Engine::available().into_iter().map(Self::Engine);
        engines.chain([Self::CryptoBigint, Self::NumBigint]).collect()
    }

    /// The name in the report.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Engine(engine) => engine.name(),
            Self::CryptoBigint => "crypto-bigint",
            Self::NumBigint => "num-bigint",
        }
    }
}

impl Op {
    /// Every operation.
    pub const ALL: [Self; 13] = [
        Self::Modexp,
        Self::ModexpSecret,
        Self::ModexpBatch8,
        Self::ModexpSecretBatch8,
        Self::NthPowerBatch8,
        Self::PedersenBatch8,
        Self::PedersenCombBatch8,
        Self::CombBuild,
        Self::Inverse,
        Self::InverseSecret,
        Self::SquareOf,
        Self::SquareOfSecret,
        Self::SafePrime,
    ];

    /// The name in the report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modexp => "modexp",
            Self::ModexpSecret => "modexp_secret",
            Self::ModexpBatch8 => "modexp_batch8",
            Self::ModexpSecretBatch8 => "modexp_secret_batch8",
            Self::NthPowerBatch8 => "nth_power_batch8",
            Self::PedersenBatch8 => "pedersen_batch8",
            Self::PedersenCombBatch8 => "pedersen_comb_batch8",
            Self::CombBuild => "comb_build",
            Self::Inverse => "inverse",
            Self::InverseSecret => "inverse_secret",
            Self::SquareOf => "square_of",
            Self::SquareOfSecret => "square_of_secret",
            Self::SafePrime => "safe_prime",
        }
    }

    /// The operation of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// The sizes asked for, or else those of the reference table.
    #[must_use]
    pub fn sizes(self, asked: &[u32]) -> Vec<u32> {
        if !asked.is_empty() {
            return asked.to_vec();
        }
        match self {
            Self::NthPowerBatch8
            | Self::PedersenBatch8
            | Self::PedersenCombBatch8
            | Self::CombBuild => vec![2048, 3072],
            Self::SafePrime => vec![1024],
            Self::SquareOf | Self::SquareOfSecret => vec![1024, 1536, 2048, 3072],
            _ => vec![1024, 1536, 2048, 3072, 4096, 6144],
        }
    }

    /// Bits of the longest exponent.
    #[must_use]
    pub const fn exponent_bits(self, bits: u32) -> u32 {
        match self {
            Self::PedersenBatch8 | Self::PedersenCombBatch8 | Self::CombBuild => PEDERSEN[1],
            Self::Inverse
            | Self::InverseSecret
            | Self::SquareOf
            | Self::SquareOfSecret
            | Self::SafePrime => 0,
            _ => bits,
        }
    }

    /// The work of this operation for a contender, if it has it.
    #[must_use]
    pub fn work<'a>(self, contender: Contender, inputs: &'a Inputs) -> Option<Work<'a>> {
        match contender {
            Contender::Engine(engine) => self.engine(engine, inputs),
            Contender::CryptoBigint => self.crypto_bigint(inputs),
            Contender::NumBigint => self.num_bigint(inputs),
        }
    }

    fn engine(self, engine: Engine, inputs: &Inputs) -> Option<Work<'_>> {
        Some(match self {
            Self::Modexp => public(engine, powers(inputs, 1)),
            Self::ModexpBatch8 => public(engine, powers(inputs, LIST)),
            Self::ModexpSecret => secret(engine, secret_powers(inputs, 1)),
            Self::ModexpSecretBatch8 => secret(engine, secret_powers(inputs, LIST)),
            Self::NthPowerBatch8 => secret(engine, nth_powers(inputs)?),
            Self::PedersenBatch8 => public(engine, pedersen(inputs)),
            Self::PedersenCombBatch8 => {
                let comb: &Comb = Box::leak(Box::new(comb(engine, inputs)));
                if comb.bytes() == 0 {
                    return None;
                }
                public(engine, pedersen_comb(inputs, comb))
            }
            Self::CombBuild if comb(engine, inputs).bytes() > 0 => one(move || {
                black_box(comb(engine, inputs));
            }),
            Self::Inverse if engine == Engine::portable() => one(|| {
                black_box(inputs.moduli[0].inverse(&inputs.bases[0])).ok();
            }),
            Self::InverseSecret if engine == Engine::portable() => {
                let n = inputs.moduli[0].for_secrets();
                one(move || {
                    black_box(n.inverse(&inputs.secret_bases[0])).ok();
                })
            }
            Self::SquareOf if engine == Engine::portable() => one(|| {
                black_box(Modulus::square_of(&inputs.moduli[0])).ok();
            }),
            Self::SquareOfSecret if engine == Engine::portable() => {
                let n = inputs.moduli[0].for_secrets();
                one(move || {
                    black_box(SecretModulus::square_of(&n)).ok();
                })
            }
            #[cfg(feature = "gmp")]
            Self::Inverse if engine == Engine::gmp() => {
                let [a, n] = [&inputs.bases[0], inputs.moduli[0].value()].map(gmp);
                one(move || {
                    black_box(a.invert_ref(&n).map(rug::Integer::from));
                })
            }
            _ => return None,
        })
    }

    fn crypto_bigint(self, inputs: &Inputs) -> Option<Work<'_>> {
        use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
        use crypto_bigint::{BoxedUint, Odd};
        let number = |value: &Natural| {
            let len = (inputs.bits / 8) as usize;
            BoxedUint::from_be_slice(&value.to_be_bytes(len).expect("fits"), inputs.bits)
                .expect("fits")
        };
        if !matches!(self, Self::Modexp | Self::ModexpSecret) {
            return None;
        }
        let n = Odd::new(number(inputs.moduli[0].value())).expect("odd");
        let (base, exponent) = (number(&inputs.bases[0]), number(inputs.exponents[0].magnitude()));
        Some(one(move || {
            let params = BoxedMontyParams::new_vartime(n.clone());
            black_box(BoxedMontyForm::new(base.clone(), &params).pow(&exponent).retrieve());
        }))
    }

    fn num_bigint(self, inputs: &Inputs) -> Option<Work<'_>> {
        use num_bigint::BigUint;
        let number = |value: &Natural| {
            BigUint::from_bytes_be(
                &value.to_be_bytes((value.bits() / 8 + 1) as usize).expect("fits"),
            )
        };
        if self != Self::Modexp {
            return None;
        }
        let (base, exponent) = (number(&inputs.bases[0]), number(inputs.exponents[0].magnitude()));
        let n = number(inputs.moduli[0].value());
        Some(one(move || {
            black_box(base.modpow(&exponent, &n));
        }))
    }
}

#[cfg(feature = "gmp")]
fn gmp(value: &Natural) -> rug::Integer {
    let bytes = value.to_be_bytes((value.bits() / 8 + 1) as usize).expect("fits");
    rug::Integer::from_digits(&bytes, rug::integer::Order::Msf)
}

fn one<'a>(run: impl FnMut() + 'a) -> Work<'a> {
    Work { run: Box::new(run), products: 1 }
}

fn public(engine: Engine, products: Vec<PublicProduct<'_>>) -> Work<'_> {
    let count = u32::try_from(products.len()).expect("a short list");
    let run = Box::new(move || {
        black_box(engine.evaluate_vartime(&products));
    });
    Work { run, products: count }
}

fn secret(engine: Engine, products: Vec<SecretProduct<'_>>) -> Work<'_> {
    let count = u32::try_from(products.len()).expect("a short list");
    let run = Box::new(move || {
        black_box(engine.evaluate(&products));
    });
    Work { run, products: count }
}

fn powers(inputs: &Inputs, count: usize) -> Vec<PublicProduct<'_>> {
    let all = inputs.moduli.iter().zip(&inputs.bases).zip(&inputs.exponents).take(count);
    all.map(|((n, base), exponent)| PublicProduct::new(n).power(base, exponent)).collect()
}

/// Bases are secret too, as randomizers are.
fn secret_powers(inputs: &Inputs, count: usize) -> Vec<SecretProduct<'_>> {
    let all =
        inputs.moduli.iter().zip(&inputs.secret_bases).zip(&inputs.secret_exponents).take(count);
    all.map(|((n, base), exponent)| SecretProduct::new(n).power(base, exponent)).collect()
}

/// Nothing if the squares are too long.
fn nth_powers(inputs: &Inputs) -> Option<Vec<SecretProduct<'_>>> {
    let squares =
        inputs.moduli.iter().map(Modulus::square_of).collect::<Result<Vec<_>, _>>().ok()?;
    let squares: &[Modulus] = squares.leak();
    let all = squares.iter().zip(&inputs.secret_bases).zip(&inputs.moduli);
    let power = |((square, base), n): ((_, _), &Modulus)| {
        SecretProduct::new(square).power(base, quorate_bignum::Integer::from(n.value().clone()))
    };
    Some(all.map(power).collect())
}

fn setup(inputs: &Inputs) -> (&Modulus, [Natural; 2]) {
    let n = &inputs.moduli[0];
    (n, [n.reduce(&inputs.bases[1]), n.reduce(&inputs.bases[2])])
}

fn pedersen(inputs: &Inputs) -> Vec<PublicProduct<'_>> {
    let (n, [s, t]) = setup(inputs);
    let product = |[x, y]: &'_ [quorate_bignum::Integer; 2]| {
        PublicProduct::new(n).power(s.clone(), x.clone()).power(t.clone(), y.clone())
    };
    inputs.pedersen.iter().map(product).collect()
}

fn pedersen_comb<'a>(inputs: &'a Inputs, comb: &'a Comb) -> Vec<PublicProduct<'a>> {
    let n = &inputs.moduli[0];
    inputs
        .pedersen
        .iter()
        .map(|[x, y]| PublicProduct::new(n).comb(comb, vec![x.into(), y.into()]))
        .collect()
}

fn comb(engine: Engine, inputs: &Inputs) -> Comb {
    let (n, [s, t]) = setup(inputs);
    let [ls, lt] = PEDERSEN;
    Comb::new(&engine, n, &[(s, ls), (t, lt)], 100_000).expect("units, and room enough")
}
