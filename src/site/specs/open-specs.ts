import type { Location } from "../../lib/diagnostic/index.js";
import {
  isContainer,
  isObject,
  type Json,
  type JsonObject,
  member,
  nameOfStep,
  parseJson,
  textAt,
} from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";
import { admits, readPartRestriction } from "../audience.js";
import type { GraphService } from "../config/index.js";
import type { SiteFiles } from "../source/index.js";
import { filesMember } from "./check-references.js";
import { createApiSpec } from "./create-api-spec.js";
import { resolvePointer } from "./resolve-pointer.js";
import { parseSpecText } from "./text/parse-spec-text.js";
import { createLocations } from "./text/spec-locations.js";

/** The plain data that another thread needs to read a specification with pages. */
export interface SpecPlan {
  /** The value of `ApiTarget.spec`. */
  readonly key: string;
  /** Path in the site, or URL. */
  readonly source: string;
  readonly format: ApiSpec["format"];
  /** See `ApiSpec`. */
  readonly sources?: ApiSpec["sources"];
  /** See `ApiSpec`. */
  readonly closed?: ApiSpec["closed"];
  readonly audience?: ApiSpec["audience"];
  /** Whether it has parts that its readers must not see. */
  readonly isRestricted?: boolean;
  /** Pointers of the steps, actions and items of `dependsOn` that refer to content for other readers. */
  readonly restrictedSteps?: readonly string[];
  /** Paths of the other files that it includes; absent if there are none. */
  readonly otherFiles?: readonly string[];
  /** The document as JSON, if the file has another content or takes many times as long to read. */
  readonly json?: string;
}

/** Key of a specification. The same file with other overlays, or of another service, is another specification. */
export const specKey = (source: string, overlays: readonly string[], service?: GraphService): string =>
  [source, ...overlays, ...(service ? [JSON.stringify(service)] : [])].join(" + ");

/** Returns where the value at a pointer is written in a source. */
export type LocateInSpec = (source: string, pointer: string) => Location;

/** Locates values in the site's files. Each text is read once. */
export function createSpecLocator(files: SiteFiles): LocateInSpec {
  const locators = new Map<string, ReturnType<typeof createLocations>>();
  return (source, pointer) => {
    const locate =
      locators.get(source) ?? createLocations(source, () => (files.has(source) ? files.readText(source) : undefined));
    locators.set(source, locate);
    return locate(pointer);
  };
}

/**
 * Opens the planned specifications in a thread that makes pages. Each is read once, when it is first needed. Faults have been
 * reported when the site was planned.
 */
export function openSpecs(
  plans: readonly SpecPlan[],
  files: SiteFiles,
  locate: LocateInSpec = createSpecLocator(files),
): (key: string) => ApiSpec | undefined {
  const byKey = new Map(plans.map((plan) => [plan.key, plan]));
  const opened = new Map<string, ApiSpec | undefined>();
  return (key) => {
    if (!opened.has(key)) {
      const plan = byKey.get(key);
      opened.set(key, plan && openSpec(plan, files, locate));
    }
    return opened.get(key);
  };
}

function openSpec(
  { source, format, sources, closed, audience, isRestricted, restrictedSteps, json }: SpecPlan,
  files: SiteFiles,
  locate: LocateInSpec,
): ApiSpec | undefined {
  const readText = (): string => (files.has(source) ? files.readText(source) : "");
  const document = json === undefined ? parseSpecText({ source, text: readText() }).value : parseJson(json);
  const isOpen = !isRestricted && restrictedSteps === undefined;
  const view = isOpen || !isObject(document) ? document : viewForReaders(document, audience ?? [], restrictedSteps);
  if (isObject(view) && format !== "graphql") shareEqual(view);
  const spec = view === undefined ? undefined : createApiSpec(source, view, (pointer) => locate(source, pointer));
  return spec === undefined || "code" in spec
    ? undefined
    : { ...spec, ...(sources && { sources }), ...(closed && { closed }), ...(audience && { audience }) };
}

/** The end of a longer chain of references is not checked, since pages do not follow it either. */
const maxHops = 16;

/**
 * A document without the parts that `x-mint.groups` and `x-mint-enum` hide from these readers, and without references to
 * them. Workflows keep their indexes, since the targets of pages contain these.
 *
 * @param restrictedSteps see `SpecPlan`
 */
