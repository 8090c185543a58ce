"""Figures of the memory model and of monitors; see figures.py for the rules."""

import os
import re
import statistics
import subprocess
import sys

import figures as f

H2 = "com.h2database:h2:2.1.214"


def h2_jar():
    jar = f.BUILD / "h2-2.1.214.jar"
    if not jar.exists():
        print("fetching H2 from Maven Central", flush=True)
        done = subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={H2}", f"-DoutputDirectory={f.BUILD}"], capture_output=True, text=True)
        if done.returncode != 0 or not jar.exists():
            sys.exit(f"mvn could not fetch {H2}; is Maven Central reachable?\n{done.stdout[-1500:]}{done.stderr[-500:]}")
    return jar


def javac_arguments(quick):
    sources = f.lang3_sources()
    if quick:
        sources = [s for s in sources if re.search(r"/function/Failable\w*(Consumer|Supplier|Predicate)\.java$", s)]
    listing = f.BUILD / "vbd-sources.txt"
    listing.write_text("\n".join(sources) + "\n")
    out = f.BUILD / "vbd-out"
    subprocess.run(["rm", "-rf", str(out)], check=True)
    out.mkdir()
    return ["-nowarn", "-Xlint:none", "-proc:none", "-sourcepath", f.BUILD / "commons-lang3", "-d", out, f"@{listing}"]


