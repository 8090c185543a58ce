"""Runs programs on a JDK home: alone in a VM, or many in one, on all cores.

A hang, a crash or an early end is charged to the program it happened in; the rest goes on in a new VM.
"""

import concurrent.futures
import os
import queue
import select
import signal
import subprocess
import time

import harness

JOBS = len(os.sched_getaffinity(0))
BATCH_SIZE = 60


def run_own(program, home, options, classes, factor):
    work = classes.parent / "work" / program.name
    subprocess.run(["rm", "-rf", str(work)], check=True)
    work.mkdir(parents=True)
    env = harness.child_env(home)
    env.update(CLASSES=str(classes), VM_OPTIONS=" ".join(options), SOURCES=str(program.path.parent), WORK=str(work),
               JAVAC=str(harness.LIB / "javac"))
    if program.is_script:
        command = ["bash", "-u", str(program.path)]
    else:
        command = [str(home / "bin" / "java"), "-cp", str(classes), *harness.COMMON_OPTIONS, *options, *program.options,
                   program.name, *program.args]
    start = time.monotonic()
    stdin = program.header.get("stdin", "").encode().decode("unicode_escape").encode()
    child = subprocess.Popen(command, cwd=work, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = child.communicate(stdin, timeout=program.timeout * factor)
        died = child.returncode < 0 and child.returncode != program.exit
        trouble = f"killed by signal {-child.returncode}" if died else None
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGQUIT)
        try:
            out, err = child.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
        trouble = f"no end after {program.timeout * factor:.0f} s"
    out, err = out.decode("utf-8", "replace"), err.decode("utf-8", "replace")
    result = harness.Result(out, harness.normalise_err(err), child.returncode, trouble, raw=err)
    result.seconds = time.monotonic() - start
    return result


class BatchRun:
    """One VM that runs many programs; a hang or crash ends it and names the program it happened in."""

    def __init__(self, programs, home, options, classes, factor):
        self.programs, self.factor = programs, factor
        self.by_name = {p.name: p for p in programs}
        self.results = {}
        command = [str(home / "bin" / "java"), "-cp", str(classes), *harness.COMMON_OPTIONS, *options, "Batch",
                   *[p.name for p in programs]]
        work = classes.parent / "work" / f"batch-{programs[0].name}"
        work.mkdir(parents=True, exist_ok=True)
        self.child = subprocess.Popen(command, cwd=work, env=harness.child_env(home), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.current = None
        self.started = False
        self.done = False
        self.tail = ""

    def run(self):
        """Returns (results so far, name of the program in which the VM ended early or None, started)."""
        fd = self.child.stdout.fileno()
        pending = b""
        deadline = time.monotonic() + 60 * self.factor
        trouble = None
        asked = False
        while True:
            ready, _, _ = select.select([fd], [], [], max(0.0, min(1.0, deadline - time.monotonic())))
            if ready:
                data = os.read(fd, 65536)
                if not data:
                    break
                pending += data
                *lines, pending = pending.split(b"\n")
                for line in lines:
                    if self.line(line.decode("utf-8", "replace")) and not asked:
                        limit = self.by_name[self.current.name].timeout if self.current else 60
                        deadline = time.monotonic() + limit * self.factor
            if not asked and time.monotonic() > deadline:
                trouble = "no end within its time"
                asked = True
                # A thread dump, if the VM can still make one, then the end.
                os.killpg(self.child.pid, signal.SIGQUIT)
                deadline = time.monotonic() + 2
            elif asked and time.monotonic() > deadline:
                os.killpg(self.child.pid, signal.SIGKILL)
                deadline = time.monotonic() + 60
        self.child.stdout.close()
        code = self.child.wait()
        if pending:
            self.line(pending.decode("utf-8", "replace"))
        if self.done:
            return self.results, None
        if self.current is None:
            self.tail += f"\n(VM ended with exit code {code} outside a program)"
            return self.results, None
        result = self.current
        result.trouble = trouble or (f"VM killed by signal {-code}" if code < 0 else f"VM ended early, exit code {code}")
        self.results[result.name] = result
        return self.results, result.name

    def line(self, line):
        """Takes one line; true when it is a record that restarts the clock."""
        if line.startswith("#begin ") and line[7:] in self.by_name:
            self.started = True
            self.current = harness.Result()
            self.current.name = line[7:]
            self.begun = time.monotonic()
            return True
        if line == "#done":
            self.done = True
            return True
        result = self.current
        if result is None:
            self.tail += line + "\n"
            return False
        if line.startswith("#end "):
            _, _, status = line.rpartition(" ")
            result.exit_code = int(status)
            result.seconds = time.monotonic() - self.begun
            result.err = harness.normalise_err(result.err)
            self.results[result.name] = result
            self.current = None
            return True
        mark, text = line[:2], line[2:]
        if mark == "o|":
            result.out += text + "\n"
        elif mark == "O|":
            result.out += text
        elif mark == "e|":
            result.err += text + "\n"
        elif mark == "E|":
            result.err += text
        else:
            result.raw += line + "\n"
        return False


def run_batch(chunk, home, options, classes, factor, give):
    while chunk:
        batch = BatchRun(chunk, home, options, classes, factor)
        got, broken = batch.run()
        for program in chunk:
            if program.name in got:
                give(program.name, got[program.name])
        missing = [p for p in chunk if p.name not in got]
        if not batch.started:
            for program in missing:
                give(program.name, harness.Result(trouble="the VM did not reach the first program of its batch", raw=batch.tail))
            missing = []
        elif missing and broken is None:
            program = missing.pop(0)
            give(program.name, harness.Result(trouble="the VM ended between two programs, before this one", raw=batch.tail))
        chunk = missing


def run_programs(programs, home, options, classes, factor=1.0, solo=False, report=None, jobs=JOBS):
    """Runs all programs, `jobs` VMs at a time; returns {name: Result}. report(name, result) is called as they end, by the caller's
    thread; what it raises ends the run once the VMs under way have ended."""
    shared = [p for p in programs if not (p.own or solo)]
    alone = [p for p in programs if p.own or solo]
    # Two batches for each job, so that all end at about the same time.
    size = max(1, min(BATCH_SIZE, -(-len(shared) // (2 * jobs))))
    results, ended = {}, queue.Queue()

    def give(name, result):
        ended.put((name, result))

    def one(program):
        give(program.name, run_own(program, home, options, classes, factor))

    def work(task, *args):
        try:
            task(*args)
        except Exception as error:
            ended.put((None, error))

    pool = concurrent.futures.ThreadPoolExecutor(max_workers=jobs)
    try:
        # What is given the most time first, so that no job ends the run alone.
        alone.sort(key=lambda p: -p.timeout)
        for program in [p for p in alone if p.timeout > harness.OWN_TIMEOUT]:
            pool.submit(work, one, program)
        for first in range(0, len(shared), size):
            pool.submit(work, run_batch, shared[first:first + size], home, options, classes, factor, give)
        for program in [p for p in alone if p.timeout <= harness.OWN_TIMEOUT]:
            pool.submit(work, one, program)
        while len(results) < len(programs):
            name, result = ended.get()
            if name is None:
                raise result
            results[name] = result
            if report:
                report(name, result)
    finally:
        pool.shutdown(cancel_futures=True)
    return results
