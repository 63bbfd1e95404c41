import { type Diagnostic, nearestName, quoted, warningOf } from "../../lib/diagnostic/index.js";
import {
  entriesAt,
  isList,
  isObject,
  type Json,
  type JsonObject,
  longestChain,
  pathOf,
  pointerTo,
  textAt,
} from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";

/** The member of a document with the content of the other files to which it refers. */
export const filesMember = "x-offprint-files";

/** Whether a member contains data of the API, in which a `$ref` is not a reference. */
export const isData = (name: string): boolean => dataNames.has(name) || (name.startsWith("x-") && name !== filesMember);
const dataNames = new Set(["example", "examples", "default", "enum", "const"]);
const chosenNames = new Set(
  (
    "properties patternProperties dependentSchemas schemas responses parameters requestBodies links securitySchemes " +
    "securityDefinitions pathItems paths webhooks content encoding mediaTypes servers channels operations messages " +
    `messageTraits operationTraits correlationIds replies replyAddresses callbacks definitions $defs ${filesMember}`
  ).split(" "),
);
/**
 * Whether the writer chooses the names in an object, so that `default` is not a default there, and `x-request-id` is not an
 * extension. The `headers` of an AsyncAPI message are a schema.
 */
export const isNamedByWriter = (name: string, value: Json): boolean =>
  chosenNames.has(name) ||
  (name === "headers" &&
    isObject(value) &&
    !("properties" in value) &&
    Object.values(value).every((header) => isObject(header)));

/**
 * Reports broken references, and references that are not followed, such as URLs: once for each target. If there are none, names
 * components to which nothing refers.
 *
 * @param hasEntries whether the document has operations, channels or the like. One without is a library of components.
 * @param leftOut references that have been reported already.
 */
export function checkReferences(
  spec: ApiSpec,
  hasEntries: boolean,
  leftOut: ReadonlySet<string> = new Set(),
): Diagnostic[] {
  const checked = new Set(leftOut);
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
      if (name === "$ref" && typeof member === "string") {
        if (checked.has(member)) continue;
        checked.add(member);
        const target = member.startsWith("/") ? undefined : spec.resolve(member);
        if (target === undefined || isEndless(target, spec))
          faults.push({ reference: member, steps: [...steps, name] });
      } else if (name === "$ref" && member === null && !chosen) {
        if (!checked.has("")) faults.push({ reference: "", steps: [...steps, name] });
        checked.add("");
      } else if (typeof member === "object" && member !== null && (chosen || !isData(name))) {
        steps.push(name);
        visit(member, !chosen && isNamedByWriter(name, member));
        steps.pop();
      }
    }
  };
  visit(spec.document, false);
  // A broken reference may be why nothing refers to a component, and workflows refer to components in expressions.
  const isTelling = hasEntries && faults.length === 0 && leftOut.size === 0 && spec.format !== "arazzo";
  const unused = isTelling ? unusedComponents(spec, checked) : [];

  const report = ({ reference, steps }: (typeof faults)[number]): Diagnostic => {
    const location = spec.locationOf(pointerTo(...steps));
    if (reference === "") return empty(location);
    if (!reference.startsWith("/") && spec.resolve(reference) !== undefined) return endless(spec, reference, location);
    return reference.startsWith("#") ? broken(spec, reference, location) : external(spec, reference, location);
  };
  return [...reportFirst(spec.source, faults, report, "broken references"), ...unused];
}

/** One hint for all components to which nothing refers. Schemas are left out, because the front matter of a page may name them. */
function unusedComponents(spec: ApiSpec, references: ReadonlySet<string>): Diagnostic[] {
  const used = new Set(Array.from(references, (reference) => pointerTo(...pathOf(reference).slice(0, 3))));
  const unused = entriesAt(spec.document, "components").flatMap(([kind, components]) =>
    /^(?:schemas|securitySchemes|x-.*)$/.test(kind)
      ? []
      : Object.keys(isObject(components) ? components : {})
          .map((name) => ({ name, pointer: pointerTo("components", kind, name) }))
          .filter(({ pointer }) => !used.has(pointer)),
  );
  const [first] = unused;
  if (first === undefined) return [];
  const names = unused.slice(0, maxReported).map(({ name }) => quoted(name, 60));
  const more = unused.length > names.length ? ` and ${unused.length - names.length} more` : "";
  const what = `Nothing refers to these components of ${spec.source}, so no page of an operation shows them: ${names.join(", ")}${more}.`;
  const fix = "refer to them, or remove them.";
  return [{ code: "SPEC_UNUSED", severity: "hint", what, location: spec.locationOf(first.pointer, "name"), fix }];
}

