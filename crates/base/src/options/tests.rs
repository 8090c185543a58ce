//! Options as users write them: what is taken, what is refused and in which words.
use super::*;

fn with_env(args: &[&str], env: &[(&str, &str)]) -> Result<Options, OptionError> {
    let args: Vec<String> = args.iter().map(|s| s.to_string()).collect();
    let facts = LauncherFacts { java_home: "/jdk".into(), library_path: None, image_options: None };
    let read = |n: &str| env.iter().find(|e| e.0 == n).map(|e| e.1.to_string());
    parse(&args, false, &read, &facts)
}
fn ok(args: &[&str]) -> Options {
    with_env(args, &[]).unwrap_or_else(|e| panic!("{args:?}: {e:?}"))
}
fn usage(args: &[&str]) -> String {
    match with_env(args, &[]) {
        Err(OptionError::Usage(m)) => m,
        other => panic!("{args:?}: {:?}", other.map(|_| "accepted")),
    }
}

#[test]
fn mistakes_read_as_in_hotspot() {
    for (arg, message) in [
        ("-Xyz", "Unrecognized option: -Xyz"),
        ("-eax", "Unrecognized option: -eax"),
        ("-XX:+Foo", "Unrecognized VM option 'Foo'"),
        ("-XX:Foo", "Unrecognized VM option 'Foo'"),
        ("-XX:=3", "Unrecognized VM option '=3'"),
        ("-XX:+UseG1G", "Unrecognized VM option 'UseG1G'\nDid you mean '(+/-)UseG1GC'? "),
        ("-XX:MaxHeapSiz=3", "Unrecognized VM option 'MaxHeapSiz=3'\nDid you mean 'MaxHeapSize=<value>'? "),
        ("-XX:UseG1GC=true", "Missing +/- setting for VM option 'UseG1GC=true'"),
        ("-XX:+MaxHeapSize", "Unexpected +/- setting in VM option 'MaxHeapSize'"),
        ("-XX:MaxHeapSize", "Improperly specified VM option 'MaxHeapSize'"),
        ("-XX:MaxHeapSize=abc", "Invalid maximum heap size: -XX:MaxHeapSize=abc"),
        ("-XX:+UseCompressedOops=", "Improperly specified VM option 'UseCompressedOops='"),
        ("-Xmx1x", "Invalid maximum heap size: -Xmx1x"),
        ("-Xss", "Invalid thread stack size: -Xss"),
        ("-Xss1", ""),
        ("-Xcheck:foo", "Unrecognized check option: -Xcheck:foo"),
        ("-XX:VMOptionsFile=/nope", "Could not open options file '/nope'"),
        (
            "-XX:+PrintAssembly",
            "Error: VM option 'PrintAssembly' is diagnostic and must be enabled via -XX:+UnlockDiagnosticVMOptions.\nError: The unlock option must precede 'PrintAssembly'.",
        ),
        (
            "-XX:ThreadStackSize=-1",
            "intx ThreadStackSize=-1 is outside the allowed range [ 0 ... 1048576 ]\nImproperly specified VM option 'ThreadStackSize=-1'",
        ),
    ] {
        assert_eq!(usage(&[arg]), message, "{arg}");
    }
    assert_eq!(with_env(&["-Xmx1"], &[]).unwrap_err(), OptionError::Init("Too small maximum heap".into()));
    let e = with_env(&["-Xms10m", "-Xmx5m"], &[]).unwrap_err();
    assert_eq!(e, OptionError::Init("Initial heap size set to a larger value than the maximum heap size".into()));
    let e = with_env(&["-XX:+UseSerialGC", "-XX:+UseG1GC"], &[]).unwrap_err();
    assert_eq!(e, OptionError::Init("Multiple garbage collectors selected".into()));
    let o = ok(&["-javaagent:a.jar=b=c", "-agentlib:x=y", "-agentpath:/z.so"]);
    let agents: Vec<_> = o.agents.iter().map(|a| (a.name.as_str(), a.absolute, a.options.as_deref())).collect();
    assert_eq!(agents, [("instrument", false, Some("a.jar=b=c")), ("x", false, Some("y")), ("/z.so", true, None)]);
    assert_eq!(o.property("jdk.module.addmods.0"), Some("java.instrument"));
    let e = with_env(&[], &[("JAVA_TOOL_OPTIONS", "-Dx='a")]).unwrap_err();
    assert_eq!(e, OptionError::Usage("Unmatched quote in JAVA_TOOL_OPTIONS".into()));
}

#[test]
fn unknown_flags_can_be_ignored() {
    let o = ok(&["-XX:+Foo", "-Xyz", "-XX:+IgnoreUnrecognizedVMOptions"]);
    assert!(o.flags.ignore_unrecognized_vm_options && o.warnings.is_empty());
    let e = with_env(&["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+PrintAssembly"], &[]).unwrap_err();
    assert!(matches!(e, OptionError::Usage(why) if why.contains("is diagnostic")));
}

