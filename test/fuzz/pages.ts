import fc from "fast-check";
import { componentDefinitions } from "../../src/page/components/index.js";
import names from "../../src/page/render/names.json" with { type: "json" };
import { value } from "./json.js";
import { blocks } from "./seeds.js";
import { changed, text } from "./texts.js";

const elements = [names.html, names.svg, names.math, names.dropped].flatMap((list) => list.split(" "));
const component = fc.constantFrom(...componentDefinitions.keys());
const element = fc.oneof(
  fc.constantFrom(...elements),
  fc.constantFrom("svg", "math", "table", "tr", "td", "select", "p", "a"),
);
const attributeName = fc.constantFrom(
  ..."id class className style href src srcset title onclick data-x aria-label xlink:href viewBox icon width height".split(
    " ",
  ),
  ..."tags label rss cols color defaultOpen horizontal name type required default path query body key action for".split(
    " ",
  ),
);

const attribute = fc.oneof(
  fc.tuple(attributeName, text).map(([name, written]) => `${name}="${written.replace(/["\n]/g, "'")}"`),
  fc.tuple(attributeName, value).map(([name, given]) => `${name}={${JSON.stringify(given)}}`),
  attributeName,
);
const fence = fc
  .tuple(fc.constantFrom("js", "bash", "", "json {1,3}", "diff title.js", "math", "nope"), text)
  .map(([info, code]) => `\n\`\`\`${info}\n${code}\n\`\`\`\n`);

/** Markdown with tags in tags, on lines of their own or within a line. */
const nested: fc.Arbitrary<string> = fc.letrec<{ nested: string }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    { weight: 3, arbitrary: text },
    { weight: 1, arbitrary: fence },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "\n## Setup\n",
        "\n- a\n- b\n",
        "\n| a |\n|-|\n| b |\n",
        "$x^2$",
        "{1 + 1}",
        "[a](#setup)",
      ),
    },
    {
      weight: 4,
      arbitrary: fc
        .record({
          name: fc.oneof({ weight: 3, arbitrary: element }, { weight: 2, arbitrary: component }),
          attributes: fc.array(attribute, { maxLength: 2 }),
          children: fc.array(tie("nested"), { maxLength: 3 }),
          gap: fc.constantFrom("", "\n", "\n\n"),
        })
        .map(({ name, attributes, children, gap }) =>
          children.length === 0
            ? `<${[name, ...attributes].join(" ")} />`
            : `<${[name, ...attributes].join(" ")}>${gap}${children.join(gap)}${gap}</${name}>`,
        ),
    },
  ),
})).nested;

const frontmatter = fc.oneof(
  { weight: 3, arbitrary: fc.constant("---\ntitle: Setup\n---\n") },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom(
              ..."title description icon tag mode url hidden rss canonical openapi keywords groups noindex sidebarTitle".split(
                " ",
              ),
            ),
            text,
          ),
          fc.oneof(
            text,
            value.map((given) => JSON.stringify(given)),
          ),
        ),
        { maxLength: 4 },
      )
      .map((lines) => `---\n${lines.map(([key, given]) => `${key}: ${given}\n`).join("")}---\n`),
  },
  { weight: 1, arbitrary: changed(fc.constant("---\ntitle: Setup\ndescription: A *page*.\n---\n"), 3) },
);

/** A page: blocks of the project's own pages and made ones, changed in a few places. */
export const page: fc.Arbitrary<string> = fc
  .tuple(
    frontmatter,
    changed(
      fc.array(fc.oneof(nested, fc.constantFrom(...blocks)), { maxLength: 5 }).map((all) => all.join("\n\n")),
      3,
    ),
  )
  .map(([top, body]) => `${top}\n${body}\n`);
