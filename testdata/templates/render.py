import json
import sys

from jinja2 import Environment

data = json.load(open(sys.argv[2]))
environment = Environment()
environment.globals["url_for"] = lambda name, slug: f"/{name}/{slug}"
environment.globals["static"] = lambda name: "static/" + name.replace(", ", "-")
sys.stdout.write(environment.from_string(open(sys.argv[1]).read()).render(data))