#[test]
fn later_sources_win() {
    let o = with_env(&["-Xmx64m", "-Da=1"], &[("JAVA_TOOL_OPTIONS", "-Xmx32m -Db='x y'"), ("_JAVA_OPTIONS", "-Da=2")])
        .unwrap();
    assert_eq!(o.flags.max_heap_size, 64 << 20);
    assert_eq!((o.property("a"), o.property("b")), (Some("2"), Some("x y")));
    assert_eq!(o.vm_arguments, ["-Xmx32m", "-Db=x y", "-Xmx64m", "-Da=1", "-Da=2"]);
}

#[test]
fn options_of_the_image_come_first() {
    let read = |n: &str| (n == "JAVA_TOOL_OPTIONS").then(|| "-Da=tool".to_string());
    let with = |image: &str, args: &[&str]| {
        let args: Vec<String> = args.iter().map(|s| s.to_string()).collect();
        let facts = LauncherFacts { image_options: Some(image.into()), ..LauncherFacts::default() };
        parse(&args, false, &read, &facts)
    };
    let o = with("-Xmx64m -Da=image '-Db=x y' -XX:MaxJavaStackTraceDepth=7", &["-Xmx32m"]).unwrap();
    assert_eq!((o.flags.max_heap_size, o.property("a"), o.property("b")), (32 << 20, Some("tool"), Some("x y")));
    assert_eq!(o.origin(flags::find("MaxJavaStackTraceDepth").unwrap()), Origin::Image);
    assert_eq!(o.vm_arguments[..3], ["-Xmx64m", "-Da=image", "-Db=x y"]);
    let e = with("-Db='x", &[]).unwrap_err();
    assert_eq!(e, OptionError::Usage("Unmatched quote in vm options resource".into()));
    assert!(with("-XX:+IgnoreUnrecognizedVMOptions", &["-XX:+Foo"]).is_ok());
}

