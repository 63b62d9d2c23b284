//! The rule of a `Plural-Forms` header: an expression of C in one variable.
//!
//! Input: the value of the header. Output: the number of forms, and the form of a number.

/// The deepest nesting of an expression.
const MAX_DEPTH: usize = 64;

/// The rule of a PO file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GettextPlural {
    count: usize,
    rule: PluralExpr,
}

impl GettextPlural {
    /// Reads `nplurals=2; plural=(n != 1);`. The error says what is wrong.
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
        // `nplurals` also contains the word, so the field is the one behind it.
        let (_, behind) = header.split_once("nplurals").unwrap_or_default();
        let (_, rest) = behind.split_once("plural").ok_or("Plural-Forms has no `plural=`")?;
        let rest = rest.trim_start().strip_prefix('=').ok_or("Plural-Forms has no `plural=`")?;
        let expression = rest.split(';').next().unwrap_or_default();
        let mut parser = ExprParser { rest: expression, depth: 0 };
        let rule = parser.ternary()?;
        if !parser.rest.trim_start().is_empty() {
            return Err(format!("`{}` cannot stand in the plural expression", parser.rest.trim()));
        }
        Ok(Self { count, rule })
    }

    /// Returns the number of forms.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the form of a number; the first one if the expression gives none that exists.
    pub fn index(&self, n: u64) -> usize {
        self.rule
            .value(n)
            .and_then(|index| usize::try_from(index).ok())
            .filter(|index| *index < self.count)
            .unwrap_or(0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PluralExpr {
    N,
    Number(u64),
    Not(Box<PluralExpr>),
    Binary(BinaryOp, Box<[PluralExpr; 2]>),
    Choice(Box<[PluralExpr; 3]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    LessOrEqual,
    GreaterOrEqual,
    Less,
    Greater,
    Plus,
    Minus,
    Times,
    Divided,
    Modulo,
}

/// The operators of each level, from those that bind least. Longer ones come first.
const LEVELS: [&[(&str, BinaryOp)]; 6] = [
    &[("||", BinaryOp::Or)],
    &[("&&", BinaryOp::And)],
    &[("==", BinaryOp::Equal), ("!=", BinaryOp::NotEqual)],
    &[("<=", BinaryOp::LessOrEqual), (">=", BinaryOp::GreaterOrEqual), ("<", BinaryOp::Less), (">", BinaryOp::Greater)],
    &[("+", BinaryOp::Plus), ("-", BinaryOp::Minus)],
    &[("*", BinaryOp::Times), ("/", BinaryOp::Divided), ("%", BinaryOp::Modulo)],
];

/// The most operators in a row, which make an expression as deep as parentheses.
const MAX_CHAIN: usize = 200;

impl PluralExpr {
    /// Returns the value for a number; `None` if it divides by zero.
    fn value(&self, n: u64) -> Option<u64> {
        Some(match self {
            Self::N => n,
            Self::Number(number) => *number,
            Self::Not(of) => u64::from(of.value(n)? == 0),
            Self::Choice(parts) => {
                let [condition, yes, no] = &**parts;
                if condition.value(n)? != 0 { yes.value(n)? } else { no.value(n)? }
            }
            Self::Binary(op, sides) => {
                let [left, right] = &**sides;
                let left = left.value(n)?;
                match (op, left) {
                    (BinaryOp::Or, 1..) => return Some(1),
                    (BinaryOp::And, 0) => return Some(0),
                    _ => op.value(left, right.value(n)?)?,
                }
            }
        })
    }
}

impl BinaryOp {
    fn value(self, left: u64, right: u64) -> Option<u64> {
        Some(match self {
            // The left side decided nothing.
            Self::Or | Self::And => u64::from(right != 0),
            Self::Equal => u64::from(left == right),
            Self::NotEqual => u64::from(left != right),
            Self::LessOrEqual => u64::from(left <= right),
            Self::GreaterOrEqual => u64::from(left >= right),
            Self::Less => u64::from(left < right),
            Self::Greater => u64::from(left > right),
            Self::Plus => left.wrapping_add(right),
            Self::Minus => left.wrapping_sub(right),
            Self::Times => left.wrapping_mul(right),
            Self::Divided => left.checked_div(right)?,
            Self::Modulo => left.checked_rem(right)?,
        })
    }
}

#[derive(Debug)]
struct ExprParser<'t> {
    rest: &'t str,
    depth: usize,
}

impl ExprParser<'_> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn ternary(&mut self) -> Result<PluralExpr, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the plural expression is nested too deeply".to_owned());
        }
        let condition = self.binary(0)?;
        let choice = if self.take("?") {
            let yes = self.ternary()?;
            if !self.take(":") {
                return Err("a `?` of the plural expression has no `:`".to_owned());
            }
            PluralExpr::Choice(Box::new([condition, yes, self.ternary()?]))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(choice)
    }

    fn binary(&mut self, level: usize) -> Result<PluralExpr, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        let mut chain = 0;
        while let Some((_, op)) = operators.iter().find(|(token, _)| self.take(token)) {
            chain += 1;
            if chain > MAX_CHAIN {
                return Err("the plural expression is too long".to_owned());
            }
            left = PluralExpr::Binary(*op, Box::new([left, self.binary(level + 1)?]));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<PluralExpr, String> {
        let mut negations = 0;
        while self.take("!") {
            negations += 1;
        }
        let mut value = self.primary()?;
        // Two negations make 0 or 1 of a number, and more of them change nothing.
        for _ in 0..if negations > 2 { 2 - negations % 2 } else { negations } {
            value = PluralExpr::Not(Box::new(value));
        }
        Ok(value)
    }

    fn primary(&mut self) -> Result<PluralExpr, String> {
        if self.take("(") {
            let inner = self.ternary()?;
            return if self.take(")") {
                Ok(inner)
            } else {
                Err("a `(` of the plural expression is not closed".to_owned())
            };
        }
        if self.take("n") {
            return Ok(PluralExpr::N);
        }
        let rest = self.rest.trim_start();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, rest) = rest.split_at_checked(length).unwrap_or_default();
        let number = digits.parse().map_err(|_| {
            let found = rest.chars().next().map_or("the end".to_owned(), |c| format!("`{c}`"));
            format!("the plural expression has {found} where a number or `n` is expected")
        })?;
        self.rest = rest;
        Ok(PluralExpr::Number(number))
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
    fn impossible_values_are_the_first_form() {
        assert_eq!(indices("nplurals=2; plural=1/(n-n);", &[3]), [0]);
        assert_eq!(indices("nplurals=2; plural=n;", &[1, 2, u64::MAX]), [1, 0, 0]);
        assert_eq!(indices("nplurals=2; plural=n||1/0;", &[1]), [1]);
    }

    #[test]
    fn broken_headers_are_refused() {
        for (header, error) in [
            ("plural=0;", "Plural-Forms has no `nplurals=`"),
            ("nplurals=2;", "Plural-Forms has no `plural=`"),
            ("nplurals=INTEGER; plural=EXPRESSION;", "`nplurals=INTEGER` is not a number"),
            ("nplurals=0; plural=0;", "`nplurals=0` is not between 1 and 100"),
            ("nplurals=2; plural=(n;", "a `(` of the plural expression is not closed"),
            ("nplurals=2; plural=n?1;", "a `?` of the plural expression has no `:`"),
            ("nplurals=2; plural=;", "the plural expression has the end where a number or `n` is expected"),
            ("nplurals=2; plural=x;", "the plural expression has `x` where a number or `n` is expected"),
            ("nplurals=2; plural=n 1;", "`1` cannot stand in the plural expression"),
        ] {
            assert_eq!(GettextPlural::parse(header).unwrap_err(), error, "{header}");
        }
    }

    #[test]
    fn hostile_expressions_end() {
        for part in ["(", "!", "n?", "n+", "n?n:", "!(", "1||", "n==(", "99999999999999999999"] {
            let header = ["nplurals=2; plural=", &part.repeat(100_000), "n;"].concat();
            let _ = GettextPlural::parse(&header).map(|rule| rule.index(3));
        }
    }
}
