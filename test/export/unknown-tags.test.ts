/** What a page shows of tags that it does not define. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newFolder, writeSite } from "../security/site-folder.js";
import { exportInProcess } from "../support/pool-in-process.js";

const place = newFolder("unknown-tags");
afterAll(() => rmSync(place, { recursive: true, force: true }));

test("the words of two unknown tags on lines of their own stay two paragraphs", async () => {
  const source = writeSite(join(place, "site"), {
    "index.mdx": "<div>\n  <Lead>One two</Lead>\n  <Claim>Three</Claim>\n</div>\n",
    "docs.json": { theme: "mint", name: "Acme", colors: { primary: "#0a6c5b" }, navigation: { pages: ["index"] } },
  });
  const output = join(place, "out");
  await exportInProcess({ source, output });
  expect(readFileSync(join(output, "index.html"), "utf8")).toContain("<div><p>One two</p><p>Three</p></div>");
});