#[test]
fn options_come_from_files() {
    let dir = std::env::temp_dir().join(format!("concord-options-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (args, flags) = (dir.join("args"), dir.join("flags"));
    std::fs::write(&args, "-Xmx48m\n  '-Dq=a b'").unwrap();
    std::fs::write(&flags, "# comment\n+DisableExplicitGC\nMaxJavaStackTraceDepth=7 # seven\n").unwrap();
    let o = ok(&[&format!("-XX:VMOptionsFile={}", args.display()), &format!("-XX:Flags={}", flags.display())]);
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!((o.flags.max_heap_size, o.property("q")), (48 << 20, Some("a b")));
    assert!(o.flags.disable_explicit_gc && o.flags.max_java_stack_trace_depth == 7);
    assert_eq!(o.origin(flags::find("DisableExplicitGC").unwrap()), Origin::ConfigFile);
}

#[test]
fn module_options_become_properties() {
    let o = ok(&[
        "--add-modules=a",
        "--add-modules=b,c",
        "--module-path=/m",
        "--add-opens=x/y=z",
        "-Xbootclasspath/a:/p",
        "-Xbootclasspath/a:/q",
    ]);
    assert_eq!((o.property("jdk.module.addmods.0"), o.property("jdk.module.addmods.1")), (Some("a"), Some("b,c")));
    assert_eq!((o.property("jdk.module.path"), o.property("jdk.module.addopens.0")), (Some("/m"), Some("x/y=z")));
    assert_eq!(o.property("jdk.boot.class.path.append"), Some(":/p:/q"));
    assert_eq!((o.property("java.home"), o.property("sun.boot.library.path")), (Some("/jdk"), Some("/jdk/lib")));
    let o = ok(&["-Djdk.module.addmods.0=x", "-Djava.home=/no", "-Djava.vm.name=no", "-Djava.class.path=c"]);
    assert_eq!((o.property("jdk.module.addmods.0"), o.warnings.len()), (None, 1));
    assert_eq!(
        (o.property("java.home"), o.property("java.vm.name"), o.property("java.class.path")),
        (Some("/jdk"), Some(VM_NAME), Some("c"))
    );
}

#[test]
fn heap_sizes_are_complete() {
    let o = ok(&[]);
    assert!(o.flags.initial_heap_size > 0 && o.flags.initial_heap_size <= o.flags.max_heap_size);
    assert!(o.flags.max_heap_size <= 4 << 30);
    let o = ok(&["-Xmx256m", "-Xms16m", "-Xmn8m", "-Xss512k"]);
    let f = &o.flags;
    assert_eq!((f.max_heap_size, f.initial_heap_size, f.min_heap_size), (256 << 20, 16 << 20, 16 << 20));
    assert_eq!((f.new_size, f.max_new_size, f.thread_stack_size), (8 << 20, 8 << 20, 512));
    assert_eq!(ok(&["-Xms8g"]).flags.max_heap_size, 8 << 30);
}

#[test]
fn assertions_follow_the_most_specific_switch() {
    let a = ok(&["-ea", "-da:p.q...", "-ea:p.q.Yes", "-esa"]).assertions;
    assert!(a.enabled("Main", false) && a.enabled("p.X", false) && a.enabled("java.lang.X", true));
    assert!(!a.enabled("p.q.No", false) && !a.enabled("p.q.r.No", false) && a.enabled("p.q.Yes", false));
    let a = ok(&["-ea:...", "-da:Main"]).assertions;
    assert!(a.enabled("Other", false) && !a.enabled("Main", false) && !a.enabled("p.X", false));
    assert!(!ok(&[]).assertions.enabled("Main", false));
}

#[test]
fn hotspot_flags_warn_once_each() {
    let o = ok(&["-XX:+UseG1GC", "-XX:FreqInlineSize=64", "-Xint", "-XX:-VBD", "-XX:VBDRelaxedClass=a/B"]);
    assert_eq!(
        o.warnings,
        ["Option UseG1GC has no effect in this VM", "Option FreqInlineSize has no effect in this VM"]
    );
    assert!(!o.flags.vbd && o.flags.vbd_relaxed_class == ["a/B"] && o.mode == Mode::Interpreted);
    let given = ok(&["-XX:-VBD", "-XX:OnError=x"]).vm_flags();
    let names: Vec<&str> = given.iter().map(|f| f.split('=').next().unwrap_or_default()).collect();
    let chosen = ["-XX:InitialHeapSize", "-XX:MaxHeapSize"];
    assert_eq!(names, [chosen[0], chosen[1], "-XX:OnError", "-XX:SoftMaxHeapSize", "-XX:-VBD"]);
    let listing = flags_text(&o);
    assert!(listing.contains("     bool VBD                                      = false"));
    assert!(
        !listing.contains("VerifyAfterGC")
            && flags_text(&ok(&["-XX:+UnlockDiagnosticVMOptions"])).contains("VerifyAfterGC")
    );
}

/// Random command lines out of pieces of real options: every one is taken or refused with a sentence
/// that names what was wrong, the last of two values counts, and quoting is undone.
#[test]
fn random_options_are_taken_or_refused_in_words() {
    const PIECES: [&str; 40] = [
        "-XX:",
        "-XX:+",
        "-XX:-",
        "-X",
        "-D",
        "--",
        "-",
        "mx",
        "ms",
        "ss",
        "mn",
        "MaxHeapSize",
        "UseSerialGC",
        "ThreadStackSize",
        "MaxHeapSiz",
        "UnlockDiagnosticVMOptions",
        "VerifyAfterGC",
        "=",
        ":",
        "1",
        "64m",
        "3g",
        "-1",
        "99999999999999999999",
        "0x10",
        "true",
        "a.b",
        "add-modules=",
        "add-exports=",
        "patch-module=",
        "ea",
        "esa",
        "verify:",
        "check:jni",
        "bootclasspath/a:",
        "agentlib:",
        "javaagent:",
        "\u{e4}",
        " ",
        "jdk.module.path",
    ];
    const WHOLE: [&str; 12] = [
        "-Xmx64m",
        "-Xms16m",
        "-Xss1m",
        "-Xint",
        "-Da=b c",
        "-Dd",
        "-ea:x...",
        "-dsa",
        "-XX:+UseSerialGC",
        "-XX:MaxHeapSize=96m",
        "--add-modules=m",
        "-agentlib:x=y",
    ];
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 20) as usize % below
    };
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let count = 1 + random(2);
        let mut one = || match random(4) {
            0 => (0..1 + random(5)).map(|_| PIECES[random(PIECES.len())]).collect(),
            _ => WHOLE[random(WHOLE.len())].to_string(),
        };
        let args: Vec<String> = (0..count).map(|_| one()).collect();
        let list: Vec<&str> = args.iter().map(String::as_str).collect();
        match with_env(&list, &[]) {
            Ok(_) => taken += 1,
            Err(OptionError::Answered) => panic!("{args:?} ask for nothing"),
            Err(OptionError::Usage(m)) if m.is_empty() => assert!(args.iter().any(|a| a.contains("-Xss")), "{args:?}"),
            Err(OptionError::Usage(m) | OptionError::Unsupported(m) | OptionError::Init(m)) => {
                refused += 1;
                assert!(!m.contains("{}"), "{args:?}: {m}");
            }
        }
        // The same through a variable: quotes keep what is between them.
        let quoted: Vec<String> =
            args.iter().map(|a| if random(2) == 0 { format!("'{a}'") } else { format!("\"{a}\"") }).collect();
        assert_eq!(parse::split(&quoted.join(if random(2) == 0 { " " } else { "\t\n" })), Some(args), "{quoted:?}");
    }
    assert!(taken > 1000 && refused > 1000, "{taken} taken, {refused} refused");
}
