"""The figures: what each measures and against what. A figure is a function that returns Figure rows.

Rules: the two sides run interleaved, round by round, in the same invocation; values are medians of
rounds; a ratio is the median of the ratios of the rounds, since both halves of a round saw the same
machine; spread is (largest - smallest) / median of these ratios.
"""

import hashlib
import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "bench"
ORACLE = pathlib.Path(os.environ.get("ORACLE_HOME", "/usr/lib/jvm/java-17-openjdk-amd64"))
LANG3 = "org.apache.commons:commons-lang3:3.17.0:jar:sources"
NO_CALLS = ("sieve", "mandel", "nbody", "switch")


@dataclass
class Figure:
    name: str
    value: float
    unit: str
    reference: str
    reference_value: float
    ratio: float
    spread: float

    def line(self):
        return (f"figure {self.name} {self.value:.6g} {self.unit} ref={self.reference} {self.reference_value:.6g} "
                f"ratio={self.ratio:.3f} spread={self.spread:.3f}")


@dataclass
class Run:
    out: str
    wall: float
    cpu: float
    rss_mb: float


def environment(home):
    env = {k: v for k, v in os.environ.items() if k not in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH")}
    env.update(JAVA_HOME=str(home), LC_ALL="C.UTF-8")
    return env


def execute(home, tool, args):
    """Runs one JDK tool to its end and measures the process; a failure ends the benchmark."""
    command = [str(home / "bin" / tool), *[str(a) for a in args]]
    out_path = BUILD / "out.txt"
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(out_path, "w+b") as out:
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment(home), cwd=BUILD)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {child.returncode}:\n{text[-3000:]}")
    return Run(text, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def compiled():
    """Compiles the benchmark's Java sources once with the reference JDK."""
    classes = BUILD / "classes"
    sources = sorted((ROOT / "bench" / "java").glob("*.java"))
    key = hashlib.sha256(b"".join(s.read_bytes() for s in sources)).hexdigest()
    stamp = BUILD / "compiled"
    if not stamp.exists() or stamp.read_text() != key:
        classes.mkdir(parents=True, exist_ok=True)
        execute(ORACLE, "javac", ["-nowarn", "-Xlint:none", "-XDstringConcat=inline", "-d", classes, *sources])
        stamp.write_text(key)
    return classes


def compare(name, unit, reference, ours, theirs):
    """One figure from the rounds' values of both sides."""
    ratios = [a / b for a, b in zip(ours, theirs)]
    ratio = statistics.median(ratios)
    return Figure(name, statistics.median(ours), unit, reference, statistics.median(theirs), ratio, (max(ratios) - min(ratios)) / ratio)


def combine(name, unit, reference, figures):
    """The geometric mean of several figures' values and ratios."""
    def mean(values):
        return math.exp(sum(math.log(v) for v in values) / len(values))
    return Figure(name, mean([f.value for f in figures]), unit, reference, mean([f.reference_value for f in figures]),
                  mean([f.ratio for f in figures]), max(f.spread for f in figures))


def interpreter(home, quick, rounds):
    classes = compiled()
    percent, repeats = ("10", "1") if quick else ("100", "3")
    times = {"ours": {}, "theirs": {}}
    checks = {}
    for _ in range(rounds):
        for side, jdk in (("theirs", ORACLE), ("ours", home)):
            run = execute(jdk, "java", ["-Xint", "-Xmx256m", "-cp", classes, "Interpreter", percent, repeats])
            rows = re.findall(r"^kernel (\S+) (\d+) (-?\d+)$", run.out, re.M)
            if len(rows) != 12:
                sys.exit(f"{jdk}: 12 kernels expected:\n{run.out}")
            for kernel, nanos, check in rows:
                if checks.setdefault(kernel, check) != check:
                    sys.exit(f"{jdk}: kernel {kernel} gave {check}, the other side {checks[kernel]}")
                times[side].setdefault(kernel, []).append(int(nanos) / 1e6)
    ref = "hotspot17-Xint"
    figures = [compare(f"interpreter.{k}", "ms", ref, times["ours"][k], times["theirs"][k]) for k in times["ours"]]
    plain = [f for f in figures if f.name.split(".")[1] in NO_CALLS]
    worst = max(figures, key=lambda f: f.ratio)
    summary = [combine("interpreter", "ms", ref, figures), combine("interpreter.no-calls", "ms", ref, plain),
               Figure("interpreter.worst", worst.value, "ms", ref, worst.reference_value, worst.ratio, worst.spread)]
    return figures + summary


def lang3_sources():
    folder = BUILD / "commons-lang3"
    if not (folder / "done").exists():
        print("fetching the sources of commons-lang3 from Maven Central", flush=True)
        done = subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={LANG3}", f"-DoutputDirectory={BUILD}"],
                              capture_output=True, text=True)
        jars = list(BUILD.glob("commons-lang3-*-sources.jar"))
        if done.returncode != 0 or not jars:
            sys.exit(f"mvn could not fetch {LANG3}; is Maven Central reachable?\n{done.stdout[-1500:]}{done.stderr[-500:]}")
        with zipfile.ZipFile(jars[0]) as z:
            z.extractall(folder)
        (folder / "done").write_text(LANG3)
    return sorted(str(p) for p in folder.rglob("*.java") if p.name not in ("module-info.java", "package-info.java"))


