//! Parses every class file under the given directories and prints the time per class:
//! `parse_tree [--trusted] [--rounds N] DIR...`

use concord_classfile::{ParseOptions, parse};
use std::path::Path;
use std::time::Instant;

fn collect(dir: &Path, files: &mut Vec<Vec<u8>>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "class") {
            files.push(std::fs::read(&path)?);
        }
    }
    Ok(())
}

fn main() {
    let mut trusted = false;
    let mut rounds = 3;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--trusted" => trusted = true,
            "--rounds" => rounds = args.next().and_then(|n| n.parse().ok()).expect("--rounds needs a number"),
            dir => collect(Path::new(dir), &mut files).unwrap_or_else(|e| panic!("{dir}: {e}")),
        }
    }
    let opts = ParseOptions { trusted, module_info: true, ..Default::default() };
    let bytes: usize = files.iter().map(Vec::len).sum();
    for round in 0..rounds {
        let (mut ok, mut methods) = (0usize, 0usize);
        let begin = Instant::now();
        for file in &files {
            match parse(file, &opts) {
                Ok(class) => {
                    ok += 1;
                    methods += class.methods.len();
                }
                Err(e) if round == 0 => println!("{e}"),
                Err(_) => {}
            }
        }
        let us = begin.elapsed().as_secs_f64() * 1e6;
        let count = files.len().max(1) as f64;
        println!(
            "{ok} of {} classes ({:.0} bytes, {:.1} methods each): {:.2} us per class, {:.0} MB/s",
            files.len(),
            bytes as f64 / count,
            methods as f64 / count,
            us / count,
            bytes as f64 / us
        );
    }
}
