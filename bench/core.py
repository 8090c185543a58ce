"""Figures of the core: loading of classes, stops of the world, the collector."""

import re
import statistics
import subprocess
import sys

from figures import BUILD, ORACLE, ROOT, combine, compare, compiled, execute

JARS = ("com.google.guava:guava:31.1-jre", "org.scala-lang:scala-library:2.13.12")
VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal"]
# Units of work of the short and of the long run; the difference is what is measured.
LENGTHS = {"raw": (100, 400), "trees": (8, 40), "map": (4, 44), "arrays": (8, 72), "list": (4, 40)}
COLLECTORS = {"serial": ["-XX:+UseSerialGC"], "parallel": ["-XX:+UseParallelGC"], "g1": ["-XX:+UseG1GC"]}


def jars():
    found = []
    for artifact in JARS:
        _, name, version = artifact.split(":")
        jar = BUILD / f"{name}-{version}.jar"
        if not jar.exists():
            print(f"fetching {artifact} from Maven Central", flush=True)
            done = subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={BUILD}"],
                                  capture_output=True, text=True)
            if done.returncode != 0 or not jar.exists():
                sys.exit(f"mvn could not fetch {artifact}; is Maven Central reachable?\n{done.stdout[-1500:]}{done.stderr[-500:]}")
        found.append(jar)
    return found


def classload(home, quick, rounds):
    """All classes of two libraries on the boot class path: loaded, verified, linked; interpreted on both sides."""
    found = jars()[:1] if quick else jars()
    cpu = {"theirs": [], "ours": []}
    answers = set()
    for _ in range(rounds):
        for side, jdk, options in (("theirs", ORACLE, ["-Xshare:off"]), ("ours", home, [])):
            run = execute(jdk, "java", ["-Xint", *options, *VERIFY, "-Xbootclasspath/a:" + ":".join(map(str, found)), "-cp", compiled(), "LoadClasses", *found])
            answers.add(run.out.strip())
            cpu[side].append(run.cpu)
    if len(answers) != 1:
        sys.exit(f"the two sides loaded different classes: {answers}")
    print(f"classload: {answers.pop()} (loaded, refused)")
    return [compare("classload", "s", "hotspot17-Xint-noshare", cpu["ours"], cpu["theirs"])]


def safepoint(home, quick, rounds):
    """Wall time until 64 running threads stand still, and the CPU time that each takes for it."""
    stops = "20" if quick else "200"
    reaching = {"theirs": [], "ours": []}
    longest, typical = [], []
    for _ in range(rounds):
        for side, jdk in (("theirs", ORACLE), ("ours", home)):
            level = "debug" if side == "ours" else "info"
            run = execute(jdk, "java", [f"-Xlog:safepoint={level}", "-Xmx512m", "-cp", compiled(), "Safepoints", "64", stops])
            times = [int(n) / 1e6 for n in re.findall(r'Safepoint "(?:FindDeadlocks|ThreadDump)".*Reaching safepoint: (\d+) ns', run.out)]
            if len(times) < int(stops) // 2:
                sys.exit(f"{jdk}: {len(times)} stops logged, {stops} expected:\n{run.out[-2000:]}")
            reaching[side].append(statistics.median(times))
            if side == "ours":
                own = [int(n) / 1e6 for n in re.findall(r"most CPU time until the stop: (\d+) ns", run.out)]
                longest.append(max(own))
                typical.append(statistics.median(own))
    limit = [1.0] * rounds
    return [compare("safepoint.reach-64", "ms", "hotspot17", reaching["ours"], reaching["theirs"]),
            compare("safepoint.own-cpu-median", "ms", "1-ms", typical, limit),
            compare("safepoint.own-cpu-max", "ms", "1-ms", longest, limit)]