def tree_digest(folder):
    h = hashlib.sha256()
    for p in sorted(folder.rglob("*.class")):
        h.update(str(p.relative_to(folder)).encode())
        h.update(p.read_bytes())
    return h.hexdigest()


def javac(home, quick, rounds):
    sources = lang3_sources()
    if quick:
        # Interfaces that need nothing else of the library.
        sources = [s for s in sources if re.search(r"/function/Failable\w*(Consumer|Supplier|Predicate)\.java$", s)]
        rounds = 1
    listing = BUILD / "sources.txt"
    listing.write_text("\n".join(sources) + "\n")
    sides = {"theirs": (ORACLE, ["-J-Xint", "-J-Xshare:off"]), "ours": (home, ["-J-Xint"]), "compiled": (home, []), "jmm": (home, ["-J-XX:-VBD"]),
             "default": (ORACLE, ["-J-Xshare:off"]), "c1": (ORACLE, ["-J-Xshare:off", "-J-XX:TieredStopAtLevel=1"])}
    cpu = {side: [] for side in sides}
    wall = {side: [] for side in sides}
    digests = set()
    for _ in range(rounds):
        for side, (jdk, options) in sides.items():
            out = BUILD / "javac-out"
            subprocess.run(["rm", "-rf", str(out)], check=True)
            out.mkdir()
            run = execute(jdk, "javac", [*options, "-nowarn", "-Xlint:none", "-proc:none", "-sourcepath", BUILD / "commons-lang3", "-d", out, f"@{listing}"])
            cpu[side].append(run.cpu)
            wall[side].append(run.wall)
            digests.add(tree_digest(out))
    if len(digests) != 1:
        sys.exit("the two sides' class files differ")
    print(f"javac: {len(sources)} source files, class files identical on both sides")
    return [compare("javac", "s", "hotspot17-Xint-noshare", cpu["ours"], cpu["theirs"]),
            compare("javac.compiled", "s", "hotspot17-noshare", cpu["compiled"], cpu["default"]),
            compare("javac.compiled-wall", "s", "hotspot17-noshare", wall["compiled"], wall["default"]),
            compare("javac.compiled-c1", "s", "hotspot17-C1-noshare", cpu["compiled"], cpu["c1"]),
            compare("javac.sc", "s", "own-VBD", cpu["compiled"], cpu["jmm"])]


