import type { Json, JsonObject } from "../../lib/json/index.js";
import { member, textAt } from "../../lib/json/index.js";
import { messagesFor } from "../../lib/language/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import type { ApiConfig } from "../../site/config/index.js";
import { type ApiTarget, listEntries, pointerOfTarget, type SpecEntry } from "../../site/specs/index.js";
import { type Operation, readOperation } from "../operations/operation.js";
import { isQueryText } from "../operations/parameter.js";
import { type Credential, readCredential } from "../operations/security.js";
import { absoluteUrl, readServer } from "../operations/server.js";
import { clip } from "../pages/nodes.js";
import { bodyWriter, type SampleRequest } from "../samples/languages/sample-request.js";
import { requestSample } from "../samples/request-sample.js";
import { createSampler } from "../samples/sample-value.js";
import { createReferences } from "../schema/references.js";
import { createSchemaReader } from "../schema/schema-reader.js";

/** In UTF-16 code units. */
const maxDescription = 10_000;

interface Folder {
  readonly requests: JsonObject[];
  readonly folders: Map<string, Folder>;
}

/**
 * A Postman collection (format 2.1) with a request for each operation of `targets`, in folders by tag. Bodies and
 * parameters are the examples of the specification; credentials and servers are variables. Undefined if there is no
 * operation.
 */
