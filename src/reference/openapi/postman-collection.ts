import { type Json, type JsonObject, member, textAt } from "../../lib/json/index.js";
import { messagesFor } from "../../lib/language/index.js";
import { decodePercent } from "../../lib/url/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import type { ApiConfig } from "../../site/config/index.js";
import { type ApiTarget, listEntries, pointerOfTarget, type SpecEntry } from "../../site/specs/index.js";
import { type Operation, readOperation } from "../operations/operation.js";
import { type Credential, readCredential } from "../operations/security.js";
import { absoluteUrl, readServer } from "../operations/server.js";
import { isQueryText } from "../operations/write-parameter.js";
import { splitTarget } from "../operations/write-request.js";
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
  // Requests without authorization of their own inherit that of the document.
  const common = authOf(readOperation(document, {}, {}, references));
  const root: Folder = { requests: [], folders: new Map() };

  for (const entry of listEntries(spec, targets[0]!.spec).entries) {
    const { kind, method, name: path, pointer } = entry;
    if (kind !== "operation" || method === undefined || !asked.has(pointer)) continue;
    const pathItem = references.followObject(member(document["paths"], path)) ?? {};
    const written = spec.resolve(pointer) ?? member(pathItem, method);
    const operation = readOperation(document, pathItem, (written ?? {}) as JsonObject, references);
    const sampleWith = (defaults: ApiConfig["examples"]["defaults"], operation: Operation): SampleRequest =>
      requestSample({
        operation,
        method,
        path,
        baseUrl: "",
        credentials: [],
        api: { ...(api as ApiConfig), examples: { ...api.examples, defaults } },
        reader,
        sampler,
      });
    const sample = sampleWith(api.examples.defaults, operation);
    // The other parameters are listed too, but disabled: Postman sends them only if readers tick them.
    const { body: _, ...withoutBody } = operation;
    const full = sampleWith("all", withoutBody);
    const isSent = (part: readonly (readonly [string, string])[], name: string): boolean =>
      part.some(([sent]) => sent === name);
    const auth = authOf(operation);
    const request = {
      method: sample.method,
      header: [
        ...sample.headers,
        ...full.headers.filter(([name]) => !isSent(sample.headers, name) && !/^content-type$/i.test(name)),
      ].map(([key, value]) => ({ key, value, ...(isSent(sample.headers, key) ? {} : { disabled: true }) })),
      ...(sample.body && { body: bodyFor(sample.body) }),
      url: urlFor(sample, full, path, operation, servers(operation), variables),
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

/** Returns a function that names the variable with the URL of an operation's first server. */
function createServers({ source }: ApiSpec, variables: Map<string, string>): (operation: Operation) => string {
  const nameByUrl = new Map<string, string>();
  return ({ servers: [first] }) => {
    const server = first && readServer(first);
    const isAbsolute = server !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(server.url);
    const url = isAbsolute ? inBraces(server.url).replace(/\/+$/, "") : absoluteUrl(server, source);
    const name = nameByUrl.get(url) ?? `baseUrl${nameByUrl.size === 0 ? "" : nameByUrl.size + 1}`;
    if (!nameByUrl.has(url)) {
      nameByUrl.set(url, name);
      variables.set(name, url);
      for (const variable of isAbsolute ? server.variables : [])
        if (!variables.has(variable.name)) variables.set(variable.name, variable.default ?? "");
    }
    return `{{${name}}}`;
  };
}

/**
 * A parameter that fills a whole segment of the path is a variable of the request. @param full the request with all
 * parameters, those that are not sent included.
 */
function urlFor(
  sample: SampleRequest,
  full: SampleRequest,
  written: string,
  { parameters }: Operation,
  host: string,
  variables: Map<string, string>,
): JsonObject {
  const [filled = ""] = sample.url.split("?", 1);
  const values = filled.split("/").slice(1);
  const about = (name: string, place: string) =>
    parameters.find(
      (parameter) => parameter.place === place && (parameter.name === name || name.startsWith(`${parameter.name}[`)),
    );
  const noted = (text: string | undefined): JsonObject => (text ? { description: clip(text, maxDescription) } : {});
  const variable: JsonObject[] = [];
  const { path } = splitTarget(written);
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
      variable.push({
        key: name,
        value: isKnown ? postmanText(value) : "",
        ...noted(about(name, "path")?.description),
      });
      return `:${name}`;
    });
  const text = parameters.find(isQueryText);
  const sent = pairsIn(sample.url);
  const unsent = pairsIn(full.url).filter((pair) => !sent.includes(pair));
  const query = [...sent, ...unsent].map((pair, i) => {
    const [key = "", value = null] = text ? [pair] : pair.split(/=(.*)/s);
    const parameter = text ?? about(decodePercent(key), "query");
    return {
      key: text ? key : postmanText(key),
      // A pair without a value is written as its key.
      value: value === null ? null : inBraces(postmanText(value)),
      ...(i >= sent.length && { disabled: true }),
      ...noted(parameter?.description),
    };
  });
  const shown = query.slice(0, sent.length).map(({ key, value }) => (value === null ? key : `${key}=${value}`));
  return {
    raw: `${[host, ...steps].join("/")}${shown.length > 0 ? `?${shown.join("&")}` : ""}`,
    host: [host],
    path: steps,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

const pairsIn = (url: string): string[] => (url.split(/\?(.*)/s)[1] ?? "").split("&").filter((pair) => pair !== "");

/** Postman encodes most characters itself, but none that would end a value or begin a variable. */
const postmanText = (encoded: string): string =>
  encoded.replace(/(?:%[\da-f]{2})+/gi, (codes) =>
    decodePercent(codes).replace(/[%&+=#;/?{}]|\p{C}/gu, (char) => encodeURIComponent(char)),
  );

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

const credentials = (type: string, values: Readonly<Record<string, string>>): Json => ({
  type,
  [type]: Object.entries(values).map(([key, value]) => ({ key, value, type: "string" })),
});

/** Credentials are variables without a value: readers fill them in. */
function authFor(credential: Credential | undefined, variables: Map<string, string>): Json {
  const secret = (name: string): string => {
    if (!variables.has(name)) variables.set(name, "");
    return `{{${name}}}`;
  };
  switch (credential?.kind) {
    case "basic":
      return credentials("basic", { username: secret("username"), password: secret("password") });
    case "challenge": {
      const type = credential.prefix?.toLowerCase() ?? "";
      if (type !== "digest" && type !== "ntlm") return { type: "noauth" };
      return credentials(type, { username: secret("username"), password: secret("password") });
    }
    case "token": {
      const { name, prefix, source, scopes } = credential;
      if (source !== undefined)
        return credentials("oauth2", {
          accessToken: secret("accessToken"),
          addTokenTo: "header",
          scope: scopes.join(" "),
        });
      if (prefix === "Bearer") return credentials("bearer", { token: secret("bearerToken") });
      return credentials("apikey", { key: name, value: `${prefix} ${secret("token")}`, in: "header" });
    }
    case "key": {
      const { name, place } = credential;
      // Postman has no credentials in cookies, so this sets the header.
      if (place === "cookie")
        return credentials("apikey", { key: "Cookie", value: `${name}=${secret("apiKey")}`, in: "header" });
      return credentials("apikey", { key: name, value: secret("apiKey"), in: place ?? "header" });
    }
    default:
      return { type: "noauth" };
  }
}
