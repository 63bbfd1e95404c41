import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { childOf, isObject, type Json, type JsonObject, listAt, pointerTo, textAt } from "../../lib/json/index.js";
import { plainText } from "../../lib/plain-text.js";
import type { ApiSpec } from "../api-spec.js";
import { type Restriction, readPartRestriction, readRestriction } from "../audience.js";
import { type ApiTarget, methodKeys, methods } from "./api-target.js";
import { protocolOfChannel } from "./asyncapi/asyncapi.js";
import { readTags, type SpecTag, tagOf } from "./read-tags.js";

/** A part of a specification that a page can document, with the facts for the plan of that page. */
export interface SpecEntry {
  readonly kind: "operation" | "webhook" | "channel" | "graphql" | "workflow";
  /** Of its page. */
  readonly target: ApiTarget;
  /** Absent for a channel. */
  readonly method?: string;
  /** A path, or the name of a webhook or channel. */
  readonly name: string;
  /** JSON pointer of its description. */
  readonly pointer: string;
  readonly operationId?: string;
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
  /** Of its path and its own: a reader must pass each. */
  readonly restrictions: readonly Restriction[];
}

interface SpecEntries {
  /** In the order written: operations, then webhooks; or channels. */
  readonly entries: readonly SpecEntry[];
  /** Located when they are read: that takes a second reading of the text, and threads that make pages need none. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Twice the size of the largest real APIs; each entry is a page. */
const mostEntries = 20_000;

/** Further faults are only counted. */
const mostReported = 20;

/**
 * Lists the entries of a specification. An entry that is not an object is reported and left out.
 *
 * @param key of the specification in the targets of pages.
 */
export function listEntries(spec: ApiSpec, key: string): SpecEntries {
  const located: (() => Diagnostic)[] = [];
  let faults = 0;
  const tags = new Map(readTags(spec).map((tag) => [tag.name, tag]));
  const warn = (code: string, pointer: string, what: string, fix: string): void => {
    located.push(() => ({ code, severity: "warning", what, location: spec.locationOf(pointer), fix }));
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

  const operations = (holder: string, kind: "operation" | "webhook"): SpecEntry[] =>
    members(holder, kind === "operation" ? "path" : kind).flatMap(([name, pointer, item]) =>
      methodsOf(item).flatMap((method): SpecEntry[] => {
        const keys = methodKeys(method);
        const operation = keys.reduce<Json | undefined>(childOf, item);
        const at = pointer + pointerTo(...keys).slice(1);
        const target: ApiTarget =
          kind === "operation" ? { kind, spec: key, method, path: name } : { kind, spec: key, method, name };
        if (isObject(operation)) return [{ ...factsOf(operation, item, at), kind, target, method, name, pointer: at }];
        report(at, `${method.toUpperCase()} ${name} is no object; it has no page.`);
        return [];
      }),
    );
  const channels = (): SpecEntry[] =>
    members("channels", "channel").map(([name, pointer, channel]) => ({
      ...factsOf(channel, undefined, pointer),
      kind: "channel",
      target: { kind: "channel", spec: key, name },
      name,
      pointer,
      address: textOf(channel["address"]),
      protocol: protocolOfChannel(spec.document, channel, (value) => followed(spec, value)),
      title: titleOf(channel["title"]),
      description: descriptionOf(channel),
    }));

  const graph = (): SpecEntry[] =>
    graphLists.flatMap(({ list, label }) =>
      members(list, label).map(([name, pointer, part]) => ({
        ...factsOf({ description: part["description"] ?? null, tags: [label] }, undefined, pointer),
        kind: "graphql",
        target: { kind: "graphql", spec: key, list, name },
        name,
        pointer,
        title: name,
        deprecated: "deprecated" in part,
      })),
    );

  const workflows = (): SpecEntry[] => {
    const names = new Set<string>();
    return listAt(spec.document, "workflows").flatMap((workflow, i): SpecEntry[] => {
      const pointer = pointerTo("workflows", i);
      const name = textOf(childOf(workflow, "workflowId"));
      if (!isObject(workflow) || name === undefined) {
        report(pointer, 'A workflow is no object with a "workflowId"; it has no page.');
        return [];
      }
      if (names.has(name)) {
        report(`${pointer}/workflowId`, `Two workflows are called "${name}"; the second has no page.`);
        return [];
      }
      names.add(name);
      const target: ApiTarget = { kind: "workflow", spec: key, name, pointer };
      return [{ ...factsOf(workflow, undefined, pointer), kind: "workflow", target, name, pointer }];
    });
  };

  const listed: Readonly<Record<ApiSpec["format"], () => SpecEntry[]>> = {
    openapi: () => [...operations("paths", "operation"), ...operations("webhooks", "webhook")],
    asyncapi: channels,
    graphql: graph,
    arazzo: workflows,
  };
  const entries = listed[spec.format]();
  if (faults > mostReported) {
    const what = `${spec.source} has ${faults - mostReported} more such faults.`;
    warn("SPEC_ENTRY_INVALID", "#", what, "correct the listed ones first.");
  }
  const more = entries[mostEntries];
  if (more !== undefined) {
    const what = `${spec.source} describes ${entries.length} operations; only the first ${mostEntries} get pages.`;
    warn("SPEC_TOO_MANY", more.pointer, what, "split the API into several specifications.");
  }
  return {
    entries: entries.slice(0, mostEntries),
    get diagnostics() {
      return located.map((locate) => locate());
    },
  };
}

const graphLists = [
  { list: "queries", label: "Queries" },
  { list: "mutations", label: "Mutations" },
  { list: "subscriptions", label: "Subscriptions" },
  { list: "types", label: "Types" },
] as const;

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

type EntryFacts = Omit<SpecEntry, "kind" | "target" | "name" | "pointer" | "method">;

function entryOf(
  described: JsonObject,
  around: JsonObject | undefined,
  tags: ReadonlyMap<string, SpecTag>,
): EntryFacts {
  const tag = tagOf(described, tags);
  const mint = childOf(described, "x-mint");
  const metadata = childOf(mint, "metadata");
  return {
    operationId: textOf(described["operationId"]),
    title: titleOf(described["x-displayName"]) ?? titleOf(described["summary"]),
    description: textOf(described["description"]),
    deprecated: described["deprecated"] === true || textOf(described["x-deprecated-at"]) !== undefined,
    tag,
    tagLabel: tag === undefined ? undefined : (tags.get(tag)?.label ?? tag),
    tagParents: tag === undefined ? [] : (tags.get(tag)?.parents ?? []),
    hidden: described["x-hidden"] === true,
    excluded: described["x-excluded"] === true || [described, around].some(isInternal),
    href: textOf(childOf(mint, "href")),
    content: textOf(childOf(mint, "content")),
    metadata: isObject(metadata) ? metadata : undefined,
    restrictions: [
      ...[around, described].map((each) => readPartRestriction(childOf(childOf(each, "x-mint"), "groups"))),
      readRestriction(childOf(metadata, "groups")),
    ].filter((restriction) => restriction !== undefined),
  };
}

/** Parts for the authors of the API only. */
const isInternal = (part: JsonObject | undefined): boolean => part?.["x-internal"] === true;

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

/** The description of a part that may also have a summary, which comes first. */
export function descriptionOf(part: Json | undefined): string | undefined {
  const texts = ["summary", "description"].map((key) => textAt(part, key)?.trim()).filter(Boolean);
  return texts.length === 0 ? undefined : [...new Set(texts)].join("\n\n");
}
