import type { RootContent } from "mdast";
import type { JsonObject } from "../../lib/json/index.js";
import { operationForm } from "../forms/operation-form.js";
import {
  authorizationPart,
  credentialsOf,
  isCredential,
  withoutCredentials,
} from "../operations/authorization-section.js";
import { requestBodyPart, responsesPart } from "../operations/body-sections.js";
import type { MediaType, NamedExample } from "../operations/media-type.js";
import { type Callback, type Operation, readOperation } from "../operations/operation.js";
import { parameterParts } from "../operations/parameter-sections.js";
import type { Credential } from "../operations/security.js";
import { absoluteUrl, filledUrl, readServer, type Server } from "../operations/server.js";
import { clip, component, inlineCode, label, paragraph, strong, text } from "../pages/nodes.js";
import type { PageContext, Part } from "../pages/page-context.js";
import { answerOf, namedBodies, preferredMedia, requestSample } from "../samples/request-sample.js";
import { mediaSamples, requestExample, responseSamples, type SampledRequest } from "../samples/sample-panel.js";
import { endNotice } from "../schema/field-notes.js";
import { type Direction, layersOf } from "../schema/schema-inside.js";

/** The operation in its document, and how it is called. */
export interface OperationSubject {
  readonly pathItem: JsonObject;
  readonly written: JsonObject;
  readonly method: string;
  /** Path of the operation, or name of the webhook. */
  readonly path: string;
  readonly isWebhook: boolean;
  /** The page itself describes the request and the response. */
  readonly isWritten?: boolean;
}

const maxCallbacks = 20;
const maxServers = 30;

/** A page about one operation: its sections in the order of a request, then the responses. */
export function operationPart(context: PageContext, subject: OperationSubject): Part {
  const { spec, references } = context;
  const written = readOperation(spec.document, subject.pathItem, subject.written, references);
  const operation = withOptionExamples(context, written);
  const servers = operation.servers.slice(0, maxServers).map(readServer);
  const ways = credentialsOf(context, operation);
  const parameters = withoutCredentials(operation.parameters, ways);
  const answer = answerOf(subject.method, operation.responses);
  const opens = () => operationForm(context, { ...subject, servers, ways, parameters, body: operation.body, answer });
  const described = subject.isWritten
    ? []
    : [
        parameterParts(context, parameters),
        requestBodyPart(context, operation.body, subject.isWebhook ? { samples: payloads(operation) } : {}),
        callbacksPart(context, operation.callbacks),
        responsesPart(context, operation.responses),
      ];
  const hasOwnWords = subject.isWritten && operation.parameters.some((each) => isCredential(each, ways));
  const parts = [...(hasOwnWords ? [] : [authorizationPart(context, ways)]), ...described];
  return () => [
    header(context, subject, servers, subject.isWebhook ? undefined : context.playground.offer(opens)),
    ...endNotice(subject.written, context.messages),
    ...(subject.isWebhook ? [] : serverList(context, servers)),
    ...parts.flatMap((write) => write()),
    ...(subject.isWebhook ? webhookExamples(context, operation) : examples(context, subject, operation, servers, ways)),
  ];
}

function header(
  { api, playground }: PageContext,
  subject: OperationSubject,
  servers: readonly Server[],
  opens: readonly string[] | undefined,
): RootContent {
  const { method, path, isWebhook } = subject;
  const [server] = servers;
  return component("ApiHeader", {
    method: method.toUpperCase(),
    path,
    base: isWebhook || server === undefined ? undefined : filledUrl(server),
    full: api.url === "full" || servers.length > 1,
    copy: playground.isNamed,
    playground: opens,
  });
}

/**
 * Servers to choose from, with their variables.
 *
 * @param isAlways list a single server too, because the header does not show it.
 */
export function serverList(context: PageContext, servers: readonly Server[], isAlways = false): RootContent[] {
  if (servers.length === 0) return [];
  if (!isAlways && servers.length < 2 && !servers.some(({ variables, writeMore }) => variables.length > 0 || writeMore))
    return [];
  return [component("Expandable", { title: context.messages.serversTitle }, serverItems(context, servers))];
}

export const serverItems = ({ describe, fields, outline }: PageContext, servers: readonly Server[]): RootContent[] =>
  servers.map(({ url, name, description, variables, writeMore }, i) =>
    component("ApiServer", { url }, [
      ...(name === undefined ? [] : [paragraph(strong(clip(name, 200)))]),
      ...describe.field(description),
      ...variables.map((variable) => {
        const schema: JsonObject = {
          type: "string",
          ...(variable.default === undefined ? {} : { default: variable.default }),
          ...(variable.options.length > 0 ? { enum: variable.options } : {}),
          ...(variable.description === undefined ? {} : { description: variable.description }),
        };
        return fields.field({ name: variable.name, required: false }, outline.add(schema, "both"), {
          section: "",
          qualifier: `server ${i + 1}`,
        });
      }),
      ...(writeMore?.() ?? []),
    ]),
  );

