//! Comparisons that policies ask for as texts: `context.holds.contains("value <= 5000000000000000000")`.
//!
//! Cedar's integers have 64 bits, and amounts have 256. So a policy writes a comparison as a text, this crate computes it
//! exactly, and the set `context.holds` has the texts that are true.

use core::cmp::Ordering;

use quorate_purpose::Integer;

use crate::window::Window;

/// The longest text of a comparison.
const LENGTH: usize = 512;
/// The longest period, in seconds.
const LONGEST: i64 = 366 * 86_400;

/// A comparison: `OPERAND OPERATOR BOUND`.
pub(crate) struct Comparison {
    pub(crate) operand: Operand,
    operator: Operator,
    bound: Bound,
}

/// The left side.
pub(crate) enum Operand {
    /// A fact.
    Fact(String),
    /// The total of a window, with this request.
    Window(Window),
    /// The number of approvers.
    Approvals {
        /// True if the requester counts when it approves.
        with_requester: bool,
        /// The names that count; empty if all do.
        from: Vec<String>,
    },
}

/// The right side.
enum Bound {
    /// A number.
    Number(Integer),
    /// The time of the node's clock, and seconds after or before it.
    Now(i64),
}

/// An operator: whether it holds for this order of the two sides.
type Operator = fn(Ordering) -> bool;

fn operator(token: &str) -> Option<Operator> {
    Some(match token {
        "<" => Ordering::is_lt,
        "<=" => Ordering::is_le,
        "==" => Ordering::is_eq,
        "!=" => Ordering::is_ne,
        ">=" => Ordering::is_ge,
        ">" => Ordering::is_gt,
        _ => return None,
    })
}

impl Bound {
    fn parse(tokens: &[&str]) -> Option<Self> {
        let seconds = |text: &str| text.parse::<u32>().ok().map(i64::from);
        match tokens {
            ["now"] => Some(Self::Now(0)),
            ["now", "+", text] => seconds(text).map(Self::Now),
            ["now", "-", text] => seconds(text)?.checked_neg().map(Self::Now),
            [number] => number.parse().ok().map(Self::Number),
            _ => None,
        }
    }

    fn value(&self, now: i64) -> Option<Integer> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Now(seconds) => now.checked_add(*seconds).map(Integer::from),
        }
    }
}

impl Operand {
    fn parse(tokens: &[&str]) -> Result<Self, &'static str> {
        match tokens {
            ["approvals", rest @ ..] => Self::approvals(rest).ok_or(
                "approvals are `approvals`, then `with requester` or nothing, then `from NAME,NAME` or nothing",
            ),
            ["count", rest @ ..] => window(None, rest),
            ["sum", fact, rest @ ..] => window(Some((*fact).into()), rest),
            [fact] => Ok(Self::Fact((*fact).into())),
            _ => Err("the left side is a fact, a window (`sum FACT in PERIOD`, `count in PERIOD`) or `approvals`"),
        }
    }

    fn approvals(tokens: &[&str]) -> Option<Self> {
        let (with_requester, rest) = match tokens {
            ["with", "requester", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let from = match rest {
            [] => Vec::new(),
            ["from", names] => list(names)?,
            _ => return None,
        };
        Some(Self::Approvals { with_requester, from })
    }
}

/// Names with commas between, none of them empty or repeated.
fn list(text: &str) -> Option<Vec<String>> {
    let names: Vec<String> = text.split(',').map(Into::into).collect();
    let is_new = |(place, name): (usize, &String)| {
        !name.is_empty() && !names.iter().take(place).any(|other| other == name)
    };
    names.iter().enumerate().all(is_new).then_some(names)
}

fn window(measure: Option<String>, tokens: &[&str]) -> Result<Operand, &'static str> {
    const FORM: &str = "a window is `sum FACT` or `count`, then `by FACT,FACT` or nothing, then `in` and a period from 1m to 366d";
    let (by, text) = match tokens {
        ["in", text] => (Vec::new(), text),
        ["by", facts, "in", text] => (list(facts).ok_or(FORM)?, text),
        _ => return Err(FORM),
    };
    Ok(Operand::Window(Window { measure, by, period: period(text).ok_or(FORM)? }))
}

/// Seconds of a period such as `90s`, `15m`, `24h` or `7d`.
fn period(text: &str) -> Option<i64> {
    let unit = text.chars().next_back()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => return None,
    };
    let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
    let period = i64::from(number).checked_mul(seconds)?;
    (60..=LONGEST).contains(&period).then_some(period)
}

impl Comparison {
    /// Reads the text of a comparison. The error says what a comparison is.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        if text.len() > LENGTH {
            return Err("a comparison has at most 512 bytes");
        }
        let tokens: Vec<&str> = text.split(' ').collect();
        let operator =
            tokens.iter().enumerate().find_map(|(place, token)| Some((place, operator(token)?)));
        let (place, operator) = operator.ok_or(
            "a comparison has one of the operators < <= == != >= > with a space before and after",
        )?;
        let (left, right) = tokens.split_at(place);
        let bound = Bound::parse(right.get(1..).unwrap_or_default()).ok_or(
            "the right side is a decimal integer of at most 256 bits, `now`, or `now + SECONDS`",
        )?;
        Ok(Self { operand: Operand::parse(left)?, operator, bound })
    }

    /// The facts that it names.
    pub(crate) fn facts(&self) -> impl Iterator<Item = &String> {
        let (one, by) = match &self.operand {
            Operand::Fact(fact) => (Some(fact), &[][..]),
            Operand::Window(window) => (window.measure.as_ref(), &window.by[..]),
            Operand::Approvals { .. } => (None, &[][..]),
        };
        one.into_iter().chain(by)
    }

    /// Returns whether it holds for this value.
    pub(crate) fn holds(&self, value: &Integer, now: i64) -> bool {
        self.bound.value(now).is_some_and(|bound| (self.operator)(value.cmp(&bound)))
    }
}
