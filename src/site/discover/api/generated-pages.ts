import type { Restriction } from "../../audience.js";
import type { Frontmatter } from "../../site.js";
import { type ApiTarget, repeatsTitle, type SpecEntry } from "../../specs/index.js";
import { labelOf } from "./find-described.js";
import { parseEndpoint } from "./parse-reference.js";
import type { CatalogSpec } from "./spec-catalog.js";

/** A page without a file, made from a specification. */
export interface GeneratedPage {
  /** Differs from every source path. */
  readonly id: string;
  /** The specification. */
  readonly sourcePath: string;
  readonly urlPath: string;
  /** The address that earlier versions gave it, if no other page has it. */
  readonly formerPath?: string;
  /** Absent if the specification could not be fetched; then `unavailable` is its address. */
  readonly api?: ApiTarget;
  readonly unavailable?: string;
  readonly frontmatter: Frontmatter;
  readonly described: DescribedFacts;
  /** MDX before the part made from the specification. */
  readonly text: string;
}

/** What a page takes from the operation that it documents. */
export interface DescribedFacts {
  readonly title?: string;
  readonly sidebarTitle?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  /** Of a channel. */
  readonly protocol?: string;
  readonly hidden: boolean;
  /** See `SpecEntry`. Absent: for everyone. */
  readonly restrictions?: readonly Restriction[];
}

export interface GeneratedPages {
  /** The page about an entry, the same one each time. `asked`: the navigation names this entry, so it is not hidden. */
  pageOf(spec: CatalogSpec, entry: SpecEntry, directory: string | undefined, asked: boolean): string;
  /**
   * The placeholder page of a specification that could not be fetched: for one operation, as written, or for all of them
   * with the label of their container.
   */
  placeholderOf(source: string, about: string, directory: string | undefined): string;
  /**
   * The page about a whole specification or a tag, once all others have their addresses. False if the site has a page file
   * at its address, which is shown instead.
   */
  topic(topic: Topic, use: (id: string) => void): boolean;
  /** With the pages of topics. */
  all(): ReadonlyMap<string, GeneratedPage>;
}

/** The description of the whole API or of a tag. */
export interface Topic {
  readonly spec: CatalogSpec;
  readonly api: Extract<ApiTarget, { kind: "overview" | "group" }>;
  readonly directory: string | undefined;
  readonly title: string;
  readonly sidebarTitle?: string;
  /** Markdown. */
  readonly description?: string;
}

/** Longer summaries are cut in the sidebar and in addresses, in characters. */
const maxTitleLength = 80;

/** The default folder of generated pages. */
const defaultDirectory = "api-reference";
const directories: { readonly [kind in SpecEntry["kind"]]?: string } = {
  graphql: "graphql-reference",
  workflow: "workflows",
};

/**
 * @param fileAt the page file at an address, if any: it keeps the address, and if it documents the same entry, it is the
 *   page of the entry.
 */
