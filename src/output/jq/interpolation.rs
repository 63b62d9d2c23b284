//! Interpolation of values in strings, `"\(.n)"`: with the `tostring` of this program, not that of the library, which writes `3.0`
//! for `6 / 2`.

use jaq_core::load::lex::{Lexer, StrPart, Tok, Token};
use jaq_core::load::parse::{Def, Parser};

/// Name of the definition of an expression.
pub const NAME: &str = "@main";

/// Format of interpolated values if the expression names none.
const FORMAT: &str = "@text";

/// Returns an expression as a definition in which each string names its format; `None` if it cannot be parsed.
pub fn definition(code: &str) -> Option<Def<&str>> {
    let tokens = with_formats(Lexer::new(code).lex().ok()?);
    let body = Parser::new(&tokens).parse(Parser::term).ok()?;
    Some(Def { name: NAME, args: Vec::new(), body })
}

fn with_formats(tokens: Vec<Token<&str>>) -> Vec<Token<&str>> {
    let mut formatted = Vec::with_capacity(tokens.len());
    for token in tokens {
        let is_plain = !matches!(formatted.last(), Some(Token(_, Tok::Fmt)));
        if is_plain && matches!(&token.1, Tok::Str(parts) if parts.iter().any(|part| matches!(part, StrPart::Term(_))))
        {
            formatted.push(Token(FORMAT, Tok::Fmt));
        }
        formatted.push(with_formats_inside(token));
    }
    formatted
}

fn with_formats_inside(Token(code, kind): Token<&str>) -> Token<&str> {
    let kind = match kind {
        Tok::Block(tokens) => Tok::Block(with_formats(tokens)),
        Tok::Str(parts) => Tok::Str(parts.into_iter().map(part_with_formats).collect()),
        other => other,
    };
    Token(code, kind)
}

fn part_with_formats<'a>(part: StrPart<&'a str, Token<&'a str>>) -> StrPart<&'a str, Token<&'a str>> {
    match part {
        StrPart::Term(token) => StrPart::Term(with_formats_inside(token)),
        other => other,
    }
}
