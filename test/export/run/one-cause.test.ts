import { checkSite } from "offprint";
import { expect, test } from "vitest";
import { temporaryFolder, writeSite } from "../../support/cli.js";

test("a front matter key of another tool is reported once, with the number of pages", async () => {
  const names = ["air", "soil", "water"];
  const pages = names.map((name, i) => [`${name}.mdx`, `---\ntitle: ${name}\nsidebar_position: ${i}\n---\n\nText.\n`]);
  const site = writeSite(temporaryFolder(), {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "T",
      colors: { primary: "#0a6c5b" },
      navigation: { pages: names },
    }),
    ...Object.fromEntries(pages),
  });
  const { diagnostics } = await checkSite({ source: site });
  expect(diagnostics.map(({ code, what, location }) => [code, what, location?.sourcePath, location?.line])).toEqual([
    [
      "FRONTMATTER_KEY_UNKNOWN",
      'The front matter key "sidebar_position" is ignored: docs.json sets the order of pages. 2 other places have the same cause.',
      "air.mdx",
      3,
    ],
  ]);
});
