//! The value of `--concurrency`: a number of requests, or `auto`.

use std::str::FromStr;

use tulk_base::limits;
use tulk_base::value_error::ValueError;

/// How many requests may be in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// A fixed maximum, from 1 to [`limits::CONCURRENCY_MAX`].
    AtMost(u16),
    /// Adapts to the service, up to [`limits::CONCURRENCY_AUTO`].
    Auto,
}

impl Concurrency {
    /// Returns the maximum number of requests in flight.
    pub const fn max(self) -> u16 {
        match self {
            Self::AtMost(number) => number,
            Self::Auto => limits::CONCURRENCY_AUTO,
        }
    }
}

impl FromStr for Concurrency {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(ValueError::new(text, format!("`{text}` is neither a whole number nor `auto`")));
        }
        let number = text.parse().ok().filter(|number| (1..=limits::CONCURRENCY_MAX).contains(number));
        let what = || format!("`{text}` is not between 1 and {}", limits::CONCURRENCY_MAX);
        number.map(Self::AtMost).ok_or_else(|| ValueError::new(text, what()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concurrency_is_a_number_or_auto() {
        let parse = |text: &str| text.parse::<Concurrency>().map_err(String::from);
        assert_eq!([parse("1"), parse("256")], [Ok(Concurrency::AtMost(1)), Ok(Concurrency::AtMost(256))]);
        assert_eq!(parse("auto"), Ok(Concurrency::Auto));
        for text in ["0", "257", "65536", "99999999999999999999999"] {
            assert_eq!(parse(text), Err(format!("`{text}` is not between 1 and 256")));
        }
        for text in ["x", "", "-1", "+1", "1.5", "Auto"] {
            assert_eq!(parse(text), Err(format!("`{text}` is neither a whole number nor `auto`")));
        }
    }
}
