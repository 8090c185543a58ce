//! Prints class files as text: `print_class FILE...`

use concord_classfile::{ParseOptions, parse, print::Printer};

fn main() {
    for name in std::env::args().skip(1) {
        let bytes = std::fs::read(&name).unwrap_or_else(|e| panic!("{name}: {e}"));
        let opts = ParseOptions { trusted: true, module_info: true, ..Default::default() };
        match parse(&bytes, &opts) {
            Ok(class) => print!("{}", Printer::new(&class)),
            Err(e) => println!("{name}: {e}"),
        }
    }
}
