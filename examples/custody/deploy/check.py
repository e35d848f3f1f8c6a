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
registered = set(re.findall(r'register\(\s*"(\w+)"', http))
known |= {f"custody_http_{name}{end}" for name in registered for end in ("_total", "_bucket", "_sum", "_count")}

expressions = [(f'panel "{panel["title"]}"', target["expr"]) for panel in panels for target in panel["targets"]]
expressions.append(("alerts.yml", (deploy / "prometheus/alerts.yml").read_text()))
used = set()
for place, text in expressions:
    for metric in re.findall(r"\bcustody_(?:gateway|http)_\w+", text):
        assert metric in known, f"{place}: the sources register no metric {metric}"
        used.add(metric)
unused = sorted(metric for metric in known - used if metric.startswith("custody_gateway_"))
assert not unused, f"no panel and no rule uses {', '.join(unused)}"
print(f"{len(panels)} panels, {len(used)} metrics")
