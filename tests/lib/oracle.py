"""HotSpot's results, kept from run to run: a result is used again only while all that can change it is the same."""

import json

import harness
import runner


class Oracle:
    """The oracle's results, one file per program, keyed by everything that can change them."""

    def __init__(self, build, shared):
        self.folder = build / "expected"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.shared = harness.digest(shared, harness.jdk_id(harness.ORACLE_HOME),
                                     " ".join(harness.ORACLE_OPTIONS + harness.COMMON_OPTIONS),
                                     (harness.LIB / "harness.py").read_bytes(), (harness.LIB / "runner.py").read_bytes())

    def key(self, program):
        return harness.digest(self.shared, program.text)

    def load(self, program):
        path = self.folder / (program.name + ".json")
        if path.exists():
            data = json.loads(path.read_text())
            if data["key"] == self.key(program):
                return harness.Result.from_json(data)
        return None

    def store(self, program, result):
        data = dict(result.to_json(), key=self.key(program))
        (self.folder / (program.name + ".json")).write_text(json.dumps(data, indent=1))

    def get_all(self, programs, classes, options):
        known = {p.name: self.load(p) for p in programs}
        todo = [p for p in programs if known[p.name] is None]
        if todo:
            fresh = runner.run_programs(todo, harness.ORACLE_HOME, options + harness.ORACLE_OPTIONS, classes)
            for program in todo:
                result = fresh[program.name]
                known[program.name] = result
                if result.trouble is None:
                    self.store(program, result)
        return known
