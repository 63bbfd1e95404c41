import { pathOf } from "../json-pointer/index.js";
import type { ApiSpec, Json, JsonObject } from "../specs/api-spec.js";
import { isObject, member } from "./json.js";

/** Follows the references of one specification for one page. */
export interface References {
  /** What a value stands for: the end of its references; undefined where they lead nowhere or in a circle. */
  follow(value: Json | undefined): Json | undefined;
  /** The same for an object that may say more beside its reference, which then counts first. */
  followObject(value: Json | undefined): JsonObject | undefined;
  /** References that lead nowhere, each once. */
  readonly broken: ReadonlySet<string>;
}

/** Longer chains are circles. */
const maxHops = 50;

export function createReferences(spec: ApiSpec): References {
  const broken = new Set<string>();
  const follow = (value: Json | undefined): Json | undefined => {
    let current = value;
    for (let hop = 0; hop < maxHops; hop++) {
      const pointer = refOf(current);
      if (pointer === undefined) return current;
      current = spec.resolve(pointer);
      if (current === undefined) {
        broken.add(pointer);
        return undefined;
      }
    }
    return undefined;
  };
  const followObject = (value: Json | undefined): JsonObject | undefined => {
    const target = follow(value);
    if (!isObject(target)) return undefined;
    if (target === value || !isObject(value)) return target;
    const { $ref: _, ...beside } = value;
    return Object.keys(beside).length === 0 ? target : { ...target, ...beside };
  };
  return { follow, followObject, broken };
}

export function refOf(value: Json | undefined): string | undefined {
  const ref = member(value, "$ref");
  return typeof ref === "string" ? ref : undefined;
}

/** The last part of a pointer: `User` of `#/components/schemas/User`. */
export const nameOfRef = (pointer: string): string => pathOf(pointer).at(-1) ?? pointer;
