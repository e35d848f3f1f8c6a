//! Jobs on kernels: groups side by side, on several threads if there are, and the results back in order.

use alloc::vec::Vec;

use super::choice::{Engine, Kernels, Work};
use super::schedule::{self, Group};
use crate::error::Error;
use crate::exponent::comb::run::run as run_comb;
use crate::exponent::comb::{Comb, CombJob};
use crate::exponent::job::Job;
use crate::exponent::{sliding, window};
#[cfg(feature = "counting")]
use crate::kernel::counting::Filled;
use crate::kernel::operations::Kernel;
use crate::modular::form::Form;
use crate::number::limbs::Words;

impl Engine {
    /// Runs jobs, in groups of as many as the engine does at once. With `VARTIME` the time shows the exponents,
    /// otherwise only lengths.
    pub(super) fn run<const VARTIME: bool>(&self, jobs: &[Job]) -> Values {
        let form = self.kernels().map_or(Form::Words, |kernels| kernels.many.form());
        let worth = |shape| schedule::worth_filling(form, self.lanes(), shape);
        let groups = schedule::groups(self.lanes(), |job| self.shape(job), worth, jobs);
        self.gather(jobs.len(), &groups, |group| {
            let members: Vec<&Job> = group.members.iter().filter_map(|&i| jobs.get(i)).collect();
            self.run_group::<VARTIME>(&members)
        })
    }

    /// Runs jobs over combs, which all have tables that this engine reads. With `VARTIME` the time shows the
    /// exponents, otherwise nothing.
    pub(super) fn run_combs<const VARTIME: bool>(&self, jobs: &[CombJob<'_>]) -> Values {
        let groups = schedule::comb_groups(self.lanes(), jobs);
        self.gather(jobs.len(), &groups, |group| {
            let members: Vec<&CombJob<'_>> =
                group.members.iter().filter_map(|&i| jobs.get(i)).collect();
            self.run_comb_group::<VARTIME>(&members)
        })
    }

    /// Each group's results, in the order of the jobs. If a group gave an error, or not one result for each
    /// member, its jobs have an error in their place.
    fn gather(
        &self,
        len: usize,
        groups: &[Group],
        work: impl Fn(&Group) -> Result<Vec<Words>, Error> + Sync,
    ) -> Values {
        scatter(len, groups, self.map(groups, &work))
    }

    #[cfg(not(feature = "rayon"))]
    fn map(
        &self,
        groups: &[Group],
        work: &(impl Fn(&Group) -> Result<Vec<Words>, Error> + Sync),
    ) -> Vec<Result<Vec<Words>, Error>> {
        groups.iter().map(work).collect()
    }

    #[cfg(feature = "rayon")]
    fn map(
        &self,
        groups: &[Group],
        work: &(impl Fn(&Group) -> Result<Vec<Words>, Error> + Sync),
    ) -> Vec<Result<Vec<Words>, Error>> {
        use rayon::prelude::*;
        if self.threads().get() > 1
            && groups.len() > 1
            && let Ok(pool) =
                rayon::ThreadPoolBuilder::new().num_threads(self.threads().get()).build()
        {
            return pool.install(|| groups.par_iter().map(work).collect());
        }
        groups.iter().map(work).collect()
    }

    /// The kernels; `None` if another library does the work.
    pub(super) fn kernels(&self) -> Option<Kernels<'_>> {
        match self.work() {
            Work::Kernels(kernels) => Some(kernels),
            #[cfg(any(feature = "gmp", feature = "openssl"))]
            Work::Library(_) => None,
        }
    }

    /// The number of products that are computed side by side; 1 if each is computed alone.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.kernels().map_or(1, |kernels| kernels.many.lanes())
    }

    /// The limbs of a number under the modulus of a job, and of one under its root if that is of use. Jobs with
    /// equal numbers can go side by side.
    fn shape(&self, job: &Job) -> [u32; 2] {
        let Some(kernels) = self.kernels() else {
            return [Form::Words.limbs(job.modulus.bits()), 0];
        };
        let form = kernels.many.form();
        let root = kernels.squares.and_then(|_| job.modulus.root_bits());
        [form.limbs(job.modulus.bits()), root.map_or(0, |bits| form.limbs(bits))]
    }

    fn run_group<const VARTIME: bool>(&self, jobs: &[&Job]) -> Result<Vec<Words>, Error> {
        #[cfg(feature = "counting")]
        let _filled = Filled::by(jobs.len());
        #[cfg(any(feature = "gmp", feature = "openssl"))]
        if let Work::Library(library) = self.work() {
            return each(jobs, |job| library.run(VARTIME, job));
        }
        let kernels = self.kernels().ok_or(Error::NoValue)?;
        let Kernels { many, squares, .. } = kernels;
        let squares = squares.filter(|_| jobs.iter().all(|job| job.modulus.root_bits().is_some()));
        if jobs.len() == 1 || many.lanes() == 1 {
            return each(jobs, |job| alone::<VARTIME>(kernels.alone(&job.modulus), job));
        }
        match squares {
            Some(squares) => window::run::<VARTIME>(squares.many, jobs),
            None => window::run::<VARTIME>(many, jobs),
        }
    }

    fn run_comb_group<const VARTIME: bool>(
        &self,
        jobs: &[&CombJob<'_>],
    ) -> Result<Vec<Words>, Error> {
        #[cfg(feature = "counting")]
        let _filled = Filled::by(jobs.len());
        let kernels = self.kernels().ok_or(Error::NoValue)?;
        run_comb::<VARTIME>(kernels.many, jobs)
    }

    /// Returns whether the engine reads this comb's tables.
    pub(super) fn reads(&self, comb: &Comb) -> bool {
        self.kernels().is_some_and(|kernels| comb.form() == Some(kernels.many.form()))
    }
}

/// The value of each job, or the error that it ended with.
pub(super) type Values = Vec<Result<Words, Error>>;

/// The results of groups, in the order of all their members.
pub(super) fn scatter(
    len: usize,
    groups: &[Group],
    results: Vec<Result<Vec<Words>, Error>>,
) -> Values {
    let mut out: Values = (0..len).map(|_| Err(Error::NoValue)).collect();
    for (group, results) in groups.iter().zip(results) {
        let results = results.and_then(|results| {
            if results.len() == group.members.len() { Ok(results) } else { Err(Error::NoValue) }
        });
        let mut results = results.map(Vec::into_iter);
        for &index in &group.members {
            let result = results.as_mut().map_err(|error| *error);
            if let Some(place) = out.get_mut(index) {
                *place = result.and_then(|results| results.next().ok_or(Error::NoValue));
            }
        }
    }
    out
}

fn each(jobs: &[&Job], one: impl Fn(&Job) -> Result<Words, Error>) -> Result<Vec<Words>, Error> {
    jobs.iter().map(|job| one(job)).collect()
}

/// One job with a kernel of one lane.
pub(super) fn alone<const VARTIME: bool>(kernel: &dyn Kernel, job: &Job) -> Result<Words, Error> {
    if VARTIME {
        return sliding::run_vartime(kernel, job);
    }
    window::run::<false>(kernel, &[job])?.pop().ok_or(Error::NoValue)
}
