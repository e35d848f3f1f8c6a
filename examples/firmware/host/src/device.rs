//! The device in its emulator, at the other end of a serial line.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

type Done<T> = Result<T, Box<dyn Error>>;

/// An emulated device. Dropping it stops QEMU.
pub(crate) struct Device {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Device {
    /// Starts the firmware in QEMU.
    pub(crate) fn start(image: &Path) -> Done<Self> {
        let mut emulator = Command::new("qemu-system-arm");
        emulator.args([
            "-machine",
            "mps2-an386",
            "-nographic",
            "-monitor",
            "none",
            "-serial",
            "stdio",
        ]);
        emulator.arg("-kernel").arg(image).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = emulator
            .spawn()
            .map_err(|why| format!("qemu-system-arm: {why}: apt-get install qemu-system-arm"))?;
        let (to, from) = process.stdin.take().zip(process.stdout.take()).ok_or("no line")?;
        Ok(Self { process, to, from: BufReader::new(from) })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, word: &str, bytes: &[u8]) -> Done<()> {
        let mut line = format!("{word} ");
        bytes.iter().try_for_each(|byte| write!(line, "{byte:02x}"))?;
        line.push('\n');
        Ok(self.to.write_all(line.as_bytes())?)
    }

    /// Waits for a line that begins with this word.
    pub(crate) fn receive(&mut self, word: &str) -> Done<Vec<u8>> {
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        let (first, rest) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
        if first != word {
            let mut more = String::new();
            self.from.read_line(&mut more)?;
            return Err(format!("expected `{word}` of the device, got {line}{more}").into());
        }
        let digits = rest
            .as_bytes()
            .chunks(2)
            .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?));
        digits.collect()
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
