import { oneLine, repeatsTitle } from "../../../lib/plain-text.js";
import type { Restriction } from "../../audience.js";
import type { Frontmatter } from "../../site.js";
import { type ApiTarget, addressNamesOf, type SpecEntry, schemaPlaceOf } from "../../specs/index.js";
import { labelOf } from "./find-described.js";
import {
  type AddressRequest,
  addressesOf,
  addressesOfTopic,
  addressOfPlaceholder,
  assignAddresses,
  wholeWords,
} from "./generated-addresses.js";
import { parseEndpoint } from "./parse-reference.js";
import type { CatalogSpec } from "./spec-catalog.js";

/** A page without a file, made from a specification. */
export interface GeneratedPage {
  /** Differs from every source path. */
  readonly id: string;
  /** Path of the specification. */
  readonly sourcePath: string;
  readonly urlPath: string;
  /** The address of the page in earlier versions, if no other page has it. */
  readonly formerPath?: string;
  /** Absent if the specification could not be fetched; `unavailable` is its address then. */
  readonly api?: ApiTarget;
  readonly unavailable?: string;
  readonly frontmatter: Frontmatter;
  readonly described: DescribedFacts;
  /** MDX before the part made from the specification. */
  readonly text: string;
}

/** Facts of a page that come from the operation that it documents. */
export interface DescribedFacts {
  readonly title?: string;
  readonly sidebarTitle?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  /** Protocol of a channel. */
  readonly protocol?: string;
  readonly hidden: boolean;
  /** See `SpecEntry`; absent for all readers. */
  readonly restrictions?: readonly Restriction[];
}

export type GeneratedPages = ReturnType<typeof createGeneratedPages>;

/** The description of the whole API, of a tag or of an object, or the list of all objects. */
export interface Topic {
  readonly spec: CatalogSpec;
  readonly api: Extract<ApiTarget, { kind: "overview" | "group" | "model" | "objects" }>;
  readonly directory: string | undefined;
  readonly title: string;
  readonly sidebarTitle?: string;
  /** Markdown. */
  readonly description?: string;
}

/** Summaries are cut at this length in the sidebar, in characters. */
const maxTitleLength = 80;

type FileAt = (urlPath: string) => { readonly sourcePath: string; readonly about?: ApiTarget } | undefined;
type OnTaken = (
  page: { readonly spec: CatalogSpec; readonly entry: SpecEntry },
  address: string,
  urlPath: string,
  by: string,
) => void;

/**
 * @param fileAt returns the page file at an address, if any. It keeps the address; if it documents the same entry, it is
 *   used as the page of the entry.
 */
