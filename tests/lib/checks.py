"""Runs the tests of a suite that are functions of a JDK home, as many at a time as there are processors.

Owns: choice by name, verdicts, the count at the end. A test fails by one of FAILURES; each process of the pool runs one test at a
time, in an empty folder of its own, which is `checks.here` to the test.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import tempfile

import harness

FAILURES = (AssertionError, StopIteration, ValueError, AttributeError, subprocess.TimeoutExpired)
here = None


def judge(test, jdk, folder):
    """What is wrong, or nothing."""
    global here
    here = pathlib.Path(tempfile.mkdtemp(dir=folder))
    try:
        test(jdk)
        return ""
    except FAILURES as e:
        return str(e) if isinstance(e, AssertionError) else repr(e)
    finally:
        shutil.rmtree(here, ignore_errors=True)


def main(description, name, tests, prepare):
    """The command line of suite `name`; `prepare` compiles what the tests need. The exit code."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-k", metavar="PATTERN", action="append", default=[], help="only tests whose name contains this (may be repeated)")
    parser.add_argument("--jdk", type=pathlib.Path, default=harness.CONCORD_HOME)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="tests at a time")
    parser.add_argument("--fail-fast", type=int, metavar="N", default=0, help="end after N failures")
    parser.add_argument("-v", action="store_true", help="name each test")
    options = parser.parse_args()
    prepare()
    jdk, folder = options.jdk.resolve(), harness.ROOT / "build" / name / "work"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chosen = [t for t in tests if not options.k or any(k in t.__name__ for k in options.k)]
    ran = failed = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        running = {pool.submit(judge, t, jdk, folder): t for t in chosen}
        for done in concurrent.futures.as_completed(running):
            ran, wrong = ran + 1, done.result()
            failed += bool(wrong)
            if wrong or options.v:
                print(f"{running[done].__name__}: {'FAILED' if wrong else 'ok'}\n{wrong}".rstrip(), flush=True)
            if options.fail_fast and failed >= options.fail_fast:
                pool.shutdown(cancel_futures=True)
                break
    print(f"{name}: {ran - failed} of {len(chosen)} passed")
    return 1 if failed or not chosen else 0
