/** Diagnostics for values of the configuration: their location, the expected value, and the text to write. */

import { type Diagnostic, type LikelyName, likelyName, warningOf } from "../../lib/diagnostic/index.js";
import {
  type JsonMember,
  type JsonObject,
  type JsonValue,
  locationOf,
  locationOfSpan,
  memberOf,
  pathOf,
  type Report,
  shortened,
  shown,
  textEdit,
} from "./json-value.js";

type Details = Partial<Pick<Diagnostic, "severity" | "edits">>;

/** Reports a fault of a value: a warning, unless `details` says otherwise. */
export function reportAt(
  value: JsonValue,
  report: Report,
  code: string,
  what: string,
  fix: string,
  details: Details = {},
): undefined {
  report({ code, severity: "warning", what, location: locationOf(value), fix, ...details });
}

export function reportInvalid(
  value: JsonValue,
  report: Report,
  expected: string,
  fix?: string,
  details?: Details,
): undefined {
  const what = `${inQuotes(value)} is ${shown(value)}, but must be ${expected}, so it is ignored.`;
  const intended = fix === undefined ? intendedValue(value, expected) : undefined;
  const advice = fix ?? (intended === undefined ? `write ${expected}, or remove it.` : `write ${intended}.`);
  return reportAt(value, report, "CONFIG_BAD_VALUE", what, advice, details);
}

/** Names that other tools, and older versions, use for the same setting. */
const synonyms =
  "href url link to,label name title text,source from,destination to target,pages items children,measurementId id trackingId,light src,apiKey key token projectApiKey,thumbs thumbsRating,edits suggestEdit,issues raiseIssue"
    .split(",")
    .map((names) => names.split(" "));

const wordsForType = ["kind", "name", "platform", "network"];

/** The known name that was probably intended: one that is spelled similarly, or a synonym. */
export function intendedName(object: JsonObject, name: string, knownNames: readonly string[]): LikelyName | undefined {
  const other = synonyms
    .filter((names) => names.includes(name))
    .flat()
    .concat(wordsForType.includes(name) ? "type" : [])
    .find((synonym) => knownNames.includes(synonym) && !memberOf(object, synonym));
  if (other !== undefined) return { name: other, certain: true };
  const likely = likelyName(name, knownNames);
  // "ai" is not a misspelt "api".
  const near = likely && (likely.certain || name.length > 2) ? likely : undefined;
  // If the object also has `light`, `height` is not a misspelling of it. But `topbarLink` is one of `topbarLinks`.
  return near && (near.name[0] === name[0] || !memberOf(object, near.name)) ? near : undefined;
}

/**
 * Gives each member that has another spelling of a known name, or a synonym, the known name, unless the object has that
 * already. Changes the object itself, so that all its readers find the value. Reports each.
 */
export function repairNames(object: JsonObject, knownNames: readonly string[], report: Report): void {
  for (const member of object.members) {
    const near = knownNames.includes(member.name) ? undefined : intendedName(object, member.name, knownNames);
    if (!near?.certain || memberOf(object, near.name)) continue;
    reportReadAs(object, member, near.name, `write "${near.name}".`, report, textEdit(member.nameAt, near));
    member.name = near.name;
  }
}

/** Reports a setting that does not exist under this name, but is read all the same. */
export function reportReadAs(
  object: JsonObject,
  { name, nameAt }: JsonMember,
  readAs: string,
  fix: string,
  report: Report,
  details: Details = {},
): void {
  const what = `${inQuotes(object)} has no setting ${shortened(JSON.stringify(name))}; it is read as "${readAs}".`;
  report({ code: "CONFIG_UNKNOWN_KEY", severity: "warning", what, location: locationOfSpan(nameAt), fix, ...details });
}

/** Reports a setting that does not exist, with its hint, or with the name that was probably intended. */
export function reportUnknown(
  object: JsonObject,
  member: JsonMember,
  knownNames: readonly string[],
  report: Report,
  hints: Readonly<Record<string, string>> = {},
  advice = knownNames.length > 12 ? "remove it." : `remove it; known settings here: ${knownNames.join(", ")}.`,
): void {
  report(() => {
    const hint = Object.hasOwn(hints, member.name) ? hints[member.name] : undefined;
    const near = intendedName(object, member.name, knownNames);
    return {
      ...warningOf("CONFIG_UNKNOWN_KEY"),
      what: `${inQuotes(object)} has no setting ${shortened(JSON.stringify(member.name))}; it is ignored.`,
      location: locationOfSpan(member.nameAt),
      fix: hint ?? (near ? `write "${near.name}".` : advice),
      ...(!hint && near && !memberOf(object, near.name) && textEdit(member.nameAt, near)),
    };
  });
}

