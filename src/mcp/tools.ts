import { languageIn } from "../lib/language/index.js";
import { headingKey, markdownSections } from "../lib/markdown-sections.js";
import { decodePercent } from "../lib/url/index.js";
import type { Documentation, ListedPage, PageSection } from "./documentation.js";
import definitions from "./tools.json" with { type: "json" };

/** The model sent an invalid argument, or asked for something that does not exist. It reads the message and retries. */
export class ToolFault extends Error {
  override readonly name = "ToolFault";
}

/** Longest text of an answer of `read_page`, in UTF-16 code units: about 10,000 tokens. */
const maxPageText = 40_000;
const maxListed = 200;
const maxExcerpt = 700;

type Arguments = Readonly<Record<string, unknown>>;
interface Property {
  readonly type: string;
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
    readonly additionalProperties: boolean;
  };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** The tools for any site. Those of a site with versions or languages also take one of them. */
export const toolDefinitions = definitions as unknown as readonly ToolDefinition[];

/** The tools as a client sees them. `version` and `language` are there if the site has several. */
export function toolsFor({ versions, languages }: Pick<Documentation, "versions" | "languages">): ToolDefinition[] {
  const choices: Record<string, Property> = {};
  if (versions.length > 1) choices["version"] = choice(versions, "Version of the documentation. Default: the newest.");
  if (languages.length > 1) choices["language"] = choice(languages, "Language, as a BCP 47 tag. Default: the site's.");
  return toolDefinitions.map((tool) =>
    tool.name === "read_page"
      ? tool
      : { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...tool.inputSchema.properties, ...choices } } },
  );
}

const choice = (values: readonly string[], description: string): Property => ({
  type: "string",
  enum: values,
  description,
});

/** The text of a tool's answer. @throws {ToolFault} if an argument is invalid, or there is no such page or tool. */
export async function callTool(docs: Documentation, name: string, args: Arguments): Promise<string> {
  const tool = toolsFor(docs).find((candidate) => candidate.name === name);
  if (!tool) throw new ToolFault(`There is no tool "${name}". The tools are search, read_page and list_pages.`);
  // A language may be written as in docs.json: "zh" for "zh-Hans".
  const written = typeof args["language"] === "string" && languageIn(docs.languages, args["language"]);
  const values = checkArguments(tool, written ? { ...args, language: written } : args);
  const { version, language } = values as { readonly version?: string; readonly language?: string };
  const filter = { ...(version === undefined ? {} : { version }), ...(language === undefined ? {} : { language }) };
  if (name === "search") return search(docs, String(values["query"]), Number(values["limit"] ?? 6), filter);
  const offset = Number(values["offset"] ?? 0);
  if (name === "read_page") return readPage(docs, String(values["path"]), offset);
  return listPages(docs.pages, String(values["prefix"] ?? ""), offset, filter);
}

/** Leaves out arguments that are `null`, which some models send. @throws {ToolFault} that names the first fault. */
function checkArguments({ name, inputSchema }: ToolDefinition, args: Arguments): Arguments {
  const { properties, required = [] } = inputSchema;
  const values = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  const fault = (text: string) => new ToolFault(`${name}: ${text}`);
  for (const key of Object.keys(values))
    if (!Object.hasOwn(properties, key))
      throw fault(`there is no argument "${key.slice(0, 100)}". It takes ${Object.keys(properties).join(", ")}.`);
  for (const key of required) if (!Object.hasOwn(values, key)) throw fault(`the argument "${key}" is missing.`);
  for (const [key, value] of Object.entries(values)) {
    const { type, minLength = 0, maxLength = 1000, minimum = 0, maximum = 0, enum: allowed } = properties[key]!;
    if (type === "integer") {
      if (!Number.isInteger(value) || (value as number) < minimum || (value as number) > maximum)
        throw fault(`"${key}" must be a whole number from ${minimum} to ${maximum}.`);
    } else if (typeof value !== "string" || value.trim().length < minLength || value.length > maxLength)
      throw fault(`"${key}" must be a string of ${minLength} to ${maxLength} characters.`);
    else if (allowed && !allowed.includes(value))
      throw fault(`"${key}" must be one of ${allowed.slice(0, 50).join(", ")}, not "${value.slice(0, 100)}".`);
  }
  return values;
}

type Filter = { readonly version?: string; readonly language?: string };

async function search(docs: Documentation, query: string, count: number, filter: Filter): Promise<string> {
  const { passages } = await docs.search({ query, count, filter });
  if (passages.length === 0)
    return `Nothing in the documentation of ${docs.siteName} matches "${query.slice(0, 200)}". Try other words, or list_pages.`;
  return passages
    .map(({ path, anchor, url, title, heading, trail, text }, at) => {
      const name = heading === "" || heading === title ? title : `${title} › ${heading}`;
      const place = trail.length === 0 ? "" : `\nin: ${trail.join(" › ")}`;
      return `## ${at + 1}. ${oneLine(name)}\npath: ${path}${anchor === "" ? "" : `#${anchor}`}\nurl: ${url}${oneLine(place)}\n\n${cutAt(text, maxExcerpt)}`;
    })
    .join("\n\n");
}

