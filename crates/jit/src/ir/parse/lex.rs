//! Lines of the text form, cut into tokens.
//!
//! Invariant: a token never spans two lines; what stands behind `;` is a remark, outside quotes.

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A name with dots in it, among them values, blocks and states: `load`, `cmp.lt`, `v12`.
    Word(&'a str),
    /// A number without sign, decimal or hexadecimal.
    Number(u64),
    /// What stood in quotes.
    Text(String),
    Mark(char),
}

/// The tokens of one line.
///
/// # Errors
/// For a character that begins no token, and quotes without end.
pub fn tokens(line: &str) -> Result<Vec<Token<'_>>, String> {
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while let Some(c) = rest.chars().next() {
        let behind = match c {
            ';' => break,
            '"' => {
                let (text, behind) = quoted(rest)?;
                out.push(Token::Text(text));
                behind
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let (word, behind) = take(rest, |c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
                out.push(Token::Word(word));
                behind
            }
            c if c.is_ascii_digit() => {
                let (digits, behind) = take(rest, |c| c.is_ascii_alphanumeric());
                let n = match digits.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16),
                    None => digits.parse(),
                };
                out.push(Token::Number(n.map_err(|e| format!("{digits}: {e}"))?));
                behind
            }
            c if "()[]:,=>+-#!".contains(c) => {
                out.push(Token::Mark(c));
                &rest[1..]
            }
            c => return Err(format!("{c:?} begins nothing")),
        };
        rest = behind.trim_start();
    }
    Ok(out)
}

fn take(s: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    s.split_at(s.find(|c| !belongs(c)).unwrap_or(s.len()))
}

/// The text in quotes at the start of `s`, as `{:?}` writes it, and what follows.
fn quoted(s: &str) -> Result<(String, &str), String> {
    let open = || "quotes without end".to_string();
    let mut out = String::new();
    let mut chars = s.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((out, &s[at + 1..])),
            '\\' => out.push(match chars.next().ok_or_else(open)?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'u' => {
                    let digits: String = chars.by_ref().map(|c| c.1).skip(1).take_while(|c| *c != '}').collect();
                    let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    code.ok_or_else(|| format!("{digits:?} is no character"))?
                }
                c => c,
            }),
            c => out.push(c),
        }
    }
    Err(open())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_come_back() {
        for text in ["", "a/B", "a \"b\" \\ ;c", "\u{0}\n\t\u{301}\u{1f600}'", "v1+2"] {
            assert_eq!(tokens(&format!("{text:?} ; rest")), Ok(vec![Token::Text(text.into())]));
        }
        assert!(tokens("\"open").is_err() && tokens("\"\\u{110000}\"").is_err() && tokens("a ? b").is_err());
    }

    #[test]
    fn numbers_and_words() {
        use Token::*;
        assert_eq!(
            tokens("cmp.lt v1+0xff -3"),
            Ok(vec![Word("cmp.lt"), Word("v1"), Mark('+'), Number(255), Mark('-'), Number(3)])
        );
        assert!(tokens("0xg").is_err() && tokens("99999999999999999999").is_err());
    }
}