export function postmanCollection(
  spec: ApiSpec,
  targets: readonly ApiTarget[],
  api: Pick<ApiConfig, "examples">,
): JsonObject | undefined {
  const { document } = spec;
  const asked = new Set(targets.flatMap((target) => (target.kind === "operation" ? [pointerOfTarget(target)] : [])));
  if (asked.size === 0) return undefined;
  const references = createReferences(spec);
  const reader = createSchemaReader(references);
  const sampler = createSampler(reader);
  const variables = new Map<string, string>();
  const servers = createServers(spec, variables);
  const schemes = member(document["components"], "securitySchemes");
  const authOf = ({ security }: Operation): Json => {
    const ways = security.map((needs) =>
      needs.flatMap((need) => readCredential(need, schemes, references, messagesFor("en")) ?? []),
    );
    return authFor((ways.find((way) => way.length > 0) ?? [])[0], variables);
  };
  // Requests without authorization of their own have that of the document.
  const common = authOf(readOperation(document, {}, {}, references));
  const root: Folder = { requests: [], folders: new Map() };

  for (const entry of listEntries(spec, targets[0]!.spec).entries) {
    const { kind, method, name: path, pointer } = entry;
    if (kind !== "operation" || method === undefined || !asked.has(pointer)) continue;
    const pathItem = references.followObject(member(document["paths"], path)) ?? {};
    const written = spec.resolve(pointer) ?? member(pathItem, method);
    const operation = readOperation(document, pathItem, (written ?? {}) as JsonObject, references);
    const sample = requestSample({
      operation,
      method,
      path,
      baseUrl: "",
      credentials: [],
      api: api as ApiConfig,
      reader,
      sampler,
    });
    const auth = authOf(operation);
    const request = {
      method: sample.method,
      header: sample.headers.map(([key, value]) => ({ key, value })),
      ...(sample.body && { body: bodyFor(sample.body) }),
      url: urlFor(sample, path, operation, servers(operation), variables),
      ...(operation.description && { description: clip(operation.description, maxDescription) }),
      ...(JSON.stringify(auth) === JSON.stringify(common) ? {} : { auth }),
    };
    folderOf(root, entry).requests.push({ name: nameOf(entry, sample.method), request, response: [] });
  }

  const info = document["info"];
  const description = textAt(info, "description");
  return {
    info: {
      name: textAt(info, "title") ?? spec.source,
      ...(description && { description: clip(description, maxDescription) }),
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    item: itemsOf(root),
    auth: common,
    variable: [...variables].map(([key, value]) => ({ key, value })),
  };
}

const nameOf = ({ title, name }: SpecEntry, method: string): string => clip(title ?? `${method} ${name}`, 200);

function folderOf(root: Folder, { tagLabel, tagParents }: SpecEntry): Folder {
  let folder = root;
  for (const name of tagLabel === undefined ? [] : [...tagParents, tagLabel]) {
    const inner = folder.folders.get(name) ?? { requests: [], folders: new Map() };
    folder.folders.set(name, inner);
    folder = inner;
  }
  return folder;
}

const itemsOf = ({ folders, requests }: Folder): Json[] => [
  ...[...folders].map(([name, folder]) => ({ name, item: itemsOf(folder) })),
  ...requests,
];

const inBraces = (text: string): string => text.replace(/\{([^{}/]+)\}/g, "{{$1}}");

/** Gives the variable that holds the address of an operation's first server. */
function createServers({ source }: ApiSpec, variables: Map<string, string>): (operation: Operation) => string {
  const known = new Map<string, string>();
  return ({ servers: [first] }) => {
    const server = first && readServer(first);
    const isWhole = server !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(server.url);
    const url = isWhole ? inBraces(server.url).replace(/\/+$/, "") : absoluteUrl(server, source);
    const name = known.get(url) ?? `baseUrl${known.size === 0 ? "" : known.size + 1}`;
    if (!known.has(url)) {
      known.set(url, name);
      variables.set(name, url);
      for (const variable of isWhole ? server.variables : [])
        if (!variables.has(variable.name)) variables.set(variable.name, variable.default ?? "");
    }
    return `{{${name}}}`;
  };
}

/** A parameter that fills a part of the path between slashes is a variable of the request. */
function urlFor(
  { url }: SampleRequest,
  path: string,
  { parameters }: Operation,
  host: string,
  variables: Map<string, string>,
): JsonObject {
  const [filled = "", search = ""] = url.split(/\?(.*)/s);
  const values = filled.split("/").slice(1);
  const about = (name: string, place: string) =>
    parameters.find((each) => each.place === place && (each.name === name || name.startsWith(`${each.name}[`)));
  const noted = (text: string | undefined): JsonObject => (text ? { description: clip(text, maxDescription) } : {});
  const variable: JsonObject[] = [];
  const steps = path
    .split("/")
    .slice(1)
    .map((step, i): string => {
      const name = /^\{([^{}]+)\}$/.exec(step)?.[1];
      if (name === undefined) {
        for (const [, part] of step.matchAll(/\{([^{}]+)\}/g)) if (!variables.has(part!)) variables.set(part!, "");
        return inBraces(step);
      }
      const value = values[i] ?? "";
      const isKnown = value !== "" && !value.startsWith("{");
      variable.push({ key: name, value: isKnown ? decoded(value) : "", ...noted(about(name, "path")?.description) });
      return `:${name}`;
    });
  const isText = parameters.some(isQueryText);
  // A pair without a value is written as its key.
  const pairs = isText && search !== "" ? [[search, null] as const] : [...new URLSearchParams(search)];
  const query = pairs.map(([key, value]) => {
    const parameter = isText ? parameters.find(isQueryText) : about(key, "query");
    return { key, value, ...(parameter?.required === false && { disabled: true }), ...noted(parameter?.description) };
  });
  const shown = query
    .filter((each) => !("disabled" in each))
    .map(({ key, value }) => (value === null ? key : `${key}=${value}`));
  return {
    raw: `${[host, ...steps].join("/")}${shown.length > 0 ? `?${shown.join("&")}` : ""}`,
    host: [host],
    path: steps,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const bodyFor = bodyWriter<JsonObject>({
  json: ({ text }) => ({ mode: "raw", raw: text, options: { raw: { language: "json" } } }),
  form: ({ fields }) => ({ mode: "urlencoded", urlencoded: fields.map(([key, value]) => ({ key, value })) }),
  multipart: ({ parts }) => ({
    mode: "formdata",
    formdata: parts.map(({ name: key, value, isFile, contentType }) => ({
      key,
      ...(isFile ? { type: "file", src: [] } : { type: "text", value }),
      ...(contentType && { contentType }),
    })),
  }),
  text: ({ text }) => ({ mode: "raw", raw: text }),
  file: () => ({ mode: "file", file: {} }),
});

const listed = (values: Readonly<Record<string, string>>): Json =>
  Object.entries(values).map(([key, value]) => ({ key, value, type: "string" }));

/** Credentials are variables without a value: readers fill them in. */
function authFor(credential: Credential | undefined, variables: Map<string, string>): Json {
  const secret = (name: string): string => {
    if (!variables.has(name)) variables.set(name, "");
    return `{{${name}}}`;
  };
  switch (credential?.kind) {
    case "basic":
      return {
        type: "basic",
        basic: listed({ username: secret("username"), password: secret("password") }),
      };
    case "token":
      if (credential.source === undefined && credential.prefix !== "Bearer")
        return {
          type: "apikey",
          apikey: listed({ key: credential.name, value: `${credential.prefix} ${secret("token")}`, in: "header" }),
        };
      return credential.source === undefined
        ? { type: "bearer", bearer: listed({ token: secret("bearerToken") }) }
        : {
            type: "oauth2",
            oauth2: listed({
              accessToken: secret("accessToken"),
              addTokenTo: "header",
              scope: credential.scopes.join(" "),
            }),
          };
    case "key":
      if (credential.place === "cookie") return cookieAuth(credential.name, secret("apiKey"));
      return {
        type: "apikey",
        apikey: listed({ key: credential.name, value: secret("apiKey"), in: credential.place ?? "header" }),
      };
    default:
      return { type: "noauth" };
  }
}

/** Postman has no credentials in cookies, so this sets the header. */
const cookieAuth = (name: string, value: string): Json => ({
  type: "apikey",
  apikey: listed({ key: "Cookie", value: `${name}=${value}`, in: "header" }),
});