function viewForReaders(
  whole: JsonObject,
  audience: readonly string[],
  restrictedSteps: readonly string[] = [],
): JsonObject {
  const document = restrictedSteps.length === 0 ? whole : withoutCalls(whole, restrictedSteps);
  const isRestrictedPart = (groups: Json | undefined): boolean => {
    const restriction = readPartRestriction(groups);
    return restriction !== undefined && !admits(restriction, audience);
  };
  const isClosed = (value: Json): boolean => {
    let at: Json | undefined = value;
    for (let hop = 0; hop < maxHops && isObject(at); hop++) {
      if (isRestrictedPart(member(member(at, "x-mint"), "groups"))) return true;
      const reference: Json | undefined = at["$ref"];
      if (typeof reference !== "string" || !reference.startsWith("#")) return false;
      at = resolvePointer(document, reference);
    }
    return false;
  };
  // Cached, since a structure may be shared many times.
  const views = new Map<object, Json>();
  const viewOf = (value: Json): Json => {
    if (!isContainer(value)) return value;
    const cached = views.get(value);
    if (cached !== undefined) return cached;
    const view = Array.isArray(value)
      ? value.filter((item) => !isClosed(item)).map(viewOf)
      : objectView(value as JsonObject);
    views.set(value, view);
    return view;
  };
  const objectView = (value: JsonObject): JsonObject => {
    const { required, enum: values, properties, "x-mint-enum": groups } = value;
    const isOpenName = (name: Json): boolean =>
      typeof name !== "string" || !isObject(properties) || !isClosed(member(properties, name) ?? true);
    const members = Object.entries(value)
      .filter(([, child]) => !isClosed(child))
      .map(([name, child]): [string, Json] => {
        if (value === document && name === "workflows" && Array.isArray(child))
          return [name, child.map((workflow: Json) => (isClosed(workflow) ? null : viewOf(workflow)))];
        if (name === "required" && Array.isArray(required)) return [name, required.filter(isOpenName)];
        if (name === "enum" && Array.isArray(values))
          return [
            name,
            values.filter((option) => typeof option === "object" || !isRestrictedPart(member(groups, String(option)))),
          ];
        if (name === "x-mint-enum" && isObject(child))
          return [name, Object.fromEntries(Object.entries(child).filter(([, option]) => !isRestrictedPart(option)))];
        return [name, viewOf(child)];
      });
    return Object.fromEntries(members);
  };
  return objectView(document);
}

/** @param pointers pointers of steps, of which only the name stays, and of other parts, which are removed. */
function withoutCalls(document: JsonObject, pointers: readonly string[]): JsonObject {
  const view = structuredClone(document);
  // Remove the last item of a list first, so that the indexes of the others stay valid.
  for (const pointer of pointers.toReversed()) {
    const end = pointer.lastIndexOf("/");
    const holderPointer = pointer.slice(0, end);
    const holder = resolvePointer(view, holderPointer);
    const name = nameOfStep(pointer.slice(end + 1));
    if (Array.isArray(holder) && holderPointer.endsWith("/steps"))
      holder[Number(name)] = { stepId: textAt(holder[Number(name)], "stepId") ?? "", operationId: restrictedCall };
    else if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else if (isObject(holder)) delete (holder as Record<string, Json>)[name];
  }
  return view;
}

/** The operation of a step in the view of readers who may not see it. */
const restrictedCall = "(restricted)";

/**
 * Replaces equal structures of a document by one object, in place, so that copies of a schema have one page, are shown once,
 * and are resolved once. Equal components stay apart, since each is shown by its own name. Takes time in proportion to the
 * document.
 *
 * @param document a document that was just parsed and is not in use yet.
 */
export function shareEqual(document: JsonObject): void {
  const byHash = new Map<number, Json[]>();
  const hashes = new Map<Json, number>();
  const valuesOf = (map: Json | undefined): Json[] => (isObject(map) ? Object.values(map) : []);
  const named = new Set([...valuesOf(document["components"]), document[filesMember]].flatMap(valuesOf));
  // Long numbers are objects without members.
  const hashOf = (value: Json): number =>
    typeof value === "object" && value !== null ? (hashes.get(value) ?? 0) : textHash(String(value));
  const share = (value: Json, depth: number): Json => {
    if (!isContainer(value) || hashes.has(value) || depth > maxDepth) return value;
    const members = value as { [name: string]: Json };
    let hash = Array.isArray(value) ? 1 : 2;
    for (const name in members) {
      const child = members[name]!;
      const shared = share(child, depth + 1);
      if (shared !== child) members[name] = shared;
      hash = mix(mix(hash, textHash(name)), hashOf(shared));
    }
    const candidates = byHash.get(hash);
    const equal = candidates?.find((candidate) => isEqual(candidate, value));
    if (equal !== undefined && !(named.has(value) && named.has(equal))) {
      if (named.has(value)) named.add(equal);
      return equal;
    }
    if (candidates === undefined) byHash.set(hash, [value]);
    else if (equal === undefined) candidates.push(value);
    hashes.set(value, hash);
    return value;
  };
  share(document, 0);
}

/** Deeper structures are not compared. */
const maxDepth = 500;

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);

/** Hashes only some characters of a long text. Texts are compared in full only if their structures have the same hash. */
function textHash(text: string): number {
  let hash = text.length;
  const step = 1 + (text.length >> 5);
  for (let at = 0; at < text.length; at += step) hash = mix(hash, text.charCodeAt(at));
  return hash;
}

/** Compares the members of two structures whose inner structures are shared already. The order counts, since pages show it. */
function isEqual(a: Json, b: Json): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a as JsonObject);
  const others = Object.keys(b as JsonObject);
  return (
    names.length === others.length &&
    names.every((name, i) => name === others[i] && Object.is((a as JsonObject)[name], (b as JsonObject)[name]))
  );
}
