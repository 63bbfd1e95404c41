import { posix } from "node:path";
import { type Diagnostic, errorOf, likelyName } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "../source/index.js";
import {
  type JsonFile,
  type JsonMember,
  type JsonObject,
  type JsonString,
  type JsonValue,
  locationOf,
  memberOf,
  type Report,
  shortened,
  shown,
  textEdit,
} from "./json-value.js";
import { maxJsonDepth, maxJsonValueCount, parseJson } from "./parse-json.js";
import { reportAt } from "./report-setting.js";
import { maxPathLength } from "./values.js";

const asError = { severity: "error" } as const;

/**
 * Replaces `{"$ref": "./part.json"}` with the content of the file, at any level and in included files too.
 *
 * In:    paths are relative to the file that contains them; with a leading `/`, to the site folder.
 * Out:   members next to `$ref` override those of an included object; next to anything else they are ignored with a
 *        warning. Every value keeps the location where it was written, so faults are shown in their own file.
 * Fails: a file that is missing, invalid, outside the site, or includes itself is an error; the reference is left out and
 *        the members next to it stay. Reading ends beyond `maxJsonValueCount` or `maxJsonDepth`.
 */
export function resolveRefs(
  root: JsonValue,
  files: SiteFiles,
  readFile: (sourcePath: string) => JsonFile | undefined,
  report: Report,
): JsonValue | undefined {
  const parsed = new Map<string, JsonValue | undefined>();
  let valueCount = 0;
  let isFull = false;

  const parsedFile = (sourcePath: string): JsonValue | undefined => {
    if (!parsed.has(sourcePath)) {
      const file = readFile(sourcePath);
      parsed.set(sourcePath, file && parseJson(file, report));
    }
    return parsed.get(sourcePath);
  };

  /** @param chain the files that are being included, outermost first. */
  const resolve = (value: JsonValue, chain: readonly string[], depth: number): JsonValue | undefined => {
    if (isFull) return undefined;
    valueCount += 1;
    if (valueCount > maxJsonValueCount || depth > maxJsonDepth) {
      isFull = true;
      const [code, what] =
        depth > maxJsonDepth
          ? ["CONFIG_TOO_DEEP", `is nested deeper than ${maxJsonDepth} levels`]
          : ["CONFIG_TOO_LARGE", `has more than ${maxJsonValueCount} values`];
      const fix = "refer to fewer files, or less often to the same file.";
      return reportAt(value, report, code, `With its references resolved, the configuration ${what}.`, fix, asError);
    }
    if (value.kind === "array") {
      const items = value.items.map((item) => resolve(item, chain, depth + 1));
      return { ...value, items: items.filter((item) => item !== undefined) };
    }
    if (value.kind !== "object") return value;
    const ref = memberOf(value, "$ref");
    const siblings = resolveMembers(value, chain, depth);
    if (ref === undefined) return { ...value, members: siblings };
    const target = resolveRef(ref, chain, depth);
    if (target === undefined) return siblings.length > 0 ? { ...value, members: siblings } : undefined;
    if (target.kind !== "object") {
      if (siblings.length > 0) reportIgnored(siblings, ref, target, report);
      return target;
    }
    return { ...target, members: overridden(target.members, siblings) };
  };

  const resolveMembers = (object: JsonObject, chain: readonly string[], depth: number): JsonMember[] => {
    const members: JsonMember[] = [];
    for (const member of object.members) {
      if (member.name === "$ref") continue;
      const value = resolve(member.value, chain, depth + 1);
      if (value !== undefined) members.push({ ...member, value });
    }
    return members;
  };

  const resolveRef = (ref: JsonValue, chain: readonly string[], depth: number): JsonValue | undefined => {
    const sourcePath = refTarget(ref, files, report);
    if (sourcePath === undefined) return undefined;
    if (chain.includes(sourcePath)) {
      const circle = [...chain.slice(chain.indexOf(sourcePath)), sourcePath].join(" -> ");
      const what = `This reference is circular: ${circle}.`;
      return reportAt(ref, report, "CONFIG_REF_CYCLE", what, "remove one of these references.", asError);
    }
    const target = parsedFile(sourcePath);
    return target && resolve(target, [...chain, sourcePath], depth + 1);
  };

  const result = resolve(root, [root.at.file.sourcePath], 0);
  return isFull ? undefined : result;
}

