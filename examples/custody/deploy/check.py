"""Checks the dashboard and the metrics: `check.py FOLDER`, called by check.sh.

Every metric that a rule or a panel uses is one that the sources register.
"""
import json, pathlib, re, sys

import jsonschema

deploy = pathlib.Path(sys.argv[1])
dashboard = json.loads((deploy / "grafana/dashboard.json").read_text())
jsonschema.validate(dashboard, json.loads((deploy / "grafana/dashboard.schema.json").read_text()))

panels = dashboard["panels"]
assert len({panel["id"] for panel in panels}) == len(panels), "two panels have one id"
cells = [(x, y) for one in (panel["gridPos"] for panel in panels)
         for x in range(one["x"], one["x"] + one["w"]) for y in range(one["y"], one["y"] + one["h"])]
assert len(set(cells)) == len(cells), "two panels overlap"

gateway = (deploy.parent / "gateway/src/metrics.rs").read_text()
http = (deploy.parent / "http/src/metrics.rs").read_text()
# `text.counter("name", …)`, also over two lines.
known = {f"custody_gateway_{name}_total" for name in re.findall(r'text\.counter\(\s*"(\w+)"', gateway)}
known |= {f"custody_gateway_{name}" for name in re.findall(r'text\.gauge\(\s*"(\w+)"', gateway)}
# The metrics of the program itself have their whole names in its sources, or `("name", …)` of the list of gauges.
program = "".join((deploy.parent / f"cli/src/run/{name}.rs").read_text() for name in ("counters", "epochs"))
known |= set(re.findall(r'"(custody_(?:node|certificate)_\w+)"', program))
known |= {f"custody_node_{name}" for name in re.findall(r'\(\s*"(\w+)",\s*"[^"]+",\s*(?:u64|status)', program)}
known |= {f"custody_node_{name}" for name in re.findall(r'write\(&mut text, "(\w+)"', program)}
registered = set(re.findall(r'register\(\s*"(\w+)"', http))
known |= {f"custody_http_{name}{end}" for name in registered for end in ("_total", "_bucket", "_sum", "_count")}

expressions = [(f'panel "{panel["title"]}"', target["expr"]) for panel in panels for target in panel["targets"]]
expressions.append(("alerts.yml", (deploy / "prometheus/alerts.yml").read_text()))
used = set()
for place, text in expressions:
    for metric in re.findall(r"\bcustody_(?:gateway|http|node|certificate)_\w+", text):
        assert metric in known, f"{place}: the sources register no metric {metric}"
        used.add(metric)
unused = sorted(metric for metric in known - used if not metric.startswith("custody_http_"))
assert not unused, f"no panel and no rule uses {', '.join(unused)}"
print(f"{len(panels)} panels, {len(used)} metrics")
