//! Programs of others: found, run for a bounded time, looked at by their numbers.

use core::time::Duration;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

use quorate_examples::failure::Failure;

/// How often something is looked at that is waited for.
const LOOK: Duration = Duration::from_millis(20);
/// For how long a process may have no command line after it has begun.
const BEGINS: Duration = Duration::from_secs(2);
/// What is shown of a program's last words, in bytes.
const WORDS: u64 = 2000;

/// The first of these folders, and of those in `PATH`, that has all of these programs.
#[must_use]
pub fn find(programs: &[&str], folders: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&path).chain(folders.iter().cloned());
    let mut has_all = all.filter(|dir| programs.iter().all(|name| dir.join(name).is_file()));
    has_all.next()
}

/// Whether the wanted is there in time.
///
/// # Errors
/// Those of the question.
pub fn wait_until(
    most: Duration,
    mut wanted: impl FnMut() -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    let start = Instant::now();
    loop {
        if wanted()? {
            return Ok(true);
        }
        if start.elapsed() >= most {
            return Ok(false);
        }
        thread::sleep(LOOK);
    }
}

/// Runs a program to its end, which writes to this file. It gets `input`.
///
/// # Errors
/// A [`Failure`] with its last words if it fails, or takes longer than this.
pub fn run(
    command: &mut Command,
    input: &str,
    (log, most): (&Path, Duration),
) -> Result<(), Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let file = File::create(log).map_err(Failure::file("write", log))?;
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(file.try_clone()?).stderr(file);
    let mut child = command.spawn().map_err(|error| Failure::new(format!("{name}: {error}")))?;
    if let Some(mut stdin) = child.stdin.take() {
        std::io::Write::write_all(&mut stdin, input.as_bytes()).ok();
    }
    let mut status = None;
    let in_time = wait_until(most, || {
        status = child.try_wait()?;
        Ok(status.is_some())
    })?;
    if !in_time {
        end(&mut child);
        return Err(Failure::new(format!("{name}: not done after {most:?}; {}", last_words(log))));
    }
    if status.is_some_and(|status| status.success()) {
        return Ok(());
    }
    Err(Failure::new(format!("{name}: {}", last_words(log))))
}

/// Kills a child and waits for it.
fn end(child: &mut Child) {
    child.kill().ok();
    child.wait().ok();
}

/// The end of a program's output.
#[must_use]
pub fn last_words(log: &Path) -> String {
    let read = || {
        let mut file = File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(WORDS)))?;
        let mut bytes = Vec::new();
        file.take(WORDS).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    };
    let bytes = read().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
    if text.is_empty() { format!("it says nothing in {}", log.display()) } else { text }
}

/// A process that runs, by the number in the first line of this file. One that has ended and is not waited for runs no more.
#[must_use]
pub fn running(pid_file: &Path) -> Option<u32> {
    let text = fs::read_to_string(pid_file).ok()?;
    let pid: u32 = text.lines().next()?.trim().parse().ok()?;
    alive(pid).then_some(pid)
}

/// Whether a process runs. Its other threads may outlive the first one for a moment, and hold its ports until they end, too.
#[must_use]
pub fn alive(pid: u32) -> bool {
    let process = Path::new("/proc").join(pid.to_string());
    let threads = || fs::read_dir(process.join("task")).into_iter().flatten().flatten();
    runs(&process) || threads().any(|thread| runs(&thread.path()))
}

/// Whether a process or thread has not ended, by its folder in `/proc`.
fn runs(folder: &Path) -> bool {
    // `pid (name) state …`; the name may have brackets.
    let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    state.is_some_and(|state| !['Z', 'X'].contains(&state))
}

/// The words of the command line of a process that runs. A process that has just begun has none for a moment, for which this
/// waits.
#[must_use]
pub fn words(pid: u32) -> Vec<Vec<u8>> {
    let path = Path::new("/proc").join(pid.to_string()).join("cmdline");
    let mut line = Vec::new();
    wait_until(BEGINS, || {
        line = fs::read(&path).unwrap_or_default();
        Ok(!line.is_empty() || !alive(pid))
    })
    .ok();
    line.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

/// Asks a process to end (`TERM`), and kills it if it does not in time.
///
/// # Errors
/// A [`Failure`] if it still runs.
pub fn stop(pid: u32, most: Duration) -> Result<(), Failure> {
    for (signal, most) in [("TERM", most), ("KILL", Duration::from_secs(5))] {
        // One that has just ended is no failure.
        Command::new("kill")
            .args(["-s", signal, &pid.to_string()])
            .stderr(Stdio::null())
            .status()?;
        if wait_until(most, || Ok(!alive(pid)))? {
            return Ok(());
        }
    }
    Err(Failure::new(format!("process {pid} does not end")))
}

/// The folder that a process works in. That of a process that has ended, or of another user's, is not known.
#[must_use]
pub fn folder(pid: &str) -> Option<PathBuf> {
    fs::read_link(Path::new("/proc").join(pid).join("cwd")).ok()
}

/// Whether a process runs that works in this folder.
#[must_use]
pub fn works_in(wanted: &Path) -> bool {
    let mut all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.any(|entry| {
        let found = entry.file_name().to_str().and_then(folder);
        found.is_some_and(|found| found == wanted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel gives a process its command line some time after whoever has started it goes on: on a machine with much to
    /// do tens of milliseconds later.
    #[test]
    fn a_process_that_has_just_begun_has_its_words() {
        for _ in 0..50 {
            let mut child = Command::new("sleep").arg("30").spawn().unwrap();
            let words = words(child.id());
            assert!(alive(child.id()));
            end(&mut child);
            assert!(!alive(child.id()));
            assert_eq!(words.get(..2), Some([b"sleep".to_vec(), b"30".to_vec()].as_slice()));
        }
        assert!(words(u32::MAX).iter().all(Vec::is_empty));
    }
}
