"""Figures of whole programs from process start, and of compilation itself."""

import importlib.machinery
import importlib.util
import re
import subprocess
import sys
import time

import memory
from figures import BUILD, ORACLE, ROOT, Figure, Run, combine, compare, execute, lang3_sources

PROGRAMS = ("h2", "lucene", "clojure", "groovy")
# HotSpot's default has one thread for each of its compilers.
SAME_THREADS = "-XX:CICompilerCount=2"


def runner():
    """tests/programs/run as a module: it knows how to get and run a program."""
    path = str(ROOT / "tests" / "programs" / "run")
    loader = importlib.machinery.SourceFileLoader("programs_run", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("programs_run", loader))
    loader.exec_module(module)
    return module


def programs(home, quick, rounds):
    """Real programs at their small scale: wall and CPU time of the whole process tree."""
    module = runner()
    wall, cpu = [], []
    for name in PROGRAMS[2:3] if quick else PROGRAMS:
        p = module.Program(module.HERE / name)
        lib = p.resolve()
        classes = p.compile(lib)
        walls, cpus = {"ours": [], "theirs": []}, {"ours": [], "theirs": []}
        outputs = set()
        for _ in range(1 if quick else rounds):
            for side, jdk, options in (("theirs", ORACLE, ""), ("ours", home, SAME_THREADS)):
                start = time.monotonic()
                code, out, took = p.run(jdk, side, lib, classes, False, options=options)
                walls[side].append(time.monotonic() - start)
                cpus[side].append(took)
                outputs.add(out)
                if code != p.exit or len(outputs) != 1:
                    sys.exit(f"{name} on {jdk} ended with {code}, or the sides' outputs differ")
        wall.append(compare(f"programs.{name}", "s", "hotspot17", walls["ours"], walls["theirs"]))
        cpu.append(compare(f"programs.{name}-cpu", "s", "hotspot17", cpus["ours"], cpus["theirs"]))
    return wall + cpu + [combine("programs", "s", "hotspot17", wall), combine("programs-cpu", "s", "hotspot17", cpu)]


def compile_time(home, quick, rounds):
    """Milliseconds of compilation per KB of bytecode, inlined bytes included, while javac runs."""
    listing = BUILD / "sources.txt"
    listing.write_text("\n".join(s for s in lang3_sources() if not quick or "/function/Failable" in s) + "\n")
    out = BUILD / "javac-out"
    values = {"ours": [], "theirs": []}
    for _ in range(rounds):
        for side, jdk, options in (("theirs", ORACLE, ["-J-XX:TieredStopAtLevel=1", "-J-XX:+CITime"]), ("ours", home, ["-J-Xlog:jit+exit"])):
            subprocess.run(["rm", "-rf", str(out)], check=True)
            out.mkdir()
            run = execute(jdk, "javac", [*options, "-nowarn", "-Xlint:none", "-proc:none", "-sourcepath", BUILD / "commons-lang3", "-d", out, f"@{listing}"])
            if side == "ours":
                (size, ms), = re.findall(r"compiled \d+ \(\d+ OSR\), (\d+) bytes of bytecode in ([\d.]+) ms", run.out)
                values[side].append(float(ms) / (int(size) / 1024))
            else:
                (seconds,), (size,) = re.findall(r"C1 Compile Time:\s*([\d.]+) s", run.out), re.findall(r"Total compiled bytecodes\s*:\s*(\d+) bytes", run.out)
                values[side].append(float(seconds) * 1000 / (int(size) / 1024))
    return [compare("compile-time", "ms/KB", "hotspot17-C1", values["ours"], values["theirs"])]


def sc(home, quick, rounds):
    """Sequential consistency against the Java memory model, both compiled: CPU time, and fences per heap store."""
    run = memory.loads(quick)
    module = runner()
    lucene = module.Program(module.HERE / "lucene")
    lib = lucene.resolve()
    classes = lucene.compile(lib)

    def index(jdk, options):
        code, out, took = lucene.run(jdk, "ours", lib, classes, False, options=" ".join(options))
        if code != lucene.exit:
            sys.exit(f"lucene on {jdk} ended with {code}:\n{out[-2000:]}")
        return Run(out.decode("utf-8", "replace") if isinstance(out, bytes) else out, took, took, 0)

    run["lucene"] = index
    out = []
    for name in ("javac", "h2", "lucene", "h2-long"):
        cpu = {"sc": [], "jmm": []}
        for i in range(rounds):
            for side in ("sc", "jmm") if i % 2 == 0 else ("jmm", "sc"):
                cpu[side].append(run[name](home, ["-XX:-VBD"] if side == "jmm" else []).cpu)
        out.append(compare(f"sc.{name}", "s", "own-VBD", cpu["sc"], cpu["jmm"]))
    # Most of the long run is in compiled code: told, not asked.
    out.append(combine("sc", "s", "own-VBD", out[:3]))
    for name in run:
        c = memory.counts(run[name](home, ["-XX:+PrintConcordStatistics"]).out)
        share = 100 * c["followed by a fence"] / c["heap stores by bytecode"]
        out.append(Figure(f"sc.fences.{name}", share, "%", "all-stores-fenced", 100, share / 100, 0))
    return out


def sites(home, quick, rounds):
    """Groovy by invokedynamic, whose call sites change their targets: the best of the later half of a process's rounds, elapsed."""
    module = runner()
    lib = module.Program(module.HERE / "groovy").resolve()
    args = ["-cp", next(lib.glob("groovy-*.jar")), "groovy.ui.GroovyMain", "--indy", ROOT / "bench" / "groovy" / "Sites.groovy"]
    passes = 2 if quick else 16
    sides = {"ours": (home, []), "C1": (ORACLE, ["-XX:TieredStopAtLevel=1"]), "default": (ORACLE, [])}
    times, results = {side: {} for side in sides}, set()
    for _ in range(rounds):
        for side, (jdk, options) in sides.items():
            lines = [line.split() for line in execute(jdk, "java", [*options, *args, passes]).out.splitlines()]
            results.add(tuple(sorted({(name, result) for name, result, _ in lines})))
            for name in {line[0] for line in lines}:
                own = [float(ms) for n, _, ms in lines if n == name]
                times[side].setdefault(name, []).append(min(own[len(own) // 2:]))
    if len(results) != 1:
        sys.exit(f"the sides' results differ: {results}")
    out = []
    for reference, label in (("C1", "hotspot17-C1"), ("default", "hotspot17")):
        suffix = "" if reference == "C1" else "-vs-default"
        rows = [compare(f"sites.{name}{suffix}", "ms", label, times["ours"][name], times[reference][name]) for name in sorted(times["ours"])]
        out += [*rows, combine(f"sites{suffix}", "ms", label, rows)]
    return out


FIGURES = {"programs": programs, "compile-time": compile_time, "sc": sc, "sites": sites}
