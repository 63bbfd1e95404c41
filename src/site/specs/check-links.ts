import { type Diagnostic, nearestName } from "../../lib/diagnostic/index.js";
import { isObject, pointerTo, textAt } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";
import type { SpecEntry } from "./list-entries.js";

/** Further faults are not reported. */
const mostReported = 20;

/** Reports links of responses that lead to no operation, each once, where it was written. */
export function checkLinks(spec: ApiSpec, entries: readonly SpecEntry[]): Diagnostic[] {
  const ids = new Set(entries.flatMap(({ operationId }) => operationId ?? []));
  const checked = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const { pointer } of entries)
    for (const response of membersAt(spec, `${pointer}/responses`))
      for (const link of membersAt(spec, `${response}/links`)) {
        if (checked.has(link) || diagnostics.length === mostReported) continue;
        checked.add(link);
        diagnostics.push(...faultOf(spec, link, ids));
      }
  return diagnostics;
}

/** Pointers of the members of an object; those of their targets for references. */
function membersAt(spec: ApiSpec, pointer: string): string[] {
  const holder = spec.resolve(pointer);
  return Object.entries(isObject(holder) ? holder : {}).map(
    ([name, value]) => textAt(value, "$ref") ?? pointer + pointerTo(name).slice(1),
  );
}

function faultOf(spec: ApiSpec, pointer: string, ids: ReadonlySet<string>): Diagnostic[] {
  const link = spec.resolve(pointer);
  const id = textAt(link, "operationId");
  const reference = textAt(link, "operationRef");
  const key = id === undefined ? "operationRef" : "operationId";
  const isKnown = id === undefined ? reference?.startsWith("#") === false || leadsTo(spec, reference) : ids.has(id);
  // Broken references are reported separately.
  if (isKnown || !isObject(link)) return [];
  const near = id === undefined ? undefined : nearestName(id, [...ids].slice(0, 2000));
  const named = id ?? reference;
  const [first] = ids;
  return [
    {
      code: "SPEC_LINK_BROKEN",
      severity: "warning",
      what:
        named === undefined
          ? `A link of a response in ${spec.source} names no operation.`
          : `A link of a response leads to the operation "${named}", which ${spec.source} does not describe.`,
      location: spec.locationOf(named === undefined ? pointer : `${pointer}/${key}`),
      fix:
        near !== undefined
          ? `write "${near}".`
          : `name an operation of the specification${first === undefined ? "" : ` by its operationId, such as "${first}"`}, or remove the link.`,
    },
  ];
}

const leadsTo = (spec: ApiSpec, reference: string | undefined): boolean =>
  reference !== undefined && isObject(spec.resolve(reference));
