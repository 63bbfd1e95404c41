// Follows a schema and a page side by side: each property of the source must be a field of the page, at the place where its
// parent is, or where a link of that place leads. The distance is the number of steps from the page of the operation: links,
// and closed parts that a reader opens.
import { holdsText, missingOfExample } from "./find-text.ts";
import type { Pages } from "./pages.ts";
import type { Direction, ShapeReader } from "./schema-shape.ts";
import { isRecord, listOf, recordOf, type Source, textOf, type Value } from "./source-files.ts";
import { wordsIn } from "./words.ts";
import { type Box, wordsOf } from "./written-page.ts";

export interface PropertyMiss {
  readonly kind:
    | "property"
    | "property too far"
    | "property title"
    | "property description"
    | "enum value"
    | "property example";
  /** Names from the body to the property. */
  readonly path: string;
  readonly text?: string;
}

export interface Walk {
  /** Properties by the number of steps to them: 0, 1, 2, 3 and more. */
  readonly distances: readonly [number, number, number, number];
  readonly properties: number;
  /** Properties whose fields were compared with what the source says of them. */
  readonly described: number;
  readonly misses: readonly PropertyMiss[];
  /** The walk ended early, since the schemas lead to too many places. */
  readonly isCut: boolean;
}

interface State {
  readonly schema: Value;
  readonly box: Box;
  /** Steps to the page of the box. */
  readonly steps: number;
  readonly depth: number;
  readonly path: string;
}

export interface WalkLimits {
  /** Deepest property, from 1. */
  readonly depth: number;
  readonly states: number;
}

/** A property at the greatest depth can be as many pages away, each below two closed parts, and some go on on a second page. */
const mostSteps = 30;
const allowedSteps = 2;

