import { createHash } from "node:crypto";
import { oneLine } from "../../../lib/plain-text.js";
import { foldPath } from "../../../lib/url/index.js";
import { isGraphql } from "../../api-spec.js";
import type { SpecEntry } from "../../specs/index.js";

/** The possible addresses of a generated page. */
export interface AddressRequest {
  /** Identifies the page, independently of all other pages. */
  readonly identity: string;
  /** If several pages of a group want the same address, none gets it. If absent, the first page gets it. */
  readonly group?: string;
  /** Best first. */
  readonly addresses: readonly string[];
}

/**
 * Gives each page the first of its addresses that is free and that no other page of its group wants. A page without such an
 * address gets its last one with a hash of its identity. So an address depends on the subject of the page and not on its
 * position, and stays the same when other pages are added or removed. Addresses that differ only in case are the same.
 *
 * @param isFile whether a page file has an address.
 */
export function assignAddresses(
  requests: readonly AddressRequest[],
  isFile: (address: string) => boolean,
): { readonly addresses: readonly string[]; readonly isTaken: (address: string) => boolean } {
  const taken = new Set<string>();
  const has = (address: string): boolean => taken.has(foldPath(address)) || isFile(address);
  // Hosts serve the index of a folder at the folder's address.
  const isTaken = (address: string): boolean =>
    has(address) || (/.\/index$/i.test(address) && has(address.slice(0, -6)));
  const assigned: string[] = [];
  const take = (index: number, address: string): void => {
    assigned[index] = address;
    taken.add(foldPath(address));
  };
  const groups = Map.groupBy(requests.keys(), (index) => requests[index]!.group ?? requests[index]!.identity);
  for (const indexes of groups.values()) {
    let waiting: readonly number[] = indexes;
    for (let rank = 0; waiting.some((index) => requests[index]!.addresses[rank] !== undefined); rank++) {
      const at = (index: number): string | undefined => requests[index]!.addresses[rank];
      const byAddress = Map.groupBy(waiting, (index) => foldPath(at(index) ?? ""));
      waiting = waiting.filter((index) => {
        const address = at(index);
        if (address === undefined || byAddress.get(foldPath(address))!.length > 1 || isTaken(address)) return true;
        take(index, address);
        return false;
      });
    }
    for (const index of waiting) {
      const { addresses, identity } = requests[index]!;
      let hashed = identity;
      let address: string;
      do {
        hashed = createHash("sha256").update(hashed).digest("hex");
        address = `${addresses.at(-1)}-${hashed.slice(0, hashLength)}`;
      } while (isTaken(address));
      take(index, address);
    }
  }
  return { addresses: assigned, isTaken };
}

const hashLength = 8;
/** Summaries and paths are cut at this length in addresses, in characters. */
const maxPartLength = 80;

const defaultDirectory = "api-reference";
const directories: { readonly [kind in SpecEntry["kind"]]?: string } = {
  graphql: "graphql-reference",
  workflow: "workflows",
};

/**
 * The addresses of the page of an entry, best first: the one of `x-mint`; else tag and summary, or method and path; then, for
 * entries that share it, method and path with the names of the parameters. `former` is the address in earlier versions.
 */
export function addressesOf(entry: SpecEntry, directory: string | undefined) {
  const path = cleanPath(entry.href ?? "");
  if (path !== "") return { addresses: [`/${path}`] };
  const folder = entry.tag ?? (entry.kind === "channel" ? folderOfChannel(entry) : "");
  const within = (folderSlug: string, last: string): string =>
    joined(directory ?? directories[entry.kind], folderSlug, last);
  const last = lastPart(entry);
  const isTitled = titlePart(entry) !== undefined;
  const written = within(addressSlug(folder), last);
  const tidy = within(tidySlug(folder), isTitled && isTidy(last) ? last : readablePart(entry, last));
  // Earlier versions had no pages of directives, and one folder for all channels without a tag.
  const isNew = entry.name.startsWith("@") || (!isTitled && !isTidy(last));
  const isUntaggedChannel = entry.kind === "channel" && entry.tag === undefined;
  const former = isUntaggedChannel ? joined(directory, websockets, last) : isNew ? undefined : written;
  return { addresses: [tidy, within(tidySlug(folder), ownPart(entry))], former: former === tidy ? undefined : former };
}

/** The addresses of the page about a topic, assigned after those of operations. @param api title of the API. */
export function addressesOfTopic(
  kind: "overview" | "group" | "model" | "objects",
  name: string,
  api: string,
  directory: string | undefined,
  isArazzo: boolean,
): readonly string[] {
  // Names of objects are identifiers: `billing_portal.Configuration` is `billing-portal-configuration`.
  const slug = kind === "model" ? readableSlug(hyphenated(name).replaceAll("_", "-")) : tidySlug(name);
  const folder = kind === "model" ? ["objects"] : [];
  const address = joined(directory ?? (isArazzo ? directories.workflow : undefined), ...folder, slug || kind);
  const ofApi = readableSlug(api);
  return ofApi === "" ? [address] : [address, `${address}-${ofApi}`];
}