export function createGeneratedPages(fileAt: FileAt, onTaken: OnTaken) {
  const ids = new Map<string, string>();
  const pages = new Map<string, Planned>();
  const topics: (readonly [topic: Topic, addresses: readonly string[], use: (id: string) => void])[] = [];

  const add = (key: string, name: string, page: Omit<Planned, "id" | "key">): string => {
    const written = `${name} of ${page.sourcePath}`;
    // Specifications with different overlays have the same source.
    let id = written;
    for (let count = 2; pages.has(id); count++) id = `${written} (${count})`;
    ids.set(key, id);
    pages.set(id, { id, key, ...page });
    return id;
  };

  return {
    /** The id of the page about an entry. @param isNamed the navigation lists the entry by hand, so it is shown */
    pageOf(spec: CatalogSpec, entry: SpecEntry, directory: string | undefined, isNamed: boolean): string {
      const key = JSON.stringify([spec.key, entry.pointer, directory]);
      const id = ids.get(key);
      if (id !== undefined) {
        const page = pages.get(id);
        if (isNamed && page?.described.hidden)
          pages.set(id, { ...page, described: { ...page.described, hidden: false } });
        return id;
      }
      const api = entry.target;
      const { addresses, former } = addressesOf(entry, directory);
      const file = fileAt(addresses[0]!);
      if (file?.about && JSON.stringify(file.about) === JSON.stringify(api)) {
        ids.set(key, file.sourcePath);
        return file.sourcePath;
      }
      return add(key, labelOf(entry), {
        sourcePath: spec.source,
        ...(entry.href === undefined && { group: spec.key }),
        addresses,
        formerPath: former,
        about: { spec, entry },
        api,
        frontmatter: frontmatterOf(entry),
        described: { ...describedFacts(entry), hidden: entry.hidden && !isNamed },
        text: entry.content ?? "",
      });
    },
    /**
     * The id of the page in place of a specification that could not be fetched. `about` is one operation, as written, or the
     * label of the container of all operations.
     */
    placeholderOf(source: string, about: string, directory: string | undefined): string {
      const key = JSON.stringify([source, about, directory]);
      const id = ids.get(key);
      if (id !== undefined) return id;
      const endpoint = parseEndpoint(about);
      const label = endpoint ? `${endpoint.method.toUpperCase()} ${endpoint.name}` : about;
      return add(key, label, {
        sourcePath: source,
        addresses: [addressOfPlaceholder(endpoint?.method, endpoint?.name ?? about, directory)],
        unavailable: source,
        frontmatter: endpoint ? { openapi: label } : {},
        described: { title: label, sidebarTitle: endpoint?.name, deprecated: false, hidden: false },
        text: "",
      });
    },
    /**
     * Adds the page about a whole specification or a tag, and calls `use` with its id once all other pages have addresses.
     * Returns false if the site has a page file at its address, which is shown instead.
     */
    topic(topic: Topic, use: (id: string) => void): boolean {
      const { api, spec, directory } = topic;
      const names = api.kind === "group" ? [api.name] : api.kind === "model" ? addressNamesOf(api.pointer) : [""];
      const addresses = names.flatMap((name) =>
        addressesOfTopic(api.kind, name, spec.title ?? "", directory, spec.format === "arazzo"),
      );
      if (fileAt(addresses[0]!) !== undefined) return false;
      topics.push([topic, addresses, use]);
      return true;
    },
    /** All pages, with those about topics, by id. */
    all(): ReadonlyMap<string, GeneratedPage> {
      const isOfFile = ({ api }: Topic): boolean => api.kind === "model" && schemaPlaceOf(api.pointer)?.isFile === true;
      // Of files with equal names, none has the short address, so that it does not move when another one is added.
      for (const [topic, addresses, use] of topics
        .splice(0)
        .sort(([a], [b]) => Number(isOfFile(a)) - Number(isOfFile(b)))) {
        const { spec, api, directory, title, sidebarTitle, description } = topic;
        const group = isOfFile(topic) ? { group: `${spec.key} files` } : {};
        const key = JSON.stringify([api, directory]);
        const lead = description === undefined ? undefined : leadOf(description);
        const described = { title, sidebarTitle, description: lead, deprecated: false, hidden: false };
        const page = { sourcePath: spec.source, ...group, addresses, api, frontmatter: {}, described, text: "" };
        use(ids.get(key) ?? add(key, api.kind === "model" ? api.pointer : api.kind, page));
      }
      return withAddresses([...pages.values()], fileAt, onTaken);
    },
  };
}

/** A page before the addresses of all pages are known. */
interface Planned extends Omit<GeneratedPage, "urlPath">, Omit<AddressRequest, "identity"> {
  readonly key: string;
  readonly about?: { readonly spec: CatalogSpec; readonly entry: SpecEntry };
}

/** Gives all pages their addresses. Of several pages with the same title, the first keeps its former address as a redirect. */
function withAddresses(
  pages: readonly Planned[],
  fileAt: FileAt,
  onTaken: OnTaken,
): ReadonlyMap<string, GeneratedPage> {
  const requests = pages.map(({ key, group, addresses }) => ({ identity: key, group, addresses }));
  const isFile = (address: string): boolean => fileAt(address) !== undefined;
  const { addresses, isTaken } = assignAddresses(requests, isFile);
  const moved = new Set<string>();
  return new Map(
    pages.map(({ key: _, group: __, addresses: [best], about, formerPath: former, ...page }, index) => {
      const urlPath = addresses[index]!;
      const file = fileAt(best!);
      if (file && about) onTaken(about, best!, urlPath, file.sourcePath);
      const formerPath = former ?? (about === undefined ? undefined : best);
      const isFree =
        formerPath !== undefined && !isTaken(formerPath) && !moved.has(formerPath) && !/[*:()|<>[\]^]/.test(formerPath);
      if (isFree) moved.add(formerPath);
      return [page.id, { ...page, urlPath, ...(isFree && { formerPath }) }];
    }),
  );
}

