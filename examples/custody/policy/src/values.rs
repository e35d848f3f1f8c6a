//! Facts as values of Cedar.

use core::fmt::Write as _;

use cedar_policy::RestrictedExpression as Expression;
use quorate_purpose::Value;

use crate::vocabulary::Type;

/// The value of a fact; `None` if it is not of this type, or out of its range.
pub(crate) fn value(of: Type, value: &Value) -> Option<Expression> {
    Some(match (of, value) {
        (Type::Flag, Value::Bool(value)) => Expression::new_bool(*value),
        (Type::Long, Value::Integer(value)) => Expression::new_long(value.to_i64()?),
        (Type::Time, Value::Time(time)) => Expression::new_long(time.seconds),
        (Type::Wide, Value::Integer(value)) => Expression::new_string(value.to_string()),
        (Type::Wide, Value::Time(time)) => Expression::new_string(time.seconds.to_string()),
        (Type::Text, Value::Text(text)) => Expression::new_string(text.clone()),
        (Type::Hex, Value::Bytes(bytes)) => Expression::new_string(hex(bytes)),
        (of, Value::List(values)) => {
            let of = of.element()?;
            let values: Option<Vec<_>> = values.iter().map(|each| self::value(of, each)).collect();
            Expression::new_set(values?)
        }
        _ => return None,
    })
}

/// `0x` and lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2 + 2);
    text.push_str("0x");
    // Writing into a text does not fail.
    bytes.iter().for_each(|byte| write!(text, "{byte:02x}").unwrap_or_default());
    text
}