/** Reports an object without a setting that it needs. @param isForeign none of its settings is known */
export function reportMissing(object: JsonObject, report: Report, name: string, isForeign = false): undefined {
  const what = `${inQuotes(object)} has no "${name}", so it is left out.`;
  const [first, ...others] = isForeign ? object.members.map((member) => JSON.stringify(member.name)) : [];
  const isList = exampleOf(name).startsWith("[");
  const fix =
    first === undefined || (!isList && others.length > 0)
      ? `add "${name}": ${exampleOf(name)} to it.`
      : isList
        ? `write { "${name}": [ { ${first}: … } ] }.`
        : `write "${name}" in place of ${shortened(first)}.`;
  return reportAt(object, report, "CONFIG_KEY_MISSING", what, fix);
}

/** Reports a name that the writer chose and that breaks the rule for such names. */
export function reportName(
  object: JsonObject,
  { name, nameAt }: JsonMember,
  isName: (name: string) => boolean,
  rule: string,
  report: Report,
): void {
  const near = name
    .trim()
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const what = `${shortened(JSON.stringify(name))} in ${inQuotes(object)} is left out: ${rule}.`;
  const fix = near !== "" && isName(near) ? `write "${near}".` : "choose another name.";
  report({ code: "CONFIG_BAD_NAME", severity: "warning", what, location: locationOfSpan(nameAt), fix });
}

/** The name of a value in a message: its path, or the file's name for its whole content. */
export function inQuotes(value: JsonValue): string {
  const path = pathOf(value);
  return path === "" ? value.at.file.sourcePath : `"${path}"`;
}

/** The value of the expected type that was probably intended, as JSON. */
function intendedValue(value: JsonValue, expected: string): string | undefined {
  if (value.kind === "array" && value.items.length === 1 && expected === "a string") {
    const [item] = value.items;
    return item?.kind === "string" && item.value.trim() !== "" ? shown(item) : undefined;
  }
  if (value.kind === "object" && value.step === "redirects") {
    const [first] = value.members;
    return first?.value.kind === "string"
      ? `[{ "source": ${JSON.stringify(first.name)}, "destination": ${shown(first.value)} }, …]`
      : undefined;
  }
  const member = expected === "an object" && mainMembers[value.step];
  if (member) return `{ "${member}": ${value.kind === "array" ? "[ … ]" : shown(value)} }`;
  if (value.kind === "object") return expected === "a list" ? "[ before it and ] after it" : undefined;
  if (value.kind === "array" || value.kind === "null" || value.value === "") return undefined;
  if (expected === "a string") return shortened(JSON.stringify(String(value.value)));
  if (expected === "a list") return `[${shown(value)}]`;
  const word = String(value.value).trim().toLowerCase();
  if (expected === "an object" && /^(?:https?:\/\/|mailto:)/.test(word))
    return `{ "label": "…", "href": ${shown(value)} }`;
  if (/^(?:auto|automatic|default|os)$/.test(word) && expected.includes('"system"')) return '"system"';
  if (expected !== "true or false") return undefined;
  if (["true", "yes", "on", "1"].includes(word)) return "true";
  return ["false", "no", "off", "0"].includes(word) ? "false" : undefined;
}

/** The member of an object whose value some writers put in place of the whole object. */
const mainMembers: Readonly<Record<string, string>> = {
  ...{ banner: "content", contextual: "options", navbar: "links", search: "prompt", appearance: "default" },
  ...{ colors: "primary", color: "light", icons: "library", fonts: "family" },
};

/** Values to show for required settings, as JSON. */
const examples: Readonly<Record<string, string>> = {
  ...{ items: "[ … ]", options: "[ … ]", metatags: "{ … }", source: '"/old/page"' },
  ...{ href: '"/guides/install"', destination: '"/guides/install"', base: '"/guides/install"' },
};
const exampleOf = (name: string): string => (Object.hasOwn(examples, name) ? examples[name]! : '"…"');