def kernel_times(sides, quick, rounds):
    """Milliseconds of the interpreter's twelve kernels and of ten object-oriented programs, in this order, by side."""
    classes = compiled()
    percent, repeats = ("10", "1") if quick else ("100", "5")
    times = {side: {} for side in sides}
    checks = {}
    for _ in range(rounds):
        for side, (jdk, options) in sides.items():
            runs = [execute(jdk, "java", [*options, "-Xmx256m", "-cp", classes, "Interpreter", percent, repeats, suite]).out for suite in ("kernels", "objects")]
            for kernel, nanos, check in re.findall(r"^kernel (\S+) (\d+) (-?\d+)$", "\n".join(runs), re.M):
                if checks.setdefault(kernel, check) != check:
                    sys.exit(f"{jdk}: kernel {kernel} gave {check}, another side {checks[kernel]}")
                times[side].setdefault(kernel, []).append(int(nanos) / 1e6)
    if len(checks) != 22:
        sys.exit(f"12 kernels and 10 programs expected: {sorted(checks)}")
    return times


def jit(home, quick, rounds):
    """The kernels and programs, long enough that compiled code runs most of the time."""
    times = kernel_times({"sc": (home, []), "jmm": (home, ["-XX:-VBD"]), "c1": (ORACLE, ["-XX:TieredStopAtLevel=1"]), "c2": (ORACLE, [])}, quick, rounds)
    out = []
    for name, ours, theirs, ref in (("jit.jmm", "jmm", "c1", "hotspot17-C1"), ("jit.sc", "sc", "c1", "hotspot17-C1"), ("jit.sc-c2", "sc", "c2", "hotspot17"),
                                    ("jit.sc-jmm", "sc", "jmm", "own-VBD")):
        figures = [compare(f"{name}.{k}", "ms", ref, times[ours][k], times[theirs][k]) for k in times["sc"]]
        worst = max(figures, key=lambda f: f.ratio)
        out += (figures if name in ("jit.jmm", "jit.sc") else []) + [combine(name, "ms", ref, figures),
                combine(f"{name}.kernels", "ms", ref, figures[:12]), combine(f"{name}.objects", "ms", ref, figures[12:]),
                Figure(f"{name}.worst", worst.value, "ms", ref, worst.reference_value, worst.ratio, worst.spread)]
    return out + local_shares(home, compiled(), list(times["sc"]))


def local_shares(home, classes, names):
    """How many stores of each kernel or program went to LOCAL objects, those of the VM's start included."""
    out = []
    for n, name in enumerate(names):
        text = execute(home, "java", ["-XX:+PrintConcordStatistics", "-Xmx256m", "-cp", classes, "Interpreter", "100", "1", "kernels" if n < 12 else "objects", name]).out
        (stores,), (local,) = (re.findall(rf"^ *{row} +(\d+) ", text, re.M) for row in ("heap stores by bytecode", "fence elided: object is LOCAL"))
        share = 100 * int(local) / int(stores)
        out.append(Figure(f"jit.local.{name}", share, "%", "all-stores", 100, share / 100, 0))
    return out


def jit_profiled(home, quick, rounds):
    """The same by code that profiles, over HotSpot's; and what profiling costs each of the two."""
    level = "-XX:TieredStopAtLevel="
    times = kernel_times({"ours3": (home, [level + "3"]), "theirs3": (ORACLE, [level + "3"]), "ours1": (home, [level + "1"]),
                          "theirs1": (ORACLE, [level + "1"]), "ours2": (home, [level + "2"])}, quick, rounds)
    out = []
    for name, one, other, ref in (("jit.profiled", "ours3", "theirs3", "hotspot17-level3"), ("jit.profiled.cost", "ours3", "ours1", "own-level1"),
                                  ("jit.profiled.counting-cost", "ours2", "ours1", "own-level1"),
                                  ("jit.profiled.hotspot-cost", "theirs3", "theirs1", "hotspot17-level1")):
        figures = [compare(f"{name}.{k}", "ms", ref, times[one][k], times[other][k]) for k in times[one]]
        out += (figures if name in ("jit.profiled", "jit.profiled.cost") else []) + [combine(name, "ms", ref, figures)]
    return out


def hello_runs(home, rounds, sides):
    classes = compiled()
    runs = {side: [] for side in sides}
    for _ in range(rounds):
        for side, options in sides.items():
            jdk = home if side == "ours" else ORACLE
            run = execute(jdk, "java", [*options, "-cp", classes, "Hello"])
            if run.out != "Hello, World\n":
                sys.exit(f"{jdk}: Hello printed {run.out!r}")
            runs[side].append(run)
    return runs


