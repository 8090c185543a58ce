"""Counts and failures from JUnit's XML reports: reports.py EXIT-CODE FOLDER. No reports are an error."""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

counts, bad = collections.Counter(), []
for path in sorted(pathlib.Path(sys.argv[2]).glob("TEST-*.xml")):
    for case in tree.parse(path).getroot().iter("testcase"):
        kind = next((k for k in ("failure", "error", "skipped") if case.find(k) is not None), "passed")
        counts[kind] += 1
        if kind in ("failure", "error"):
            # What differs from run to run: names of lambdas' classes, identity hashes.
            name = re.sub(r"\$\$Lambda[^ ]*|@[0-9a-f]+", "", f"{case.get('classname')} {case.get('name')}")
            bad.append(f"{kind} {name}: {case.find(kind).get('type')}")
print("exit", sys.argv[1], *(f"{k} {n}" for k, n in sorted(counts.items())))
print("\n".join(sorted(bad)))
sys.exit(0 if counts["passed"] else 1)