/** Facts of a page that come from its operation or channel. Its front matter overrides them. */
export function describedFacts(entry: SpecEntry): Omit<DescribedFacts, "hidden"> {
  const { kind, name, description, deprecated, protocol, restrictions } = entry;
  const title = entry.derivedTitle ?? entry.title;
  const written = description === undefined ? undefined : leadOf(description);
  const isShortened = title !== entry.title && entry.title !== undefined;
  const lead = isShortened && !oneLine(written ?? "").startsWith(oneLine(entry.title)) ? entry.title : written;
  return {
    title: title ?? (kind === "operation" ? labelOf(entry) : name),
    sidebarTitle: title === undefined ? (kind === "operation" ? name : undefined) : shortTitle(title),
    description: lead !== undefined && title !== undefined && repeatsTitle(lead, title) ? undefined : lead,
    deprecated,
    protocol,
    restrictions,
  };
}

/** The shortened title for the sidebar; undefined if the title is short enough. */
const shortTitle = (title: string): string | undefined =>
  title.length <= maxTitleLength ? undefined : `${wholeWords(title, " ", maxTitleLength)}…`;

/**
 * The first paragraph of a description, for the line below a title. Undefined if the text starts with a heading, list or
 * table; if it contains HTML, which that line would show as text; or if a link would not work there: a link to an anchor, or
 * to an address that another part of the description defines. Undefined also for a line that ends with a colon, because the
 * address of the operation would separate it from what it announces.
 */
export function leadOf(description: string): string | undefined {
  // Some writers end lines, even empty ones, with a backslash for a line break.
  const [first = ""] = description.trim().split(/\r?\n[ \t\\]*\r?\n/, 1);
  const lines = first.split(/\r?\n/);
  // Lists, quotes and the like need no empty line above, except lists that do not start with 1, and tags within text.
  const end = lines.findIndex((line, i) => startsBlock.test(line) && (i === 0 || !continuesText.test(line)));
  if (end === 0 || isUnderline.test(lines[1] ?? "")) return undefined;
  const paragraph = end < 0 ? lines : lines.slice(0, end);
  const lead = paragraph
    .join("\n")
    .replace(/\s*\\?\n\s*/g, " ")
    .replace(/\\?\s*$/, "");
  const hasHtml = /<\/?[a-z][\w-]*(?:[\s/][^<>]*)?>/i.test(lead.replace(/`[^`]*`/g, ""));
  const isAlone = !/[:：]$/.test(lead) && !lead.includes("](#") && !isDefinedBelow(lead, description);
  return lead === "" || hasHtml || !isAlone ? undefined : lead;
}

/** Whether a line has a link such as `[text][1]` whose address is defined in another part of its description. */
const isDefinedBelow = (line: string, description: string): boolean =>
  description.includes("]:") &&
  [...description.matchAll(/^ {0,3}(\[[^[\]]+\]):/gm)].some(([, label]) =>
    line.toLowerCase().includes(label!.toLowerCase()),
  );
const startsBlock = /^ {0,3}(?:#{1,6}\s|\{%|[-*+]\s|\d{1,9}[.)]\s|[|>]|```|~~~|<(?!https?:|mailto:))/;
const continuesText =
  /^ *(?:\d\d|[02-9]|<\/?(?:a|abbr|b|big|br|cite|code|del|dfn|em|font|i|img|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var)\b)/i;
/** The line below the text of a heading that marks it as one. */
const isUnderline = /^ {0,3}(?:=+|-+)\s*$/;

function frontmatterOf({ metadata, badge }: SpecEntry): Frontmatter {
  const { openapi: _, ...rest } = (metadata ?? {}) as Frontmatter;
  return badge === undefined ? rest : { tag: badge, ...rest };
}