export function createGeneratedPages(
  fileAt: (urlPath: string) => { readonly sourcePath: string; readonly about?: ApiTarget } | undefined,
  onTaken: (
    page: { readonly spec: CatalogSpec; readonly entry: SpecEntry },
    address: string,
    urlPath: string,
    by: string,
  ) => void,
): GeneratedPages {
  const ids = new Map<string, string>();
  const pages = new Map<string, GeneratedPage>();
  const waiting: (readonly [topic: Topic, address: string, use: (id: string) => void])[] = [];
  /** By address in use: the number for the next page of the same address. */
  const addresses = new Map<string, number>();

  const isTaken = (path: string): boolean => addresses.has(path.toLowerCase()) || fileAt(path) !== undefined;
  const freeAddress = (address: string): string => {
    let count = addresses.get(address.toLowerCase()) ?? 1;
    let urlPath = address;
    while (isTaken(urlPath)) urlPath = `${address}-${count++}`;
    addresses.set(address.toLowerCase(), count);
    addresses.set(urlPath.toLowerCase(), urlPath === address ? count : 1);
    return urlPath;
  };

  const add = (key: string, name: string, page: Omit<GeneratedPage, "id">): string => {
    const id = `${page.urlPath} (${name} of ${page.sourcePath})`;
    ids.set(key, id);
    pages.set(id, { id, ...page });
    return id;
  };

  return {
    pageOf(spec, entry, directory, asked) {
      const key = JSON.stringify([spec.key, entry.pointer, directory]);
      const known = ids.get(key);
      if (known !== undefined) {
        const page = pages.get(known);
        if (asked && page?.described.hidden)
          pages.set(known, { ...page, described: { ...page.described, hidden: false } });
        return known;
      }
      const api = entry.target;
      const address = addressOf(entry, directory);
      const file = fileAt(address);
      if (file?.about && JSON.stringify(file.about) === JSON.stringify(api)) {
        ids.set(key, file.sourcePath);
        return file.sourcePath;
      }
      const urlPath = freeAddress(address);
      if (file) onTaken({ spec, entry }, address, urlPath, file.sourcePath);
      return add(key, labelOf(entry), {
        sourcePath: spec.source,
        urlPath,
        formerPath: formerAddress(entry, directory, address),
        api,
        frontmatter: frontmatterOf(entry),
        described: { ...describedFacts(entry), hidden: entry.hidden && !asked },
        text: entry.content ?? "",
      });
    },
    placeholderOf(source, about, directory) {
      const key = JSON.stringify([source, about, directory]);
      const known = ids.get(key);
      if (known !== undefined) return known;
      const endpoint = parseEndpoint(about);
      const label = endpoint ? `${endpoint.method.toUpperCase()} ${endpoint.name}` : about;
      const slug = endpoint ? `${endpoint.method}-${addressSlug(endpoint.name)}` : addressSlug(about);
      return add(key, label, {
        sourcePath: source,
        urlPath: freeAddress(joined(directory, slug === "" ? "api" : slug)),
        unavailable: source,
        frontmatter: endpoint ? { openapi: label } : {},
        described: { title: label, sidebarTitle: endpoint?.name, deprecated: false, hidden: false },
        text: "",
      });
    },
    topic(topic, use) {
      const address = addressOfTopic(topic);
      if (fileAt(address) !== undefined) return false;
      waiting.push([topic, address, use]);
      return true;
    },
    all() {
      for (const [topic, address, use] of waiting.splice(0)) {
        const { spec, api, directory, title, sidebarTitle, description } = topic;
        const key = JSON.stringify([api, directory]);
        const page = {
          sourcePath: spec.source,
          api,
          frontmatter: {},
          described: {
            title,
            sidebarTitle,
            description: description === undefined ? undefined : leadOf(description),
            deprecated: false,
            hidden: false,
          },
          text: "",
        };
        use(ids.get(key) ?? add(key, api.kind, { ...page, urlPath: freeAddress(address) }));
      }
      for (const [id, { formerPath, ...page }] of pages)
        if (formerPath !== undefined && isTaken(formerPath)) pages.set(id, page);
      return pages;
    },
  };
}

/** Operations keep their addresses, so these get what is left. */
const addressOfTopic = ({ api, directory, spec }: Topic): string =>
  joined(
    directory ?? (spec.format === "arazzo" ? directories.workflow : undefined),
    (api.kind === "group" && addressSlug(api.name)) || api.kind,
  );

/** What a page takes from its operation or channel, unless its front matter sets it. */
export function describedFacts(entry: SpecEntry): Omit<DescribedFacts, "hidden"> {
  const { kind, name, title, description, deprecated, protocol, restrictions } = entry;
  const lead = description === undefined ? undefined : leadOf(description);
  return {
    title: title ?? (kind === "operation" ? labelOf(entry) : name),
    sidebarTitle: title === undefined ? (kind === "operation" ? name : undefined) : shortTitle(title),
    description: lead !== undefined && title !== undefined && repeatsTitle(lead, title) ? undefined : lead,
    deprecated,
    protocol,
    restrictions,
  };
}

/** For the sidebar, where the pill shows the method; undefined if the title is short enough. */
const shortTitle = (title: string): string | undefined =>
  title.length <= maxTitleLength ? undefined : `${wholeWords(title, " ")}…`;

