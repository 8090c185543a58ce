//! Amounts of memory as text: in bytes, in a unit that is asked for, or in the largest that fits.
//!
//! Invariant: what is not nothing never shows as nothing: `<0.01 MB`, ` <1%`.

/// The unit of amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Dynamic,
    /// A power of two: 0, 10, 20, 30.
    Fixed(u32),
}

impl Scale {
    /// By the names that users give.
    pub fn parse(text: &str) -> Option<Scale> {
        Some(match text.to_ascii_lowercase().as_str() {
            "dynamic" => Scale::Dynamic,
            "1" | "b" => Scale::Fixed(0),
            "k" | "kb" => Scale::Fixed(10),
            "m" | "mb" => Scale::Fixed(20),
            "g" | "gb" => Scale::Fixed(30),
            _ => return None,
        })
    }
    /// Without blanks in front.
    pub fn show(self, bytes: usize) -> String {
        self.padded(bytes, 0)
    }
    /// A number of bytes has `width` places, others have three more.
    pub fn padded(self, bytes: usize, width: usize) -> String {
        let shift = match self {
            Scale::Fixed(s) => s,
            Scale::Dynamic => [30, 20, 10].into_iter().find(|s| bytes >> s > 0).unwrap_or(0),
        };
        let unit = match shift {
            0 => return format!("{bytes:>width$} bytes"),
            10 => "KB",
            20 => "MB",
            _ => "GB",
        };
        let (n, width) = (bytes as f64 / (1u64 << shift) as f64, if width == 0 { 0 } else { width + 3 });
        if bytes > 0 && n < 0.01 { format!("{:>width$} {unit}", "<0.01") } else { format!("{n:>width$.2} {unit}") }
    }
}

/// How much of `total` is `part`, in parentheses.
pub fn share(part: usize, total: usize) -> String {
    let percent = part as f64 / total.max(1) as f64 * 100.0;
    match (part, total) {
        (0, _) => "(  0%)".into(),
        (p, t) if p == t => "(100%)".into(),
        _ if percent < 1.0 => "( <1%)".into(),
        _ if percent > 99.0 => "(>99%)".into(),
        _ => format!("({percent:>3.0}%)"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Scale, share};
    #[test]
    fn amounts_show_in_their_unit() {
        let shown = |s: &str, n: usize| Scale::parse(s).expect("a scale").padded(n, 5);
        assert_eq!(shown("dynamic", 1016), " 1016 bytes");
        assert_eq!(shown("dynamic", 1024), "    1.00 KB");
        assert_eq!(shown("kb", 5_793_792), " 5658.00 KB");
        assert_eq!(shown("MB", 2048), "   <0.01 MB");
        assert_eq!(shown("g", 0), "    0.00 GB");
        assert_eq!(shown("1", 5_466_112), "5466112 bytes");
        assert_eq!(Scale::Dynamic.show(5 << 30), "5.00 GB");
        assert_eq!(Scale::parse("1K"), None);
    }
    #[test]
    fn something_is_not_nothing_and_not_all() {
        let all = [(0, 0), (0, 9), (9, 9), (1, 1000), (999, 1000), (1, 2)].map(|(p, t)| share(p, t));
        assert_eq!(all, ["(  0%)", "(  0%)", "(100%)", "( <1%)", "(>99%)", "( 50%)"]);
    }
}
