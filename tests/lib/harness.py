"""Runs Java programs on two JDK homes and compares what they did.

Owns: program headers, compilation, the batch protocol, normalisation and the oracle's cache.
A result is only what a user can see: standard output, the shape of standard error, the exit code.
"""

import hashlib
import json
import os
import pathlib
import re
import select
import shlex
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIB = ROOT / "tests" / "lib"
ORACLE_HOME = pathlib.Path(os.environ.get("ORACLE_HOME", "/usr/lib/jvm/java-17-openjdk-amd64"))
CONCORD_HOME = pathlib.Path(os.environ.get("CONCORD_HOME", ROOT / "concord-jdk"))
ASM_EXPORTS = [
    "--add-exports", "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED",
    "--add-exports", "java.base/jdk.internal.org.objectweb.asm.util=ALL-UNNAMED",
]
# The stubs differ from StrictMath, which is the library's own fallback, in the last bit; hot code
# must keep its stack traces; iload and caload in one lose the message of a NullPointerException.
ORACLE_OPTIONS = ["-XX:+UnlockDiagnosticVMOptions", "-XX:-UseLibmIntrinsic", "-XX:-OmitStackTraceInFastThrow",
                  "-XX:-RewriteFrequentPairs"]
COMMON_OPTIONS = ["-Xmx256m"]
BATCH_SIZE = 60


class Program:
    """A Java source with a main, or a shell script that calls $JAVA_HOME/bin/*."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        self.folder = path.parent.name
        self.text = path.read_text()
        self.is_script = path.suffix == ".sh"
        mark = "#" if self.is_script else "//"
        self.header = {}
        for line in self.text.splitlines():
            if self.is_script and line.startswith("#!"):
                continue
            if not line.startswith(mark):
                break
            match = re.match(re.escape(mark) + r" ([a-z-]+): *(.*)$", line)
            if match:
                key, value = match.groups()
                self.header[key] = (self.header[key] + " " + value) if key in self.header else value
        vm = shlex.split(self.header.get("vm", ""))
        if vm and vm[0] != "own":
            raise SystemExit(f"{path}: '// vm:' must begin with 'own'")
        self.own = bool(vm) or self.is_script
        self.options = vm[1:]
        self.args = shlex.split(self.header.get("args", ""))
        default = os.environ.get("CONCORD_TEST_TIMEOUT") or ("60" if self.own else "20")
        self.timeout = float(self.header.get("timeout", default))
        self.ignore = set(shlex.split(self.header.get("ignore", "")))
        # A program that ends badly by accident would test little; one that means to says so.
        self.exit = int(self.header.get("exit", "0"))
        self.skip_modes = set(shlex.split(self.header.get("skip-mode", "")))
        unknown = set(self.header) - {"vm", "args", "timeout", "ignore", "skip-mode", "covers", "stdin", "exit"}
        if unknown:
            raise SystemExit(f"{path}: unknown header {sorted(unknown)}")

    @property
    def label(self):
        return f"{self.folder}/{self.name}"


class Result:
    def __init__(self, out="", err="", exit_code=None, trouble=None, raw=""):
        self.out, self.err, self.exit_code, self.trouble, self.raw = out, err, exit_code, trouble, raw

    def to_json(self):
        return {"out": self.out, "err": self.err, "exit": self.exit_code}

    @classmethod
    def from_json(cls, data):
        return cls(data["out"], data["err"], data["exit"])


def find_programs(base):
    programs = [Program(p) for d in sorted(base.iterdir()) if re.match(r"\d\d-", d.name)
                for p in sorted(d.iterdir()) if p.suffix in (".java", ".sh")]
    seen = {}
    for program in programs:
        if program.name in seen:
            raise SystemExit(f"two programs are called {program.name}: {program.path} and {seen[program.name]}")
        seen[program.name] = program.path
    return programs


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        h.update(len(data).to_bytes(8, "little"))
        h.update(data)
    return h.hexdigest()


def files_digest(paths):
    return digest(*[x for p in sorted(paths) for x in (p.name, p.read_bytes())])


def jdk_id(home):
    release = pathlib.Path(home) / "release"
    if not release.exists():
        raise SystemExit(f"{home} is not a JDK home (it has no file 'release'); build it or pass --jdk HOME")
    return release.read_text()


def checked(command, what):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=child_env(ORACLE_HOME))
    if done.returncode != 0:
        raise SystemExit(f"{what} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def child_env(home):
    env = {k: v for k, v in os.environ.items() if k not in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS")}
    env.update(LC_ALL="C.UTF-8", TZ="UTC", JAVA_HOME=str(home), ORACLE_HOME=str(ORACLE_HOME))
    return env


def compile_all(base, programs, build):
    """Compiles everything once with the oracle's javac; returns the digest of all inputs that programs share."""
    generators = sorted((base / "gen").glob("*.java")) if (base / "gen").exists() else []
    sources = [p.path for p in programs if not p.is_script]
    shared = files_digest(generators + [LIB / "Batch.java"])
    key = digest(shared, files_digest(sources), jdk_id(ORACLE_HOME), *[str(s) for s in sources])
    stamp = build / "compiled"
    classes = build / "classes"
    if stamp.exists() and stamp.read_text() == key:
        return shared
    if build.joinpath("classes").exists():
        checked(["rm", "-rf", classes, build / "gen"], "clean")
    classes.mkdir(parents=True)
    javac = [ORACLE_HOME / "bin" / "javac", "-g", "-nowarn", "-Xlint:none", "-XDignore.symbol.file", "-proc:none"]
    if generators:
        checked([*javac, *ASM_EXPORTS, "-d", build / "gen", *generators], "javac of the generators")
        checked([ORACLE_HOME / "bin" / "java", *ASM_EXPORTS, "-cp", build / "gen", "Generate", classes], "generators")
    # Early folders avoid invokedynamic, so string concatenation there is compiled to StringBuilder calls.
    early = [p.path for p in programs if not p.is_script and p.folder < "50"] + [LIB / "Batch.java"]
    late = [p.path for p in programs if not p.is_script and p.folder >= "50"]
    checked([*javac, "-XDstringConcat=inline", "-cp", classes, "-d", classes, *early], "javac")
    if late:
        checked([*javac, "-parameters", "-cp", classes, "-d", classes, *late], "javac")
    stamp.write_text(key)
    return shared