def hello_time(home, quick, rounds):
    runs = hello_runs(home, rounds if quick else rounds * 5, {"theirs": ["-Xshare:off", "-Xint"], "ours": [], "default": []})

    def take(side, what):
        return [getattr(r, what) * 1000 for r in runs[side]]
    return [compare("hello-time", "ms", "hotspot17-Xint-noshare", take("ours", "wall"), take("theirs", "wall")),
            compare("hello-time.cpu", "ms", "hotspot17-Xint-noshare", take("ours", "cpu"), take("theirs", "cpu")),
            compare("hello-time.default", "ms", "hotspot17", take("ours", "wall"), take("default", "wall")),
            compare("hello-time.default-cpu", "ms", "hotspot17", take("ours", "cpu"), take("default", "cpu"))]


def hello_memory(home, quick, rounds):
    runs = hello_runs(home, rounds if quick else rounds * 2, {"default": [], "ours": []})
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    smallest = min(r.rss_mb for side in runs.values() for r in side)
    if smallest <= own:
        # Linux counts what a child had before it became the program.
        sys.exit(f"peak memory {smallest:.0f} MB cannot be told from this script's own {own:.0f} MB")
    return [compare("hello-memory", "MB", "hotspot17", [r.rss_mb for r in runs["ours"]], [r.rss_mb for r in runs["default"]])]


def sizes(home, quick, rounds):
    classes = compiled()
    values = {"ours": {}, "theirs": {}}
    for _ in range(1 if quick else min(rounds, 3)):
        for side, jdk, options in (("theirs", ORACLE, ["-XX:+UseSerialGC"]), ("ours", home, [])):
            run = execute(jdk, "java", ["-Xmx512m", *options, "-cp", classes, "Sizes"])
            for name, size in re.findall(r"^size (\S+) (\S+)$", run.out, re.M):
                values[side].setdefault(name, []).append(float(size))
    figures = [compare(f"sizes.{n}", "bytes", "hotspot17", values["ours"][n], values["theirs"][n]) for n in values["theirs"]]
    totals = [[sum(v[r] for v in values[s].values()) for r in range(len(next(iter(values[s].values()))))] for s in ("ours", "theirs")]
    return figures + [compare("sizes", "bytes", "hotspot17", totals[0], totals[1])]


PERSIST = ROOT / "bench" / "persist" / "run"
PERSIST_BUILT = []  # parts run so far; the first builds


def persist_parts():
    """The parts of bench/persist/run, each a name for bench/run; `persist` is all of them."""
    return subprocess.run([str(PERSIST), "--parts"], capture_output=True, text=True, check=True).stdout.split()


def persist(part):
    """What a part of bench/persist/run --short prints: on HotSpot, against its own rivals, which it interleaves itself."""
    def measure(_home, quick, rounds):
        command = [str(PERSIST), "--quick" if quick else "--short", "--rounds", str(rounds), part]
        if PERSIST_BUILT:
            command.insert(1, "--no-build")
        PERSIST_BUILT.append(part)
        run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(ORACLE))
        found = []
        for line in run.stdout:
            figure = re.match(r"figure (\S+) ([\d.]+) (\S+) ref=(\S+) ([\d.]+) ratio=([\d.]+) spread=(?:([\d.]+)\.\.([\d.]+)|-)", line)
            if not figure:
                print(line, end="", flush=True)
                continue
            name, value, unit, ref, ref_value, ratio, low, high = figure.groups()
            spread = (float(high) - float(low)) / float(ratio) if low and float(ratio) else 0.0
            found.append(Figure(name, float(value), unit, ref, float(ref_value), float(ratio), spread))
        if run.wait() or not found:
            sys.exit(f"{' '.join(command)} failed")
        return found
    measure.needs_no_jdk = True
    return measure


FIGURES = {"interpreter": interpreter, "javac": javac, "jit": jit, "jit.profiled": jit_profiled, "hello-time": hello_time, "hello-memory": hello_memory, "sizes": sizes}
FIGURES.update({f"persist.{part}": persist(part) for part in persist_parts()})
