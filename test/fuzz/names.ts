import fc from "fast-check";
import { payloads } from "../security/payloads.js";

const step = fc.oneof(
  fc.constantFrom(
    ..."index INDEX guide Guide 404 404.html llms.txt llms-full.txt robots.txt sitemap.xml rss.xml guide.md guide.html".split(
      " ",
    ),
    ..."_headers _redirects offprint.json offprint-search.js _offprint .well-known .hidden snippets README docs.json".split(
      " ",
    ),
    ..."con aux.x nul.mdx a.b a..b x. ~3F a%2Fb a%00b a+b a&b straße STRASSE ü u\u0308 ﬁ __proto__ constructor :slug :slug* * #a ?b".split(
      " ",
    ),
    ..."[id] (group) a'b a\"b a<b a|b".split(" "),
    "two words",
    " a ",
    "x".repeat(240),
    "ü".repeat(127),
  ),
  fc.constantFrom(...payloads).map((payload) => payload.replace(/[/\0]/g, "").slice(0, 60)),
);

/** A path of a file or page, without a slash at the start. */
export const path: fc.Arbitrary<string> = fc
  .array(step, { minLength: 1, maxLength: 3 })
  .map((steps) => steps.join("/"));

/** A path of a file with one of the extensions that the site's files have. */
export const filePath: fc.Arbitrary<string> = fc
  .tuple(
    path,
    fc.constantFrom(".mdx", ".mdx", ".md", ".png", ".txt", ".json", ".css", ".js", ".svg", ".xml", ".html", ".jsx"),
  )
  .map(([stem, extension]) => stem + extension);