/** The folder of the pages of a specification, without slashes around it. */
export const folderOfPages = (source: string, directory: string | undefined): string =>
  joined(directory ?? (isGraphql(source) ? directories.graphql : undefined)).slice(1);

/** The address of a page in place of a specification that could not be fetched. */
export const addressOfPlaceholder = (method: string | undefined, name: string, directory: string | undefined): string =>
  joined(directory, method === undefined ? tidySlug(name) || "api" : `${method}-${tidySlug(name)}`);

/** The protocol, without the S of its encrypted form; without a protocol, the folder that all channels had once. */
function folderOfChannel({ protocol }: SpecEntry): string {
  if (protocol === undefined || /^WSS?$/.test(protocol)) return websockets;
  return protocol.replace(/^(AMQP|HTTP|JMS|MQTT|STOMP|REDIS)S$/, "$1");
}
const websockets = "websockets";

function joined(directory: string | undefined, ...parts: readonly string[]): string {
  const all = [cleanPath(directory ?? defaultDirectory), ...parts];
  return `/${all.filter((part) => part !== "").join("/")}`;
}

function lastPart(entry: SpecEntry): string {
  const { kind, method, name } = entry;
  const ofTitle = titlePart(entry, addressSlug);
  if (ofTitle !== undefined) return ofTitle;
  const ofName = addressSlug(name);
  if (kind !== "operation") return ofName === "" ? kind : ofName;
  return ofName === "" ? method! : `${method}-${ofName}`;
}

function titlePart({ kind, title = "", name }: SpecEntry, slugOf = readableSlug): string | undefined {
  // Use the id of a workflow, which stays the same when its summary is edited.
  const slug = slugOf(kind === "workflow" ? hyphenated(name) : title);
  return slug === "" ? undefined : slug.length <= maxPartLength ? slug : wholeWords(slug, "-", maxPartLength);
}

/** Puts hyphens between the words of an identifier such as `listAllStays`. */
const hyphenated = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, "$1-$2");

/** Without a title, method and path, or the name. @param last `lastPart`, which lacks the names of parameters. */
function readablePart(entry: SpecEntry, last: string): string {
  const title = titlePart(entry);
  if (title !== undefined || entry.kind !== "operation") return title ?? (readableSlug(entry.name) || entry.kind);
  return ownPart(isTidy(last) ? { ...entry, name: entry.name.replace(/\{[^}]*\}/g, " ") } : entry);
}

/** Method and path with the names of parameters, which few entries of an API share. */
function ownPart({ kind, method, name }: Pick<SpecEntry, "kind" | "method" | "name">): string {
  const slug = readableSlug(`${method ?? kind} ${name}`);
  if (slug.length <= maxPartLength) return slug;
  const hash = createHash("sha256").update(`${method} ${name}`).digest("hex").slice(0, hashLength);
  return `${wholeWords(slug, "-", maxPartLength - hashLength - 1)}-${hash}`;
}

/** The start of a long text up to the end of a word. */
export function wholeWords(text: string, blank: string, length: number): string {
  const start = text.slice(0, length).toWellFormed();
  const end = start.lastIndexOf(blank);
  return end > 0 ? start.slice(0, end) : start;
}

/** A path without slashes at its ends, `..`, query, fragment and extension. */
const cleanPath = (path: string): string =>
  path
    .replace(/[?#].*$/s, "")
    .replace(/\p{Cc}|\\/gu, "")
    .split("/")
    .filter((part) => part.trim() !== "" && !/^\.{1,2}$/.test(part))
    .join("/")
    .replace(/\.(?:html?|mdx?)$/i, "")
    .replace(/(?:^|\/)index$/, "");

/**
 * A part of a generated page's address, from a summary, tag or path: spaces and path parameters become hyphens, punctuation
 * is dropped, letters are lower case. Every two hyphens in a row become one, as in the format's first implementation, so that
 * existing links work.
 */
const addressSlug = (text: string): string =>
  text
    .trim()
    .replaceAll(" ", "-")
    .replace(/\{[^}]*\}/g, "-")
    .replace(/^-|-$/g, "")
    .replace(/[{}(),.'\n/]/g, "")
    .replaceAll("--", "-")
    .replace(/[?#\\%"\p{Cc}]/gu, "")
    .toLowerCase();

/** Whether a part of an address needs no encoding in a URL or a shell, and reads well. */
const isTidy = (slug: string): boolean =>
  /^(?!-)[^\0-,./:-@[-^`{-\x7f\p{Z}\p{C}]+(?<!-)$/u.test(slug) && !/^\w+--/.test(slug);

/** `addressSlug` of the text on one line, unless that leaves characters that are unsafe in file names or URLs. */
function tidySlug(text: string): string {
  const slug = addressSlug(oneLine(text));
  return isTidy(slug) ? slug : readableSlug(text);
}

/** Letters, digits and `_` in lower case; everything between becomes one hyphen. */
const readableSlug = (text: string): string =>
  text
    .replace(/['’]/g, "")
    .replace(/[\0-,./:-@[-^`{-\x7f\p{Z}\p{C}-]+/gu, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
