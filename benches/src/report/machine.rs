//! The machine that a run was made on, and whether others used it meanwhile.

use std::fs;
use std::time::Instant;

use quorate_bignum::Engine;

/// The machine and the build, on which every figure of a run depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The processor's own name.
    pub cpu: String,
    /// Threads that run at once.
    pub cores: usize,
    /// Whether it has AVX-512 IFMA.
    pub ifma: bool,
    /// The engine of big numbers that was chosen.
    pub engine: String,
    /// Operating system and architecture.
    pub system: String,
    /// How this program was compiled.
    pub build: String,
}

impl Machine {
    /// This machine.
    #[must_use]
    pub fn here() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            let line = cpuinfo.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let flags = field("flags").unwrap_or_default();
        Self {
            cpu: field("model name").unwrap_or_else(|| "unknown processor".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            ifma: flags.split_whitespace().any(|flag| flag == "avx512ifma"),
            engine: Engine::detect().name().to_owned(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            build: if cfg!(debug_assertions) { "not optimised" } else { "optimised" }.to_owned(),
        }
    }

    /// One line.
    #[must_use]
    pub fn line(&self) -> String {
        let ifma = if self.ifma { "with" } else { "without" };
        format!(
            "{}, {} threads, {ifma} AVX-512 IFMA, engine {}, {}, {}",
            self.cpu, self.cores, self.engine, self.system, self.build
        )
    }
}

/// Seconds of processor time up to a moment.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    /// Of all programs, on all cores, and what a hypervisor took.
    all: f64,
    stolen: f64,
    own: f64,
    /// That this thread could have run and did not.
    waited: f64,
}

impl Times {
    /// Nothing where the system does not tell.
    fn now() -> Option<Self> {
        let stat = fs::read_to_string("/proc/stat").ok()?;
        let own = fs::read_to_string("/proc/self/stat").ok()?;
        let waited = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        Self::read(&stat, &own, &waited)
    }

    /// From `/proc/stat` (hundredths of a second), `/proc/self/stat` (the same) and `/proc/thread-self/schedstat` (ns).
    fn read(stat: &str, own: &str, schedstat: &str) -> Option<Self> {
        let numbers = |text: &str| -> Vec<f64> {
            text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
        };
        let cpu = numbers(stat.lines().next()?.strip_prefix("cpu")?);
        let at = |place: usize| cpu.get(place).copied().unwrap_or(0.0) / 100.0;
        // user, nice, system, (idle, iowait,) irq, softirq, steal.
        let all = [0, 1, 2, 5, 6].map(at).iter().sum();
        // The program's name, which may have blanks in it, ends with a bracket; utime and stime are fields 14 and 15.
        let fields: Vec<&str> = own.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |place: usize| fields.get(place).and_then(|word| word.parse::<f64>().ok());
        let own = (ticks(11)? + ticks(12)?) / 100.0;
        let waited = numbers(schedstat).get(1).copied().unwrap_or(0.0) / 1e9;
        Some(Self { all, stolen: at(7), own, waited })
    }
}

/// A watch over what else uses the machine.
pub struct Watch {
    started: Instant,
    times: Option<Times>,
}

impl Watch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Self {
        Self { started: Instant::now(), times: Times::now() }
    }

    /// The load since the start of the measurement.
    #[must_use]
    pub fn seen(&self) -> Load {
        let seconds = self.started.elapsed().as_secs_f64();
        let parts = self.times.zip(Times::now()).map(|(then, now)| {
            let gone = |of: fn(&Times) -> f64| ((of(&now) - of(&then)) / seconds).max(0.0);
            let others = (gone(|t| t.all) - gone(|t| t.own)).max(0.0);
            [others, gone(|t| t.stolen), gone(|t| t.waited)]
        });
        Load { seconds, parts }
    }
}

/// The other load of the machine during a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Its length on the clock.
    pub seconds: f64,
    /// Cores that other programs kept busy, cores that the hypervisor took, and the part of the time in which the
    /// measuring thread waited for a core. Nothing where the system does not tell.
    pub parts: Option<[f64; 3]>,
}

impl Load {
    /// The load of several measurements, by their lengths.
    #[must_use]
    pub fn together(all: &[Self]) -> Self {
        let seconds: f64 = all.iter().map(|one| one.seconds).sum();
        let known: f64 = all.iter().filter(|one| one.parts.is_some()).map(|one| one.seconds).sum();
        let weighted = |at: usize| {
            let part = |one: &Self| one.parts.map_or(0.0, |parts| parts[at] * one.seconds);
            all.iter().map(part).sum::<f64>() / known
        };
        Self { seconds, parts: (known > 0.0).then(|| [0, 1, 2].map(weighted)) }
    }
}

/// Cores taken by others, or parts of the time, above which figures are marked.
const QUIET: [f64; 3] = [0.15, 0.03, 0.02];

impl Load {
    /// Whether figures taken meanwhile are worth less. A moment is too short to tell.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let over = |parts: [f64; 3]| parts.iter().zip(QUIET).any(|(part, quiet)| *part > quiet);
        self.seconds >= 0.2 && self.parts.is_some_and(over)
    }

    /// A sentence for the reader.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Some([others, stolen, waited]) = self.parts else {
            return "The system does not say what else ran.".to_owned();
        };
        let what = format!(
            "other programs used {others:.2} cores, the hypervisor took {stolen:.2}, and the measuring thread waited \
             {:.0} % of the time",
            waited * 100.0
        );
        if self.is_busy() {
            format!("The machine was busy: {what}. Trust ratios more than times.")
        } else {
            format!("The machine was quiet: {what}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_kernel_writes() {
        let stat = "cpu  100 0 50 9999 3 10 20 400 0 0\ncpu0 1 1\n";
        let own = "77 (a (odd) name) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0";
        let times = Times::read(stat, own, "123 2000000000 5\n").unwrap();
        assert!((times.all - 1.8).abs() < 1e-9, "{times:?}");
        assert!((times.stolen - 4.0).abs() < 1e-9);
        assert!((times.own - 3.0).abs() < 1e-9);
        assert!((times.waited - 2.0).abs() < 1e-9);
        assert!(Times::read("", own, "").is_none());
    }

    #[test]
    fn loads_are_weighed_by_their_lengths() {
        let load = |seconds, parts| Load { seconds, parts };
        let all = [load(1.0, Some([1.0, 0.0, 0.5])), load(3.0, Some([0.0; 3])), load(9.0, None)];
        assert_eq!(Load::together(&all), load(13.0, Some([0.25, 0.0, 0.125])));
        assert_eq!(Load::together(&[]), load(0.0, None));
    }

    #[test]
    fn a_busy_machine_is_noticed() {
        let load = |parts| Load { seconds: 1.0, parts: Some(parts) };
        assert!(!load([0.1, 0.0, 0.01]).is_busy());
        for busy in [[1.0, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.5]] {
            assert!(load(busy).is_busy());
            assert!(load(busy).sentence().starts_with("The machine was busy"));
        }
        assert!(!Load { seconds: 1.0, parts: None }.is_busy());
        assert!(!Load { seconds: 0.01, parts: Some([1.0; 3]) }.is_busy());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_thread_of_this_program_is_not_another_program() {
        let watch = Watch::start();
        let until = Instant::now() + core::time::Duration::from_millis(250);
        let mut sum = 0u64;
        while Instant::now() < until {
            sum = sum.wrapping_mul(31).wrapping_add(1);
        }
        assert!(core::hint::black_box(sum) != 0);
        let load = watch.seen();
        assert!(load.seconds >= 0.25 && load.parts.is_some());
    }
}
