import { createHash } from "node:crypto";
import type { Nodes, RootContent } from "mdast";
import { withoutNull } from "../../lib/html/escape.js";
import { codeSpan, linkTarget, quote } from "../../lib/markdown.js";
import type { PageContent } from "../../page/content/index.js";
import type { Contextual } from "../../site/config/index.js";
import { type Addresses, hrefWithSuffix, type LoadedKind } from "../../site/links/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import { markdownPath } from "./address.js";
import { plainText } from "./markdown/component-writer.js";
import { linkLabel, markdownLine, withoutBrackets } from "./markdown/markdown.js";
import { MarkdownWriter } from "./markdown/markdown-writer.js";
import { PageSources } from "./markdown/source-text.js";

interface MarkdownOptions {
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
    const text = withoutPictureData(parts.join("\n\n"));
    return withoutNull(text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);
  };
}

/** A picture that the page contains is its alternative text: language models can do nothing with its bytes. */
const withoutPictureData = (text: string): string =>
  text.includes("](data:image/") ? text.replace(pictureData, "$1") : text;
const pictureData = /!\[((?:[^\]\\\n]|\\.){0,1000})\]\(<?data:image\/[^()<>\s]{200,}>?(?:[ \t]+"[^"\n]{0,1000}")?\)/g;

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
const externalLink = ({ title, frontmatter: { url } }: PagePlan): string =>
  typeof url === "string" && /^https?:\/\//.test(url) ? `[${linkLabel(title)}](${linkTarget(url)})` : "";

/** The link of a Markdown version to `url`; undefined if it stays as written. `kind`: the page loads the target. */
type ResolveLink = (url: string, sourcePath: string, from: PagePlan, kind?: LoadedKind) => string | undefined;

/** Resolves links to the Markdown versions of pages, and to files; follows redirects. */
export function createMarkdownLinks(addresses: Pick<Addresses, "resolve" | "resolveFile">): ResolveLink {
  return (url, sourcePath, from, kind) => {
    const origin = { sourcePath: from.sourcePath, writtenIn: sourcePath };
    const target = kind ? addresses.resolveFile(url, origin, kind) : addresses.resolve(url, origin);
    switch (target.kind) {
      case "page":
        return withoutBrackets(hrefWithSuffix(markdownPath(from), markdownPath(target.page), target.suffix));
      case "file":
        return withoutBrackets(hrefWithSuffix(markdownPath(from), target.outputPath, target.suffix));
      case "external":
        return target.url === url ? undefined : target.url;
      default:
        return undefined;
    }
  };
}

/** Whether pages with this menu offer to copy their Markdown or to pass it on. */
export const copiesMarkdown = (contextual: Contextual | undefined): boolean =>
  contextual?.options.some((option) =>
    typeof option === "string" ? option === "copy" : JSON.stringify(option.href).includes("$page"),
  ) ?? false;

/**
 * A Markdown version as a classic script, `offprintMarkdown("# Title …")`, loaded when a reader copies the page: pages
 * opened from disk cannot read other files. Its name contains a hash of the text.
 *
 * Converting the page's HTML in the browser would save the file, but the result would lack what is for agents only, and
 * every component would need a second conversion to Markdown.
 */
export function markdownScript(
  markdownPath: string,
  markdown: string,
): { readonly path: string; readonly text: string } {
  const text = `offprintMarkdown(${JSON.stringify(markdown)});\n`;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return { path: `_offprint/markdown/${markdownPath.replace(/\.md$/, "")}.${hash}.js`, text };
}
