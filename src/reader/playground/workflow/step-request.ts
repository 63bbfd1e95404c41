import type { Json } from "../../../lib/json/json.js";
import { childOf, isContainer, isObject, stringify } from "../../../lib/json/json.js";
import { unescapedStep } from "../../../lib/json/json-pointer.js";
import { selectPath } from "../../../lib/json-path/json-path.js";
import type { FormApi, FormOperation, FormStep, FormStepBody } from "../../../reference/arazzo/form-data.js";
import type { FormParameter } from "../../../reference/forms/playground-form.js";
import type { SampleRequest } from "../../../reference/samples/languages/sample-request.js";
import { type BuiltRequest, buildRequest, type Draft, type DraftBody, type SentCredential } from "../build-request.js";
import { parseJson } from "../form/value.js";
import { operationKey, type PastRequest, pastOf } from "../history.js";
import { maskText, mayBeSecret } from "../secrets.js";
import type { ServerState } from "../servers.js";
import { type Exchange, evaluated, pathEffort, replaceXml, type Scope, textOf, type Values } from "./evaluate.js";

/** Where the requests of an operation go, and what authorizes them. */
export interface Target {
  readonly baseUrl: string;
  readonly credentials: readonly SentCredential[];
  /** The same with masked secrets. */
  readonly masked: readonly SentCredential[];
  readonly server: ServerState;
}

export interface StepRequest {
  readonly built: BuiltRequest;
  /** The same with masked secrets, to show on the screen. */
  readonly shown: SampleRequest;
  readonly past: PastRequest;
  readonly exchange: Exchange;
  /** Parameters of the path without a value: it cannot be sent. */
  readonly missing: readonly string[];
}

/** The request of a step. What the step itself sets goes before a credential of the same place and name. */
export function stepRequest(
  step: FormStep,
  operation: FormOperation,
  { servers }: FormApi,
  target: Target,
  scope: Scope,
): StepRequest {
  const parameters = step.parameters.flatMap(({ name, place, value }): Draft["parameters"] => {
    const found = evaluated(value, scope);
    return found === undefined || place === undefined
      ? []
      : [{ parameter: parameterOf(operation, name, place), value: found }];
  });
  const isSet = ({ place, name }: SentCredential): boolean =>
    parameters.some(({ parameter }) => parameter.place === place && isSameName(parameter, name));
  const body = step.body && bodyOf(step.body, operation, scope);
  const draft: Draft = {
    baseUrl: target.baseUrl,
    parameters,
    credentials: target.credentials.filter((each) => !isSet(each)),
    ...(body && { body: body.draft }),
  };
  const built = buildRequest(operation, draft);
  const { sample: shown } = buildRequest(operation, {
    ...draft,
    parameters: parameters.map((each) => (mayBeSecret(each.parameter.name) ? { ...each, value: maskText } : each)),
    credentials: target.masked.filter((each) => !isSet(each)),
  });
  const { method, path: template, page } = operation;
  const past = pastOf(
    {
      method,
      path: template,
      operation: operationKey(method, servers, template),
      page: page === undefined ? "" : new URL(page, location.href).pathname,
      server: target.server,
    },
    draft,
  );
  const valuesIn = (place: string): Values =>
    Object.fromEntries(
      parameters.flatMap(({ parameter, value }) =>
        parameter.place === place ? [[parameter.name, value as Json]] : [],
      ),
    );
  const { url, headers } = built.sample;
  const path = valuesIn("path");
  const exchange: Exchange = {
    url,
    method,
    request: { headers, query: valuesIn("query"), path, ...(body?.value !== undefined && { body: body.value }) },
  };
  const wanted = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  return { built, shown, past, exchange, missing: wanted.filter((name) => !Object.hasOwn(path, name)) };
}

const isSameName = ({ place, name }: FormParameter, other: string): boolean =>
  place === "header" ? name.toLowerCase() === other.toLowerCase() : name === other;

/** How the operation serializes a parameter; one that it does not describe is sent as usual. */
function parameterOf({ parameters }: FormOperation, name: string, written: string): FormParameter {
  const isWhole = written === "querystring";
  const place = (isWhole ? "query" : written) as FormParameter["place"];
  const found = parameters.find((each) =>
    isWhole ? each.isWholeQuery : each.place === place && isSameName(each, name),
  );
  return found ?? { name, place, required: false, schema: 0, ...(isWhole && { isWholeQuery: true }) };
}

function bodyOf(
  { type: written, payload, replacements }: FormStepBody,
  { media }: FormOperation,
  scope: Scope,
): { readonly draft: DraftBody; readonly value?: Json } | undefined {
  const type = written ?? media[0]?.type ?? "application/json";
  const start = payload === undefined ? undefined : evaluated(payload, scope);
  const value = replacements.reduce<Json | undefined>((at, { target, value: each, kind }) => {
    const found = evaluated(each, scope);
    if (at === undefined || found === undefined) return at;
    const isXml = typeof at === "string" && (kind === "xpath" || (kind === undefined && /\bxml\b/i.test(type)));
    return isXml ? replaceXml(at, target, textOf(found)) : replaced(at, target, found, kind);
  }, start);
  if (value === undefined) return undefined;
  if (typeof value === "string") {
    // Expressions may look into the text of a template.
    const parsed = /json/i.test(type) ? parseJson(value) : undefined;
    const isJson = parsed !== undefined && "value" in parsed;
    return { draft: { kind: isJson ? "json" : "text", type, text: value }, value: isJson ? parsed.value : value };
  }
  if (/^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(type) && isObject(value)) {
    const known = media.find((each) => each.type === type);
    return {
      draft: { kind: "fields", media: { ...known, type, schema: 0 }, fields: Object.entries(value), isList: false },
      value,
    };
  }
  return { draft: { kind: "json", type, text: stringify(value) }, value };
}

/** A copy with another value at a place, named by a JSON pointer or a JSONPath. */
function replaced(value: Json, target: string, replacement: Json, kind = "jsonpointer"): Json {
  const copy = parseJson(stringify(value));
  if (!("value" in copy)) return value;
  const set = (parent: Json | undefined, name: string): void => {
    if (parent === undefined || !isContainer(parent)) return;
    const key = Array.isArray(parent) && name === "-" ? String(parent.length) : name;
    if (Array.isArray(parent) && !/^\d{1,6}$/.test(key)) return;
    // `__proto__` is a name like any other.
    Object.defineProperty(parent, key, { value: replacement, enumerable: true, configurable: true, writable: true });
  };
  if (kind === "jsonpath") {
    try {
      for (const { parent, name } of selectPath(copy.value, target, pathEffort())) set(parent, name ?? "");
    } catch {
      return value;
    }
    return copy.value;
  }
  const steps = target.replace(/^#/, "").split("/").slice(1).map(unescapedStep);
  const last = steps.pop();
  if (last === undefined) return replacement;
  set(steps.reduce<Json | undefined>(childOf, copy.value), last);
  return copy.value;
}
