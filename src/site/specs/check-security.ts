import { type Diagnostic, nearestName } from "../../lib/diagnostic/index.js";
import { entriesAt, isObject, type Json, listAt, pointerTo } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";
import type { SpecEntry } from "./list-entries.js";

/** Further schemes are not reported. */
const mostReported = 20;

/** Reports security schemes that operations require and nothing defines: each once, with the number of operations. */
export function checkSecurity(spec: ApiSpec, entries: readonly SpecEntry[]): Diagnostic[] {
  if (spec.format !== "openapi") return [];
  const { document, source } = spec;
  const schemes = entriesAt(document["components"], "securitySchemes").map(([name]) => name);
  const known = new Set(schemes);
  const found = new Map<string, { readonly pointer: string; count: number }>();
  for (const { pointer } of entries) {
    const operation = spec.resolve(pointer);
    const isOwn = isObject(operation) && operation["security"] !== undefined;
    const missing = new Map(missingIn(spec, isOwn ? operation : document, isOwn ? pointer : "#", known));
    for (const [name, at] of missing) {
      const before = found.get(name) ?? { pointer: at, count: 0 };
      before.count++;
      found.set(name, before);
    }
  }
  return [...found].slice(0, mostReported).map(([name, { pointer, count }]) => {
    const near = nearestName(name, schemes);
    return {
      code: "SPEC_SECURITY_UNKNOWN",
      severity: "warning",
      what: `The security scheme "${name}" is not defined in ${source}, so the pages of ${count === 1 ? "1 operation" : `${count} operations`} do not show it.`,
      location: spec.locationOf(pointer),
      fix: near === undefined ? "define it among the security schemes, or correct the name." : `write "${near}".`,
    };
  });
}

/** The names without a scheme, with their places. A name may also be the address of a scheme. */
function missingIn(spec: ApiSpec, holder: Json, at: string, known: ReadonlySet<string>): [name: string, at: string][] {
  return listAt(holder, "security").flatMap((way, i) =>
    Object.keys(isObject(way) ? way : {}).flatMap((name): [string, string][] => {
      const isKnown = known.has(name) || (name.startsWith("#/") && isObject(spec.resolve(name)));
      return isKnown ? [] : [[name, at + pointerTo("security", i, name).slice(1)]];
    }),
  );
}
