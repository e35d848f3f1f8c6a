//! Equal lines within a while.

use core::time::Duration;
use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Map, Value};

/// Lines that were written lately, with how often they came since.
#[derive(Debug)]
pub struct Window {
    length: Duration,
    most: usize,
    known: BTreeMap<String, Known>,
    /// Lines beyond the most that are known.
    beyond: Option<Known>,
}

#[derive(Debug)]
struct Known {
    since: Instant,
    again: u64,
}

impl Window {
    /// One of this length, which tells so many lines apart.
    #[must_use]
    pub const fn new(length: Duration, most: usize) -> Self {
        Self { length, most, known: BTreeMap::new(), beyond: None }
    }

    /// The line, if it is to be written now.
    pub fn take(&mut self, now: Instant, line: &str) -> Option<String> {
        let key = key(line);
        if let Some(known) = self.known.get_mut(&key) {
            known.again += 1;
            return None;
        }
        if self.known.len() >= self.most {
            self.beyond.get_or_insert(Known { since: now, again: 0 }).again += 1;
            return None;
        }
        self.known.insert(key, Known { since: now, again: 0 });
        Some(line.to_owned())
    }

    /// The lines that came again, with their counts, where the while is over; all of them without a time.
    pub fn end(&mut self, now: Option<Instant>) -> Vec<String> {
        let length = self.length;
        let over = |known: &Known| now.is_none_or(|now| now >= known.since + length);
        let again = self.known.iter().filter(|(_, known)| over(known) && known.again > 0);
        let mut lines: Vec<String> = again.map(|(key, known)| counted(key, known.again)).collect();
        self.known.retain(|_, known| !over(known));
        if let Some(beyond) = self.beyond.take_if(|beyond| over(beyond)) {
            let key = r#"{"fields":{"message":"other lines, not told apart"},"level":"WARN"}"#;
            lines.push(counted(key, beyond.again));
        }
        lines
    }
}

/// What makes two lines equal: all of a line, or at level `info` and above all but its spans.
fn key(line: &str) -> String {
    let Ok(mut all) = serde_json::from_str::<Map<String, Value>>(line) else {
        return line.to_owned();
    };
    if !matches!(all.get("level").and_then(Value::as_str), Some("DEBUG" | "TRACE")) {
        all.remove("span");
        all.remove("spans");
    }
    Value::Object(all).to_string()
}

fn counted(key: &str, again: u64) -> String {
    match serde_json::from_str::<Map<String, Value>>(key) {
        Ok(mut all) => {
            all.insert("again".to_owned(), again.into());
            Value::Object(all).to_string()
        }
        Err(_) => format!("{{\"again\":{again},\"line\":{}}}", Value::from(key)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: Duration = Duration::from_secs(10);

    fn line(level: &str, message: &str, span: &str) -> String {
        format!(
            r#"{{"level":"{level}","fields":{{"message":"{message}"}},"span":{{"key":"{span}"}}}}"#
        )
    }

    #[test]
    fn an_outage_is_two_lines() {
        let (mut window, start) = (Window::new(LENGTH, 8), Instant::now());
        let written = (0..1500)
            .filter_map(|n| window.take(start, &line("WARN", "no database", &n.to_string())));
        let written: Vec<String> = written.collect();
        assert_eq!(written, [line("WARN", "no database", "0")]);
        assert!(window.end(Some(start + LENGTH / 2)).is_empty());
        let counts = window.end(Some(start + LENGTH));
        let count = r#"{"again":1499,"fields":{"message":"no database"},"level":"WARN"}"#;
        assert_eq!(counts, [count]);
        // The next while begins with the line itself; one that did not come again is not counted.
        assert!(window.take(start + LENGTH, &line("WARN", "no database", "x")).is_some());
        assert!(window.end(None).is_empty());
    }

    #[test]
    fn traces_of_two_requests_are_two() {
        let (mut window, start) = (Window::new(LENGTH, 8), Instant::now());
        assert!(window.take(start, &line("DEBUG", "ordered", "a")).is_some());
        assert!(window.take(start, &line("DEBUG", "ordered", "b")).is_some());
        assert!(window.take(start, &line("DEBUG", "ordered", "a")).is_none());
        assert!(window.take(start, &line("INFO", "ordered", "a")).is_some());
        assert!(window.take(start, &line("INFO", "ordered", "b")).is_none());
    }

    #[test]
    fn a_flood_of_different_lines_is_bounded() {
        let (mut window, start) = (Window::new(LENGTH, 8), Instant::now());
        let written =
            (0..100).filter_map(|n| window.take(start, &line("WARN", &n.to_string(), "")));
        assert_eq!(written.count(), 8);
        let lines = window.end(Some(start + LENGTH));
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with(r#"{"again":92,"#), "{lines:?}");
        assert!(window.take(start, &line("WARN", "free", "")).is_some());
    }

    #[test]
    fn what_is_not_json_is_counted_too() {
        let (mut window, start) = (Window::new(LENGTH, 8), Instant::now());
        assert_eq!(window.take(start, "plain").as_deref(), Some("plain"));
        assert_eq!(window.take(start, "plain"), None);
        assert_eq!(window.end(None), [r#"{"again":1,"line":"plain"}"#]);
    }
}
