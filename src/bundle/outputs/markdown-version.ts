import type { Nodes, RootContent } from "mdast";
import type { PageContent } from "../../page/content/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import { linkLabel, linkTarget, markdownLine } from "./escape.js";
import { codeSpan, quote } from "./markdown/markdown.js";
import { PageSources } from "./markdown/source-map.js";
import type { ResolveLink } from "./markdown/twin-links.js";
import { TwinWriter } from "./markdown/twin-writer.js";

export interface TwinOptions {
  readonly resolveLink: ResolveLink;
  /** UTF-8 text of a file put into a page, or undefined if it cannot be read. Called once a page for each file. */
  readonly readSource: (sourcePath: string) => string | undefined;
}

/**
 * Makes a page's Markdown twin: title as H1, description as quote, the site's instructions, then the body with every
 * component written as Markdown. `source` is the page's whole text, front matter included: code fences and prose
 * come from it letter by letter, with LF line ends. Nothing is thrown, whatever the page holds.
 */
export function createTwin(
  site: Site,
  { resolveLink, readSource }: TwinOptions,
): (plan: PagePlan, content: PageContent, source: string) => string {
  const instructions = instructionsBlock(site);
  const shared = new WeakMap<object, string>();
  return (plan, content, source) => {
    const sources = new PageSources(plan.sourcePath, source, readSource);
    const writer = new TwinWriter(
      content.tree,
      sources,
      (url, sourcePath) => resolveLink(url, sourcePath, plan),
      shared,
    );
    const first = content.tree.children[0];
    const body = writer.body(repeatsTitle(first, plan.title, writer) ? first : undefined);
    const description = markdownLine(plan.description ?? "");
    const parts = [
      `# ${markdownLine(plan.title)}`,
      description === "" ? "" : `> ${description}`,
      instructions,
      content.tree.children.some(isEndpoint) ? "" : operationLine(plan),
      externalLink(plan),
      body.trim(),
    ].filter((part) => part !== "");
    // Joined with its end: a text that is added to another is copied when it is looked at.
    parts.push(`${parts.pop()}\n`);
    const text = parts.join("\n\n");
    return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  };
}

/** What `markdown.instructions` asks agents to mind; empty without it. */
export function instructionsBlock(site: Site): string {
  const { instructions } = site.config.markdown;
  if (instructions.length === 0) return "";
  return quote(["**Agent instructions**", ...instructions.map((text) => text.trim())].join("\n\n"));
}

/** Writers repeat the title as the body's first heading now and then. */
const repeatsTitle = (first: RootContent | undefined, title: string, writer: TwinWriter): boolean =>
  first?.type === "heading" && first.depth === 1 && writer.text(first.children as Nodes[]).trim() === title.trim();

/** A page whose content names its endpoint need not be told by its front matter. */
const isEndpoint = (node: RootContent): boolean => node.type === "mdxJsxFlowElement" && node.name === "ApiHeader";

/** `openapi.json GET /users` of an endpoint page, as front matter names it. */
function operationLine({ api: target, generated, frontmatter: { openapi, api, asyncapi } }: PagePlan): string {
  if (generated && target) return codeSpan(markdownLine(`${target.spec} ${nameOfTarget(target)}`));
  const operation = [openapi, api, asyncapi].find((value) => typeof value === "string" && value.trim() !== "");
  return typeof operation === "string" ? codeSpan(markdownLine(operation)) : "";
}

function nameOfTarget(target: NonNullable<PagePlan["api"]>): string {
  if (target.kind === "operation") return `${target.method.toUpperCase()} ${target.path}`;
  return target.kind === "webhook" ? `webhook ${target.name}` : target.name;
}

/** A page that only leads elsewhere. */
function externalLink({ title, frontmatter: { url } }: PagePlan): string {
  return typeof url === "string" && /^https?:\/\//.test(url) ? `[${linkLabel(title)}](${linkTarget(url)})` : "";
}
