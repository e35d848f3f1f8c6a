//! An engine that fails gives errors, and no empty or stale values.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use super::run::{Values, scatter};
use super::schedule::{Group, groups};
use crate::exponent::comb::CombJob;
use crate::exponent::comb::run::run as run_comb;
use crate::exponent::job::{Job, Power};
#[cfg(target_arch = "x86_64")]
use crate::exponent::window;
use crate::kernel::block::{self, Block, words_mut, zeros};
use crate::kernel::operations::{Kernel, Shared};
use crate::kernel::portable::Portable;
use crate::modular::form::Form;
use crate::number::limbs::Words;
use crate::{Comb, Engine, Error, Modulus, Natural};

mod patterns;

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
    // A group without a result.
    assert_eq!(scatter(1, &[group(&[0])], Vec::new()), [Err(Error::NoValue)]);
}

/// Jobs by one public exponent fill lanes by themselves. Secret exponents do not affect the grouping.
#[test]
fn public_exponents_in_common_go_side_by_side() {
    let modulus = Modulus::new(&Natural::from(0xffff_fffb)).unwrap();
    let grouped = |public: bool, exponents: &[u64]| -> Vec<Vec<usize>> {
        let job = |exponent: &u64| {
            let power = Power { base: words(3), exponent: words(*exponent), bits: 4, public };
            Job::new(modulus.parameters(), vec![power])
        };
        let jobs: Vec<Job> = exponents.iter().map(job).collect();
        groups(4, |_| [1, 1], |_| 2, &jobs).into_iter().map(|group| group.members).collect()
    };
    let mixed = [9, 8, 9, 8, 9, 8, 8, 9, 9, 8];
    let expected = [vec![1, 3, 5, 6], vec![0, 2, 4, 7], vec![9, 8]];
    assert_eq!(grouped(true, &mixed), expected);
    for secret in [mixed, [8; 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] {
        assert_eq!(grouped(false, &secret), [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9]]);
    }
}

/// A multiplication with numbers of a wrong length, on every kernel. No value leaves the batch.
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
            kernels.one.all().into_iter().for_each(refuses);
            refuses(kernels.many);
        }
    }
}

/// A number of this many bits, odd and with the highest bit set; another one for each `seed`.
fn number(bits: u32, seed: u64) -> Natural {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ seed;
    let mut byte = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    let bytes: Vec<u8> = (0..bits.div_ceil(8)).map(|_| byte()).collect();
    let number = Natural::from_be_bytes(&bytes).shr(bits.div_ceil(8) * 8 - bits);
    let top = Natural::power_of_two(bits - 1);
    let number = if number.bit(bits - 1) { number } else { number.add(&top) };
    if number.is_odd() { number } else { number.add(&Natural::one()) }
}

/// Two moduli of one length with two numbers below each, and the products of these by long division.
struct Case {
    modulus: Modulus,
    values: [Natural; 2],
    expected: [Natural; 3],
}

const PAIRS: [[usize; 2]; 3] = [[0, 0], [0, 1], [1, 1]];

impl Case {
    fn new(modulus: &Natural, seed: u64) -> Self {
        let below = |value: &Natural| value.div_rem(modulus).unwrap().1;
        let greatest = modulus.checked_sub(&Natural::one()).unwrap();
        let values = [greatest, below(&number(modulus.bits(), seed))];
        let expected = PAIRS.map(|[x, y]| below(&values[x].mul(&values[y])));
        Self { modulus: Modulus::new(modulus).unwrap(), values, expected }
    }

    /// A random modulus, and the greatest of its length.
    fn of_bits(bits: u32) -> [Self; 2] {
        let greatest = Natural::power_of_two(bits).checked_sub(&Natural::one()).unwrap();
        [Self::new(&number(bits, 1), 2), Self::new(&greatest, 3)]
    }
}

/// Products and squares on every lane of a kernel.
fn multiplies(name: &str, kernel: &dyn Kernel, cases: &[Case; 2]) {
    let lanes: Vec<&Case> = cases.iter().cycle().take(kernel.lanes()).collect();
    let parameters: Vec<_> = lanes.iter().map(|case| &**case.modulus.parameters()).collect();
    let batch = kernel.batch(&parameters).unwrap();
    let mut scratch = zeros(kernel.scratch(batch.limbs));
    let [a, b] = [0, 1].map(|which| {
        let length = |case: &Case| case.modulus.parameters().words().len();
        let words: Vec<_> =
            lanes.iter().map(|case| case.values[which].to_words(length(case))).collect();
        let words: Vec<&[u64]> = words.iter().map(Vec::as_slice).collect();
        kernel.enter(&words, &batch, &mut scratch)
    });
    for (at, [x, y]) in PAIRS.into_iter().enumerate() {
        let mut out = zeros(a.len());
        match (x, y) {
            (0, 0) => kernel.sqr(&mut out, &a, &batch, &mut scratch),
            (0, _) => kernel.mul(&mut out, &a, &b, &batch, &mut scratch),
            _ => kernel.sqr(&mut out, &b, &batch, &mut scratch),
        }
        let made = kernel.leave(&out, &batch, &parameters).unwrap();
        for (lane, (made, case)) in made.iter().zip(&lanes).enumerate() {
            let (bits, limbs) = (case.modulus.bits(), batch.limbs);
            let right = Natural::from_words(made) == case.expected[at];
            assert!(right, "{name}: {bits} bits, {limbs} limbs, lane {lane}, product {at}");
        }
    }
}

