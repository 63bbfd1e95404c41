import { isObject, isTrueAt, type Json, type JsonObject, textAt } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { firstValue, isForm, isJson, isLines, isMultipart, isXml, type MediaType } from "../operations/media-type.js";
import type { RequestBody } from "../operations/operation.js";
import type { Credential } from "../operations/security.js";
import type { Server } from "../operations/server.js";
import { isEmptyValue, type Parameter } from "../operations/write-parameter.js";
import { isClientHeader } from "../operations/write-request.js";
import type { PageContext } from "../pages/page-context.js";
import { bodyText } from "../samples/body-text.js";
import { bodySchemas, parameterExample } from "../samples/request-sample.js";
import { rootName } from "../samples/xml.js";
import type { FlatSchema } from "../schema/flat-schema.js";
import { impliedTypes } from "../schema/type-label.js";
import { createFormSchemas, type FormSchemas, plainText } from "./form-schemas.js";
import type * as forms from "./playground-form.js";

/** What a playground calls. */
export interface FormSubject {
  readonly path: string;
  readonly servers: readonly Server[];
  readonly ways: readonly (readonly Credential[])[];
  /** Without those that a security scheme already describes. */
  readonly parameters: readonly Parameter[];
}

const maxExampleLength = 8_000;
const maxExampleDepth = 40;
const maxExamples = 12;
const maxParameters = 200;
const maxWays = 30;

