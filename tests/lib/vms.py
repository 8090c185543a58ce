"""Runs a numbered sequence of jobs in few VMs: one line per job on standard output.

A crash or a hang is charged to the job that did not answer; the rest goes on in a new VM.
"""

import os
import select
import subprocess
import time


def run(command, env, count, first, timeout):
    """`command(skip)` starts a VM that leaves out the first `skip` jobs. One line per job, each begins with its number."""
    lines = []
    troubles = 0
    while len(lines) < count:
        child = subprocess.Popen(command(len(lines)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        said = []
        trouble = _read(child, lines, said, count, first, timeout)
        if len(lines) < count:
            err = "\n".join([*said[:20], child.stderr.read().decode("utf-8", "replace").strip()])
            troubles += 1
            if troubles > 20:
                raise SystemExit(f"more than 20 jobs ended the VM; the last said: {err[-2000:]}")
            lines.append(f"{first + len(lines)} {trouble}: {err[-2000:]}")
    return lines


def _read(child, lines, said, count, first, timeout):
    """What is no answer, such as a report of a crash, goes to `said`."""
    rest = b""
    deadline = time.monotonic() + timeout
    while True:
        ready, _, _ = select.select([child.stdout], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            child.kill()
            child.wait()
            return f"HUNG for {timeout:.0f} s"
        data = os.read(child.stdout.fileno(), 1 << 16)
        if not data:
            return f"DIED with exit code {child.wait()}"
        deadline = time.monotonic() + timeout
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            text = line.decode("utf-8", "replace")
            answers = len(lines) < count and text.split(" ", 1)[0] == str(first + len(lines))
            (lines if answers else said).append(text)