/** The first value of an enum that neither the part nor a page that it leads to has; undefined if all are there. */
export function missingOption(property: Value | undefined, box: Box, source: Source, pages: Pages): string | undefined {
  // An enum beside a reference narrows that of its target, and a constant is one of the values.
  if (isRecord(property) && "const" in property) return undefined;
  const schema = isRecord(property) && "enum" in property ? property : recordOf(source.resolve(property));
  const items = recordOf(source.resolve(schema["items"]));
  const words = wordsOf(box);
  const missing = [...listOf(schema["enum"]), ...listOf(items["enum"])].find((value) => {
    const wanted = typeof value === "string" || typeof value === "number" ? wordsIn(String(value)).trim() : "";
    const isLinked = () => box.links.some((href) => pages.follow(box.page, href)?.page.words.includes(wanted));
    return wanted !== "" && !words.includes(wanted) && !isLinked();
  });
  return missing === undefined ? undefined : String(missing);
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Generators describe `child_name` as "child name", which the page leaves out. */
export const isOnlyName = (description: string, name: string): boolean =>
  description.length <= name.length && lettersOf(description) === lettersOf(name);

const isAround = (outer: Box, inner: Box): boolean =>
  outer.page === inner.page && outer.id !== undefined && outer.start <= inner.start && outer.end >= inner.end;

export function createWalker(source: Source, shapes: ShapeReader, pages: Pages) {
  /** What is wrong with the field of a property, which is the same for each operation that leads to it. */
  const faultsOf = new WeakMap<object, Map<Box, readonly Omit<PropertyMiss, "path">[]>>();

  const checkField = (name: string, property: Value, field: Box): readonly Omit<PropertyMiss, "path">[] => {
    if (!isRecord(property)) return [];
    const known = faultsOf.get(property)?.get(field);
    if (known) return known;
    const faults: Omit<PropertyMiss, "path">[] = [];
    const description = shapes.descriptionOf(property);
    const missing = isOnlyName(description, name) ? undefined : holdsText(field, description, pages);
    if (missing !== undefined) faults.push({ kind: "property description", text: missing });
    const schema = recordOf(source.resolve(property));
    // A single word is the name of a type, or of the property.
    const title = textOf(schema["title"]).trim();
    const isTitleShown = (): boolean => lettersOf(wordsOf(field)).includes(lettersOf(title));
    // A field that links to the page of its type leaves the words about that type to the page.
    if (/\s/.test(title) && !isTitleShown() && holdsText(field, title, pages) !== undefined)
      faults.push({ kind: "property title", text: title });
    const option = missingOption(property, field, source, pages);
    if (option !== undefined) faults.push({ kind: "enum value", text: option });
    for (const example of [recordOf(property)["example"] ?? schema["example"], ...listOf(schema["examples"])])
      if (example !== undefined) {
        const lost = missingOfExample(example, field, pages);
        if (lost === undefined) continue;
        faults.push({ kind: "property example", text: lost });
        break;
      }
    if (!faultsOf.has(property)) faultsOf.set(property, new Map());
    faultsOf.get(property)!.set(field, faults);
    return faults;
  };

  return (roots: readonly Value[], boxes: readonly Box[], direction: Direction, limits: WalkLimits): Walk => {
    const queues: State[][] = Array.from({ length: mostSteps + 2 }, () => []);
    for (const schema of roots) for (const box of boxes) queues[0]!.push({ schema, box, steps: 0, depth: 0, path: "" });
    const visited = new Map<object, Set<Box>>();
    const wanted = new Map<object, Map<string, { path: string; steps: number }>>();
    const misses: PropertyMiss[] = [];
    /** Faults of each property at the field that has the fewest; of several fields with one name, one is the property's. */
    const faultsAt = new Map<Value, { path: string; faults: readonly Omit<PropertyMiss, "path">[] }>();
    let states = 0;
    /** What is nearer than the present round is looked at in this round. */
    let round = 0;
    const push = (state: State): void => {
      queues[Math.max(round, state.steps)]!.push(state);
    };
    let isCut = false;
    for (; round <= mostSteps; round++)
      for (const state of queues[round]!) {
        const { steps } = state;
        if (states++ > limits.states) {
          isCut = true;
          break;
        }
        const shape = shapes.shapeOf(state.schema);
        if (shape === undefined || (shape.properties.length === 0 && shape.others.length === 0)) continue;
        const seen = visited.get(shape.identity) ?? new Set();
        if (!visited.has(shape.identity)) {
          visited.set(shape.identity, seen);
          // From any page, the sidebar leads to its page in two steps, or to those of its alternatives: open the group, and
          // follow the link.
          for (const each of [shape.identity, ...shape.options])
            for (const { root } of pages.listedObjects(shapes.namesOf(each))) push({ ...state, box: root, steps: 2 });
        }
        if (seen.has(state.box)) continue;
        seen.add(state.box);
        let isWhole = shape.others.length === 0 && shape.options.length === 0;
        if (state.depth < limits.depth)
          for (const { name, schema, isReplaced } of shape.properties) {
            if (shapes.isLeftOut(schema, direction)) continue;
            const path = state.path === "" ? name : `${state.path}.${name}`;
            const ofSchema = wanted.get(shape.identity) ?? new Map();
            wanted.set(shape.identity, ofSchema);
            if (!ofSchema.has(name)) ofSchema.set(name, { path, steps: Number.POSITIVE_INFINITY });
            const fields = state.box.fields.get(name.trim()) ?? [];
            if (fields.length === 0) {
              isWhole = false;
              continue;
            }
            const best = ofSchema.get(name)!;
            const nearest = steps + Math.min(...fields.map(({ openings }) => openings));
            if (nearest < best.steps) best.steps = nearest;
            for (const field of isReplaced ? [] : fields) {
              const best = faultsAt.get(schema);
              if (best?.faults.length === 0) break;
              const faults = checkField(name, schema, field);
              if (best === undefined || faults.length < best.faults.length) faultsAt.set(schema, { path, faults });
            }
            // The fields that were compared may be those of another structure with the same names.
            if ((faultsAt.get(schema)?.faults.length ?? 0) > 0) isWhole = false;
            for (const box of fields) push({ schema, box, steps, depth: state.depth + 1, path });
          }
        const names = new Set(shape.properties.map(({ name }) => name.trim()));
        for (const schema of shape.others) {
          const next = { schema, steps, depth: state.depth, path: `${state.path}.*` };
          push({ ...next, box: state.box });
          for (const [name, fields] of state.box.fields)
            if (!names.has(name)) for (const box of fields) push({ ...next, box });
        }
        // A part with a link is opened to show the fields of the other page, so that both are one step. A link to a part of a
        // page opens what is around that part, and of one that is around the link the fields are in sight already.
        const after = steps + state.box.openings + 1;
        if (isWhole || after > mostSteps) continue;
        for (const href of new Set(state.box.links)) {
          const box = pages.follow(state.box.page, href);
          if (box === undefined || box === state.box) continue;
          const far = Math.max(0, after - box.openings - (isAround(box, state.box) ? 2 : 0));
          // A page in the sidebar is two steps from each page.
          push({ ...state, box, steps: pages.isListedObject(box.page.path) ? Math.min(far, 2) : far });
        }
      }
    const distances: [number, number, number, number] = [0, 0, 0, 0];
    let properties = 0;
    for (const ofSchema of wanted.values())
      for (const { path, steps } of ofSchema.values()) {
        properties++;
        if (steps < Number.POSITIVE_INFINITY) distances[Math.min(steps, 3)]!++;
        if (steps === Number.POSITIVE_INFINITY) misses.push({ kind: "property", path });
        else if (steps > allowedSteps) misses.push({ kind: "property too far", path });
      }
    for (const { path, faults } of faultsAt.values()) misses.push(...faults.map((fault) => ({ ...fault, path })));
    return { distances, properties, described: faultsAt.size, misses, isCut };
  };
}
