import type { JsonBoolean, JsonMember, JsonObject, JsonString, JsonValue } from "./json-value.js";

/** Makes values from others: each keeps the location of the one it was made from, so that faults are shown there. */

export function madeMember(name: string, value: JsonValue): JsonMember {
  return { name, nameAt: value.at, value };
}

export function madeObject(from: JsonValue, members: readonly JsonMember[]): JsonObject {
  return { kind: "object", members, ...writtenAs(from) };
}

export function madeList(from: JsonValue, items: readonly JsonValue[]): JsonValue {
  return { kind: "array", items, ...writtenAs(from) };
}

export function madeText(from: JsonValue, value: string): JsonString {
  return { kind: "string", value, ...writtenAs(from) };
}

export function madeFlag(from: JsonValue, value: boolean): JsonBoolean {
  return { kind: "boolean", value, ...writtenAs(from) };
}

function writtenAs({ at, parent, step }: JsonValue) {
  return { at, parent, step };
}

/** An object with only the members in `names`, under their new names. */
export function renamed(value: JsonValue, names: Readonly<Record<string, string>>): JsonValue {
  if (value.kind !== "object") return value;
  const byName = new Map(Object.entries(names));
  return madeObject(
    value,
    value.members.flatMap((member) => {
      const name = byName.get(member.name);
      return name === undefined ? [] : [{ ...member, name }];
    }),
  );
}

/** Applies `turn` to every item of a list; another value stays as it is. */
export function eachItem(value: JsonValue, turn: (item: JsonValue) => JsonValue): JsonValue {
  return value.kind === "array" ? { ...value, items: value.items.map(turn) } : value;
}
