//! The JDK's own libraries name `libjvm.so` as needed; without this soname they would not find it.
fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libjvm.so");
    println!("cargo:rerun-if-changed=build.rs");
}