def loads(quick):
    """Name -> run(home, VM options) of one load."""
    classes = f.compiled()

    def javac(home, options):
        return f.execute(home, "javac", [f"-J{o}" for o in options] + javac_arguments(quick))

    def h2(transactions):
        return lambda home, options: f.execute(home, "java", [*options, "-Xmx512m", "-cp", f"{classes}:{h2_jar()}", "H2Load", "4",
                                                              str(transactions // 40 if quick else transactions)])

    def server(name):
        """A program of tests/programs, made ready by its own runner."""
        folder = f.ROOT / "build" / "programs" / name

        def run(home, options):
            if not (folder / "resolved").exists():
                subprocess.run([f.ROOT / "tests" / "programs" / "run", name], check=True, stdout=subprocess.DEVNULL,
                               env={**os.environ, "CONCORD_HOME": str(home)})
            main = {"jetty": "Serve", "netty": "Echo"}[name]
            return f.execute(home, "java", [*options, "-Xmx512m", "-cp", f"{folder}/classes:{folder}/lib/*", main])
        return run
    return {"javac": javac, "h2": h2(4000), "h2-long": h2(30000), "jetty": server("jetty"), "netty": server("netty")}


def counts(text):
    rows = {}
    # Rows below "stores by natives" repeat names.
    for name, n in re.findall(r"^ {2}(.+?) +(\d+) +[\d.]+ %$", text, re.M):
        rows.setdefault(name.strip(), int(n))
    if "heap stores by bytecode" not in rows:
        sys.exit(f"no statistics in:\n{text[-2000:]}")
    return rows


def vbd(home, quick, rounds):
    run = loads(quick)
    out = []
    for name in ("javac", "h2"):
        cpu = {"vbd": [], "jmm": [], "theirs": []}
        for i in range(rounds):
            # The order of the two modes alternates, so that neither is always the warmer one.
            for side in (("vbd", "jmm", "theirs") if i % 2 == 0 else ("jmm", "vbd", "theirs")):
                options = {"vbd": ["-Xint", "-XX:+VBD"], "jmm": ["-Xint", "-XX:-VBD"], "theirs": ["-Xint"]}[side]
                cpu[side].append(run[name](f.ORACLE if side == "theirs" else home, options).cpu)
        out.append(f.compare(f"vbd.{name}", "s", "own-VBD", cpu["vbd"], cpu["jmm"]))
        out.append(f.compare(f"vbd.{name}.hotspot", "s", "hotspot17-Xint", cpu["vbd"], cpu["theirs"]))
        out.append(f.compare(f"jmm.{name}.hotspot", "s", "hotspot17-Xint", cpu["jmm"], cpu["theirs"]))
    for name in ("javac", "h2", "jetty", "netty"):
        c = counts(run[name](home, ["-Xint", "-XX:+PrintConcordStatistics"]).out)
        share = 100 * c["followed by a fence"] / c["heap stores by bytecode"] if c["heap stores by bytecode"] else 0
        out.append(f.Figure(f"vbd.fences.{name}", share, "%", "all-stores-fenced", 100, share / 100, 0))
    off = counts(run["h2"](home, ["-Xint", "-XX:-VBD", "-XX:+PrintConcordStatistics"]).out)
    local, published = off["fence elided: object is LOCAL"], off["publications"]
    if local or published:
        sys.exit(f"-XX:-VBD counted {local} LOCAL stores and {published} publications")
    print("vbd: no LOCAL object and no publication under -XX:-VBD")
    return out


def harness(quick):
    """The Rust harness: the monitors room's fast path as compiled code calls it."""
    command = ["cargo", "bench", "-q", "-p", "concord-monitors", "--bench", "pair", "--", *(["--quick"] if quick else [])]
    done = subprocess.run(command, capture_output=True, text=True, cwd=f.ROOT)
    rows = {(n, m): float(v) for n, m, v in re.findall(r"^(\S+) +(\S+) +([\d.]+) +\d+%$", done.stdout, re.M)}
    if done.returncode != 0 or ("pair", "rla") not in rows:
        sys.exit(f"the harness failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return rows


def kernels(home, options, names, repeats, percent):
    run = f.execute(home, "java", [*options, "-Xmx256m", "-cp", f.compiled(), "Monitors", ",".join(names), repeats, percent])
    values = {}
    for name, v in re.findall(r"^kernel (\S+) (\S+)$", run.out, re.M):
        values.setdefault(name, []).append(float(v))
    if set(values) != set(names):
        sys.exit(f"{home}: kernels {names} expected:\n{run.out}")
    return {n: statistics.median(v) for n, v in values.items()}


SINGLE = ["empty", "method", "statement", "new", "new-hash-lock"]
SEVERAL = ["randbash-2", "randbash-4", "randbash-24", "contend-24", "ping-pong", "buffer-64"]


# No coarsening, and every pair in a callee of its own, on both sides.
ALONE = ["-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Monitors$Cell::*"]
THEIRS_ALONE = ["-XX:-EliminateLocks", *ALONE]
# Options, and how long: compiled, a tenth of the operations are over before threads have met.
MODES = {"int": (["-Xint"], "10"), "compiled": ([], "100")}


def uncontended(home, quick, rounds, percent):
    harnesses, compiled, single = [], {"theirs": [], "ours": [], "jmm": []}, {"theirs": [], "ours": []}
    for _ in range(rounds):
        harnesses.append(harness(quick))
        for side, jdk, options in (("theirs", f.ORACLE, THEIRS_ALONE), ("ours", home, ALONE), ("jmm", home, ["-XX:-VBD", *ALONE])):
            compiled[side].append(kernels(jdk, options, SINGLE, 5, percent))
        for side, jdk in (("theirs", f.ORACLE), ("ours", home)):
            single[side].append(kernels(jdk, ["-Xint"], SINGLE, 3, percent))

    def column(runs, name):
        return [r[name] for r in runs]
    pair, fresh = ("pair", "rla"), ("new+hash+lock", "rla")
    out = [f.compare("monitors.pair", "ns", "hotspot17-compiled", column(harnesses, pair), column(compiled["theirs"], "method")),
           f.compare("monitors.pair.paper", "ns", "own-paper-mode", column(harnesses, pair), column(harnesses, ("pair", "paper"))),
           f.compare("monitors.new-hash-lock", "ns", "hotspot17-compiled", column(harnesses, fresh), column(compiled["theirs"], "new-hash-lock"))]
    out += [f.compare(f"monitors.int.{n}", "ns", "hotspot17-Xint", column(single["ours"], n), column(single["theirs"], n)) for n in SINGLE]
    out += [f.compare(f"monitors.compiled.{n}", "ns", "hotspot17-C2", column(compiled["ours"], n), column(compiled["theirs"], n)) for n in SINGLE]
    out += [f.compare(f"monitors.compiled.jmm.{n}", "ns", "hotspot17-C2", column(compiled["jmm"], n), column(compiled["theirs"], n))
            for n in ("method", "statement")]
    return out


def contended(home, quick, rounds):
    """Where threads meet luck decides: many starts, one value each."""
    out = []
    for mode, (options, percent) in MODES.items():
        values = {"ours": [], "theirs": []}
        for _ in range(rounds if quick else max(20, 4 * rounds)):
            for side, jdk in (("theirs", f.ORACLE), ("ours", home)):
                values[side].append(kernels(jdk, options, SEVERAL, 1, "2" if quick else percent))
        out += [f.compare(f"monitors.{mode}.{n}", "ns", f"hotspot17-{mode}", [v[n] for v in values["ours"]], [v[n] for v in values["theirs"]]) for n in SEVERAL]
    return out


def monitors(home, quick, rounds):
    return uncontended(home, quick, rounds, "5" if quick else "100") + contended(home, quick, rounds)
