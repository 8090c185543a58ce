"""The command line of a suite of programs: which to run, on which JDK, how to judge and report.

Owns the verdicts; how programs are run is runner.py's.
"""

import argparse
import difflib
import fnmatch
import pathlib
import subprocess
import sys
import time

import harness
import oracle
import runner


def read_modes():
    modes = {}
    for line in (harness.LIB / "modes").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, factor, *options = line.split()
            modes[name] = (float(factor), options)
    return modes


def difference(expected, got, what):
    return list(difflib.unified_diff(expected.splitlines(), got.splitlines(), f"{what} HotSpot", f"{what} Concord",
                                     lineterm="", n=2))


def run(here, description, prepare=None):
    try:
        sys.exit(main(here, description, prepare))
    except subprocess.CalledProcessError as error:
        sys.exit(f"a helper command failed: {error}")


def judge(program, expected, got):
    """Lines that say what is wrong; empty when the two results agree."""
    if expected.trouble:
        return [f"the oracle itself failed: {expected.trouble}", *tail(expected.raw)]
    if expected.exit_code != program.exit:
        return [f"ends with {expected.exit_code} on HotSpot; its header says '// exit: {program.exit}'", *tail(expected.err)]
    problems = []
    if got.trouble:
        # What it printed before it died is in the VM's own words; a diff of the rest says nothing.
        return [got.trouble, *tail(got.raw), "its last lines:", *tail(got.out, 5), *tail(got.err, 20)]
    if "exit" not in program.ignore and got.exit_code != expected.exit_code:
        problems.append(f"exit code {got.exit_code}, HotSpot {expected.exit_code}")
    expected_out, got_out = harness.normalise_out(expected.out), harness.normalise_out(got.out)
    if "out" not in program.ignore and got_out != expected_out:
        problems += difference(expected_out, got_out, "stdout") or ["stdout differs in line ends only"]
    if "err" not in program.ignore and got.err != expected.err:
        problems += difference(expected.err, got.err, "stderr")
    if problems and got.raw:
        problems += ["output of the VM itself:", *tail(got.raw)]
    return problems


def share(text):
    """K and N of "K/N"."""
    try:
        k, n = (int(part) for part in text.split("/"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form K/N") from None
    if not 0 <= k < n:
        raise argparse.ArgumentTypeError(f"there is no share {k} of {n}")
    return k, n


def tail(text, lines=40):
    return ["  | " + line for line in text.splitlines()[-lines:]]


def main(here, description, prepare=None):
    """Runs the suite in the folder `here`; prepare(build) may add what programs need and return options for both sides."""
    modes = read_modes()
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-k", metavar="PATTERN", action="append", default=[],
                        help="only programs whose folder/name contains or matches PATTERN (may be repeated)")
    parser.add_argument("--not", metavar="PATTERN", action="append", default=[], dest="without", help="not those that contain or match it")
    parser.add_argument("--share", metavar="K/N", type=share, default=(0, 1), help="of the programs every Nth, from the Kth on (from 0)")
    parser.add_argument("--mode", choices=sorted(modes), default="default")
    parser.add_argument("--jdk", metavar="HOME", type=pathlib.Path, default=harness.CONCORD_HOME,
                        help="the JDK under test (default $CONCORD_HOME or ./concord-jdk)")
    parser.add_argument("--vm-option", metavar="OPT", action="append", default=[], help="one more option of the VM under test")
    parser.add_argument("--solo", action="store_true", help="a VM start per program, through the launcher, without the batch driver")
    parser.add_argument("--jobs", type=int, metavar="N", default=runner.JOBS, help="VMs at a time (default: one for each processor)")
    parser.add_argument("--fail-fast", type=int, metavar="N", default=0, help="end after N failures")
    parser.add_argument("--max-diff", type=int, metavar="LINES", default=40, help="lines shown per failure")
    parser.add_argument("--list", action="store_true", help="name the programs and end")
    parser.add_argument("--show", action="store_true", help="print HotSpot's result of each program and end")
    parser.add_argument("-v", action="store_true", help="name the programs that pass, too, and how long each took")
    options = parser.parse_args()

    programs = harness.find_programs(here)
    everything = programs
    if options.k:
        programs = [p for p in programs if any(k in p.label or fnmatch.fnmatch(p.label, k) for k in options.k)]
    programs = [p for p in programs if not any(k in p.label or fnmatch.fnmatch(p.label, k) for k in options.without)]
    # What is skipped where everything moves is skipped there with compiled code, too.
    own_modes = {options.mode, options.mode.removeprefix("jit")}
    programs = [p for p in programs if not own_modes & p.skip_modes and (p.has_modes or options.mode == "default")]
    first, step = options.share
    programs = programs[first::step]
    if options.list:
        for program in programs:
            print(program.label, "own" if program.own else "batch")
        return 0
    if not programs:
        print("no program matches", *options.k)
        return 2

    build = harness.ROOT / "build" / here.name
    build.mkdir(parents=True, exist_ok=True)
    both_options, prepared = prepare(build) if prepare else ([], "")
    shared = harness.digest(harness.compile_all(here, everything, build), prepared)
    classes = build / "classes"
    expected = oracle.Oracle(build, shared).get_all(programs, classes, both_options)
    if options.show:
        for program in programs:
            result = expected[program.name]
            print(f"== {program.label}: exit {result.exit_code} {result.trouble or ''}\n{result.out}", end="")
            if result.err:
                print(f"-- stderr\n{result.err}")
        return 0

    harness.jdk_id(options.jdk)
    factor, vm_options = modes[options.mode]
    if options.jdk.resolve() == harness.ORACLE_HOME.resolve():
        # HotSpot does not know the options of Concord's modes.
        vm_options = harness.ORACLE_OPTIONS + (["-XX:+IgnoreUnrecognizedVMOptions"] if vm_options else []) + vm_options
    by_name = {p.name: p for p in programs}
    counts = {"passed": 0, "failed": 0}
    failed = []

    class Enough(Exception):
        pass

    def report(name, result):
        program = by_name[name]
        problems = judge(program, expected[name], result)
        if problems:
            counts["failed"] += 1
            failed.append(program.label)
            print(f"FAIL {program.label}")
            for line in problems[:options.max_diff]:
                print("   ", line)
            if len(problems) > options.max_diff:
                print(f"    ... {len(problems) - options.max_diff} more lines")
            sys.stdout.flush()
            if options.fail_fast and counts["failed"] >= options.fail_fast:
                raise Enough
        else:
            counts["passed"] += 1
            if options.v:
                print(f"ok   {program.label} {result.seconds:.1f} s", flush=True)

    start = time.monotonic()
    try:
        runner.run_programs(programs, options.jdk, both_options + vm_options + options.vm_option, classes, factor, options.solo, report,
                            options.jobs)
    except Enough:
        print(f"ended after {options.fail_fast} failures; {len(programs) - sum(counts.values())} programs were not judged")
    if failed:
        print("failed:", *failed)
    of = f", share {first}/{step}" if step > 1 else ""
    print(f"mode {options.mode}{of}, {time.monotonic() - start:.1f} s")
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] else 0

