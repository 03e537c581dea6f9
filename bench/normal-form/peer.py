"""Seconds that functional-dependencies (PyPI, 1.2.0) takes to synthesize the relation on stdin; prints them and the number of parts."""

import json
import sys
import time

from functional_dependencies.functional_dependencies import FD, FDSet, RelSchema

relation = json.load(sys.stdin)
dependencies = FDSet(
    {FD(set(each["left"]), set(each["right"])) for each in relation["dependencies"]}
)
started = time.perf_counter()
parts = RelSchema(set(relation["attributes"]), dependencies).synthesize()
print(json.dumps({"seconds": time.perf_counter() - started, "parts": len(parts)}))
