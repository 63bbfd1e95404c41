import type { Json, JsonObject } from "../../lib/json/index.js";
import { entriesAt, isObject, isTrueAt, listAt, member, pathOf, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { FormCredential } from "../forms/playground-form.js";
import type { References } from "../schema/references.js";
import { signInOf, type TokenSource, tokenSource } from "./oauth.js";
import type { SecurityNeed } from "./operation.js";
import type { Parameter } from "./write-parameter.js";

/** A credential of a request. Its name is that of the header, parameter or cookie; else that of the scheme. */
export interface Credential extends FormCredential {
  readonly description: string;
  /** Type of a scheme whose credential is not sent as text: `mutualTLS`, or one of brokers, such as `scramSha256`. */
  readonly type?: string | undefined;
  readonly scopes: readonly string[];
  /** How to get a token that a server issues. */
  readonly source?: TokenSource;
  /** Placeholder in samples. */
  readonly sample?: string;
  /** Of a bearer token, for readers: `JWT`. */
  readonly format?: string | undefined;
  readonly deprecated: boolean;
  readonly addresses: readonly string[];
  /** The parameter of the operation that it replaces. */
  readonly parameter?: Parameter | undefined;
}

export function readCredential(
  { scheme: name, scopes }: SecurityNeed,
  schemes: Json | undefined,
  references: References,
  messages: Messages,
): Credential | undefined {
  // OpenAPI 3.2 allows a pointer to a scheme in place of its name.
  if (name.startsWith("#/"))
    return readScheme(pathOf(name).at(-1)!, references.followObject({ $ref: name }), scopes, messages);
  return readScheme(name, references.followObject(member(schemes, name)), scopes, messages);
}

/** The schemes of AsyncAPI's servers and operations without a reference, named by type and number. */
export function inlineSchemes(document: JsonObject, references: References) {
  const schemes = new Map<string, { readonly name: string; readonly scheme: JsonObject }>();
  const holders = ["servers", "operations"].flatMap((key) => entriesAt(document, key));
  for (const scheme of holders.flatMap(([, holder]) => listAt(references.followObject(holder), "security"))) {
    const type = textAt(scheme, "type");
    if (!isObject(scheme) || type === undefined || schemes.has(schemeContent(scheme))) continue;
    const before = [...schemes.values()].filter((other) => other.scheme["type"] === type).length;
    schemes.set(schemeContent(scheme), { name: before === 0 ? type : `${type} ${before + 1}`, scheme });
  }
  return schemes;
}

export const schemeContent = ({ scopes: _, ...scheme }: JsonObject): string => JSON.stringify(scheme);

/** @param name of the scheme in the document. */
export function readScheme(
  name: string,
  scheme: JsonObject | undefined,
  scopes: readonly string[],
  messages: Messages,
): Credential | undefined {
  if (scheme === undefined) return undefined;
  const description = textAt(scheme, "description");
  const preset = member(scheme, "x-default");
  const common = {
    scheme: name,
    scopes,
    addresses: addressesOf(scheme),
    format: textAt(scheme, "bearerFormat"),
    deprecated: isTrueAt(scheme, "deprecated"),
    ...(typeof preset === "string" ? { value: preset } : {}),
  };
  const type = textAt(scheme, "type");
  switch (type) {
    case "apiKey":
    case "httpApiKey": {
      const place = textAt(scheme, "in");
      return {
        ...common,
        kind: "key",
        name: textAt(scheme, "name") ?? name,
        ...(isLocation(place) ? { place } : {}),
        description: description ?? messages.authKey,
        sample: place === "header" ? "<api-key>" : "YOUR_API_KEY",
      };
    }
    case "http":
      return { ...common, ...httpCredential(textAt(scheme, "scheme") ?? "", description, messages) };
    case "oauth2":
    case "openIdConnect":
      return {
        ...common,
        ...httpCredential("bearer", description ?? messages.authToken, messages),
        source: tokenSource(scheme, messages)!,
        signIn: signInOf(scheme, messages),
      };
    case "mutualTLS":
    case "X509":
      return { ...common, kind: "certificate", name, type, description: description ?? messages.authCertificate };
    case "userPassword":
      return { ...common, ...httpCredential("basic", description, messages) };
    default:
      return { ...common, kind: "other", name, type, description: description ?? "" };
  }
}

/** Schemes whose header answers a challenge of the server, so that samples cannot include it. */
const challenges = new Set(["digest", "hoba", "mutual", "negotiate", "ntlm", "scram-sha-1", "scram-sha-256"]);

/** @param scheme of HTTP: `bearer`, `basic`, `digest` … */
function httpCredential(scheme: string, description: string | undefined, messages: Messages) {
  const header = { kind: "token", name: "Authorization", place: "header" } as const;
  const key = scheme.toLowerCase();
  if (key === "basic") {
    const about = description ?? messages.authBasic;
    return { ...header, kind: "basic" as const, description: about, sample: "Basic <credentials>", prefix: "Basic" };
  }
  if (challenges.has(key)) {
    const prefix = key.replace(/^[a-z]/, (letter) => letter.toUpperCase());
    return { ...header, kind: "challenge" as const, description: description ?? `HTTP ${prefix}`, prefix };
  }
  const written = key === "bearer" ? "Bearer" : scheme;
  const prefix = written || "Bearer";
  const usual = messages.authBearer.replaceAll("Bearer", () => prefix);
  return { ...header, description: description ?? usual, sample: `${written} <token>`.trim(), prefix };
}

const isLocation = (text: string | undefined): text is "header" | "query" | "cookie" =>
  text === "header" || text === "query" || text === "cookie";

/** The web addresses where readers get a token. */
function addressesOf(scheme: JsonObject): string[] {
  const flows = entriesAt(scheme, "flows").flatMap(([, flow]) => [
    textAt(flow, "authorizationUrl"),
    textAt(flow, "tokenUrl"),
  ]);
  const all = [textAt(scheme, "openIdConnectUrl"), ...flows];
  return [...new Set(all.filter((url) => url !== undefined && /^https?:\/\//i.test(url)))].slice(0, 8) as string[];
}