/** Whether the references of a value form a loop, or a longer chain than pages follow. */
function isEndless(value: Json, { resolve }: ApiSpec): boolean {
  let at: Json | undefined = value;
  for (let hops = 1; hops < longestChain; hops++) {
    const reference = textAt(at, "$ref");
    // A value with members next to its reference can be shown.
    at = reference === undefined || Object.keys(at as JsonObject).length > 1 ? undefined : resolve(reference);
    if (at === undefined) return false;
  }
  return true;
}

/** YAML reads `$ref: #/components/…` as a comment after an empty value. */
const empty = (location: Diagnostic["location"]): Diagnostic => ({
  ...warningOf("SPEC_REF_BROKEN", location),
  what: "The $ref is empty: in YAML, a # after a space starts a comment.",
  fix: 'put the reference in quotes: "#/components/schemas/…".',
});

function endless(spec: ApiSpec, reference: string, location: Diagnostic["location"]): Diagnostic {
  const what = `"${writtenReference(spec, reference)}" goes through more than ${longestChain} references, or back to itself, so pages do not show what it describes.`;
  const fix = "refer to the definition itself, not to another reference.";
  return { code: "SPEC_REF_BROKEN", severity: "warning", what, location, fix };
}

/** A reference as it is written: `schemas/pet.yaml#/Cat` instead of a pointer into `filesMember`. */
export function writtenReference({ locationOf, writtenPointer }: ApiSpec, reference: string): string {
  const [root, name, ...steps] = pathOf(reference);
  if (root !== filesMember || name === undefined) return writtenPointer?.(reference) ?? reference;
  return `${locationOf(pointerTo(root, name)).sourcePath}${steps.length === 0 ? "" : pointerTo(...steps)}`;
}

function broken(spec: ApiSpec, reference: string, location: Diagnostic["location"]): Diagnostic {
  const cut = reference.lastIndexOf("/");
  const folder = cut > 0 ? spec.resolve(reference.slice(0, cut)) : undefined;
  const name = reference.slice(cut + 1);
  // The name may be right, and one of those before it wrong: `#/components/schema/Order`.
  const holder = folder === undefined ? definitionOf(spec, name) : undefined;
  const near = isObject(folder) ? nearestName(name, Object.keys(folder).slice(0, 2000)) : undefined;
  const written = writtenReference(spec, reference);
  const isOwn = pathOf(reference)[0] !== filesMember;
  const what = `"${written}" does not exist${isOwn ? ` in ${spec.source}` : ""}.`;
  const fix =
    holder !== undefined
      ? `write "${holder}".`
      : near === undefined
        ? "define it there, or remove the reference."
        : `write "${written.slice(0, written.lastIndexOf("/"))}/${near}".`;
  return { code: "SPEC_REF_BROKEN", severity: "warning", what, location, fix };
}

/** The reference to a definition of the document by its name. */
function definitionOf({ document }: ApiSpec, name: string): string | undefined {
  const kind = entriesAt(document, "components").find(
    ([, definitions]) => isObject(definitions) && Object.hasOwn(definitions, name),
  )?.[0];
  return kind === undefined ? undefined : `#/components/${kind}/${name}`;
}

function external(spec: ApiSpec, reference: string, location: Diagnostic["location"]): Diagnostic {
  const own =
    reference.startsWith("/") && spec.resolve(`#${reference}`) ? `#${reference}` : definitionOf(spec, reference);
  const isAddress = /^(?:[a-z][\w+.-]+:|\/\/)/i.test(reference);
  const what = isAddress
    ? `"${reference}" is a URL. Only references to files of the site are resolved, so pages do not show what it describes.`
    : `"${reference}" does not point to a readable file of this site, so pages do not show what it describes.`;
  const fix = own
    ? `write "${own}".`
    : "add the file to the site and refer to it there, or bundle the specification into one file, for example with: npx @redocly/cli bundle";
  return { code: "SPEC_REF_EXTERNAL", severity: "error", what, location, fix };
}

const maxReported = 20;

/**
 * Reports the first faults of a kind, and only counts the others.
 *
 * @param noun completes `openapi.json has 3 more …`.
 */
export function reportFirst<Fault>(
  source: string,
  faults: readonly Fault[],
  report: (fault: Fault) => Diagnostic,
  noun: string,
): Diagnostic[] {
  const diagnostics = faults.slice(0, maxReported).map(report);
  const [first] = diagnostics;
  if (first === undefined || faults.length <= maxReported) return diagnostics;
  const what = `${source} has ${faults.length - maxReported} more ${noun}.`;
  const fix = "fix the listed ones first.";
  return [...diagnostics, { code: first.code, severity: "warning", what, location: { sourcePath: source }, fix }];
}
