import type { Frontmatter } from "../../site.js";
import type { ApiTarget, SpecEntry } from "../../specs/index.js";
import { labelOf, targetOf } from "./find-described.js";
import { parseEndpoint } from "./parse-reference.js";
import { slugOf } from "./slug.js";
import type { CatalogSpec } from "./spec-catalog.js";

/** A page without a file: made from what a specification describes. */
export interface GeneratedPage {
  /** Unlike every source path. */
  readonly id: string;
  /** The specification. */
  readonly sourcePath: string;
  readonly urlPath: string;
  /** Absent where the specification could not be fetched; then `unavailable` is its address. */
  readonly api?: ApiTarget;
  readonly unavailable?: string;
  readonly frontmatter: Frontmatter;
  readonly described: DescribedFacts;
  /** MDX that stands before what is made from the specification. */
  readonly text: string;
}

/** What a page says of itself by what it is about. */
export interface DescribedFacts {
  readonly title?: string;
  readonly sidebarTitle?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  /** Of a channel. */
  readonly protocol?: string;
  readonly hidden: boolean;
}

export interface GeneratedPages {
  /** The page about an entry, the same one each time. `asked`: a writer named this very entry, so it is not hidden. */
  pageOf(spec: CatalogSpec, entry: SpecEntry, directory: string | undefined, asked: boolean): string;
  /**
   * The page that stands for what a specification describes, which could not be fetched: for one operation, as written,
   * or for all of them with the label of the container that shall list them.
   */
  placeholderOf(source: string, about: string, directory: string | undefined): string;
  all(): ReadonlyMap<string, GeneratedPage>;
}

/** Where generated pages stand unless a setting says otherwise. */
const defaultDirectory = "api-reference";
/** The part of a channel's address where other pages have their tag. */
const untaggedChannels = "websockets";

/**
 * @param fileAt the page file at an address, if there is one: it has the address, and where it is about the same thing
 *   it is the page.
 */
export function createGeneratedPages(
  fileAt: (urlPath: string) => { readonly sourcePath: string; readonly about?: ApiTarget } | undefined,
  onTaken: (
    page: { readonly spec: CatalogSpec; readonly entry: SpecEntry },
    wanted: string,
    urlPath: string,
    by: string,
  ) => void,
): GeneratedPages {
  const ids = new Map<string, string>();
  const pages = new Map<string, GeneratedPage>();
  /** Of each address that is taken the number that its next namesake gets. */
  const addresses = new Map<string, number>();

  const freeAddress = (wanted: string): string => {
    const isTaken = (path: string): boolean => addresses.has(path.toLowerCase()) || fileAt(path) !== undefined;
    let count = addresses.get(wanted.toLowerCase()) ?? 1;
    let urlPath = wanted;
    while (isTaken(urlPath)) urlPath = `${wanted}-${count++}`;
    addresses.set(wanted.toLowerCase(), count);
    addresses.set(urlPath.toLowerCase(), urlPath === wanted ? count : 1);
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
      const api = targetOf(spec, entry);
      const wanted = addressOf(entry, directory);
      const file = fileAt(wanted);
      if (file?.about && JSON.stringify(file.about) === JSON.stringify(api)) {
        ids.set(key, file.sourcePath);
        return file.sourcePath;
      }
      const urlPath = freeAddress(wanted);
      if (file) onTaken({ spec, entry }, wanted, urlPath, file.sourcePath);
      return add(key, labelOf(entry), {
        sourcePath: spec.source,
        urlPath,
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
      const slug = endpoint ? `${endpoint.method}-${slugOf(endpoint.name)}` : slugOf(about);
      return add(key, label, {
        sourcePath: source,
        urlPath: freeAddress(joined(directory, slug === "" ? "api" : slug)),
        unavailable: source,
        frontmatter: endpoint ? { openapi: label } : {},
        described: { title: label, sidebarTitle: endpoint?.name, deprecated: false, hidden: false },
        text: "",
      });
    },
    all: () => pages,
  };
}

/** What a page takes from the operation or channel it is about, where its front matter does not say it. */
export function describedFacts(entry: SpecEntry): Omit<DescribedFacts, "hidden"> {
  const { kind, name, title, description, deprecated, protocol } = entry;
  return {
    title: title ?? (kind === "operation" ? labelOf(entry) : name),
    // Beside the pill of the method the path is enough.
    sidebarTitle: title === undefined && kind === "operation" ? name : undefined,
    description: description === undefined ? undefined : leadOf(description),
    deprecated,
    protocol,
  };
}

/** The first paragraph, which is what stands below a title; nothing where the text begins with a heading, list or table. */
export function leadOf(description: string): string | undefined {
  // Some end their lines with the backslash that breaks them, empty ones too.
  const [first = ""] = description.trim().split(/\r?\n[ \t\\]*\r?\n/, 1);
  const lead = first.replace(/\s*\\?\r?\n\s*/g, " ").replace(/\\$/, "");
  return lead === "" || /^(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|[|>]|```|~~~|<)/.test(lead) ? undefined : lead;
}

function addressOf(entry: SpecEntry, directory: string | undefined): string {
  const own = cleanPath(entry.href ?? "");
  if (own !== "") return `/${own}`;
  const folder = entry.tag ?? (entry.kind === "channel" ? untaggedChannels : "");
  return joined(directory, slugOf(folder), lastPart(entry));
}

function joined(directory: string | undefined, ...parts: readonly string[]): string {
  const all = [cleanPath(directory ?? defaultDirectory), ...parts];
  return `/${all.filter((part) => part !== "").join("/")}`;
}

function lastPart({ kind, title, method, name }: SpecEntry): string {
  const slug = slugOf(title ?? "");
  if (slug !== "") return slug;
  const ofName = slugOf(name);
  if (kind !== "operation") return ofName === "" ? kind : ofName;
  return ofName === "" ? method! : `${method}-${ofName}`;
}

/** Without slashes at its ends, nothing that leads upwards, no query and no fragment. */
const cleanPath = (path: string): string =>
  path
    .replace(/[?#].*$/s, "")
    .replace(/\p{Cc}|\\/gu, "")
    .split("/")
    .filter((part) => part.trim() !== "" && !/^\.{1,2}$/.test(part))
    .join("/")
    .replace(/\.(?:html?|mdx?)$/i, "")
    .replace(/(?:^|\/)index$/, "");

function frontmatterOf({ metadata, groups }: SpecEntry): Frontmatter {
  const { openapi: _, ...rest } = (metadata ?? {}) as Frontmatter;
  if (groups.length === 0) return rest;
  const own = rest["groups"];
  return { ...rest, groups: [...(Array.isArray(own) ? (own as string[]) : []), ...groups] };
}
