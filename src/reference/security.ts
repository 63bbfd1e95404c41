import type { Strings } from "../language/index.js";
import type { Json, JsonObject } from "../specs/api-spec.js";
import { member, textAt } from "./json.js";
import type { SecurityNeed } from "./operation.js";
import type { References } from "./references.js";

/** What a request carries to prove who sends it. */
export interface Credential {
  /** Header, parameter or cookie; for what is none of these the scheme's own name. */
  readonly name: string;
  readonly place?: "header" | "query" | "cookie";
  readonly description: string;
  readonly scopes: readonly string[];
  /** What a sample shows in its place. */
  readonly sample?: string;
}

export function readCredential(
  { scheme: name, scopes }: SecurityNeed,
  schemes: Json | undefined,
  references: References,
  words: Strings,
): Credential | undefined {
  return readScheme(name, references.followObject(member(schemes, name)), scopes, words);
}

/** @param name of the scheme in the document. */
export function readScheme(
  name: string,
  scheme: JsonObject | undefined,
  scopes: readonly string[],
  words: Strings,
): Credential | undefined {
  if (scheme === undefined) return undefined;
  const own = textAt(scheme, "description");
  switch (textAt(scheme, "type")) {
    case "apiKey":
    case "httpApiKey": {
      const place = textAt(scheme, "in");
      return {
        name: textAt(scheme, "name") ?? name,
        ...(isPlace(place) ? { place } : {}),
        description: own ?? words.authKey,
        scopes,
        sample: place === "header" ? "<api-key>" : "YOUR_API_KEY",
      };
    }
    case "http":
      return httpCredential(textAt(scheme, "scheme") ?? "", own, scopes, words);
    case "oauth2":
    case "openIdConnect":
      return bearer(own ?? words.authToken, scopes);
    case "mutualTLS":
    case "X509":
      return { name, description: own ?? words.authCertificate, scopes };
    case "userPassword":
      return httpCredential("basic", own, scopes, words);
    default:
      return own === undefined ? undefined : { name, description: own, scopes };
  }
}

function httpCredential(
  scheme: string,
  own: string | undefined,
  scopes: readonly string[],
  words: Strings,
): Credential {
  switch (scheme.toLowerCase()) {
    case "bearer":
      return bearer(own ?? words.authBearer, scopes);
    case "basic":
      return {
        name: "Authorization",
        place: "header",
        description: own ?? words.authBasic,
        scopes,
        sample: "Basic <credentials>",
      };
    default:
      return {
        name: "Authorization",
        place: "header",
        description: own ?? words.authBearer.replaceAll("Bearer", () => scheme || "Bearer"),
        scopes,
        sample: `${scheme} <token>`.trim(),
      };
  }
}

const bearer = (description: string, scopes: readonly string[]): Credential => ({
  name: "Authorization",
  place: "header",
  description,
  scopes,
  sample: "Bearer <token>",
});

const isPlace = (text: string | undefined): text is "header" | "query" | "cookie" =>
  text === "header" || text === "query" || text === "cookie";
