import type { JsonObject } from "../../lib/json/index.js";

/** The security schemes of a kind of credentials that a setting names. @param name of the header with the key. */
export function schemesOf(method: string | undefined, name: string | undefined): JsonObject {
  const header = (each: string): JsonObject => ({ type: "apiKey", in: "header", name: each });
  switch (method) {
    case "bearer":
    case "basic":
      return { auth: { type: "http", scheme: method } };
    case "key":
      return { auth: header(name ?? "x-api-key") };
    case "cobo":
      return { key: header("Biz-Api-Key"), nonce: header("Biz-Api-Nonce"), signature: header("Biz-Api-Signature") };
    default:
      return {};
  }
}