/** Requests that the API sends itself, folded, each with its body and the expected response. */
function callbacksPart(context: PageContext, callbacks: readonly Callback[]): Part {
  if (callbacks.length === 0) return () => [];
  const parts = callbacks.slice(0, maxCallbacks).map((callback) => {
    const { description, body, parameters, responses } = readOperation(
      context.spec.document,
      callback.pathItem,
      callback.written,
      context.references,
    );
    const writers = [
      parameterParts(context, parameters, callback.name),
      requestBodyPart(context, body, { callback: callback.name }),
      responsesPart(context, responses, callback.name),
    ];
    return { callback, description, write: () => writers.flatMap((write) => write()) };
  });
  return () => [
    component(
      "ApiSection",
      { title: context.messages.callbacks, id: "callbacks" },
      parts.map(({ callback, description, write }) => {
        const address = `${callback.method.toUpperCase()} ${clip(callback.expression, 300)}`;
        const title = label(text(`${clip(callback.name, 200)} `), inlineCode(address));
        return component("Accordion", { title }, [...context.describe.field(description), ...write()]);
      }),
    ),
  ];
}

function examples(
  context: PageContext,
  subject: OperationSubject,
  operation: Operation,
  servers: readonly Server[],
  ways: readonly (readonly Credential[])[],
): RootContent[] {
  const { api, messages, spec } = context;
  const baseUrl = absoluteUrl(servers[0], spec.source);
  const credentials = ways.find((way) => way.length > 0) ?? [];
  const requestOf = ({ title, value }: Partial<NamedExample>): SampledRequest => ({
    title,
    request: () => requestSample({ ...context, ...subject, operation, baseUrl, credentials, example: value }),
  });
  const [first = {}, ...others] = namedBodies(operation);
  return [
    ...requestExample(operation.written, [requestOf(first), ...others.map(requestOf)], api),
    ...responseExample(responseSamples(operation.responses, context, messages)),
  ];
}

/** More tabs than this become a menu. */
const maxTabs = 5;

export function responseExample(samples: readonly RootContent[]): RootContent[] {
  if (samples.length === 0) return [];
  const titles = samples.map((sample) => (sample.type === "code" ? (sample.meta?.length ?? 0) : 0));
  const dropdown = samples.length > maxTabs || titles.some((length) => length > 30);
  return [component("ResponseExample", { dropdown }, samples)];
}

/** The media type whose examples show the payload of a webhook. */
const payloads = ({ body }: Operation): MediaType[] => {
  const media = preferredMedia(body?.content ?? []);
  return media === undefined ? [] : [media];
};

/** A webhook is an incoming request: its payload takes the place of the request sample. */
function webhookExamples(context: PageContext, operation: Operation): RootContent[] {
  const { messages } = context;
  const samples = payloads(operation).flatMap((media) => mediaSamples(media, messages.payload, context));
  return [
    ...(samples.length === 0 ? [] : [component("RequestExample", { dropdown: samples.length > maxTabs }, samples)]),
    ...responseExample(responseSamples(operation.responses, context, messages)),
  ];
}

const maxOptions = 12;

/** The operation with an example for each value of a body's discriminator, where it has no examples of its own. */
function withOptionExamples(
  { reader, sampler, api }: Pick<PageContext, "reader" | "sampler" | "api">,
  operation: Operation,
): Operation {
  const filled = (media: MediaType, direction: Direction): MediaType => {
    const { schema, examples } = media;
    if (schema === undefined || examples.length > 0) return media;
    const layers = layersOf(reader.flatten(schema), reader);
    const options = layers.at(-1)!.unions.find(({ discriminator }) => discriminator !== undefined)?.options ?? [];
    if (options.length < 2 || layers.some((layer) => layer.examples.length > 0 || layer.default)) return media;
    const properties = direction === "request" ? api.examples.defaults : "all";
    const made = options.slice(0, maxOptions).flatMap(({ schema: own, value: name }, option): NamedExample[] => {
      const { title, refName } = reader.flatten(own);
      const value = sampler.value(schema, { direction, properties, option });
      return value === undefined ? [] : [{ title: title?.trim() || refName || name || `${option + 1}`, value }];
    });
    return { ...media, examples: made };
  };
  const { body, responses } = operation;
  return {
    ...operation,
    ...(body && { body: { ...body, content: body.content.map((media) => filled(media, "request")) } }),
    responses: responses.map((each) => ({ ...each, content: each.content.map((media) => filled(media, "response")) })),
  };
}
