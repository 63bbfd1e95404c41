import assert from "node:assert/strict";
import { test } from "vitest";
import { parseFenceMeta } from "../../../src/page/highlight/fence-options.js";

const plain = { lineNumbers: false, wrap: false, expandable: false, noCopy: false, highlight: [], focus: [] };

const cases = [
  // parseFenceMeta …                                  meta                                    result
  ["gives no options for empty text", "", {}],
  ["takes words as the title", "Terminal window", { title: "Terminal window" }],
  ["takes a path as the title", "app/[slug]/page.tsx", { title: "app/[slug]/page.tsx" }],
  ["keeps brackets and quotes of a title", `Say "hi" (macOS)`, { title: `Say "hi" (macOS)` }],
  ["drops quotes around a whole title", `"My file.ts"`, { title: "My file.ts" }],
  ["reads a title in double quotes", `title="a b.ts" lines`, { title: "a b.ts", lineNumbers: true }],
  ["reads a title in single quotes", `title='a b.ts'`, { title: "a b.ts" }],
  ["reads a title in braces", `title={"a b.ts"}`, { title: "a b.ts" }],
  ["reads a title without quotes", "title=a.ts wrap", { title: "a.ts", wrap: true }],
  ["reads filename as title", `filename="x.py"`, { title: "x.py" }],
  ["reads an icon", "index.js icon=js", { title: "index.js", icon: "js" }],
  ["reads an icon in quotes", `icon="square-js"`, { icon: "square-js" }],
  [
    "reads flags in any order",
    "wrap App.tsx lines expandable nocopy",
    { title: "App.tsx", lineNumbers: true, wrap: true, expandable: true, noCopy: true },
  ],
  ["reads a flag in brackets", "[expandable]", { expandable: true }],
  ["reads flags as values", `lines={true} wrap="true" nocopy=true`, { lineNumbers: true, wrap: true, noCopy: true }],
  ["reads a flag that is off", `nocopy="false" lines={false}`, {}],
  [
    "reads bare ranges",
    "{1,3-5}",
    {
      highlight: [
        [1, 1],
        [3, 5],
      ],
    },
  ],
  [
    "reads ranges with blanks",
    "{ 1, 3-5 }",
    {
      highlight: [
        [1, 1],
        [3, 5],
      ],
    },
  ],
  ["reads ranges of highlight", `highlight={2-4} focus={1}`, { highlight: [[2, 4]], focus: [[1, 1]] }],
  [
    "reads ranges in quotes",
    `highlight="1,2" focus='5'`,
    {
      highlight: [
        [1, 1],
        [2, 2],
      ],
      focus: [[5, 5]],
    },
  ],
  ["reads one line without quotes", "highlight=1 focus=2-3", { highlight: [[1, 1]], focus: [[2, 3]] }],
  [
    "reads a JSON list of lines",
    `highlight="[1,3]"`,
    {
      highlight: [
        [1, 1],
        [3, 3],
      ],
    },
  ],
  ["reverses a backward range", "{5-3}", { highlight: [[3, 5]] }],
  ["ignores invalid ranges", "{a,2,x-3}", { highlight: [[2, 2]] }],
  ["ignores twoslash, theme and a search", "twoslash theme={null} /needle/ main.ts", { title: "main.ts" }],
  ["keeps a path that ends with a slash", "/etc/nginx/", { title: "/etc/nginx/" }],
  ["keeps an assignment in a title", "API_KEY=abc run", { title: "API_KEY=abc run" }],
  ["ignores unknown options", `caption="x" foo={1} main.ts`, { title: "main.ts" }],
  ["keeps the word title as text", "title page", { title: "title page" }],
  ["accepts an unclosed quote", `title="abc`, { title: `title="abc` }],
  ["accepts an unclosed brace", "{1,2", { title: "{1,2" }],
] as const;

for (const [rule, meta, expected] of cases) {
  test(`parseFenceMeta ${rule}`, () => assert.deepEqual(parseFenceMeta(meta), { ...plain, ...expected }));
}
