import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { childOf, isList, isObject, pointerTo } from "../../lib/json/index.js";
import { plainText } from "../../lib/plain-text.js";
import type { ApiSpec } from "../api-spec.js";
import { methodKeys, methods } from "./api-target.js";
import { protocolOfChannel } from "./channel-protocol.js";

/** A part of a specification that a page can document, with the facts for the plan of that page. */
export interface SpecEntry {
  readonly kind: "operation" | "webhook" | "channel";
  /** Absent for a channel. */
  readonly method?: string;
  /** A path, or the name of a webhook or channel. */
  readonly name: string;
  /** JSON pointer of its description. */
  readonly pointer: string;
  /** Address of a channel, as clients know it. */
  readonly address?: string;
  /** Protocol of a channel, in capitals: `WSS`, `MQTT`. */
  readonly protocol?: string;
  /** Its summary or title, without marks of Markdown. */
  readonly title?: string;
  /** Markdown. */
  readonly description?: string;
  readonly deprecated: boolean;
  /** Its first tag, and the label of that tag. */
  readonly tag?: string;
  readonly tagLabel?: string;
  /** Labels of the tags around it, outermost first. */
  readonly tagParents: readonly string[];
  /** `x-hidden`: a page that is hidden unless the navigation names it. */
  readonly hidden: boolean;
  /** `x-excluded`, or `x-internal` of it or its path: no page. */
  readonly excluded: boolean;
  /** `x-mint`. */
  readonly href?: string;
  readonly content?: string;
  readonly metadata?: JsonObject;
  readonly groups: readonly string[];
}

