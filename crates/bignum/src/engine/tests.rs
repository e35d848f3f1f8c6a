//! An engine that fails gives errors, and no empty or stale values.

use alloc::vec;
use alloc::vec::Vec;

use super::run::{Values, scatter};
use super::schedule::{Group, groups};
use crate::exponent::comb::CombJob;
use crate::exponent::comb::run::run as run_comb;
use crate::exponent::job::{Job, Power};
use crate::exponent::window;
use crate::kernel::block::{Block, zeros};
use crate::kernel::operations::Kernel;
use crate::kernel::portable::Portable;
use crate::number::words::Words;
use crate::{Comb, Engine, Error, Modulus, Natural};

fn words(value: u64) -> Words {
    vec![value].into()
}

fn group(members: &[usize]) -> Group {
    Group { members: members.to_vec() }
}

#[test]
fn each_job_has_its_own_result_or_an_error() {
    let groups = [group(&[2, 0]), group(&[1]), group(&[3, 4]), group(&[5, 6])];
    let results = vec![
        Ok(vec![words(12), words(10)]),
        Err(Error::Unsupported),
        Ok(vec![words(13)]),
        Ok(vec![words(15), words(16), words(17)]),
    ];
    let out = scatter(9, &groups, results);
    let expected: Values = [Ok(10), Err(Error::Unsupported), Ok(12)]
        .into_iter()
        .chain([Err(Error::NoValue); 6])
        .map(|value: Result<u64, Error>| value.map(words))
        .collect();
    assert_eq!(out, expected);
    // A group that nothing was done for.
    assert_eq!(scatter(1, &[group(&[0])], Vec::new()), [Err(Error::NoValue)]);
}

/// Jobs by one public exponent fill lanes by themselves; secret exponents have no say in who goes with whom.
#[test]
fn public_exponents_in_common_go_side_by_side() {
    let modulus = Modulus::new(&Natural::from(0xffff_fffb)).unwrap();
    let grouped = |public: bool, exponents: &[u64]| -> Vec<Vec<usize>> {
        let job = |exponent: &u64| {
            let power = Power { base: words(3), exponent: words(*exponent), bits: 4, public };
            Job::new(modulus.parameters(), vec![power])
        };
        let jobs: Vec<Job> = exponents.iter().map(job).collect();
        groups(4, |_| [1, 1], &jobs).into_iter().map(|group| group.members).collect()
    };
    let mixed = [9, 8, 9, 8, 9, 8, 8, 9, 9, 8];
    let expected = [vec![1, 3, 5, 6], vec![0, 2, 4, 7], vec![9, 8]];
    assert_eq!(grouped(true, &mixed), expected);
    for secret in [mixed, [8; 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] {
        assert_eq!(grouped(false, &secret), [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9]]);
    }
}

/// A multiplication with numbers of a wrong length, on every kernel: no value leaves the batch.
fn refuses(kernel: &dyn Kernel) {
    let modulus = Modulus::new(&Natural::power_of_two(700).add(&Natural::one())).unwrap();
    let parameters = &**modulus.parameters();
    let moduli = vec![parameters; kernel.lanes()];
    let all: Vec<&[u64]> = vec![&[3]; kernel.lanes()];
    for wrong in 0..5 {
        let batch = kernel.batch(&moduli).unwrap();
        let mut scratch = zeros(kernel.scratch(batch.limbs));
        let value = kernel.enter(&all, &batch, &mut scratch);
        let left = kernel.leave(&value, &batch, &moduli).unwrap();
        assert!(left.iter().all(|value| Natural::from_words(value) == Natural::from(3)));
        let (short, mut out) = (zeros(value.len() - 1), value.clone());
        match wrong {
            0 => kernel.mul(&mut out, &short, &value, &batch, &mut scratch),
            1 => kernel.mul(&mut out, &value, &short, &batch, &mut scratch),
            2 => kernel.mul(&mut zeros(value.len() + 1), &value, &value, &batch, &mut scratch),
            3 => kernel.sqr(&mut out, &short, &batch, &mut scratch),
            _ => kernel.sqr(&mut out, &value, &batch, &mut zeros(0)),
        }
        assert_eq!(kernel.leave(&out, &batch, &moduli).err(), Some(Error::NoValue), "{wrong}");
    }
}

#[test]
fn kernels_refuse_numbers_of_a_wrong_length() {
    for engine in Engine::available() {
        if let Some(kernels) = engine.kernels() {
            refuses(kernels.one);
            refuses(kernels.many);
        }
    }
}

/// The kernel for squares is for moduli that know their roots.
#[cfg(target_arch = "x86_64")]
#[test]
fn squares_without_roots_are_refused() {
    let engine = Engine::ifma();
    let Some(kernels) = engine.as_ref().and_then(|engine| engine.kernels()?.squares) else {
        return;
    };
    let root = Modulus::new(&Natural::from(0xffff_fffb)).unwrap();
    let (known, unknown) = (
        Modulus::square_of(&root).unwrap(),
        Modulus::new(&root.value().mul(root.value())).unwrap(),
    );
    let job = |modulus: &Modulus| Job::new(modulus.parameters(), Vec::new());
    let (known, unknown) = (job(&known), job(&unknown));
    assert!(window::run::<true>(kernels.many, &[&known, &known]).is_ok());
    let mixed = window::run::<true>(kernels.many, &[&known, &unknown]);
    assert_eq!(mixed.err(), Some(Error::NoValue));
    assert!(window::run::<true>(kernels.one, &[&known]).is_ok());
    let alone = window::run::<true>(kernels.one, &[&unknown]);
    assert_eq!(alone.err(), Some(Error::NoValue));
}

#[test]
fn combs_want_one_exponent_for_each_base() {
    let modulus = Modulus::new(&Natural::from(0xffff_fffb)).unwrap();
    let bases = [(Natural::from(3), 20), (Natural::from(5), 20)];
    let comb = Comb::new(&Engine::portable(), &modulus, &bases, 1 << 16).unwrap();
    let job = |count: u64| CombJob { comb: &comb, exponents: (0..count).map(words).collect() };
    assert!(run_comb::<true>(&Portable, &[&job(2)]).is_ok());
    for count in [0, 1, 3] {
        let refused = run_comb::<true>(&Portable, &[&job(count)]).err();
        assert_eq!(refused, Some(Error::LengthMismatch));
    }
    assert_eq!(run_comb::<true>(&Portable, &[]).err(), Some(Error::NoValue));
}

/// Nothing of what was there before is left where an entry is missing.
#[test]
fn missing_entries_are_zeros() {
    let mut table = zeros(3);
    Portable.layout().pack(&mut table, 0, &[7; 24], 24);
    let mut out = table.iter().take(1).copied().collect::<Vec<_>>();
    let index = |value| Block([value; 8]);
    Portable.select_vartime(&mut out, &table, &index(2));
    assert_eq!(out[0].0, [7; 8]);
    Portable.select_vartime(&mut out, &table, &index(3));
    assert_eq!(out[0].0, [0; 8]);
}
