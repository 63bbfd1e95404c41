import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { entriesAt, isObject, type Json, listAt, member, pointerTo } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";
import type { SpecEntry } from "./list-entries.js";

/** Of fewer, each reference is reported anyway. */
const fewest = 3;
const mostNamed = 3;
const maxHops = 16;
const maxDepth = 12;

/** An error if most operations show nothing because references lead nowhere, as in a specification that lacks its files. */
export function checkEmpty(spec: ApiSpec, entries: readonly SpecEntry[]): Diagnostic[] {
  if (spec.format !== "openapi") return [];
  const followed = (value: Json | undefined): Json | undefined => {
    let at = value;
    for (let hop = 0; hop < maxHops; hop++) {
      const reference = member(at, "$ref");
      if (typeof reference !== "string") return at;
      at = spec.resolve(reference);
    }
    return undefined;
  };
  /** The first reference in a value that leads nowhere. */
  const brokenIn = (value: Json, depth = 0): string | undefined => {
    if (typeof value !== "object" || value === null || depth >= maxDepth) return undefined;
    if (followed(value) === undefined) return String(member(value, "$ref"));
    for (const each of Object.values(value)) {
      const found = brokenIn(each as Json, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const hasContent = (holder: Json | undefined): boolean =>
    entriesAt(holder, "content").some(([, media]) => {
      const { schema, itemSchema } = (followed(media) ?? {}) as { schema?: Json; itemSchema?: Json };
      return followed(schema ?? itemSchema) !== undefined;
    });
  const shows = (operation: Json, item: Json | undefined): boolean =>
    [operation, item].some((holder) => listAt(holder, "parameters").some((each) => isObject(followed(each)))) ||
    hasContent(followed(member(operation, "requestBody"))) ||
    entriesAt(operation, "responses").some(([, each]) => hasContent(followed(each)));

  const { paths } = spec.document;
  const lost = entriesAt(spec.document, "paths").filter(([, item]) => followed(item) === undefined);
  const empty = [
    ...lost.map(([path, item]) => ({ name: path, pointer: pointerTo("paths", path), broken: brokenIn(item) })),
    ...entries.flatMap(({ kind, method = "", name, pointer }) => {
      const operation = kind === "operation" ? spec.resolve(pointer) : undefined;
      if (operation === undefined || shows(operation, followed(member(paths, name)))) return [];
      const broken = brokenIn(operation);
      return broken === undefined ? [] : [{ name: `${method.toUpperCase()} ${name}`, pointer, broken }];
    }),
  ];
  const count = entries.length + lost.length;
  const [first] = empty;
  if (first === undefined || empty.length < fewest || 2 * empty.length <= count) return [];
  const file = first.broken?.split("#", 1)[0];
  const named = empty.slice(0, mostNamed).map(({ name, broken }) => `${name} ("${broken}")`);
  return [
    {
      code: "SPEC_EMPTY",
      severity: "error",
      what: `${empty.length} of the ${count} operations of ${spec.source} have nothing to show, because their references lead nowhere: ${named.join(", ")}${empty.length > named.length ? ", …" : ""}.`,
      location: spec.locationOf(first.pointer),
      fix:
        file === undefined || file === ""
          ? `describe what it refers to, for example "${first.broken}".`
          : `put "${file}" and the other files that it refers to into the site's folder, or bundle it into one file.`,
    },
  ];
}