export interface SpecEntries {
  /** In the order written: operations, then webhooks; or channels. */
  readonly entries: readonly SpecEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Twice the size of the largest real APIs; each entry is a page. */
const mostEntries = 20_000;
/** Further faults are only counted. */
const mostReported = 20;

/** Lists the entries of a specification. An entry that is not an object is reported and left out. */
export function listEntries(spec: ApiSpec): SpecEntries {
  const diagnostics: Diagnostic[] = [];
  let faults = 0;
  const tags = readTags(spec);
  const warn = (code: string, pointer: string, what: string, fix: string): void => {
    diagnostics.push({ code, severity: "warning", what, location: spec.locationOf(pointer), fix });
  };
  const report = (pointer: string, what: string): void => {
    if (++faults <= mostReported)
      warn("SPEC_ENTRY_INVALID", pointer, what, "write what it describes as an object, or remove it.");
  };

  /** The members of an object of the document that are objects themselves, references followed. */
  const members = (key: string, kind: string): [name: string, pointer: string, value: JsonObject][] => {
    const parent = childOf(spec.document, key);
    if (parent === undefined || parent === null) return [];
    if (!isObject(parent)) {
      report(pointerTo(key), `"${key}" must be an object; what it describes has no pages.`);
      return [];
    }
    return Object.keys(parent).flatMap((name): [string, string, JsonObject][] => {
      if (name.startsWith("x-")) return [];
      const pointer = pointerTo(key, name);
      const value = followed(spec, parent[name]);
      if (isObject(value)) return [[name, pointer, value]];
      // Broken references are reported separately.
      if (childOf(parent[name], "$ref") !== undefined) return [];
      report(pointer, `The ${kind} "${name}" is no object; it has no page.`);
      return [];
    });
  };

  const factsOf = (described: JsonObject, around: JsonObject | undefined, pointer: string): EntryFacts => {
    const { href, ...facts } = entryOf(described, around, tags);
    if (href === undefined || isPath(href)) return { ...facts, href };
    if (++faults > mostReported) return facts;
    const what = `The "href" of "x-mint" is "${href}", which is not a path of this site; the page keeps its usual address.`;
    warn("SPEC_HREF_INVALID", `${pointer}/x-mint/href`, what, 'write a path, as in "/api/users/list".');
    return facts;
  };

  const operations = (key: string, kind: "operation" | "webhook"): SpecEntry[] =>
    members(key, kind === "operation" ? "path" : kind).flatMap(([name, pointer, item]) =>
      methodsOf(item).flatMap((method): SpecEntry[] => {
        const keys = methodKeys(method);
        const operation = keys.reduce<Json | undefined>(childOf, item);
        const at = pointer + pointerTo(...keys).slice(1);
        if (isObject(operation)) return [{ ...factsOf(operation, item, at), kind, method, name, pointer: at }];
        report(at, `${method.toUpperCase()} ${name} is no object; it has no page.`);
        return [];
      }),
    );
  const channels = (): SpecEntry[] =>
    members("channels", "channel").map(([name, pointer, channel]) => ({
      ...factsOf(channel, undefined, pointer),
      kind: "channel",
      name,
      pointer,
      address: textOf(channel["address"]),
      protocol: protocolOfChannel(spec.document, channel, (value) => followed(spec, value)),
      title: titleOf(channel["title"]),
      description: textOf(channel["description"]) ?? textOf(channel["summary"]),
    }));

  const entries =
    spec.format === "asyncapi"
      ? channels()
      : [...operations("paths", "operation"), ...operations("webhooks", "webhook")];
  if (faults > mostReported) {
    const what = `${spec.source} has ${faults - mostReported} more such faults.`;
    warn("SPEC_ENTRY_INVALID", "#", what, "correct the listed ones first.");
  }
  const more = entries[mostEntries];
  if (more !== undefined) {
    const what = `${spec.source} describes ${entries.length} operations; only the first ${mostEntries} get pages.`;
    warn("SPEC_TOO_MANY", more.pointer, what, "split the API into several specifications.");
  }
  return { entries: entries.slice(0, mostEntries), diagnostics };
}

/** In the order written, except that methods without a key of their own come last. */
const methodsOf = (item: JsonObject): string[] => {
  const more = item["additionalOperations"];
  return [
    ...Object.keys(item).filter((key) => methods.includes(key)),
    ...(isObject(more) ? Object.keys(more).filter(isMethodName) : []),
  ];
};
const isMethodName = (name: string): boolean => /^[\w!#$%&'*+.^|~-]{1,100}$/.test(name) && !name.startsWith("x-");

/** Accepts paths only: no address of another site, and no other scheme. */
const isPath = (href: string): boolean => !/^(?:[a-z][\w+.-]*:|\/\/)/i.test(href);

type EntryFacts = Omit<SpecEntry, "kind" | "name" | "pointer" | "method">;

function entryOf(described: JsonObject, around: JsonObject | undefined, tags: ReadonlyMap<string, Tag>): EntryFacts {
  const tag = tagOf(described, tags);
  const mint = childOf(described, "x-mint");
  const metadata = childOf(mint, "metadata");
  return {
    title: titleOf(described["x-displayName"]) ?? titleOf(described["summary"]),
    description: textOf(described["description"]),
    deprecated: described["deprecated"] === true || textOf(described["x-deprecated-at"]) !== undefined,
    tag,
    tagLabel: tag === undefined ? undefined : labelOf(tag, tags),
    tagParents: tag === undefined ? [] : parentsOf(tag, tags),
    hidden: described["x-hidden"] === true,
    excluded: described["x-excluded"] === true || [described, around].some(isInternal),
    href: textOf(childOf(mint, "href")),
    content: textOf(childOf(mint, "content")),
    metadata: isObject(metadata) ? metadata : undefined,
    groups: [childOf(around, "x-mint"), mint].flatMap((each) => textsIn(childOf(each, "groups"))),
  };
}

/** Parts for the authors of the API only. */
const isInternal = (part: JsonObject | undefined): boolean => part?.["x-internal"] === true;

/** What a document says of a tag. */
interface Tag {
  readonly label?: string;
  /** Of OpenAPI 3.2: `nav` for a group of the navigation. */
  readonly kind?: string;
  readonly parent?: string;
}

/** The first tag that may be a group of the navigation; AsyncAPI writes tags as objects with a name. */
function tagOf(described: JsonObject, known: ReadonlyMap<string, Tag>): string | undefined {
  const tags = described["tags"];
  const names = (isList(tags) ? tags : []).map((each) => textOf(isObject(each) ? each["name"] : each));
  return names.find((name) => name !== undefined && (known.get(name)?.kind ?? "nav") === "nav");
}

function readTags(spec: ApiSpec): ReadonlyMap<string, Tag> {
  const written = spec.format === "asyncapi" ? childOf(spec.document["info"], "tags") : spec.document["tags"];
  const tags = new Map<string, Tag>();
  for (const tag of isList(written) ? written : []) {
    const name = textOf(childOf(tag, "name"));
    const labels = ["x-group", "x-displayName", "summary"].map((key) => textOf(childOf(tag, key)));
    const label = labels.find((each) => each !== undefined);
    if (name !== undefined)
      tags.set(name, { label, kind: textOf(childOf(tag, "kind")), parent: textOf(childOf(tag, "parent")) });
  }
  return tags;
}

const labelOf = (tag: string, tags: ReadonlyMap<string, Tag>): string => tags.get(tag)?.label ?? tag;

function parentsOf(tag: string, tags: ReadonlyMap<string, Tag>): string[] {
  const names: string[] = [];
  for (let at = tags.get(tag)?.parent; at !== undefined && at !== tag && !names.includes(at); at = tags.get(at)?.parent)
    names.unshift(at);
  return names.map((name) => labelOf(name, tags));
}

/** A path or channel may itself be a reference. */
function followed(spec: ApiSpec, value: Json | undefined): Json | undefined {
  let at = value;
  for (let hops = 0; hops < 16; hops++) {
    const reference = childOf(at, "$ref");
    if (typeof reference !== "string") return at;
    const target = spec.resolve(reference);
    if (target === undefined) return isObject(at) && Object.keys(at).length > 1 ? at : undefined;
    // Members next to the reference count too.
    at = isObject(target) && isObject(at) ? { ...target, ...withoutReference(at) } : target;
  }
  return undefined;
}

function withoutReference({ $ref: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
/** Some writers use Markdown in summaries, which the specification defines as plain text. */
const titleOf = (value: Json | undefined): string | undefined => {
  const text = textOf(value);
  return text === undefined ? undefined : plainText(text) || text;
};
const textsIn = (value: Json | undefined): string[] =>
  isList(value) ? value.flatMap((each) => textOf(each) ?? []) : [];
