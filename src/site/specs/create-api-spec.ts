import { type Diagnostic, type Location, nearestName } from "../../lib/diagnostic/index.js";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { isObject } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";
import { convertAsyncApi } from "./asyncapi/asyncapi.js";
import { convertSwagger, swaggerPlaces } from "./openapi/convert-swagger.js";
import { resolvePointer } from "./resolve-pointer.js";

/** Makes the specification of a document, or reports why pages cannot be made from it. */
export function createApiSpec(
  source: string,
  document: Json,
  locationOf: (pointer: string) => Location,
): ApiSpec | Diagnostic {
  if (!isObject(document)) return notRecognized(source, "it holds no object", locationOf("#"));
  const found = formats.find(({ key }) => Object.hasOwn(document, key));
  if (found === undefined) {
    const near = Object.keys(document)
      .slice(0, 50)
      .find((name) => meantBy(name) !== undefined);
    if (near === undefined)
      return notRecognized(source, 'it has neither "openapi" nor "asyncapi" at its top', locationOf("#"));
    return notRecognized(source, `it says "${near}" at its top`, locationOf("#"), meantBy(near));
  }
  const version = versionText(document[found.key]!);
  // Locations need a second reading of the text, so only faults look them up.
  const location = (): Location => locationOf(`#/${found.key}`);
  if (version === undefined) return notRecognized(source, `its "${found.key}" is no version`, location());
  if (!found.accepted.test(version)) return refusedVersion(source, found.name, version, found.fix, location());
  const current = found.convert?.(document, version) ?? document;
  return {
    source,
    format: found.key === "swagger" ? "openapi" : found.key,
    version,
    document: current,
    resolve: resolver(current),
    locationOf: found.key === "swagger" ? (pointer) => locationOf(writtenPlace(pointer)) : locationOf,
  };
}

/** The pointer of a part of a converted document in the document as written. */
function writtenPlace(pointer: string): string {
  const place = swaggerPlaces.find(([to]) => pointer.startsWith(to));
  return place === undefined ? pointer : place[1] + pointer.slice(place[0].length);
}

/** Most references lead to the same few components. */
function resolver(document: JsonObject): ApiSpec["resolve"] {
  const known = new Map<string, Json | undefined>();
  const self = document["$self"];
  return (pointer) => {
    const found = known.get(pointer);
    if (found !== undefined || known.has(pointer)) return found;
    const isOwn = typeof self === "string" && pointer.startsWith(`${self}#`);
    const value = resolvePointer(document, isOwn ? pointer.slice(self.length) : pointer);
    known.set(pointer, value);
    return value;
  };
}

interface Format {
  readonly key: ApiSpec["format"] | "swagger";
  readonly name: string;
  readonly accepted: RegExp;
  readonly fix: string;
  /** For a format that is read as another. */
  readonly convert?: (document: JsonObject, version: string) => JsonObject;
}

const formats: readonly Format[] = [
  {
    key: "openapi",
    name: "OpenAPI",
    accepted: /^3\.[012](?:\.|-|$)/,
    fix: 'convert it to OpenAPI 3.1, and write "openapi": "3.1.0".',
  },
  {
    key: "asyncapi",
    name: "AsyncAPI",
    accepted: /^[23](?:\.|$)/,
    fix: "convert it to AsyncAPI 3.0, for example with: npx @asyncapi/cli convert --target-version=3.0.0",
    convert: (document, version) => (version.startsWith("2") ? convertAsyncApi(document) : document),
  },
  {
    key: "swagger",
    name: "OpenAPI",
    accepted: /^2(?:\.|$)/,
    fix: "convert it to OpenAPI 3, for example in the menu Edit of editor.swagger.io.",
    convert: convertSwagger,
  },
  {
    key: "arazzo",
    name: "Arazzo",
    accepted: /^1\.[01](?:\.|-|$)/,
    fix: 'write "arazzo": "1.0.1", or "1.1.0".',
  },
  // As `parseGraphql` gives it.
  { key: "graphql", name: "GraphQL", accepted: /^schema$/, fix: "name the file of a GraphQL schema." },
];

/** YAML reads `3.0` as the number 3. */
function versionText(written: Json): string | undefined {
  if (typeof written === "number") return Number.isInteger(written) ? `${written}.0` : String(written);
  return typeof written === "string" && written.trim() !== "" ? written.trim() : undefined;
}

const meantBy = (name: string): string | undefined => nearestName(name, ["openapi", "asyncapi", "arazzo"]);

function notRecognized(source: string, reason: string, location: Location, meant?: string): Diagnostic {
  return {
    code: "SPEC_NOT_RECOGNIZED",
    severity: "error",
    what: `${source} is not an API specification: ${reason}.`,
    location,
    fix: meant
      ? `write "${meant}".`
      : 'write "openapi": "3.1.0" (or "asyncapi": "3.0.0") at its top, or name another file.',
  };
}

function refusedVersion(source: string, name: string, version: string, fix: string, location: Location): Diagnostic {
  return {
    code: "SPEC_VERSION",
    severity: "error",
    what: `${source} is written in ${name} ${version}; pages are made from OpenAPI 3.0 to 3.2, Swagger 2.0, AsyncAPI 2 and 3, and Arazzo 1.0 and 1.1.`,
    location,
    fix,
  };
}
