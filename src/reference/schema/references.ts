import type { Json, JsonObject } from "../../lib/json/index.js";
import * as json from "../../lib/json/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { admits as admitsTo, readPartRestriction } from "../../site/audience.js";
import { derivations } from "../../site/specs/index.js";

/** Follows the references of one specification. */
export type References = ReturnType<typeof createReferences>;

export function createReferences(spec: ApiSpec) {
  const { audience = [] } = spec;
  let audiences: boolean | undefined;
  const follow = (value: Json | undefined) => json.followReferences(value, spec.resolve);
  /** Like `follow`, but stops at a component that has other members beside its reference. */
  const followPlain = (value: Json | undefined): Json | undefined => {
    let target = value;
    for (let hop = 0; hop < json.longestChain; hop++) {
      const ref = refOf(target);
      if (ref === undefined || (hop > 0 && plainRefOf(target) === undefined)) return target;
      target = spec.resolve(ref);
    }
    return undefined;
  };
  /** The object that a value is or refers to, with the members beside its references. */
  const followObject = (value: Json | undefined): JsonObject | undefined => {
    const target = json.followWithMembers(value, spec.resolve);
    return json.isObject(target) ? target : undefined;
  };
  /** Whether any part of the document is restricted to groups of readers. */
  const hasAudiences = (): boolean => (audiences ??= namesAudience(spec.document));
  /** Whether the readers of the bundle may see a part: its `x-mint.groups` admit them, and it is not `x-internal`. */
  const admits = (part: Json | undefined): boolean => {
    if (json.isTrueAt(part, "x-internal")) return false;
    const restriction = readPartRestriction(json.member(json.member(part, "x-mint"), "groups"));
    return restriction === undefined || admitsTo(restriction, audience);
  };
  let derived: Map<object, string[]> | undefined;
  /** References to the schemas that extend a schema with `allOf`, directly or not. */
  const derivedFrom = (base: object, seen = new Set<object>([base])): string[] => {
    derived ??= derivations(spec);
    return (derived.get(base) ?? []).flatMap((ref) => {
      const target = spec.resolve(ref);
      if (!json.isObject(target) || seen.has(target)) return [];
      seen.add(target);
      return [ref, ...derivedFrom(target, seen)];
    });
  };
  return { audience, follow, followPlain, followObject, hasAudiences, admits, derivedFrom };
}

function namesAudience(document: JsonObject): boolean {
  // One structure can be referenced many times.
  const seen = new Set<Json>();
  const waiting: Json[] = [document];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if ("x-mint-enum" in value || json.isTrueAt(value, "x-internal")) return true;
    if (json.member(json.member(value, "x-mint"), "groups") !== undefined) return true;
    for (const name in value) {
      const inner = (value as JsonObject)[name];
      if (typeof inner === "object" && inner !== null) waiting.push(inner);
    }
  }
  return false;
}

export function refOf(value: Json | undefined): string | undefined {
  const ref = json.member(value, "$ref");
  return typeof ref === "string" ? ref : undefined;
}

/** The pointer of a reference object without other members. */
export const plainRefOf = (value: Json | undefined): string | undefined => {
  const ref = refOf(value);
  return ref !== undefined && Object.keys(value as JsonObject).length === 1 ? ref : undefined;
};

/** The last part of a pointer: `User` in `#/components/schemas/User`. */
export const nameOfRef = (pointer: string): string => json.pathOf(pointer).at(-1) ?? pointer;