def slopes(program, threads, sides, quick, rounds, heap="512m"):
    """CPU milliseconds per unit of each side, round by round; the logs of the long runs; their peaks in MB."""
    short, long = LENGTHS[program]
    if quick:
        short, long = max(short // 4, 1), max(long // 8, 2)
    cost = {side: [] for side in sides}
    logs = {side: [] for side in sides}
    peak = {side: [] for side in sides}
    checks = {}
    for _ in range(rounds):
        for side, (jdk, options) in sides.items():
            cpu = []
            for units in (short, long):
                run = execute(jdk, "java", [*options, "-Xlog:gc", f"-Xms{heap}", f"-Xmx{heap}", "-cp", compiled(), "Collector", program, units * threads, threads, "idle"])
                check = re.search(r"^check (-?\d+)$", run.out, re.M)
                if not check or checks.setdefault(units, check[1]) != check[1]:
                    sys.exit(f"{jdk}: {program} gave a wrong result:\n{run.out[-2000:]}")
                cpu.append(run.cpu * 1000)
            cost[side].append((cpu[1] - cpu[0]) / ((long - short) * threads))
            logs[side].append(run.out)
            peak[side].append(run.rss_mb)
    return cost, logs, peak


def allocation_path(threads, quick, rounds):
    """`raw` without an engine: a Rust harness on the VM's own allocation path."""
    short, long = (5, 20) if quick else LENGTHS["raw"]
    command = ["cargo", "bench", "-q", "-p", "concord-heap", "--bench", "raw", "--", str(short), str(long), str(threads)]
    values = []
    for _ in range(rounds):
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        if done.returncode != 0 or not re.fullmatch(r"\s*[\d.]+\s*", done.stdout):
            sys.exit(f"the harness failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        values.append(float(done.stdout))
    return values


def pauses(logs):
    """The longest pause of each run, young or full, before its idle phase, which asks for its own, in ms."""
    return [max(float(ms) for ms in re.findall(r"Pause (?:Young|Full)(?! \(System).* ([\d.]+)ms", log) or ["0"]) for log in logs]


def idle(logs):
    return [int(re.search(r"^idle (\d+)$", log, re.M)[1]) / 1024 for log in logs]


def collector(home, quick, rounds):
    """Programs that live by their collector, compiled on both sides, -Xms and -Xmx 512 MB."""
    figures = []
    for program in LENGTHS:
        for threads in (1, 4):
            sides = {"ours": (home, []), "c1": (ORACLE, [*COLLECTORS["serial"], "-XX:TieredStopAtLevel=1"])}
            sides.update({name: (ORACLE, [*options, "-XX:-DoEscapeAnalysis"]) for name, options in COLLECTORS.items()})
            cost, logs, peak = slopes(program, threads, sides, quick, rounds)
            name = f"collector.{program}-{threads}"
            for other in [*COLLECTORS, "c1"]:
                figures.append(compare(name, "ms/unit", f"hotspot17-{'serial-C1' if other == 'c1' else other}", cost["ours"], cost[other]))
            if program == "raw":
                figures.append(compare(f"{name}.path", "ms/unit", "hotspot17-serial", allocation_path(threads, quick, rounds), cost["serial"]))
            if program == "map":
                figures.append(compare(f"{name}.longest-pause", "ms", "hotspot17-serial", pauses(logs["ours"]), pauses(logs["serial"])))
                figures.append(compare(f"{name}.peak", "MB", "hotspot17-serial", peak["ours"], peak["serial"]))
                figures.append(compare(f"{name}.idle", "MB", "hotspot17-serial", idle(logs["ours"]), idle(logs["serial"])))
    steady = [f for f in figures if f.reference == "hotspot17-serial-C1" and f.name.split(".")[1] in ("raw-1", "trees-1", "map-1")]
    return figures + [combine("collector.steady", "ms/unit", "hotspot17-serial-C1", steady)]


def steady(home, quick, rounds):
    """The part of `collector` that says what compiled allocation costs: one thread, HotSpot with C1 beside, and 1 GB of heap."""
    figures = []
    for program in ("raw", "trees", "map"):
        sides = {"ours": (home, []), "c1": (ORACLE, [*COLLECTORS["serial"], "-XX:TieredStopAtLevel=1"])}
        cost, _, _ = slopes(program, 1, sides, quick, rounds, "1g")
        figures.append(compare(f"steady.{program}", "ms/unit", "hotspot17-serial-C1", cost["ours"], cost["c1"]))
    return figures + [combine("steady", "ms/unit", "hotspot17-serial-C1", figures)]


def natives(home, quick, rounds):
    """A call of a native method from compiled code and back, thread CPU time."""
    library = BUILD / "libnatives.so"
    include = ORACLE / "include"
    subprocess.run(["gcc", "-O2", "-fPIC", "-shared", "-Wall", "-Werror", "-I", include, "-I", include / "linux", "-o", library,
                    ROOT / "bench" / "java" / "natives.c"], check=True)
    return checked_rows("natives", "ns", home, rounds, "Natives", library, 200_000 if quick else 3_000_000)


def library(home, quick, rounds):
    """Ciphers, digests, arithmetic of keys and elementary functions, for which HotSpot has intrinsics, thread CPU time."""
    return checked_rows("library", "us", home, rounds, "Library", 100 if quick else 500)


def idioms(home, quick, rounds):
    """What all programs do with strings and collections, thread CPU time, against HotSpot's C1."""
    return checked_rows("idioms", "ns", home, rounds, "Idioms", 40 if quick else 200, c1=True)


def checked_rows(figure, unit, home, rounds, program, *args, c1=False):
    """A figure of a program that prints rows of name, cost and a check that is the same on both sides."""
    reference, options = ("hotspot17-c1", ["-XX:TieredStopAtLevel=1"]) if c1 else ("hotspot17", [])
    cost = {"ours": {}, "theirs": {}}
    checks = {}
    for _ in range(rounds):
        for side, jdk, own in (("theirs", ORACLE, options), ("ours", home, [])):
            run = execute(jdk, "java", [*own, "-cp", compiled(), program, *args])
            for name, value, check in re.findall(r"(?m)^(\S+) ([\d.]+) (-?\d+)$", run.out):
                if checks.setdefault(name, check) != check:
                    sys.exit(f"{jdk}: {name} gave a wrong result:\n{run.out[-2000:]}")
                cost[side].setdefault(name, []).append(float(value))
    figures = [compare(f"{figure}.{name}", unit, reference, cost["ours"][name], cost["theirs"][name]) for name in checks]
    return figures + [combine(figure, unit, reference, figures)]


FIGURES = {"library": library, "idioms": idioms, "natives": natives, "steady": steady, "classload": classload, "safepoint": safepoint, "collector": collector}
