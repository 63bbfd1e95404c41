import type { Json } from "../../../lib/json/json.js";
import { childOf, isContainer, isObject, stringify } from "../../../lib/json/json.js";
import { unescapedStep } from "../../../lib/json/json-pointer.js";
import type { FormApi, FormOperation, FormStep, FormStepBody } from "../../../reference/arazzo/form-data.js";
import type { FormParameter } from "../../../reference/forms/playground-form.js";
import type { SampleRequest } from "../../../reference/samples/languages/sample-request.js";
import { type BuiltRequest, buildRequest, type Draft, type DraftBody, type SentCredential } from "../build-request.js";
import { parseJson } from "../form/control.js";
import { operationKey, type PastRequest, toPastRequest } from "../history.js";
import { maskText, mayBeSecret } from "../secrets.js";
import type { ServerState } from "../servers.js";
import * as evaluation from "./evaluate.js";

/** The server and the credentials for the requests of an operation. */
export interface Target {
  readonly baseUrl: string;
  readonly credentials: readonly SentCredential[];
  /** The same with masked secrets. */
  readonly masked: readonly SentCredential[];
  readonly server: ServerState;
}

export interface StepRequest {
  readonly built: BuiltRequest;
  /** The same with masked secrets, for the screen. */
  readonly shown: SampleRequest;
  readonly past: PastRequest;
  readonly exchange: evaluation.Exchange;
  /** Path parameters without a value, which keep the request from being sent. */
  readonly missing: readonly string[];
}

/** Builds the request of a step. Parameters of the step override credentials of the same place and name. */
export function stepRequest(
  step: FormStep,
  operation: FormOperation,
  { servers }: FormApi,
  target: Target,
  scope: evaluation.Scope,
): StepRequest {
  const parameters = step.parameters.flatMap(({ name, place, value }): Draft["parameters"] => {
    const result = evaluation.evaluateValue(value, scope);
    return result === undefined || place === undefined
      ? []
      : [{ parameter: parameterOf(operation, name, place), value: result }];
  });
  const isSet = ({ place, name }: SentCredential): boolean =>
    parameters.some(({ parameter }) => parameter.place === place && isSameName(parameter, name));
  const body = step.body && stepBody(step.body, operation, scope);
  const draft: Draft = {
    baseUrl: target.baseUrl,
    parameters,
    credentials: target.credentials.filter((credential) => !isSet(credential)),
    body: body?.draft,
  };
  const built = buildRequest(operation, draft);
  const { sample: shown } = buildRequest(operation, {
    ...draft,
    parameters: parameters.map(({ parameter, value }) => ({
      parameter,
      value: mayBeSecret(parameter.name) ? maskText : value,
    })),
    credentials: target.masked.filter((credential) => !isSet(credential)),
  });
  const { method, path: template, page } = operation;
  const past = toPastRequest(
    {
      method,
      path: template,
      operation: operationKey(method, servers, template),
      page: page === undefined ? "" : new URL(page, location.href).pathname,
      server: target.server,
    },
    draft,
  );
  const valuesIn = (place: string): evaluation.Values =>
    Object.fromEntries(
      parameters.flatMap(({ parameter, value }) =>
        parameter.place === place ? [[parameter.name, value as Json]] : [],
      ),
    );
  const { url, headers } = built.sample;
  const path = valuesIn("path");
  const exchange: evaluation.Exchange = {
    url,
    method,
    request: { headers, query: valuesIn("query"), path, body: body?.value },
  };
  const pathNames = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  return { built, shown, past, exchange, missing: pathNames.filter((name) => !Object.hasOwn(path, name)) };
}

const isSameName = ({ place, name }: FormParameter, other: string): boolean =>
  place === "header" ? name.toLowerCase() === other.toLowerCase() : name === other;

/** The operation's definition of a parameter. An undefined one is serialized by default rules. */
function parameterOf({ parameters }: FormOperation, name: string, stepPlace: string): FormParameter {
  const isWhole = stepPlace === "querystring";
  const place = (isWhole ? "query" : stepPlace) as FormParameter["place"];
  const defined = parameters.find((parameter) =>
    isWhole ? parameter.isWholeQuery : parameter.place === place && isSameName(parameter, name),
  );
  return defined ?? { name, place, required: false, schema: 0, ...(isWhole && { isWholeQuery: true }) };
}

function stepBody(
  { type: stepType, payload, replacements }: FormStepBody,
  { media }: FormOperation,
  scope: evaluation.Scope,
): { readonly draft: DraftBody; readonly value?: Json } | undefined {
  const type = stepType ?? media[0]?.type ?? "application/json";
  const template = payload === undefined ? undefined : evaluation.evaluateValue(payload, scope);
  const value = replacements.reduce<Json | undefined>((body, { target, value: replacement, kind }) => {
    const result = evaluation.evaluateValue(replacement, scope);
    if (body === undefined || result === undefined) return body;
    const isXml = typeof body === "string" && (kind === "xpath" || (kind === undefined && /\bxml\b/i.test(type)));
    return isXml
      ? evaluation.replaceXml(body, target, evaluation.valueText(result))
      : replaceAt(body, target, result, kind);
  }, template);
  if (value === undefined) return undefined;
  if (typeof value === "string") {
    // Parse JSON text, since expressions may refer to values in it.
    const parsed = /json/i.test(type) ? parseJson(value) : undefined;
    const isJson = parsed !== undefined && "value" in parsed;
    return { draft: { kind: isJson ? "json" : "text", type, text: value }, value: isJson ? parsed.value : value };
  }
  if (/^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(type) && isObject(value)) {
    const defined = media.find((candidate) => candidate.type === type);
    return {
      draft: { kind: "fields", media: { ...defined, type, schema: 0 }, fields: Object.entries(value), isList: false },
      value,
    };
  }
  return { draft: { kind: "json", type, text: stringify(value) }, value };
}

/** A copy with another value at a JSON pointer or JSONPath. */
function replaceAt(value: Json, target: string, replacement: Json, kind = "jsonpointer"): Json {
  const copy = parseJson(stringify(value));
  if (!("value" in copy)) return value;
  const set = (parent: Json | undefined, name: string): void => {
    if (parent === undefined || !isContainer(parent)) return;
    const key = Array.isArray(parent) && name === "-" ? String(parent.length) : name;
    if (Array.isArray(parent) && !/^\d{1,6}$/.test(key)) return;
    // Defined, since assigning `__proto__` would set the prototype.
    Object.defineProperty(parent, key, { value: replacement, enumerable: true, configurable: true, writable: true });
  };
  if (kind === "jsonpath") {
    try {
      for (const { parent, name } of evaluation.selectPath(copy.value, target)) set(parent, name ?? "");
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
