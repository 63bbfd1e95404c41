/** Unpublished parts of a site are in no list, feed or index of the bundle, and ignored files are in no byte. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { exported } from "./exported-site.js";
import { filesIn } from "./site-folder.js";

const page = (fields: string, canary: string): string =>
  `---\ntitle: ${canary}\ndescription: ${canary}\n${fields}\n---\n\n${canary}\n\n<Update label="${canary}" rss="${canary}">${canary}</Update>\n`;

/** Hidden pages: readable with their address, but listed nowhere. */
const unlisted: Readonly<Record<string, string>> = {
  "kept/hidden.mdx": page("hidden: true", "heron-hidden"),
  "kept/noindex.mdx": page("noindex: true", "heron-noindex"),
  "kept/robots.mdx": page('robots: "noindex, nofollow"', "heron-robots"),
  "kept/groups.mdx": page("groups: [admins]", "heron-groups"),
  "kept/group.mdx": page("", "heron-hidden-group"),
  "kept/loose.mdx": page("", "heron-outside-navigation"),
};
/** Files that are not part of the site. */
const ignored: Readonly<Record<string, string>> = {
  "drafts/page.mdx": page("", "heron-ignored-page"),
  "drafts/picture.svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>heron-ignored-picture</text></svg>',
  "snippets/private.mdx": "heron-ignored-snippet",
  "private.css": ".heron-ignored-style { color: red }",
  "private.js": '"heron-ignored-script"',
  ".env": "heron-environment",
  ".git/config": "heron-git",
  "node_modules/x/index.mdx": page("", "heron-module"),
  "README.md": "heron-readme",
};
const settings = {
  theme: "mint",
  name: "Kept",
  colors: { primary: "#0f766e" },
  navigation: {
    groups: [
      { group: "Open", pages: ["index", "kept/hidden", "kept/noindex", "kept/robots", "kept/groups", "drafts/page"] },
      { group: "Closed", hidden: true, pages: ["kept/group"] },
    ],
  },
};

describe("a site with unpublished parts", () => {
  const site = exported(() => ({
    "docs.json": settings,
    "index.mdx":
      'import Private from "/snippets/private.mdx";\n\n# Open\n\nOpen text. [a](/drafts/page) ![b](/drafts/picture.svg)\n\n<Snippet file="private.mdx" />\n\n<Private />\n',
    ".mintignore": "/drafts/\n/snippets/private.mdx\n/private.*\n",
    ...unlisted,
    ...ignored,
  }));

  test("names its open pages where pages are named", () => {
    for (const path of ["sitemap.xml", "llms.txt", "llms-full.txt"])
      assert.match(readFileSync(join(site().output, path), "utf8"), /docs\.example\.com|Open text/, path);
  });

  test("names no unpublished page in sitemap, llms files and feeds", () => {
    const { output } = site();
    const lists = filesIn(output).filter((path) =>
      /\.xml$|(?:^|\/)llms[\w-]*\.txt$|^_redirects$|^robots\.txt$/.test(path),
    );
    assert.ok(lists.length >= 5);
    for (const path of lists) {
      const text = readFileSync(join(output, path), "utf8");
      assert.doesNotMatch(text, /heron|kept\//, path);
    }
  });

  test("tells search engines to leave those pages alone", () => {
    for (const name of ["hidden", "noindex", "robots", "group"])
      assert.match(
        readFileSync(join(site().output, `kept/${name}.html`), "utf8"),
        /<meta name="robots" content="[^"]*noindex/,
        name,
      );
  });

  test("does not show them in the sidebar of open pages", () => {
    const html = readFileSync(join(site().output, "index.html"), "utf8");
    assert.doesNotMatch(html, /heron-hidden/);
  });

  test("has no byte of the files that it ignores", () => {
    const { output } = site();
    const canaries = /heron-(?:ignored-\w+|environment|git|module|readme)/;
    for (const path of filesIn(output)) {
      assert.doesNotMatch(path, /drafts|private|node_modules|README/);
      assert.doesNotMatch(readFileSync(join(output, path), "latin1"), canaries, path);
    }
  });
});
