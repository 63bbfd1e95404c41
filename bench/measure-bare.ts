// A bare pipeline of the same libraries, which shows how fast the machine is now: Sätteri, remark-rehype, Shiki with one
// theme, rehype-stringify, from a folder of Markdown to a folder of HTML. Prints one JSON line, like the other scripts.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Element, ElementContent, Root } from "hast";
import type { Root as MdastRoot } from "mdast";
import rehypeStringify from "rehype-stringify";
import remarkRehype from "remark-rehype";
import { markdownToMdast } from "satteri";
import { bundledLanguages, bundledLanguagesAlias, createHighlighter } from "shiki";
import { unified } from "unified";

const [source, output] = process.argv.slice(2);
if (source === undefined || output === undefined) throw new Error("usage: measure-bare.ts <site> <output>");

const theme = "github-light";
const highlighter = await createHighlighter({ themes: [theme], langs: [] });
const processor = unified().use(remarkRehype).use(rehypeStringify);
const paths = globSync("**/*.{md,mdx}", { cwd: source });
for (const path of paths) {
  const mdast = markdownToMdast(readFileSync(join(source, path), "utf8")) as MdastRoot;
  const hast = (await processor.run(mdast)) as Root;
  await highlight(hast.children as ElementContent[]);
  const target = join(output, path.replace(/\.mdx?$/, ".html"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, processor.stringify(hast));
}

const { user, system } = process.cpuUsage();
const cpuMsPerPage = Number(((user + system) / 1000 / paths.length).toFixed(3));
console.log(JSON.stringify({ pages: paths.length, cpuMsPerPage, node: process.version }));

async function highlight(nodes: ElementContent[]): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    if (node.type !== "element") continue;
    const code = node.tagName === "pre" ? (node.children[0] as Element) : undefined;
    if (code === undefined) await highlight(node.children);
    else nodes[index] = (await highlighted(code)) as Element;
  }
}

async function highlighted(code: Element): Promise<ElementContent> {
  const [name] = (code.properties["className"] as string[] | undefined) ?? [];
  const lang = name?.replace("language-", "") ?? "text";
  const text = (code.children[0] as { value?: string } | undefined)?.value ?? "";
  const isKnown = lang in bundledLanguages || lang in bundledLanguagesAlias;
  if (isKnown) await highlighter.loadLanguage(lang as keyof typeof bundledLanguages);
  return highlighter.codeToHast(text, { lang: isKnown ? lang : "text", theme }).children[0] as ElementContent;
}