/** Used if a specification names no server: its own host if it has a URL; else the reader enters an address. */
const unnamedServer = (source: string): Server => ({ url: /^https?:\/\//i.test(source) ? "/" : "", variables: [] });

export function operationForm(
  context: PageContext,
  request: FormSubject &
    Pick<forms.PlaygroundForm, "answer"> & { readonly method: string; readonly body?: RequestBody | undefined },
): forms.PlaygroundForm {
  const { answer, body } = request;
  const servers = request.servers.length > 0 ? request.servers : [unnamedServer(context.spec.source)];
  const schemas = createFormSchemas(context.reader, context.references);
  return createForm(context, schemas, { ...request, servers }, { method: request.method.toUpperCase(), answer, body });
}

/** @param schemas collects the form's schemas; it may already hold some. */
export function createForm(
  context: PageContext,
  schemas: FormSchemas,
  { path, servers, ways, parameters }: FormSubject,
  {
    method,
    answer,
    body,
    messages,
  }: Pick<forms.PlaygroundForm, "method" | "answer" | "messages"> & { readonly body?: RequestBody | undefined },
): forms.PlaygroundForm {
  const { examples, playground } = context.api;
  return withoutUndefined({
    method,
    path,
    answer,
    servers: servers.map((server) => formServer(server, context)),
    ways: formWays(ways),
    parameters: formParameters(parameters, schemas, context),
    body: body && formBody(body, schemas, context),
    messages,
    schemas: schemas.finish(),
    prefill: examples.prefill || undefined,
    cookies: (playground.credentials && !playground.proxy) || undefined,
    languages: examples.languages,
  });
}

/** Resolves a relative URL of a server against the URL of the specification, if it has one. */
function formServer({ url, description, variables }: Server, { spec }: PageContext): forms.FormServer {
  const isAbsolute = /^[a-z{][a-z0-9+.{}-]*:\/\//i.test(url) || url.startsWith("{");
  const isOnHost = !isAbsolute && /^https?:\/\//i.test(spec.source);
  const host = isOnHost ? new URL(spec.source).origin : "";
  return withoutUndefined({
    url: (isOnHost && !url.startsWith("/") ? `${host}/${url}` : host + url).replace(/(?<=.)\/+$/, ""),
    description: plainText(description),
    variables:
      variables.length === 0
        ? undefined
        : variables.map((variable) =>
            withoutUndefined({
              ...variable,
              examples: undefined,
              options: variable.options.length > 0 ? variable.options : undefined,
              description: plainText(variable.description),
            }),
          ),
  });
}

function formWays(ways: readonly (readonly Credential[])[]): forms.FormCredential[][] {
  const needed = ways.some((way) => way.length > 0) ? ways.slice(0, maxWays) : [];
  return needed.map((way) =>
    way.map(({ scheme, kind, name, place, prefix, description, scopes, addresses, value, signIn }) =>
      withoutUndefined({
        scheme,
        kind,
        name,
        place,
        prefix,
        description: plainText(description),
        scopes: scopes.length > 0 ? scopes.slice(0, 60) : undefined,
        addresses: addresses.length > 0 ? addresses : undefined,
        value,
        signIn,
      }),
    ),
  );
}

function formParameters(
  parameters: readonly Parameter[],
  schemas: FormSchemas,
  { reader }: PageContext,
): forms.FormParameter[] {
  const asked = parameters.filter(({ place, name }) => place !== "header" || !isClientHeader(name));
  return asked.slice(0, maxParameters).map((parameter) =>
    withoutUndefined({
      name: parameter.name,
      place: parameter.place,
      required: parameter.required,
      deprecated: parameter.deprecated || undefined,
      description: plainText(parameter.description),
      schema: schemas.add([parameter.schema]),
      style: parameter.style,
      explode: parameter.explode,
      allowReserved: isTrueAt(parameter.written, "allowReserved") || undefined,
      contentType: parameter.contentType,
      isWholeQuery: parameter.isWholeQuery,
      example: shortExample(parameterExample(parameter, reader)),
    }),
  );
}

function formBody(
  { required, description, content }: RequestBody,
  schemas: FormSchemas,
  context: PageContext,
): forms.FormBody {
  const byPreference = [...content.filter(({ type }) => isJson(type)), ...content.filter(({ type }) => !isJson(type))];
  return withoutUndefined({
    required,
    description: plainText(description),
    media: byPreference.map((media) => formMedia(media, schemas, context)),
  });
}

function formMedia(media: MediaType, schemas: FormSchemas, context: PageContext): forms.FormMedia {
  const { type, schema, examples, encoding, itemEncoding } = media;
  const { reader } = context;
  const generated =
    schema === undefined || firstValue(examples) !== undefined ? undefined : requestValue(schema, context);
  const sample = generated !== undefined && isEmptyValue(generated) ? undefined : generated;
  const root = schema === undefined || !isXml(type) ? undefined : xmlRoot(reader.flatten(schema));
  const isValue = root !== undefined || (isJson(type) && !isLines(type)) || isForm(type) || isMultipart(type);
  const texts = [...examples, { value: sample }]
    .slice(0, maxExamples)
    .flatMap(({ title, value }): forms.FormExample[] => {
      const shown = value === undefined || isValue ? value : bodyText(media, value, context);
      const short = shortExample(shown);
      return short === undefined ? [] : [withoutUndefined({ title: plainText(title), value: short })];
    });
  return withoutUndefined({
    type: type === "*/*" ? "application/json" : type,
    schema: schema === undefined ? 0 : schemas.add(bodySchemas(media, reader)),
    root,
    examples: texts.length > 0 ? texts : undefined,
    encoding: encodingOf({ ...encoding, ...Object.fromEntries(itemEncoding) }),
  });
}

/** The name of the root element; undefined if the value is a string that is already XML. */
const xmlRoot = (flat: FlatSchema): string | undefined =>
  [...flat.types, ...impliedTypes(flat)].some((type) => type === "object" || type === "array") || flat.unions.length > 0
    ? rootName(flat)
    : undefined;

export const requestValue = (schema: Json, { sampler, api }: PageContext): Json | undefined =>
  sampler.value(schema, { direction: "request", properties: api.examples.defaults });

export const shortExample = (value: Json | undefined): Json | undefined =>
  value !== undefined && isFlat(value, maxExampleDepth) && JSON.stringify(value).length <= maxExampleLength
    ? value
    : undefined;

const isFlat = (value: Json, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isFlat(inner, levels - 1)));

function encodingOf(encoding: JsonObject): forms.FormMedia["encoding"] {
  const entries = Object.keys(encoding)
    .slice(0, 100)
    .flatMap((name): [string, forms.FieldEncoding][] => {
      const written = encoding[name];
      if (!isObject(written)) return [];
      const explode = written["explode"];
      const field = withoutUndefined({
        contentType: textAt(written, "contentType"),
        style: textAt(written, "style"),
        explode: typeof explode === "boolean" ? explode : undefined,
        allowReserved: isTrueAt(written, "allowReserved") || undefined,
      } satisfies forms.FieldEncoding);
      return Object.keys(field).length > 0 ? [[name, field]] : [];
    });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