/** The site file that a `$ref` names, or undefined once the reason has been reported. */
function refTarget(ref: JsonValue, files: SiteFiles, report: Report): string | undefined {
  const fault = (code: string, what: string, fix: string) => reportAt(ref, report, code, what, fix, asError);
  if (ref.kind !== "string" || ref.value.trim() === "" || ref.value.length > maxPathLength) {
    return fault("CONFIG_REF_INVALID", `"$ref" is ${shown(ref)}, but must be the path of a JSON file.`, refFix);
  }
  const written = ref.value.trim().replaceAll("\\", "/");
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(written)) {
    return fault("CONFIG_REF_INVALID", `"$ref" is ${shown(ref)}, but can refer only to a file of the site.`, refFix);
  }
  const folder = written.startsWith("/") ? "" : posix.dirname(ref.at.file.sourcePath);
  const sourcePath = posix.join(folder, written.replace(/^\/+/, ""));
  if (sourcePath === ".." || sourcePath.startsWith("../")) {
    return fault(
      "CONFIG_REF_OUTSIDE",
      `${shown(ref)} points outside the site folder.`,
      `move the file into the site folder and write {"$ref": "./${posix.basename(sourcePath)}"}.`,
    );
  }
  if (!files.has(sourcePath)) {
    report(() => notFound(ref, sourcePath, files));
    return undefined;
  }
  if (!sourcePath.endsWith(".json")) {
    return fault(
      "CONFIG_REF_INVALID",
      `"$ref" is ${shown(ref)}, but must be the path of a file that ends in .json.`,
      `convert the file to JSON, and write {"$ref": "./${posix.basename(sourcePath).replace(/\.[^.]*$/, "")}.json"} here.`,
    );
  }
  return sourcePath;
}

const refFix = 'write {"$ref": "./part.json"}.';

/** Enough to find a misspelt name in a real site, and still fast in a site with a hundred thousand files. */
const maxCandidateCount = 2_000;

function notFound(ref: JsonString, sourcePath: string, files: SiteFiles): Diagnostic {
  const candidates = files.paths.filter((path) => path.endsWith(".json")).slice(0, maxCandidateCount);
  const near = likelyName(sourcePath, candidates);
  const path = near && posix.relative(posix.dirname(ref.at.file.sourcePath), near.name);
  const relative = path && `${path.startsWith("../") ? "" : "./"}${path}`;
  return {
    ...errorOf("CONFIG_REF_NOT_FOUND"),
    what: `"$ref" is ${shown(ref)}, but the site has no ${shortened(sourcePath)} (ignored files, and links that point outside the site folder, do not count).`,
    location: locationOf(ref),
    fix: relative
      ? `write "${relative}" (${near?.name} exists).`
      : `create ${shortened(sourcePath)}, or remove the reference.`,
    ...(near && relative && textEdit(ref.at, { ...near, name: relative })),
  };
}

function reportIgnored(siblings: readonly JsonMember[], ref: JsonValue, target: JsonValue, report: Report): void {
  const names = siblings.map(({ name }) => JSON.stringify(name)).slice(0, 5);
  const what = `${target.at.file.sourcePath} is not an object, so ${names.join(", ")} next to this "$ref" ${names.length > 1 ? "are" : "is"} ignored.`;
  reportAt(ref, report, "CONFIG_REF_SIBLINGS", what, 'remove everything next to "$ref" from its object.');
}

/** Members of the file in their order, overridden by siblings of the same name; further siblings after them. */
function overridden(members: readonly JsonMember[], siblings: readonly JsonMember[]): JsonMember[] {
  const byName = new Map([...members, ...siblings].map((member) => [member.name, member]));
  return [...byName.values()];
}
