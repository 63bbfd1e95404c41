import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { childOf, entriesAt, isObject, type Json, listAt, member, pointerTo } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";
import type { SpecEntry } from "./list-entries.js";

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
  const isBroken = (value: Json, depth = 0): boolean =>
    typeof value === "object" &&
    value !== null &&
    depth < maxDepth &&
    (followed(value) === undefined || Object.values(value).some((each) => isBroken(each as Json, depth + 1)));
  const hasContent = (holder: Json | undefined): boolean =>
    entriesAt(holder, "content").some(([, media]) => {
      const { schema, itemSchema } = (followed(media) ?? {}) as { schema?: Json; itemSchema?: Json };
      return followed(schema ?? itemSchema) !== undefined;
    });
  const isEmpty = (operation: Json): boolean =>
    !listAt(operation, "parameters").some((each) => isObject(followed(each))) &&
    !hasContent(followed(member(operation, "requestBody"))) &&
    !entriesAt(operation, "responses").some(([, each]) => hasContent(followed(each))) &&
    isBroken(operation);

  const lost = entriesAt(spec.document, "paths").filter(([, item]) => followed(item) === undefined);
  const empty = [
    ...lost.map(([path]) => ({ name: path, pointer: pointerTo("paths", path) })),
    ...entries.flatMap(({ kind, method = "", name, pointer }) => {
      const operation = kind === "operation" ? spec.resolve(pointer) : undefined;
      return operation !== undefined && isEmpty(operation)
        ? [{ name: `${method.toUpperCase()} ${name}`, pointer }]
        : [];
    }),
  ];
  const count = entries.length + lost.length;
  const [first] = empty;
  if (first === undefined || 2 * empty.length <= count) return [];
  const named = empty.slice(0, mostNamed).map(({ name }) => name);
  return [
    {
      code: "SPEC_EMPTY",
      severity: "error",
      what: `${empty.length} of the ${count} operations of ${spec.source} have nothing to show, because their references lead nowhere: ${named.join(", ")}${empty.length > named.length ? ", …" : ""}.`,
      location: spec.locationOf(
        childOf(spec.resolve(first.pointer), "$ref") === undefined ? first.pointer : `${first.pointer}/$ref`,
      ),
      fix: "put the files that it refers to into the site's folder, or bundle it into one file.",
    },
  ];
}
