//! Evaluates a `Plural-Forms` header: the number of forms, and a C expression that gives the form of a number.

const MAX_DEPTH: usize = 64;
const MAX_BYTES: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GettextPlural {
    count: usize,
    expression: String,
}

impl GettextPlural {
    /// Parses a header such as `nplurals=2; plural=(n != 1);`. The error says what is wrong.
    pub fn parse(header: &str) -> Result<Self, String> {
        let field = |name: &str| {
            let (_, rest) = header.split_once(name)?;
            Some(rest.trim_start().strip_prefix('=')?.split(';').next().unwrap_or_default().trim())
        };
        let count = field("nplurals").ok_or("Plural-Forms has no `nplurals=`")?;
        let count: usize = count.parse().map_err(|_| format!("`nplurals={count}` is not a number"))?;
        if !(1..=100).contains(&count) {
            return Err(format!("`nplurals={count}` is not between 1 and 100"));
        }
        // `nplurals` contains the word `plural`, so search after it.
        let (_, behind) = header.split_once("nplurals").unwrap_or_default();
        let (_, rest) = behind.split_once("plural").ok_or("Plural-Forms has no `plural=`")?;
        let rest = rest.trim_start().strip_prefix('=').ok_or("Plural-Forms has no `plural=`")?;
        let expression = rest.split(';').next().unwrap_or_default().to_owned();
        if expression.len() > MAX_BYTES {
            return Err("the plural expression is too long".to_owned());
        }
        let rule = Self { count, expression };
        rule.evaluate(0)?;
        Ok(rule)
    }

    /// The number of forms, 1 to 100.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the form of a number; 0 if the expression gives no valid form.
    pub fn index(&self, n: u64) -> usize {
        let value = self.evaluate(n).ok().flatten().and_then(|index| usize::try_from(index).ok());
        value.filter(|index| *index < self.count).unwrap_or(0)
    }

    /// Returns `None` if the expression divides by zero.
    fn evaluate(&self, n: u64) -> Result<Option<u64>, String> {
        let mut evaluation = Evaluation { rest: &self.expression, n, depth: 0 };
        let value = evaluation.ternary()?;
        match evaluation.rest.trim() {
            "" => Ok(value),
            rest => Err(format!("the plural expression has an unexpected `{rest}`")),
        }
    }
}

/// A binary operator. The right operand is `None` if it divides by zero.
type BinaryOp = fn(u64, Option<u64>) -> Option<u64>;

/// Operators by precedence, lowest first. Within a level, longer operators come first.
const LEVELS: [&[(&str, BinaryOp)]; 6] = [
    &[("||", |left, right| if left == 0 { Some(u64::from(right? != 0)) } else { Some(1) })],
    &[("&&", |left, right| if left == 0 { Some(0) } else { Some(u64::from(right? != 0)) })],
    &[("==", |left, right| Some(u64::from(left == right?))), ("!=", |left, right| Some(u64::from(left != right?)))],
    &[
        ("<=", |left, right| Some(u64::from(left <= right?))),
        (">=", |left, right| Some(u64::from(left >= right?))),
        ("<", |left, right| Some(u64::from(left < right?))),
        (">", |left, right| Some(u64::from(left > right?))),
    ],
    &[("+", |left, right| Some(left.wrapping_add(right?))), ("-", |left, right| Some(left.wrapping_sub(right?)))],
    &[
        ("*", |left, right| Some(left.wrapping_mul(right?))),
        ("/", |left, right| left.checked_div(right?)),
        ("%", |left, right| left.checked_rem(right?)),
    ],
];

/// Parses and evaluates in one pass. A value of `None` means division by zero.
struct Evaluation<'t> {
    rest: &'t str,
    n: u64,
    depth: usize,
}

