import { oneLine } from "../../../lib/plain-text.js";
import { isGraphql } from "../../api-spec.js";
import type { GraphTarget } from "../../specs/index.js";

/** A reference to an operation or webhook: `GET /users`, `openapi.json GET /users`, `v1 webhook order.paid`. */
export interface EndpointReference {
  /** As written, with any `./`. */
  readonly spec?: string;
  /** `webhook` for a webhook. */
  readonly method: string;
  /** Path, or name of the webhook. */
  readonly name: string;
}

const endpoint = /^(?:(\S.*?)\s+)??(get|put|post|delete|options|head|patch|trace|query|webhook)\s+(\S.*)$/i;

/** A custom method, which OpenAPI 3.2 allows, in upper case as it is sent. */
const otherMethod = /^(?:(\S+)\s+)?([A-Z][A-Z-]{2,})\s+(\/\S*)$/;

export function parseEndpoint(written: string): EndpointReference | undefined {
  if (!/\s/.test(written)) return undefined;
  const line = oneLine(written);
  const match = endpoint.exec(line);
  const [, spec, method, name] = match ?? otherMethod.exec(line) ?? [];
  if (name === undefined) return undefined;
  return { spec, method: match ? method!.toLowerCase() : method!, name };
}

const graphLists = {
  query: "queries",
  mutation: "mutations",
  subscription: "subscriptions",
  type: "types",
} as const satisfies Readonly<Record<string, GraphTarget["list"]>>;

/** Parses a field that clients ask for, or a type: `query user`, `schema.graphql mutation addUser`, `type User`. */
export function parseGraph(written: string) {
  // Check this first, since most entries of the navigation are paths of pages.
  if (!/\s/.test(written)) return undefined;
  const match = /^(?:(\S+)\s+)?(query|mutation|subscription|type)\s+([_a-z]\w*)$/i.exec(written.trim());
  const [, spec, kind = "", name = ""] = match ?? [];
  const list = graphLists[kind.toLowerCase() as keyof typeof graphLists];
  return list === undefined ? undefined : { spec, list, name };
}

/** Whether a reference in the navigation is one to a part of a GraphQL schema: `openapi.json query users` is not. */
export function isGraphReference(written: string): boolean {
  const { list, spec } = parseGraph(written) ?? {};
  return list !== undefined && (list !== "queries" || spec === undefined || isGraphql(spec));
}

/**
 * Parses a schema or channel: `Order`, `openapi.json Order`. Returns the whole text, and as `spec` and `rest` its first word
 * and the text after it; the caller decides whether the first word is a specification.
 */
export function parseNamed(written: string) {
  const whole = oneLine(written);
  const cut = whole.indexOf(" ");
  return cut < 0 ? { rest: whole, whole } : { spec: whole.slice(0, cut), rest: whole.slice(cut + 1), whole };
}

/** Whether an entry of the navigation is a channel or a workflow, `asyncapi.yaml orders`. Without the file, it is a page. */
export const isNamedOfSpec = (written: string): boolean => /^\S+\.(?:json|ya?ml)\s+\S/i.test(written.trim());

/** Whether a reference names a part of an API instead of a page. */
export const isApiReference = (written: string): boolean =>
  isGraphReference(written) || parseEndpoint(written) !== undefined || isNamedOfSpec(written);
