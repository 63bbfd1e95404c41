import { type Diagnostic, errorOf, type Location, nearestName } from "../../lib/diagnostic/index.js";
import { isObject, type Json, type JsonObject, member, textAt } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";
import { specKinds } from "./kinds.js";
import otherFormats from "./other-formats.json" with { type: "json" };
import { resolvePointer } from "./resolve-pointer.js";
import type { SpecKind } from "./spec-kind.js";

/** Makes a specification from a document, or reports why that is not possible. */
export function createApiSpec(source: string, document: Json, locationOf: ApiSpec["locationOf"]): ApiSpec | Diagnostic {
  if (!isObject(document)) return notRecognized(source, "it does not contain an object", locationOf("#"));
  const kind = specKinds.find(({ key }) => Object.hasOwn(document, key));
  if (kind === undefined) {
    const names = Object.keys(document).slice(0, 50);
    const near = names.find((name) => likelyKey(name) !== undefined);
    const fault = near ? `its top level has "${near}"` : 'its top level has neither "openapi" nor "asyncapi"';
    return notRecognized(source, fault, locationOf("#"), near && likelyKey(near));
  }
  const version = versionText(document[kind.key]!);
  // Look up locations only for faults, since that needs a second pass over the text.
  const location = (): Location => locationOf(`#/${kind.key}`);
  if (version === undefined) return notRecognized(source, `its "${kind.key}" is not a version`, location());
  if (!kind.accepted.test(version)) return refusedVersion(source, kind, version, location());
  const current = kind.convert?.(document, version) ?? document;
  const { writtenPointer } = kind;
  return {
    source,
    format: kind.format,
    version,
    document: current,
    resolve: resolver(current),
    ...(writtenPointer === undefined
      ? { locationOf }
      : { writtenPointer, locationOf: (pointer, part) => locationOf(writtenPointer(pointer), part) }),
  };
}

/** Resolves pointers, and caches the values, since most references are to the same few components. */
function resolver(document: JsonObject): ApiSpec["resolve"] {
  const values = new Map<string, Json | undefined>();
  const self = document["$self"];
  return (pointer) => {
    if (!values.has(pointer)) {
      const isOwn = typeof self === "string" && pointer.startsWith(`${self}#`);
      values.set(pointer, resolvePointer(document, isOwn ? pointer.slice(self.length) : pointer));
    }
    return values.get(pointer);
  };
}

/** The version of the API, which may be written as a number. */
export function infoVersion({ info }: JsonObject): string | undefined {
  const version = member(info, "version");
  return typeof version === "number" ? String(version) : textAt(info, "version");
}

/** A version as text. YAML parses `3.0` as the number 3. */
function versionText(written: Json): string | undefined {
  if (typeof written === "number") return Number.isInteger(written) ? `${written}.0` : String(written);
  return typeof written === "string" && written.trim() !== "" ? written.trim() : undefined;
}

const likelyKey = (name: string): string | undefined => nearestName(name, ["openapi", "asyncapi", "arazzo"]);

function notRecognized(source: string, reason: string, location: Location, near?: string): Diagnostic {
  const what = `${source} is not an API specification: ${reason}.`;
  const fix = near
    ? `write "${near}".`
    : 'add "openapi": "3.1.0" (or "asyncapi": "3.0.0") to its top level, or use another file.';
  return { code: "SPEC_NOT_RECOGNIZED", severity: "error", what, location, fix };
}

/** Length of the start of a file in which its format is recognized. */
const startLength = 2_000;

/** Reports a file in a known format that is not supported. */
export function refusedFormat(source: string, text: string): Diagnostic | undefined {
  const start = text.slice(0, startLength);
  const format = otherFormats.find((other) => new RegExp(other.start).test(start));
  if (format === undefined) return undefined;
  const how = format.tool ? `, for example with: ${format.tool} ${source}` : ", and use that file";
  return {
    ...errorOf("SPEC_NOT_RECOGNIZED"),
    what: `${source} is ${format.name}; the supported formats are OpenAPI, AsyncAPI, GraphQL and Arazzo.`,
    location: { sourcePath: source, line: 1, column: 1 },
    fix: `describe the API in OpenAPI${how}.`,
  };
}

function refusedVersion(source: string, { name, fix }: SpecKind, version: string, location: Location): Diagnostic {
  const what = `${source} uses ${name} ${version}, which is not supported; the supported versions are OpenAPI 3.0 to 3.2, Swagger 2.0, AsyncAPI 2 and 3, and Arazzo 1.0 and 1.1.`;
  return { code: "SPEC_VERSION", severity: "error", what, location, fix };
}