FRAME = re.compile(r"^\s+at (?:[\w.$]+/)?(?:Batch\.|jdk\.internal\.reflect\.|java\.lang\.reflect\.Method\.invoke|java\.base/jdk\.internal\.reflect|java\.base/java\.lang\.reflect\.Method\.invoke)")


def normalise_err(text):
    """The shape of standard error: what does not depend on addresses, hidden classes or the driver."""
    lines = []
    for line in text.splitlines():
        if FRAME.match(line) or line.startswith("Picked up ") or " VM warning: " in line:
            continue
        line = re.sub(r"\.\.\. \d+ more", "... more", line)
        line = re.sub(r"0x[0-9a-f]+", "0xADDR", line)
        line = re.sub(r"@[0-9a-f]{5,8}\b", "@HASH", line)
        lines.append(line)
    return "\n".join(lines)


def normalise_out(text):
    """Standard output without what differs by design: identity hashes in module names, the VM's own name."""
    text = re.sub(r"(unnamed module )@[0-9a-f]{1,8}\b", r"\1@HASH", text)
    return re.sub(r"(?m)^(?:OpenJDK|Concord) 64-Bit Server VM warning:", "VM warning:", text)


def run_own(program, home, options, classes, factor):
    work = classes.parent / "work" / program.name
    subprocess.run(["rm", "-rf", str(work)], check=True)
    work.mkdir(parents=True)
    env = child_env(home)
    env.update(CLASSES=str(classes), VM_OPTIONS=" ".join(options), SOURCES=str(program.path.parent), WORK=str(work))
    if program.is_script:
        command = ["bash", "-u", str(program.path)]
    else:
        command = [str(home / "bin" / "java"), "-cp", str(classes), *COMMON_OPTIONS, *options, *program.options,
                   program.name, *program.args]
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
    return Result(out, normalise_err(err), child.returncode, trouble, raw=err)


class BatchRun:
    """One VM that runs many programs; a hang or crash ends it and names the program it happened in."""

    def __init__(self, programs, home, options, classes, factor):
        self.programs, self.factor = programs, factor
        self.by_name = {p.name: p for p in programs}
        self.results = {}
        command = [str(home / "bin" / "java"), "-cp", str(classes), *COMMON_OPTIONS, *options, "Batch",
                   *[p.name for p in programs]]
        work = classes.parent / "work" / "batch"
        work.mkdir(parents=True, exist_ok=True)
        self.child = subprocess.Popen(command, cwd=work, env=child_env(home), stdin=subprocess.DEVNULL,
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
            self.current = Result()
            self.current.name = line[7:]
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
            result.err = normalise_err(result.err)
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


def run_programs(programs, home, options, classes, factor=1.0, solo=False, report=None):
    """Runs all programs in order; yields nothing, returns {name: Result}. report(program, result) is called as they end."""
    results = {}

    def give(name, result):
        results[name] = result
        if report:
            report(name, result)

    queue = list(programs)
    while queue:
        if queue[0].own or solo:
            program = queue.pop(0)
            give(program.name, run_own(program, home, options, classes, factor))
            continue
        chunk = []
        while queue and not queue[0].own and len(chunk) < BATCH_SIZE:
            chunk.append(queue.pop(0))
        while chunk:
            batch = BatchRun(chunk, home, options, classes, factor)
            got, broken = batch.run()
            for program in chunk:
                if program.name in got:
                    give(program.name, got[program.name])
            missing = [p for p in chunk if p.name not in got]
            if not batch.started:
                for program in missing:
                    give(program.name, Result(trouble="the VM did not reach the first program of its batch",
                                              raw=batch.tail))
                missing = []
            elif missing and broken is None:
                program = missing.pop(0)
                give(program.name, Result(trouble="the VM ended between two programs, before this one", raw=batch.tail))
            chunk = missing
    return results


class Oracle:
    """The oracle's results, one file per program, keyed by everything that can change them."""

    def __init__(self, build, shared):
        self.folder = build / "expected"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.shared = digest(shared, jdk_id(ORACLE_HOME), " ".join(ORACLE_OPTIONS + COMMON_OPTIONS),
                             (LIB / "harness.py").read_bytes())

    def key(self, program):
        return digest(self.shared, program.text)

    def load(self, program):
        path = self.folder / (program.name + ".json")
        if path.exists():
            data = json.loads(path.read_text())
            if data["key"] == self.key(program):
                return Result.from_json(data)
        return None

    def store(self, program, result):
        data = dict(result.to_json(), key=self.key(program))
        (self.folder / (program.name + ".json")).write_text(json.dumps(data, indent=1))

    def get_all(self, programs, classes, options):
        known = {p.name: self.load(p) for p in programs}
        todo = [p for p in programs if known[p.name] is None]
        if todo:
            fresh = run_programs(todo, ORACLE_HOME, options + ORACLE_OPTIONS, classes)
            for program in todo:
                result = fresh[program.name]
                known[program.name] = result
                if result.trouble is None:
                    self.store(program, result)
        return known
