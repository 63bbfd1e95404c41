import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runExport } from "../src/export/index.js";
import { formatDiagnostic } from "../src/lib/diagnostic/index.js";
import { poorCarets } from "./support/carets.js";
import { createPoolInProcess } from "./support/pool-in-process.js";

const mistakes = fileURLToPath(new URL("../fixtures/mistakes", import.meta.url));

/** Every diagnostic of a check, as the terminal shows it. */
async function printed(folder: string): Promise<string> {
  // Pages are made in this process: starting a thread for each of so many small sites takes five times as long.
  const { diagnostics } = await runExport({ source: folder }, { pagePool: createPoolInProcess });
  const readText = (path: string) => readFileSync(join(folder, path), "utf8");
  return diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic, readText)}\n`).join("\n");
}

describe("each mistake in a site is reported as in its expected.txt:", () => {
  for (const name of readdirSync(mistakes).toSorted()) {
    // test/site/config/mistakes.test.ts checks those of the configuration.
    if (name.startsWith("config-")) continue;
    test(name, async () => {
      const folder = join(mistakes, name);
      const expected = join(folder, "expected.txt");
      const actual = await printed(folder);
      if (process.env["UPDATE_GOLDEN"]) writeFileSync(expected, actual);
      expect(actual).toBe(existsSync(expected) ? readFileSync(expected, "utf8") : "");
      expect(actual).not.toBe("");
    });
  }
});

/** The most frequent mistakes, and the text that the message must tell the author to write. */
const typical = [
  ["front-matter-tab", "indent the line with 2 spaces: "],
  ["front-matter-colon", 'write title: "Install: the guide"'],
  ["front-matter-values", "write description: 'The \"best\" guide'"],
  ["front-matter-no-blank", "write title: Welcome"],
  ["front-matter-yaml-broken", 'write title: "Welcome"'],
  ["front-matter-twice", "remove one of the two lines"],
  ["front-matter-unclosed", "write --- on its own line"],
  ["front-matter-keys", "write description."],
  ["front-matter-keys", "add a redirect from the old URL in docs.json"],
  ["attribute-without-quotes", 'write src="x.png"'],
  ["attribute-without-quotes", "write cols={2}"],
  ["attribute-name", "write cols={2}"],
  ["attribute-not-closed", 'write title="Install"'],
  ["unclosed-tag", "write </Note> where it ends"],
  ["mismatched-tag", "write </Step> here"],
  ["closing-tag-alone", "remove the closing tag"],
  ["html-tags", "write <br />"],
  ["html-comment", "write {/* to be written */}"],
  ["quotes-in-quotes", `write title='The "best" one'`],
  ["quotes-in-quotes", 'write title="It\'s new"'],
  ["generics-in-text", "write \\<your-key>"],
  ["components-incomplete", 'write <Card title="The guide">'],
  ["components-incomplete", 'write "The best guide"'],
  ["components-incomplete", 'write "https://youtube.com/embed/abcdefghijk"'],
  ["missing-export", 'write import { Port } from "/snippets/port.jsx"'],
  ["link-signs", "write [the setup](#how-to-install)"],
  ["fence-options", 'write title="The file"'],
  ["spec-references", 'write "#/components/schemas/User"'],
  ["config-names-of-other-tools", 'write "pages"'],
  ["digit-after-angle", "write \\<5"],
  ["generics-in-text", 'write \\{"id": 1}'],
  ["broken-expression", "write \\{1 + }"],
  ["links-in-angle-brackets", "write [me@example.com](mailto:me@example.com)"],
  ["undefined-name", 'export const yourDomain = "…"'],
  ["undefined-variable", 'add "compny" to "variables" in docs.json'],
  ["components-of-other-tools", "write <Tab>"],
  ["component-misuse", "put <Tabs> before the first <Tab>"],
  ["component-misuse", "write title."],
  ["unknown-component", "write <Warning>"],
  ["components-of-other-tools", "put its words between <Badge> and </Badge>"],
  ["import-of-a-package", 'write src="/img/map.png"'],
  ["style-without-braces", "write <style>{`…`}</style>"],
  ["style-without-braces", "remove <script> and </script>"],
  ["property-values", 'write a URL, such as "/guide"'],
  ["front-matter-wrong-values", "write icon: rocket"],
  ["unknown-icon", 'write "rocket"'],
  ["unknown-language", 'write "python"'],
  ["text-of-other-tools", "put <Tip> before the text"],
  ["text-of-other-tools", "write ~~~~ on its own line"],
  ["broken-link", 'write "/guides/install"'],
  ["case-differs-link", 'write "/guides/install"'],
  ["broken-anchor", 'write "#prices"'],
  ["missing-image", 'write "/images/screen.svg"'],
  ["missing-import", 'write "/snippets/setup-steps.mdx"'],
  ["import-of-a-package", "add the code to the site as a snippet"],
  ["missing-page", 'write "guides/install"'],
  ["listed-twice", "remove one of the two"],
  ["listed-twice", 'remove "draft: true" from notes.mdx'],
  ["not-utf8", "iconv -f WINDOWS-1252 -t UTF-8 menu.mdx"],
  ["table-rows", "write \\|"],
  ["table-blank-line", "remove the blank lines"],
  ["text-in-tables", "put a blank line before it"],
  ["text-in-tables", "write <br /> instead of the line break"],
  ["titles-twice", "give each a title"],
  ["titles-twice", "write a title after the language"],
  ["property-values", "write defaultOpen={false}"],
  ["property-values", 'write color="green"'],
  ["property-values", "write href."],
  ["property-values", "write src."],
  ["media-that-no-browser-shows", "https://raw.githubusercontent.com/acme/docs/main/flow.png"],
  ["media-that-no-browser-shows", 'write <video src="/images/flow.mp4" controls />'],
  ["media-that-no-browser-shows", 'write <iframe src="https://www.youtube.com/watch?v=abcdefghijk" title='],
  ["files-that-are-no-images", "run git lfs pull"],
  ["left-by-other-tools", "below a blank line"],
  ["left-by-other-tools", "write <sup>2</sup>"],
  ["left-by-other-tools", 'write <Tab title="Mac">'],
  ["lists-with-other-signs", "write 1. first"],
  ["fence-options", 'write title="my file.js"'],
  ["link-signs", "write ![The flow](/images/flow.svg)"],
  ["link-signs", 'write "https://example.com"'],
  ["front-matter-choices", "write api: GET /users"],
  ["front-matter-choices", "write title: The best install of all"],
  ["lost-in-encoding", "write ’"],
  ["signs-of-word", "write | --- | --- | as the second line."],
  ["signs-of-word", "remove it."],
  ["front-matter-of-word", "write title: Glued"],
  ["front-matter-of-word", "write title: Equals"],
  ["imports-that-fail", 'write import Setup from "/snippets/setup.mdx";'],
  ["marks-of-other-editors", "write <kbd>ctrl</kbd>+<kbd>alt</kbd>+<kbd>del</kbd>"],
  ["marks-of-other-editors", "write [write](mailto:me@example.com)"],
  ["marks-of-other-editors", "write {/* to do */} for a comment."],
  ["tags-without-content", 'write title="Next"'],
  ["spec-ref-without-sign", 'write "$ref"'],
  ["config-integrations", "put its script into a .js file"],
  ["config-labels-twice", 'give it another "tab"'],
  ["config-redirect-parts", "write :slug."],
  ["config-broken-json", 'write "," after the previous entry'],
  ["config-unknown-keys", 'write "favicon"'],
  ["config-bad-colors", 'write "#0F766E"'],
  ["spec-missing", 'write "api/openapi.json"'],
] as const;
for (const [name, words] of typical)
  test(`a typical mistake is reported with its fix: ${name}, ${words}`, () => {
    const fixes = readFileSync(join(mistakes, name, "expected.txt"), "utf8").match(/^ {2}fix: .*(?:\n {7}.*)*$/gm);
    expect(fixes?.some((fix) => fix.includes(words))).toBe(true);
  });

test("every message with a location shows its line, with carets under the whole culprit", () => {
  const all = readdirSync(mistakes).map((name) => readFileSync(join(mistakes, name, "expected.txt"), "utf8"));
  expect(all.flatMap(poorCarets)).toEqual([]);
});

test("all syntax errors of a page are reported, but none of their consequences", () => {
  const text = readFileSync(join(mistakes, "several-faults", "expected.txt"), "utf8");
  expect(text.match(/^error MDX_SYNTAX/gm)).toHaveLength(6);
  expect(text).not.toContain("other.mdx");
});
