//! Logs: JSON, a line for each event, with the span of the request it belongs to.
//!
//! An outage says one thing very often. A line that was written is counted for a while when it comes again, and is
//! written once more at the end of that while, with the count. Of lines at level `info` and above the spans do not matter
//! for that, so that thousand requests that fail alike are one line; those below are a trace of a request, and each
//! request has its own.

mod window;

use core::time::Duration;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use quorate_examples::failure::Failure;
use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};

pub use self::window::Window;

/// For how long equal lines are counted.
const WHILE: Duration = Duration::from_secs(10);

/// Different lines that are known at a time; what comes beyond them is counted, and not told apart.
const MOST: usize = 512;

/// Writes the logs of this process to a writer from now on. `filter` is as in `RUST_LOG`: `info`, or
/// `warn,quorate_custody=debug`.
///
/// # Errors
/// A [`Failure`] if the filter cannot be read, or something else writes logs already.
pub fn start(filter: &str, to: impl Write + Send + 'static) -> Result<Logs, Failure> {
    let logs = Logs::new(to, WHILE);
    tracing::subscriber::set_global_default(subscriber(filter, &logs)?)?;
    logs.clone().tick()?;
    Ok(logs)
}

fn subscriber(filter: &str, logs: &Logs) -> Result<impl Subscriber + use<>, Failure> {
    let json = tracing_subscriber::fmt().json().with_current_span(true).with_span_list(false);
    let filter = EnvFilter::try_new(filter)?;
    Ok(json.without_time().with_env_filter(filter).with_writer(logs.clone()).finish())
}

/// Where the lines go. When the last of it goes, what was counted is written.
#[derive(Clone)]
pub struct Logs(Arc<Mutex<Sink>>);

struct Sink {
    to: Box<dyn Write + Send>,
    window: Window,
}

impl Logs {
    /// Lines to a writer, which counts equal ones for so long.
    #[must_use]
    pub fn new(to: impl Write + Send + 'static, window: Duration) -> Self {
        Self(Arc::new(Mutex::new(Sink { to: Box::new(to), window: Window::new(window, MOST) })))
    }

    /// Writes what was counted.
    pub fn flush_counts(&self) {
        if let Ok(mut sink) = self.0.lock() {
            let lines = sink.window.end(None);
            sink.write(&lines);
        }
    }

    /// Writes counts in time, in a thread that ends when nobody else writes any more.
    fn tick(self) -> Result<(), Failure> {
        let weak = Arc::downgrade(&self.0);
        let tick = move || {
            while let Some(sink) = weak.upgrade() {
                if let Ok(mut sink) = sink.lock() {
                    let lines = sink.window.end(Some(Instant::now()));
                    sink.write(&lines);
                }
                drop(sink);
                std::thread::sleep(Duration::from_secs(1));
            }
        };
        std::thread::Builder::new().name("logs".to_owned()).spawn(tick)?;
        Ok(())
    }
}

impl Sink {
    /// Writes lines with the time in front. A log that cannot be written is no reason to stop.
    fn write(&mut self, lines: &[String]) {
        for line in lines {
            let rest = line.strip_prefix('{').unwrap_or(line);
            writeln!(self.to, "{{\"time\":\"{}\",{rest}", time()).ok();
        }
        if !lines.is_empty() {
            self.to.flush().ok();
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let lines = self.window.end(None);
        self.write(&lines);
    }
}

fn time() -> String {
    let mut text = String::new();
    SystemTime.format_time(&mut Writer::new(&mut text)).ok();
    text
}

/// Takes one event, which comes whole.
pub struct Line(Logs);

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Ok(mut sink) = self.0.0.lock() {
            let line = String::from_utf8_lossy(bytes);
            if let Some(line) = sink.window.take(Instant::now(), line.trim_end()) {
                sink.write(&[line]);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Logs {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Text(Arc<Mutex<Vec<u8>>>);

    impl Write for Text {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().map_err(|_| io::ErrorKind::Other)?.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn events_are_json_and_never_repeated() {
        let text = Text::default();
        let logs = Logs::new(text.clone(), WHILE);
        tracing::subscriber::with_default(subscriber("info", &logs).unwrap(), || {
            for number in 0..40 {
                let _span = tracing::info_span!("request", key = number).entered();
                tracing::warn!(node = 2, "no answer \n\"twice\"");
                tracing::debug!("not shown");
            }
            tracing::info!("done");
        });
        logs.flush_counts();
        let bytes = text.0.lock().unwrap().clone();
        let lines: Vec<serde_json::Value> = String::from_utf8(bytes)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(lines[0]["fields"]["message"], "no answer \n\"twice\"");
        assert_eq!(lines[0]["fields"]["node"], 2);
        assert_eq!(lines[0]["span"]["key"], 0);
        assert!(lines[0]["time"].as_str().unwrap().ends_with('Z'));
        assert_eq!(lines[1]["fields"]["message"], "done");
        assert_eq!(lines[2]["again"], 39);
        assert_eq!(lines[2]["fields"]["node"], 2);
    }
}
