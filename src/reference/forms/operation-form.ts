import type { Json, JsonObject } from "../../lib/json/index.js";
import { isObject, isTrueAt, textAt } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { messagesToSend } from "../asyncapi/channel-operation.js";
import { firstValue, isForm, isJson, isLines, isMultipart, isXml, type MediaType } from "../operations/media-type.js";
import type { RequestBody } from "../operations/operation.js";
import type { Parameter } from "../operations/parameter.js";
import type { Credential } from "../operations/security.js";
import type { Server } from "../operations/server.js";
import type { PageContext } from "../pages/page-context.js";
import { bodyText } from "../samples/body-text.js";
import { rootName } from "../samples/xml.js";
import type { FlatSchema } from "../schema/flat-schema.js";
import { impliedTypes } from "../schema/type-label.js";
import { createFormSchemas, type FormSchemas, plainText } from "./form-schemas.js";
import type {
  FieldEncoding,
  FormBody,
  FormCredential,
  FormExample,
  FormMedia,
  FormMessage,
  FormParameter,
  FormServer,
  PlaygroundForm,
} from "./playground-form.js";

interface FormSubject {
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

/** The form that calls an operation; undefined if no server is known. */
export function operationForm(
  context: PageContext,
  request: FormSubject &
    Partial<Pick<PlaygroundForm, "answer">> &
    Pick<PlaygroundForm, "path"> & { readonly method: string; readonly body?: RequestBody },
): PlaygroundForm | undefined {
  const { method, body } = request;
  if (request.servers.length === 0) return undefined;
  const schemas = createFormSchemas(context.reader, context.references);
  const form = {
    method: method.toUpperCase(),
    path: request.path,
    answer: request.answer,
    servers: request.servers.map((server) => formServer(server, context)),
    ways: formWays(request.ways),
    parameters: formParameters(request.parameters, schemas),
    body: body && formBody(body, schemas, context),
  };
  return finished(context, form, schemas);
}

/** The form that opens a channel; undefined if none of its servers uses WebSocket. */
export function channelForm(
  context: PageContext,
  channel: FormSubject & Pick<PlaygroundForm, "path"> & { readonly messages: ReturnType<typeof messagesToSend> },
): PlaygroundForm | undefined {
  const servers = channel.servers.filter(({ url }) => /^wss?:/i.test(url)).map((server) => formServer(server, context));
  if (servers.length === 0) return undefined;
  const schemas = createFormSchemas(context.reader, context.references);
  const messages = channel.messages.map(({ title, payload, example }): FormMessage => {
    const made = example ?? (payload === undefined ? undefined : sampleOf(payload, context));
    return withoutUndefined({
      title,
      schema: payload === undefined ? 0 : schemas.add([payload]),
      example: shortExample(made),
    });
  });
  const form = {
    path: channel.path,
    servers,
    ways: formWays(channel.ways),
    parameters: formParameters(channel.parameters, schemas).map((made, i) =>
      // An address is incomplete without it.
      withoutUndefined({
        ...made,
        start: made.place === "path" ? textAt(channel.parameters[i]!.written, "default") : undefined,
      }),
    ),
    messages,
  };
  return finished(context, form, schemas);
}

function finished(
  { api }: PageContext,
  form: Omit<PlaygroundForm, "schemas" | "languages">,
  schemas: FormSchemas,
): PlaygroundForm {
  const { prefill, languages } = api.examples;
  return withoutUndefined({
    ...form,
    schemas: schemas.finish(),
    prefill: prefill || undefined,
    cookies: (api.playground.credentials && !api.playground.proxy) || undefined,
    languages,
  });
}

/** Resolves a relative URL against the specification's URL, if there is one. */
function formServer({ url, description, variables }: Server, { spec }: PageContext): FormServer {
  const isWhole = /^[a-z{][a-z0-9+.{}-]*:\/\//i.test(url) || url.startsWith("{");
  const isOnHost = !isWhole && /^https?:\/\//i.test(spec.source);
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
              options: variable.options.length > 0 ? variable.options : undefined,
              description: plainText(variable.description),
            }),
          ),
  });
}

function formWays(ways: readonly (readonly Credential[])[]): FormCredential[][] {
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

function formParameters(parameters: readonly Parameter[], schemas: FormSchemas): FormParameter[] {
  return parameters.slice(0, maxParameters).map((parameter) =>
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
      example: shortExample(firstValue(parameter.examples)),
    }),
  );
}

function formBody(
  { required, description, content }: RequestBody,
  schemas: FormSchemas,
  context: PageContext,
): FormBody {
  const byPreference = [...content.filter(({ type }) => isJson(type)), ...content.filter(({ type }) => !isJson(type))];
  return withoutUndefined({
    required,
    description: plainText(description),
    media: byPreference.map((media) => formMedia(media, schemas, context)),
  });
}

function formMedia(media: MediaType, schemas: FormSchemas, context: PageContext): FormMedia {
  const { type, schema, examples, encoding, itemEncoding } = media;
  const { reader } = context;
  const made = schema === undefined || firstValue(examples) !== undefined ? undefined : sampleOf(schema, context);
  const root = schema === undefined || !isXml(type) ? undefined : xmlRoot(reader.flatten(schema));
  const isValue = root !== undefined || (isJson(type) && !isLines(type)) || isForm(type) || isMultipart(type);
  const texts = [...examples, { value: made }].slice(0, maxExamples).flatMap(({ title, value }): FormExample[] => {
    const shown = value === undefined || isValue ? value : bodyText(media, value, context);
    const short = shortExample(shown);
    return short === undefined ? [] : [withoutUndefined({ title: plainText(title), value: short })];
  });
  return withoutUndefined({
    type: type === "*/*" ? "application/json" : type,
    schema: schema === undefined ? 0 : schemas.add([schema]),
    root,
    examples: texts.length > 0 ? texts : undefined,
    encoding: encodingOf({ ...encoding, ...Object.fromEntries(itemEncoding) }),
  });
}

/** Undefined for a text that is XML already. */
const xmlRoot = (flat: FlatSchema): string | undefined =>
  [...flat.types, ...impliedTypes(flat)].some((type) => type === "object" || type === "array") || flat.unions.length > 0
    ? rootName(flat)
    : undefined;

const sampleOf = (schema: Json, { sampler, api }: PageContext): Json | undefined =>
  sampler.value(schema, { direction: "request", properties: api.examples.defaults });

const shortExample = (value: Json | undefined): Json | undefined =>
  value !== undefined && isFlat(value, maxExampleDepth) && JSON.stringify(value).length <= maxExampleLength
    ? value
    : undefined;

const isFlat = (value: Json, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => isFlat(each, levels - 1)));

function encodingOf(encoding: JsonObject): FormMedia["encoding"] {
  const entries = Object.keys(encoding)
    .slice(0, 100)
    .flatMap((name): [string, FieldEncoding][] => {
      const written = encoding[name];
      if (!isObject(written)) return [];
      const explode = written["explode"];
      const field = withoutUndefined({
        contentType: textAt(written, "contentType"),
        style: textAt(written, "style"),
        explode: typeof explode === "boolean" ? explode : undefined,
        allowReserved: isTrueAt(written, "allowReserved") || undefined,
      } satisfies FieldEncoding);
      return Object.keys(field).length > 0 ? [[name, field]] : [];
    });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