async function readPage(docs: Documentation, written: string, offset: number): Promise<string> {
  const { path, anchor } = pageAddress(docs, written);
  const page = await docs.page(path);
  if (!page) {
    const near = nearestPages(docs.pages, path);
    const hint = near.length === 0 ? "Find pages with search or list_pages." : `Did you mean ${near.join(", ")}?`;
    throw new ToolFault(`There is no page "${path.slice(0, 200)}". ${hint}`);
  }
  const section = anchor === "" ? undefined : sectionOf(page.content, (await docs.sections(path)) ?? [], anchor);
  const missing =
    anchor === "" || section !== undefined
      ? ""
      : `(The page has no section "${anchor.slice(0, 200)}"; this is the whole page.)\n\n`;
  const text = section ?? page.content;
  if (offset > 0 && offset >= text.length)
    throw new ToolFault(`read_page: "offset" is ${offset}, but the text has ${text.length} characters.`);
  const part = cutAt(text.slice(offset), maxPageText);
  const end = offset + part.length;
  const more =
    end < text.length ? `\n\n(Characters ${offset} to ${end} of ${text.length}. Continue with "offset": ${end}.)` : "";
  return missing + part + more;
}

/** Splits a path, the URL of a page or the URI of its resource into the path and the anchor. */
export function pageAddress(
  { pages }: Pick<Documentation, "pages">,
  written: string,
): { readonly path: string; readonly anchor: string } {
  const [, beforeHash = "", anchor = ""] = /^([^#]*)#?(.*)$/s.exec(written.trim())!;
  const path = decodePercent(beforeHash.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/\?.*$/s, ""));
  const rooted = path.startsWith("/") ? path : `/${path}`;
  // The paths of pages do not contain the base path of the site, such as /docs.
  const below = pages.some((page) => page.path === rooted) ? undefined : /^\/[^/]+(\/.*)$/.exec(rooted)?.[1];
  const isUrl = /^https?:/i.test(written.trim());
  return {
    path: isUrl && below !== undefined && pages.some((page) => page.path === below) ? below : rooted,
    anchor: decodePercent(anchor),
  };
}

/** Up to five pages with the same last name. */
function nearestPages(pages: readonly ListedPage[], path: string): readonly string[] {
  const name = lastName(path).toLowerCase();
  if (name === "") return [];
  return pages
    .filter((page) => lastName(page.path).toLowerCase().includes(name))
    .slice(0, 5)
    .map((page) => page.path);
}

const lastName = (path: string): string =>
  path
    .replace(/(?:\.md|\.html|\/)$/, "")
    .split("/")
    .at(-1)!;

function listPages(pages: readonly ListedPage[], prefix: string, offset: number, filter: Filter): string {
  const start = prefix.startsWith("/") || prefix === "" ? prefix : `/${prefix}`;
  const all = pages.filter(
    ({ path, version, language }) =>
      path.startsWith(start) &&
      [undefined, filter.version ?? version].includes(version) &&
      [undefined, filter.language ?? language].includes(language),
  );
  if (all.length === 0) throw new ToolFault(`No page has a path that starts with "${prefix.slice(0, 200)}".`);
  const shown = all.slice(offset, offset + maxListed);
  const lines = shown.map(
    ({ path, title, trail }) => `- ${path}: ${oneLine([...trail, title].join(" › ")).slice(0, 300)}`,
  );
  const end = offset + shown.length;
  const more = end < all.length ? ` Continue with "offset": ${end}.` : "";
  return `Pages ${Math.min(offset + 1, all.length)} to ${end} of ${all.length}.${more}\n\n${lines.join("\n")}`;
}

const oneLine = (text: string): string => text.replace(/(?!^)\s+/g, " ");

/** Cuts at the end of a line or a word if one is near, and never within a character. */
function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length);
  const end = Math.max(start.lastIndexOf("\n"), start.lastIndexOf(" "));
  const cut = end > length / 2 ? start.slice(0, end) : start;
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/**
 * The part of a page's Markdown from a heading to the next one that is not below it.
 *
 * @param sections of the page, as its search has them.
 * @returns undefined if the page has no such section.
 */
export function sectionOf(markdown: string, sections: readonly PageSection[], anchor: string): string | undefined {
  const at = sections.findIndex((section) => section.anchor === anchor);
  if (at < 0) return undefined;
  const key = headingKey(sections[at]!.heading);
  // Headings with the same text are counted, so that the second "Example" is not the first.
  const before = sections
    .slice(0, at)
    .filter((section) => section.anchor !== "" && headingKey(section.heading) === key).length;
  const parts = markdownSections(markdown);
  const first = parts.filter((part) => part.level > 0 && part.key === key)[before];
  if (first === undefined) return undefined;
  const rest = parts.slice(parts.indexOf(first));
  const end = rest.findIndex(({ level }, index) => index > 0 && level <= first.level);
  return (end < 0 ? rest : rest.slice(0, end))
    .map(({ text }) => text)
    .join("\n")
    .trimEnd();
}
