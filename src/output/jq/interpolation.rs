//! Interpolation of values in strings, `"\(.n)"`, with the `tostring` of this program. The library's `tostring` writes `3.0` for
//! `6 / 2`.

use jaq_core::load::lex::{Lexer, StrPart, Tok, Token};
use jaq_core::load::parse::{Def, Parser};

/// Name of the definition that contains the expression.
pub const NAME: &str = "@main";

/// Parses an expression into a definition, and puts the format `@text` before each interpolated string that names no format.
pub fn definition(code: &str) -> Option<Def<&str>> {
    let tokens = with_formats(Lexer::new(code).lex().ok()?);
    let body = Parser::new(&tokens).parse(Parser::term).ok()?;
    Some(Def { name: NAME, args: Vec::new(), body })
}

fn with_formats(tokens: Vec<Token<&str>>) -> Vec<Token<&str>> {
    let mut formatted = Vec::with_capacity(tokens.len());
    for Token(code, kind) in tokens {
        let kind = match kind {
            Tok::Block(tokens) => Tok::Block(with_formats(tokens)),
            Tok::Str(parts) => {
                let is_plain = !matches!(formatted.last(), Some(Token(_, Tok::Fmt)));
                if is_plain && parts.iter().any(|part| matches!(part, StrPart::Term(_))) {
                    formatted.push(Token("@text", Tok::Fmt));
                }
                Tok::Str(parts.into_iter().flat_map(part_with_formats).collect())
            }
            other => other,
        };
        formatted.push(Token(code, kind));
    }
    formatted
}

fn part_with_formats<'a>(part: StrPart<&'a str, Token<&'a str>>) -> Vec<StrPart<&'a str, Token<&'a str>>> {
    match part {
        StrPart::Term(token) => with_formats(vec![token]).into_iter().map(StrPart::Term).collect(),
        other => vec![other],
    }
}