/** The start of a long summary up to the end of a word. */
function wholeWords(text: string, blank: string): string {
  const start = text.slice(0, maxTitleLength).toWellFormed();
  const end = start.lastIndexOf(blank);
  return end > 0 ? start.slice(0, end) : start;
}

/** The first paragraph, for the line below a title; undefined if the text starts with a heading, list or table. */
export function leadOf(description: string): string | undefined {
  // Some writers end lines, even empty ones, with a backslash for a line break.
  const [first = ""] = description.trim().split(/\r?\n[ \t\\]*\r?\n/, 1);
  const lead = first.replace(/\s*\\?\r?\n\s*/g, " ").replace(/\\$/, "");
  return lead === "" || /^(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|[|>]|```|~~~|<)/.test(lead) ? undefined : lead;
}

function addressOf(entry: SpecEntry, directory: string | undefined): string {
  const own = cleanPath(entry.href ?? "");
  if (own !== "") return `/${own}`;
  const folder = entry.tag ?? (entry.kind === "channel" ? folderOfChannel(entry) : "");
  return joined(directory ?? directories[entry.kind], addressSlug(folder), lastPart(entry));
}

/** The protocol, whether or not it is encrypted; for unknown ones the folder that all channels once had. */
function folderOfChannel({ protocol }: SpecEntry): string {
  if (protocol === undefined || /^WSS?$/.test(protocol)) return websockets;
  return protocol.replace(/^(AMQP|HTTP|JMS|MQTT|STOMP|REDIS)S$/, "$1");
}
const websockets = "websockets";

/** All channels without a tag were in this folder. */
function formerAddress(entry: SpecEntry, directory: string | undefined, current: string): string | undefined {
  if (entry.kind !== "channel" || entry.tag !== undefined || cleanPath(entry.href ?? "") !== "") return undefined;
  const former = joined(directory, websockets, lastPart(entry));
  return former === current ? undefined : former;
}

function joined(directory: string | undefined, ...parts: readonly string[]): string {
  const all = [cleanPath(directory ?? defaultDirectory), ...parts];
  return `/${all.filter((part) => part !== "").join("/")}`;
}

function lastPart({ kind, title, method, name }: SpecEntry): string {
  // The id of a workflow stays when its summary is edited.
  const slug = addressSlug(kind === "workflow" ? name.replace(/([a-z\d])([A-Z])/g, "$1-$2") : (title ?? ""));
  if (slug !== "") return slug.length <= maxTitleLength ? slug : wholeWords(slug, "-");
  const ofName = addressSlug(name);
  if (kind !== "operation") return ofName === "" ? kind : ofName;
  return ofName === "" ? method! : `${method}-${ofName}`;
}

/** Without slashes at its ends, `..`, query and fragment. */
const cleanPath = (path: string): string =>
  path
    .replace(/[?#].*$/s, "")
    .replace(/\p{Cc}|\\/gu, "")
    .split("/")
    .filter((part) => part.trim() !== "" && !/^\.{1,2}$/.test(part))
    .join("/")
    .replace(/\.(?:html?|mdx?)$/i, "")
    .replace(/(?:^|\/)index$/, "");

function frontmatterOf({ metadata }: SpecEntry): Frontmatter {
  const { openapi: _, ...rest } = (metadata ?? {}) as Frontmatter;
  return rest;
}

/**
 * A part of a generated page's address, from a summary, tag or path: blanks and path parameters become hyphens, punctuation
 * is dropped, letters are lower case. As in the format's first implementation, so that existing links work, every two
 * hyphens in a row become one.
 */
function addressSlug(text: string): string {
  return text
    .trim()
    .replaceAll(" ", "-")
    .replace(/\{[^}]*\}/g, "-")
    .replace(/^-|-$/g, "")
    .replace(/[{}(),.'\n/]/g, "")
    .replaceAll("--", "-")
    .replace(/[?#\\%"\p{Cc}]/gu, "")
    .toLowerCase();
}