/// Whether each lane of a number is the entry of a table at its place: `entry` has it by place, limb and lane.
fn selected(
    out: &[Block],
    lanes: usize,
    places: [usize; 8],
    entry: impl Fn(usize, usize, usize) -> u64,
) -> bool {
    block::words(out).chunks_exact(lanes).zip(0..).all(|(limbs, limb)| {
        let expected = places.into_iter().zip(0..).map(|(place, lane)| entry(place, limb, lane));
        limbs.iter().copied().eq(expected.take(lanes))
    })
}

/// Every lane takes another entry of a table of three, or the fourth, which is zero. All words of the table differ.
fn selects(name: &str, kernel: &dyn Kernel, limbs: usize) {
    let (lanes, blocks) = (kernel.lanes(), kernel.blocks(limbs));
    let mut table = zeros(3 * blocks);
    words_mut(&mut table).iter_mut().zip(1..).for_each(|(word, value)| *word = value);
    let entry = |place: usize, limb: usize, lane: usize| {
        let at = place * 8 * blocks + limb * lanes + lane;
        block::words(&table).get(at).copied().unwrap_or(0)
    };
    for first in 0..4 {
        let mut places = [0, 1, 2, 3, 0, 1, 2, 3];
        places.rotate_left(first);
        let index = Block(places.map(|place| place as u64));
        let [mut shown, mut hidden] = [(); 2].map(|()| zeros(blocks));
        kernel.select_vartime(&mut shown, &table, &index);
        kernel.select(&mut hidden, &table, &index);
        for out in [&shown, &hidden] {
            assert!(selected(out, lanes, places, entry), "{name}: {limbs} limbs, entry {first}");
        }
    }
}

/// The same from a table that all lanes share, of eleven single numbers: three more than some kernels keep side by side.
fn selects_shared(name: &str, kernel: &dyn Shared, limbs: usize) {
    let (lanes, blocks) = (kernel.lanes(), kernel.blocks(limbs));
    let table: Vec<u64> = (1..).take(11 * limbs).collect();
    let entry = |place: usize, limb: usize, _: usize| {
        if limb < limbs && place < 11 { table[place * limbs + limb] } else { 0 }
    };
    let arranged = kernel.arranged(table.clone(), limbs);
    for first in 0..8 {
        let mut places = [0, 1, usize::MAX, 7, 8, 10, 11, 3];
        places.rotate_left(first);
        let index = Block(places.map(|place| place as u64));
        let [mut shown, mut hidden] = [(); 2].map(|()| zeros(blocks));
        kernel.select_shared_vartime(&mut shown, &arranged, limbs, &index);
        kernel.select_shared(&mut hidden, &arranged, limbs, &index);
        for out in [&shown, &hidden] {
            assert!(selected(out, lanes, places, entry), "{name}: {limbs} limbs, entry {first}");
        }
    }
}

/// Lengths up to the squares of 3072 bits: one for every number of limbs of 28 bits or more, and both sides of each
/// length at which a form takes more limbs.
fn lengths() -> BTreeSet<u32> {
    let all = 2..6_200_u32;
    let grows = |bits: &u32| Form::ALL.iter().any(|form| form.limbs(*bits) < form.limbs(bits + 1));
    let edges = all.clone().filter(grows).flat_map(|bits| [bits, bits + 1]);
    edges.chain(all.step_by(28)).collect()
}

/// A kernel that selects wrongly only at one number of limbs is found.
#[test]
fn kernels_select_at_every_number_of_limbs() {
    for engine in Engine::own() {
        let kernels = engine.kernels().unwrap();
        let limbs = |form: Form| lengths().into_iter().map(move |bits| form.limbs(bits) as usize);
        for one in kernels.one.all() {
            for limbs in limbs(one.form()).collect::<BTreeSet<_>>() {
                selects(engine.name(), one, limbs);
            }
        }
        for limbs in limbs(kernels.many.form()).collect::<BTreeSet<_>>() {
            selects(engine.name(), kernels.many, limbs);
            selects_shared(engine.name(), kernels.many, limbs);
        }
    }
}

/// A kernel that multiplies wrongly only at one number of limbs is found.
#[test]
fn kernels_multiply_at_every_number_of_limbs() {
    let engines = Engine::own();
    for bits in lengths() {
        let cases = Case::of_bits(bits);
        for engine in &engines {
            let kernels = engine.kernels().unwrap();
            for one in kernels.one.all() {
                multiplies(engine.name(), one, &cases);
            }
            multiplies(engine.name(), kernels.many, &cases);
        }
    }
}

/// The kernel for squares accepts only moduli that know their roots.
#[cfg(target_arch = "x86_64")]
#[test]
fn squares_without_roots_are_refused() {
    for kernels in Engine::own().iter().filter_map(|engine| engine.kernels()?.squares) {
        refuse_unknown_roots(kernels);
    }
}

#[cfg(target_arch = "x86_64")]
fn refuse_unknown_roots(kernels: super::choice::SquareKernels<'_>) {
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
    // A kernel that makes no use of the root takes any modulus.
    let alone = window::run::<true>(kernels.one, &[&unknown]);
    let any = kernels.one.form() == Form::Words;
    assert_eq!(alone.err(), (!any).then_some(Error::NoValue));
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

/// If an entry is missing, nothing of the earlier content is left.
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
