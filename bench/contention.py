"""Figures of cache contention; see figures.py for the rules."""

import re
import sys

import figures as f
import memory

PATTERNS = ("cells", "pair", "statics", "counters", "locks")
# AtomicLong's field is known to Unsafe.
ONLINE = ("cells", "pair", "statics", "locks")


def remix(home, quick, rounds):
    """What -remix:detect finds is kept apart by -remix:offline, or at once by -remix: against HotSpot, which shares, and against our own
    without; how near to what the program keeps apart by itself; and what looking for it costs."""
    classes, out = f.compiled(), []
    millions = 5 if quick else 100

    def step(jdk, pattern, *options):
        run = f.execute(jdk, "java", [*options, "-cp", classes, "Sharing", pattern, millions])
        return float(re.search(r"^\S+ ([\d.]+) ns$", run.out, re.M)[1])

    def online(pattern):
        """The first round, in which contention is found and repaired, and the fourth; None if nothing was found."""
        run = f.execute(home, "java", ["-remix", "-cp", classes, "Sharing", pattern, 3 * millions, 4])
        rounds = [float(x) for x in re.findall(r"^\S+ ([\d.]+) ns$", run.out, re.M)]
        return None if "Transformed 0 klasses" in run.out else (rounds[0], rounds[-1])

    for pattern in PATTERNS:
        hints = f.BUILD / f"remix-{pattern}.txt"
        hints.unlink(missing_ok=True)
        for _ in range(8):
            f.execute(home, "java", ["-remix:detect", f"-XX:REMIXFile={hints}", "-cp", classes, "Sharing", pattern, 60])
            if hints.exists():
                break
        else:
            sys.exit(f"{pattern}: nothing was found in eight runs; do two processors of this machine share their caches?")
        times = {side: [] for side in ("hotspot", "shared", "repaired", "apart", "first", "online")}
        for _ in range(rounds):
            times["hotspot"].append(step(f.ORACLE, pattern))
            times["shared"].append(step(home, pattern))
            times["repaired"].append(step(home, pattern, "-remix:offline", f"-XX:REMIXFile={hints}"))
            times["apart"].append(step(home, f"{pattern}-apart"))
            for first, last in [r for r in [online(pattern)] if r] if pattern in ONLINE else []:
                times["first"].append(first)
                times["online"].append(last)
        for reference, side in (("HotSpot", "hotspot"), ("own-without", "shared"), ("own-by-hand", "apart")):
            out.append(f.compare(f"remix.{pattern}.{side}", "ns", reference, times["repaired"], times[side]))
        if pattern in ONLINE and not quick:
            if not times["online"]:
                sys.exit(f"{pattern}: nothing was repaired in {rounds} runs")
            for name, side, reference, other in (("online", "online", "own-without", "shared"), ("online.offline", "online", "own-offline", "repaired"),
                                                 ("first", "first", "own-without", "shared")):
                out.append(f.compare(f"remix.{pattern}.{name}", "ns", reference, times[side], times[other]))
            print(f"remix: {pattern}: repaired in {len(times['online'])} of {rounds} runs")
    run = memory.loads(quick)
    cpu = {"detect": [], "plain": []}
    for i in range(rounds):
        for side in (("detect", "plain") if i % 2 == 0 else ("plain", "detect")):
            cpu[side].append(run["h2-long"](home, ["-remix:detect"] if side == "detect" else []).cpu)
    out.append(f.compare("remix.overhead", "s", "own-without", cpu["detect"], cpu["plain"]))
    return out
