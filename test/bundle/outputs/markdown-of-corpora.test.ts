import assert from "node:assert/strict";
import type { Nodes } from "mdast";
import { beforeAll, describe, test } from "vitest";
import { blockComponents, inlineComponents } from "../../../src/bundle/outputs/markdown/components.js";
import { createPageOutputs } from "../../../src/bundle/outputs/page-outputs.js";
import { loadSite } from "../../../src/export/run/read-site.js";
import { createContentReader } from "../../../src/page/content/index.js";
import { loadParsers } from "../../../src/page/content/parse/markdown-parsers.js";
import { createAddresses } from "../../../src/site/links/index.js";
import { sweeping } from "../../quality/bundle.js";
import { findCorpora } from "../../support/corpora.js";

describe("of whole sites", () => {
  for (const corpus of findCorpora())
    describe(`the Markdown versions of ${corpus.name}`, () => {
      const tags: string[] = [];
      const lostCode: string[] = [];
      const lostWords: string[] = [];
      const deadLinks: string[] = [];
      const changed: string[] = [];

      beforeAll(async () => {
        const { site, files } = await loadSite({ source: corpus.folder });
        assert.ok(site);
        const { parseMarkdown } = await loadParsers("satteri");
        const markdownComponents = new Set([...Object.keys(blockComponents), ...Object.keys(inlineComponents)]);
        const reader = await createContentReader({ files, config: site.config, markdownComponents });
        const readSource = (path: string) => (files.has(path) ? files.readText(path) : undefined);
        const outputs = createPageOutputs(site, { addresses: createAddresses(site), readSource });
        const there = new Set([
          ...site.staticFiles,
          ...site.pages.map((page) => page.outputPath.replace(/html$/, "md")),
        ]);

        // Every second page of our own sites and every fifteenth of real ones; in a sweep all.
        const step = sweeping ? 1 : corpus.isOwn ? 2 : 15;
        for (const plan of site.pages.filter((_, at) => at % step === 0)) {
          const content = reader.read(plan);
          if (!content.ok) continue;
          const before = JSON.stringify(content.tree);
          const source = plan.generated?.text ?? files.readText(plan.sourcePath);
          const { text } = outputs(plan, content, source).files[0]!;
          if (JSON.stringify(content.tree) !== before) changed.push(plan.sourcePath);
          const nodes = [...walk(parseMarkdown(text))];

          const code = new Set(nodes.flatMap(codeOf));
          const texts = nodes.map((node) => (node.type === "text" ? node.value : ""));
          const words = new Set(wordsOf([text.replaceAll("\\", ""), ...texts].join("\n")));
          for (const node of walk(content.tree)) {
            for (const value of codeOf(node)) if (!code.has(value)) lostCode.push(`${plan.sourcePath}: ${value}`);
            for (const word of node.type === "text" ? wordsOf(node.value) : [])
              if (!words.has(word) && !text.includes(word))
                lostWords.push(`${plan.sourcePath}: "${word}" of ${node.type}`);
          }
          for (const node of nodes) {
            if (node.type === "html" && node.value !== "<br>") tags.push(`${plan.sourcePath}: ${node.value}`);
            // What the writer linked to in vain stays as it was written.
            if (!("url" in node) || /^(?:$|[/#]|[A-Za-z][\w+.-]*:)/.test(node.url) || source.includes(node.url))
              continue;
            const { pathname } = new URL(node.url, `file:///${plan.outputPath}`);
            if (!there.has(decodeURIComponent(pathname.slice(1)))) deadLinks.push(`${plan.sourcePath}: ${node.url}`);
          }
        }
      });

      test("contain no tag but breaks in tables", () => assert.deepEqual(tags, []));
      test("contain every code block of the page unchanged", () => assert.deepEqual(lostCode, []));
      test("contain every word of the page", () => assert.deepEqual(lostWords, []));
      test("link to existing Markdown versions and files", () => assert.deepEqual(deadLinks, []));
      test("leave the tree unchanged", () => assert.deepEqual(changed, []));
    });
});

/** Elements whose content agents do not need. */
const dropped = new Set([
  "button",
  "svg",
  "style",
  "script",
  "noscript",
  "template",
  "canvas",
  "object",
  "video",
  "audio",
  "iframe",
]);

/** Every node that is for agents, in order. */
function* walk(root: Nodes): Generator<Nodes> {
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
      if (dropped.has(node.name ?? "")) continue;
      if (node.name === "Visibility" && node.data?.props?.["for"] === "humans") continue;
    }
    yield node;
    if ("children" in node) for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");

const codeOf = (node: Nodes): string[] => (node.type === "code" ? [node.value.replace(/\r\n?/g, "\n").trimEnd()] : []);
