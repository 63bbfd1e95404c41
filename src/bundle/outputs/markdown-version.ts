import type { Nodes, RootContent } from "mdast";
import { withoutNull } from "../../lib/html/escape.js";
import type { PageContent } from "../../page/content/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import { linkLabel, linkTarget, markdownLine } from "./escape.js";
import { codeSpan, quote } from "./markdown/markdown.js";
import type { ResolveLink } from "./markdown/markdown-links.js";
import { MarkdownWriter } from "./markdown/markdown-writer.js";
import { plainText } from "./markdown/node-kinds.js";
import { PageSources } from "./markdown/source-map.js";

export interface MarkdownOptions {
  readonly resolveLink: ResolveLink;
  /** UTF-8 text of a file that a page includes; undefined if it cannot be read. Called once for each file of a page. */
  readonly readSource: (sourcePath: string) => string | undefined;
}

/**
 * Makes the Markdown version of a page: title as H1, description as quote, the site's instructions, then the body with
 * every component as Markdown. `source` is the whole text of the page with its front matter: code fences and prose are
 * copied from it, with LF line ends. Never throws.
 */
export function createMarkdownVersion(
  site: Site,
  { resolveLink, readSource }: MarkdownOptions,
): (plan: PagePlan, content: PageContent, source: string) => string {
  const instructions = instructionsBlock(site);
  const shared = new WeakMap<object, string>();
  return (plan, content, source) => {
    const sources = new PageSources(plan.sourcePath, source, readSource);
    const writer = new MarkdownWriter(
      content.tree,
      sources,
      (url, sourcePath, kind) => resolveLink(url, sourcePath, plan, kind),
      shared,
    );
    const first = content.tree.children[0];
    const body = writer.body(repeatsTitle(first, plan.title) ? first : undefined);
    const description = markdownLine(plan.description ?? "");
    const parts = [
      `# ${markdownLine(plan.title)}`,
      description === "" ? "" : `> ${description}`,
      instructions,
      content.tree.children.some(isEndpoint) ? "" : operationLine(plan),
      externalLink(plan),
      body.trim(),
    ].filter((part) => part !== "");
    // The last part gets the line feed before joining: this saves a copy of the whole text.
    parts.push(`${parts.pop()}\n`);
    const text = parts.join("\n\n");
    return withoutNull(text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);
  };
}

/** The setting `markdown.instructions` as a quote; empty without it. */
export function instructionsBlock(site: Site): string {
  const { instructions } = site.config.markdown;
  if (instructions.length === 0) return "";
  return quote(["**Agent instructions**", ...instructions.map((text) => text.trim())].join("\n\n"));
}

/** Some authors repeat the title as the first heading. */
const repeatsTitle = (first: RootContent | undefined, title: string): boolean =>
  first?.type === "heading" && first.depth === 1 && plainText(first.children as Nodes[]).trim() === title.trim();

/** If the content names its endpoint, the line from the front matter is not needed. */
const isEndpoint = (node: RootContent): boolean => node.type === "mdxJsxFlowElement" && node.name === "ApiHeader";

/** `openapi.json GET /users` of an endpoint page, as front matter names it. */
function operationLine({ api: target, generated, frontmatter: { openapi, api, asyncapi } }: PagePlan): string {
  if (target && withoutName.has(target.kind)) return "";
  if (generated && target) return codeSpan(markdownLine(`${target.spec} ${nameOfTarget(target)}`));
  const operation = [openapi, api, asyncapi].find((value) => typeof value === "string" && value.trim() !== "");
  return typeof operation === "string" ? codeSpan(markdownLine(operation)) : "";
}

/** Their pages say what they are about. */
const withoutName = new Set(["overview", "group", "graphql", "workflow"]);

function nameOfTarget(target: NonNullable<PagePlan["api"]>): string {
  if (target.kind === "operation") return `${target.method.toUpperCase()} ${target.path}`;
  if (target.kind === "webhook") return `webhook ${target.name}`;
  return "name" in target ? target.name : "";
}

/** The link of a page that only leads elsewhere. */
function externalLink({ title, frontmatter: { url } }: PagePlan): string {
  return typeof url === "string" && /^https?:\/\//.test(url) ? `[${linkLabel(title)}](${linkTarget(url)})` : "";
}
