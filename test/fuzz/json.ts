import fc from "fast-check";
import { text } from "./texts.js";

/** Any value, with names that an object already has. */
const name = fc.oneof(text, fc.constantFrom("toString", "valueOf", "$ref", "type", "name", "title", "href", "length"));
const scalar = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
export const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { weight: 5, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.tuple(name, tie("value")), { maxLength: 3 }).map((all) => objectOf(all)) },
  ),
})).value;

/** `__proto__` becomes a member like any other. */
const objectOf = (members: readonly (readonly [string, unknown])[]): object => {
  const made = Object.create(null) as Record<string, unknown>;
  for (const [key, each] of members)
    Object.defineProperty(made, key, { value: each, enumerable: true, writable: true, configurable: true });
  return made;
};

type Branch = Record<string | number, unknown>;

/** Changes the values at some places in `seeds`: another value, another name, a moved or removed place. */
export function changedJson(seeds: readonly unknown[], most: number): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(100_000),
    kind: fc.constantFrom("value", "value", "drop", "rename", "copy", "wrap"),
    from: fc.nat(100_000),
    name,
    value,
  });
  return fc.tuple(fc.constantFrom(...seeds), fc.array(change, { maxLength: most })).map(([seed, changes]) => {
    const whole = { root: structuredClone(seed) };
    for (const each of changes) {
      const places = placesIn(whole);
      if (places.length === 0) break;
      const [parent, key] = places[each.at % places.length]!;
      if (each.kind === "drop") delete parent[key];
      else if (each.kind === "rename") parent[Array.isArray(parent) ? key : each.name] = parent[key];
      else if (each.kind === "wrap") parent[key] = [parent[key]];
      else if (each.kind === "value") parent[key] = each.value;
      else {
        const [other, otherKey] = places[each.from % places.length]!;
        parent[key] = structuredClone(other[otherKey]);
      }
    }
    return whole.root;
  });
}

/** Every place of a value in a structure. */
function placesIn(whole: { root: unknown }): [Branch, string | number][] {
  const places: [Branch, string | number][] = [];
  const stack: Branch[] = [whole as Branch];
  for (let branch = stack.pop(); branch !== undefined; branch = stack.pop())
    for (const key of Object.keys(branch)) {
      places.push([branch, key]);
      const inner = branch[key];
      if (typeof inner === "object" && inner !== null) stack.push(inner as Branch);
    }
  return places;
}
