const fs = require("fs");
const [engine, template, data] = process.argv.slice(2);
const text = fs.readFileSync(template, "utf8");
const fields = JSON.parse(fs.readFileSync(data, "utf8"));
const render = {
  handlebars: () => {
    const handlebars = require("handlebars");
    handlebars.registerHelper("link", (name, slug) => `${name}/${encodeURIComponent(slug)}`);
    return handlebars.compile(text)(fields);
  },
  ejs: () => require("ejs").render(text, fields),
  mjml: () => require("mjml")(text).html,
  mustache: () => require("mustache").render(text, fields),
}[engine];
process.stdout.write(render());
