import assert from "node:assert/strict";
import { test } from "vitest";
import { createTemplate, fillTemplate } from "../../../src/page/theme/html.js";

const source = '<li data-mark="p1 active"><a data-mark="p1 current">x</a></li><a data-mark="s2 href">y</a>';
const cases = [
  // fillTemplate …                            keys     values                    html
  ["removes all marks", [], [], "<li><a>x</a></li><a>y</a>"],
  ["fills in every mark of a key", ["p1"], [], '<li data-active="true"><a aria-current="page">x</a></li><a>y</a>'],
  ["inserts the text given for a key", [], [["s2", ' href="z"']], '<li><a>x</a></li><a href="z">y</a>'],
  ["ignores keys without a mark", ["p7"], [["s9", "!"]], "<li><a>x</a></li><a>y</a>"],
] as const;

for (const [rule, keys, values, html] of cases) {
  test(`fillTemplate ${rule}`, () => assert.equal(fillTemplate(createTemplate(source), keys, new Map(values)), html));
}

test("text that looks like a placeholder stays text", () => {
  const texts = [
    '<b title=" data-mark=&quot;p1 open&quot;"> data-mark="p1 open"</b>',
    '<svg/> data-mark="p1 open" <br> data-mark="p1 open"',
  ];
  for (const text of texts) {
    const template = createTemplate(`${text}<i data-mark="p1 current">x</i>${text}`);
    assert.equal(fillTemplate(template, ["p1"]), `${text}<i aria-current="page">x</i>${text}`);
  }
});
