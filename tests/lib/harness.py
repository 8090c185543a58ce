"""Runs Java programs on two JDK homes and compares what they did.

Owns: program headers, compilation and normalisation; runner.py runs the programs, oracle.py keeps HotSpot's results.
A result is only what a user can see: standard output, the shape of standard error, the exit code.
"""

import hashlib
import os
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIB = ROOT / "tests" / "lib"
ORACLE_HOME = pathlib.Path(os.environ.get("ORACLE_HOME", "/usr/lib/jvm/java-17-openjdk-amd64"))
CONCORD_HOME = pathlib.Path(os.environ.get("CONCORD_HOME", ROOT / "concord-jdk"))
ASM_EXPORTS = [
    "--add-exports", "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED",
    "--add-exports", "java.base/jdk.internal.org.objectweb.asm.util=ALL-UNNAMED",
]
# Hot code must keep its stack traces; iload and caload in one lose the message of a NullPointerException;
# C2's getAndAdd of a short or byte returns the old value zero-extended.
ORACLE_OPTIONS = ["-XX:+UnlockDiagnosticVMOptions", "-XX:-OmitStackTraceInFastThrow",
                  "-XX:-RewriteFrequentPairs", "-XX:DisableIntrinsic=_getAndAddShort,_getAndAddByte"]
# The functions of Math have another last bit than StrictMath's, and another one in each VM.
STRICT_MATH = ["-XX:+UnlockDiagnosticVMOptions", "-XX:-UseLibmIntrinsic"]
COMMON_OPTIONS = ["-Xmx256m", *STRICT_MATH]
# Time limits are written for a machine of one's own; a shared one was seen to need three times as long.
PATIENCE = 4
# The limit of a program with a VM of its own that asks for no other.
OWN_SECONDS = 60
OWN_TIMEOUT = OWN_SECONDS * PATIENCE


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
        # A script that does not pass the mode's options on is the same in all modes.
        self.has_modes = not self.is_script or "VM_OPTIONS" in self.text
        vm = shlex.split(self.header.get("vm", ""))
        if vm and vm[0] != "own":
            raise SystemExit(f"{path}: '// vm:' must begin with 'own'")
        self.own = bool(vm) or self.is_script
        self.options = vm[1:]
        self.args = shlex.split(self.header.get("args", ""))
        default = os.environ.get("CONCORD_TEST_TIMEOUT") or (OWN_SECONDS if self.own else 20)
        self.timeout = float(self.header.get("timeout", default)) * PATIENCE
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
        self.seconds = 0.0

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
