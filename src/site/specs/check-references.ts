import { type Diagnostic, nearestName } from "../../lib/diagnostic/index.js";
import type { Json } from "../../lib/json/index.js";
import { entriesAt, isList, isObject, pointerTo } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";

/** The member of a document that holds the other files that it refers to. */
export const filesMember = "x-offprint-files";

/** Further broken references are only counted. */
const mostReported = 20;
/** Values that are data of the API, even if they look like references. */
export const isData = (name: string): boolean => dataNames.has(name) || name.startsWith("x-");
const dataNames = new Set(["example", "examples", "default", "enum", "const"]);
/** Objects whose names the writer chooses, so `default` in them is not a default. */
export const namedByWriter = new Set(
  "properties patternProperties schemas responses parameters paths webhooks channels messages callbacks definitions $defs".split(
    " ",
  ),
);

/** Reports broken references, and references to other files, which are not followed: each target once. */
export function checkReferences(spec: ApiSpec): Diagnostic[] {
  const known = new Map<string, boolean>();
  const faults: { readonly reference: string; readonly steps: readonly (string | number)[] }[] = [];
  const steps: (string | number)[] = [];

  const visit = (value: Json, chosen: boolean): void => {
    if (isList(value)) {
      value.forEach((item, index) => {
        steps.push(index);
        visit(item, false);
        steps.pop();
      });
      return;
    }
    if (!isObject(value)) return;
    for (const name in value) {
      const member = value[name]!;
      if (name === "$ref" && typeof member === "string" && !chosen) {
        if (known.has(member)) continue;
        const leads = !member.startsWith("/") && spec.resolve(member) !== undefined;
        known.set(member, leads);
        if (!leads) faults.push({ reference: member, steps: [...steps, name] });
      } else if (typeof member === "object" && member !== null && (chosen || !isData(name))) {
        steps.push(name);
        visit(member, !chosen && namedByWriter.has(name));
        steps.pop();
      }
    }
  };
  visit(spec.document, false);
  for (const [name, content] of entriesAt(spec.document, filesMember)) {
    steps.push(filesMember, name);
    visit(content, false);
    steps.length = 0;
  }

  const diagnostics = faults.slice(0, mostReported).map(({ reference, steps }) => {
    const location = spec.locationOf(pointerTo(...steps));
    return reference.startsWith("#") ? broken(spec, reference, location) : external(reference, location);
  });
  const rest = faults.length - diagnostics.length;
  if (rest > 0) diagnostics.push(andMore(spec, rest));
  return diagnostics;
}

function broken(spec: ApiSpec, reference: string, location: Diagnostic["location"]): Diagnostic {
  const cut = reference.lastIndexOf("/");
  const folder = cut > 0 ? spec.resolve(reference.slice(0, cut)) : undefined;
  const near = isObject(folder) ? nearestName(reference.slice(cut + 1), Object.keys(folder).slice(0, 2000)) : undefined;
  const what = `"${reference}" leads to nothing in ${spec.source}.`;
  const fix =
    near === undefined ? "describe it there, or remove the reference." : `write "${reference.slice(0, cut)}/${near}".`;
  return { code: "SPEC_REF_BROKEN", severity: "warning", what, location, fix };
}

function external(reference: string, location: Diagnostic["location"]): Diagnostic {
  const what = `"${reference}" leads to no file of this site that can be read, so it is not followed.`;
  const fix =
    "put the file into the site's folder, or bundle the specification into one file, for example with: npx @redocly/cli bundle";
  return { code: "SPEC_REF_EXTERNAL", severity: "warning", what, location, fix };
}

function andMore({ source }: ApiSpec, count: number): Diagnostic {
  return {
    code: "SPEC_REF_BROKEN",
    severity: "warning",
    what: `${source} has ${count} more references that lead nowhere.`,
    location: { sourcePath: source },
    fix: "correct the listed ones first.",
  };
}