impl Evaluation<'_> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn ternary(&mut self) -> Result<Option<u64>, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the plural expression is nested too deeply".to_owned());
        }
        let mut value = self.binary(0)?;
        if self.take("?") {
            let yes = self.ternary()?;
            if !self.take(":") {
                return Err("a `?` of the plural expression has no `:`".to_owned());
            }
            let no = self.ternary()?;
            value = value.and_then(|condition| if condition == 0 { no } else { yes });
        }
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, level: usize) -> Result<Option<u64>, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some((_, op)) = operators.iter().find(|(token, _)| self.take(token)) {
            let right = self.binary(level + 1)?;
            left = left.and_then(|left| op(left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Option<u64>, String> {
        let mut negations = 0;
        while self.take("!") {
            negations += 1;
        }
        let value = self.primary()?;
        Ok(if negations == 0 { value } else { value.map(|value| u64::from((value == 0) == (negations % 2 == 1))) })
    }

    fn primary(&mut self) -> Result<Option<u64>, String> {
        if self.take("(") {
            let inner = self.ternary()?;
            let error = || "a `(` of the plural expression is not closed".to_owned();
            return self.take(")").then_some(inner).ok_or_else(error);
        }
        if self.take("n") {
            return Ok(Some(self.n));
        }
        let rest = self.rest.trim_start();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, rest) = rest.split_at_checked(length).unwrap_or_default();
        let number = digits.parse().map_err(|_| {
            let found = rest.chars().next().map_or("ends".to_owned(), |c| format!("has `{c}`"));
            format!("the plural expression {found} where a number or `n` is expected")
        })?;
        self.rest = rest;
        Ok(Some(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(header: &str, numbers: &[u64]) -> Vec<usize> {
        let rule = GettextPlural::parse(header).unwrap();
        numbers.iter().map(|n| rule.index(*n)).collect()
    }

    #[test]
    fn expressions_are_evaluated_as_in_c() {
        let russian =
            "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
        assert_eq!(indices(russian, &[0, 1, 2, 5, 11, 12, 21, 22, 111]), [2, 0, 1, 2, 2, 2, 0, 1, 2]);
        assert_eq!(indices("nplurals=2; plural=n != 1", &[0, 1, 2]), [1, 0, 1]);
        assert_eq!(indices(" nplurals = 1 ; plural = 0 ;", &[0, 1]), [0, 0]);
        assert_eq!(indices("nplurals=9; plural=1+2*n-1;", &[0, 1, 2]), [0, 2, 4]);
        assert_eq!(indices("nplurals=9; plural=8-4-n;", &[0, 1]), [4, 3]);
        assert_eq!(indices("nplurals=9; plural=!n+!!n*3+!!!n*2;", &[0, 5]), [3, 3]);
        assert_eq!(indices("nplurals=9; plural=n<2?n<1?4:5:6;", &[0, 1, 2]), [4, 5, 6]);
        assert_eq!(indices("nplurals=2; plural=n>=2 == n>1;", &[0, 2]), [1, 1]);
    }

    #[test]
    fn an_invalid_index_means_the_first_form() {
        assert_eq!(indices("nplurals=2; plural=1/(n-n);", &[3]), [0]);
        assert_eq!(indices("nplurals=2; plural=n;", &[1, 2, u64::MAX]), [1, 0, 0]);
        assert_eq!(indices("nplurals=2; plural=n||1/0;", &[1]), [1]);
    }

    #[test]
    fn refuses_invalid_headers() {
        for (header, error) in [
            ("plural=0;", "Plural-Forms has no `nplurals=`"),
            ("nplurals=2;", "Plural-Forms has no `plural=`"),
            ("nplurals=INTEGER; plural=EXPRESSION;", "`nplurals=INTEGER` is not a number"),
            ("nplurals=0; plural=0;", "`nplurals=0` is not between 1 and 100"),
            ("nplurals=2; plural=(n;", "a `(` of the plural expression is not closed"),
            ("nplurals=2; plural=n?1;", "a `?` of the plural expression has no `:`"),
            ("nplurals=2; plural=;", "the plural expression ends where a number or `n` is expected"),
            ("nplurals=2; plural=x;", "the plural expression has `x` where a number or `n` is expected"),
            ("nplurals=2; plural=n 1;", "the plural expression has an unexpected `1`"),
        ] {
            assert_eq!(GettextPlural::parse(header).unwrap_err(), error, "{header}");
        }
    }

    #[test]
    fn hostile_expressions_terminate() {
        for part in ["(", "!", "n?", "n+", "n?n:", "!(", "1||", "n==(", "99999999999999999999"] {
            for count in [500, 100_000] {
                let header = ["nplurals=2; plural=", &part.repeat(count), "n;"].concat();
                let _ = GettextPlural::parse(&header).map(|rule| rule.index(3));
            }
        }
    }
}
