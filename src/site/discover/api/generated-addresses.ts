import { createHash } from "node:crypto";
import { foldPath } from "../../../lib/url/index.js";
import { isGraphql } from "../../api-spec.js";
import type { SpecEntry } from "../../specs/index.js";

/** What a generated page can be called by, best first. */
export interface AddressRequest {
  /** Names the page, whatever else the site has. */
  readonly identity: string;
  /** Pages of one group must not share an address: of several that ask for one, none gets it. Absent: the first gets it. */
  readonly group?: string;
  readonly addresses: readonly string[];
}

/**
 * Gives each page the first of its addresses that is free and that no other page of its group asks for too; a page without
 * such an address gets its last one with a hash of its identity. So an address depends on what the page is about and
 * not on its position: it stays when other pages come and go. Addresses that differ only in case are one.
 *
 * @param isFile whether a page file has an address.
 */
export function assignAddresses(
  requests: readonly AddressRequest[],
  isFile: (address: string) => boolean,
): { readonly addresses: readonly string[]; readonly isTaken: (address: string) => boolean } {
  const taken = new Set<string>();
  const has = (address: string): boolean => taken.has(foldPath(address)) || isFile(address);
  // Hosts open the index of a folder where its own page is asked for.
  const isTaken = (address: string): boolean =>
    has(address) || (/.\/index$/i.test(address) && has(address.slice(0, -6)));
  const assigned: string[] = [];
  const take = (index: number, address: string): void => {
    assigned[index] = address;
    taken.add(foldPath(address));
  };
  const groups = Map.groupBy(requests.keys(), (index) => requests[index]!.group ?? requests[index]!.identity);
  for (const indexes of groups.values()) {
    let left: readonly number[] = indexes;
    for (let rank = 0; left.length > 0; rank++) {
      const at = (index: number): string | undefined => requests[index]!.addresses[rank];
      const asking = Map.groupBy(left, (index) => foldPath(at(index) ?? ""));
      const waiting = left.filter((index) => {
        const address = at(index);
        if (address === undefined || asking.get(foldPath(address))!.length > 1 || isTaken(address)) return true;
        take(index, address);
        return false;
      });
      if (left.every((index) => at(index) === undefined)) break;
      left = waiting;
    }
    for (const index of left) {
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
/** Longer summaries and paths are cut in addresses, in characters. */
const maxPartLength = 80;

/** The default folder of generated pages. */
const defaultDirectory = "api-reference";
const directories: { readonly [kind in SpecEntry["kind"]]?: string } = {
  graphql: "graphql-reference",
  workflow: "workflows",
};

/**
 * The addresses of the page of an entry, best first: that of `x-mint`; else tag and summary, or method and path; then, for
 * entries that share one, method and path with the names of the parameters. `former` is one that earlier versions gave it.
 */
export function addressesOf(entry: SpecEntry, directory: string | undefined) {
  const own = cleanPath(entry.href ?? "");
  if (own !== "") return { addresses: [`/${own}`] };
  const folder = entry.tag ?? (entry.kind === "channel" ? folderOfChannel(entry) : "");
  const within = (folderSlug: string, last: string): string =>
    joined(directory ?? directories[entry.kind], folderSlug, last);
  const last = lastPart(entry);
  const written = within(addressSlug(folder), last);
  const tidy = within(tidySlug(folder), isTidy(last) ? last : readablePart(entry));
  // Earlier versions had no pages of directives.
  const isNew = entry.title === undefined || entry.name.startsWith("@");
  const former = formerOfChannel(entry, directory) ?? (isNew ? undefined : written);
  return { addresses: [tidy, within(tidySlug(folder), ownPart(entry))], former: former === tidy ? undefined : former };
}

/** @param kind of the topic; its page gets what operations leave. @param api title of the API. */
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

/** For a specification that could not be fetched. */
export const addressOfPlaceholder = (method: string | undefined, name: string, directory: string | undefined): string =>
  joined(directory, method === undefined ? tidySlug(name) || "api" : `${method}-${tidySlug(name)}`);

/** The protocol, whether or not it is encrypted; for unknown ones the folder that all channels once had. */
function folderOfChannel({ protocol }: SpecEntry): string {
  if (protocol === undefined || /^WSS?$/.test(protocol)) return websockets;
  return protocol.replace(/^(AMQP|HTTP|JMS|MQTT|STOMP|REDIS)S$/, "$1");
}
const websockets = "websockets";

/** All channels without a tag were in this folder. */
function formerOfChannel(entry: SpecEntry, directory: string | undefined): string | undefined {
  return entry.kind === "channel" && entry.tag === undefined
    ? joined(directory, websockets, lastPart(entry))
    : undefined;
}

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
  // The id of a workflow stays when its summary is edited.
  const slug = slugOf(kind === "workflow" ? hyphenated(name) : title);
  return slug === "" ? undefined : slug.length <= maxPartLength ? slug : wholeWords(slug, "-", maxPartLength);
}

/** An identifier of several words in capitals, `listAllStays`, with hyphens between them. */
const hyphenated = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, "$1-$2");

const readablePart = (entry: SpecEntry): string =>
  titlePart(entry) ?? (entry.kind === "operation" ? ownPart(entry) : readableSlug(entry.name) || entry.kind);

/** Method and path with the names of parameters, so that few entries of an API share it. */
function ownPart({ kind, method, name }: SpecEntry): string {
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

/** Whether a part of an address needs no code in a URL or a shell, and reads well. */
const isTidy = (slug: string): boolean =>
  /^(?!-)[^\0-,./:-@[-^`{-\x7f\p{Z}\p{C}]+(?<!-)$/u.test(slug) && !/^\w+--/.test(slug);

/** As `addressSlug`, unless that leaves signs that are unsafe in file names or URLs. */
function tidySlug(text: string): string {
  const slug = addressSlug(text);
  return isTidy(slug) ? slug : readableSlug(text);
}

/** Letters, digits and `_` in lower case; one hyphen for everything between. */
const readableSlug = (text: string): string =>
  text
    .replace(/['’]/g, "")
    .replace(/[\0-,./:-@[-^`{-\x7f\p{Z}\p{C}-]+/gu, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
