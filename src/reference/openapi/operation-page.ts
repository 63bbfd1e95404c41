import type { RootContent } from "mdast";
import { isTrueAt, type JsonObject, listAt, member, textAt, textsAt } from "../../lib/json/index.js";
import { operationForm } from "../forms/operation-form.js";
import {
  authorizationSection,
  credentialsOf,
  isCredential,
  withoutCredentials,
  withParameters,
} from "../operations/authorization-section.js";
import { requestBodySection, responsesSection } from "../operations/body-sections.js";
import { isJson, type MediaType, type NamedExample, preferredMedia } from "../operations/media-type.js";
import {
  type Callback,
  isSuccess,
  type Operation,
  type OperationResponse,
  readOperation,
} from "../operations/operation.js";
import { parameterSections } from "../operations/parameter-sections.js";
import type { Credential } from "../operations/security.js";
import {
  absoluteUrl,
  filledUrl,
  readServer,
  readServers,
  type Server,
  serverItems,
  serverList,
} from "../operations/server.js";
import * as md from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { answerOf, namedBodies, requestSample } from "../samples/request-sample.js";
import * as panel from "../samples/sample-panel.js";
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
  /** Whether the page's author describes the request and the response. */
  readonly isWritten?: boolean;
}

/** A page about one operation: its sections in the order of a request, then the responses. */
export function operationPage(context: PageContext, subject: OperationSubject): SectionWriter {
  const { spec, references } = context;
  const written = readOperation(spec.document, subject.pathItem, subject.written, references);
  const operation = withOptionExamples(context, written);
  const servers = operation.servers.map(readServer);
  // The overview describes the servers of the whole API.
  const isShared = listAt(spec.document, "servers").includes(operation.servers[0]!);
  const hasOwnServer = !isShared && servers.some(({ description }) => description !== undefined);
  const ways = withParameters(credentialsOf(context, operation), operation.parameters, context);
  const parameters = withoutCredentials(operation.parameters, ways);
  const tags = textsAt(subject.written, "tags");
  const about = textAt(subject.written, "description");
  const samples = panel.writtenSamples(subject.written);
  const answer = answerOf(subject.method, operation.responses);
  const opens = () => operationForm(context, { ...subject, servers, ways, parameters, body: operation.body, answer });
  const describedSections = subject.isWritten
    ? []
    : [
        parameterSections(context, parameters),
        requestBodySection(
          context,
          operation.body,
          subject.isWebhook
            ? { samples: payloads(operation), about }
            : { isSampled: panel.hasGeneratedSample(samples, context.api), about },
        ),
        ...responseSections(context, operation),
      ];
  const hasOwnWords = subject.isWritten && operation.parameters.some((parameter) => isCredential(parameter, ways));
  const sections = [...(hasOwnWords ? [] : [authorizationSection(context, ways)]), ...describedSections];
  return () => [
    header(context, subject, servers, subject.isWebhook ? undefined : context.playground.offer(opens)),
    ...endNotice(subject.written, context.messages, context.describe.field),
    ...md.docsLine(references.follow(subject.written["externalDocs"]), context.messages.moreInformation),
    ...operationId(subject.written),
    ...(tags.length > 1 ? md.codesNote("tags", tags, context.messages.groups) : []),
    ...(subject.isWebhook
      ? ownServers(context, subject.written, subject.pathItem)
      : serverList(context, servers, hasOwnServer)),
    ...sections.flatMap((write) => write()),
    ...(subject.isWebhook
      ? webhookExamples(context, operation)
      : examples(context, subject, operation, servers, ways, samples)),
  ];
}

/** Callbacks come first on the page, but what they respond, too, is shown with the operation itself. */
function responseSections(context: PageContext, { responses, callbacks }: Operation): SectionWriter[] {
  const shown = callbacks.length > 0 ? new Map() : undefined;
  const own = responsesSection(context, responses, undefined, shown);
  return [callbacksSection(context, callbacks, shown), own];
}

const operationId = (written: JsonObject): RootContent[] =>
  md.valueNote("operationId", textAt(written, "operationId")?.trim() || undefined);

function header(
  { api, playground }: PageContext,
  subject: OperationSubject,
  servers: readonly Server[],
  opens: readonly string[] | undefined,
): RootContent {
  const { method, path, isWebhook } = subject;
  const [server] = servers;
  return md.component("ApiHeader", {
    method: method.toUpperCase(),
    path,
    base: isWebhook || server === undefined ? undefined : filledUrl(server),
    full: api.url === "full" || servers.length > 1,
    copy: playground.canCopyAddress,
    playground: opens,
  });
}

/** The requests that the API itself sends, folded, each with its body and the expected response. */
function callbacksSection(
  context: PageContext,
  callbacks: readonly Callback[],
  shown: Parameters<typeof responsesSection>[3],
): SectionWriter {
  const { messages } = context;
  if (callbacks.length === 0) return () => [];
  const callbackWriters = callbacks.map((callback) => {
    // The document's security is for requests that clients send; callbacks are requests that they receive.
    const written = { security: [], ...callback.written };
    const operation = readOperation(context.spec.document, callback.pathItem, written, context.references);
    const { description, body, parameters, responses } = operation;
    const media = payloads({ body });
    const writers = [
      authorizationSection(context, credentialsOf(context, operation), { callback: callback.name }),
      parameterSections(context, parameters, callback.name),
      requestBodySection(context, body, { callback: callback.name, samples: media }),
      () => {
        const samples = payloadSamples(context, media);
        return samples.length > 1 ? codeGroup(samples) : samples;
      },
      responsesSection(context, responses, callback.name, shown),
      () =>
        codeGroup(
          panel.withinRoom(panel.responseSamples(responses.flatMap(withExamples), context, messages), context.cuts),
        ),
    ];
    return { callback, description, write: () => writers.flatMap((write) => write()) };
  });
  return () => [
    md.component(
      "ApiSection",
      { title: context.messages.callbacks, id: "callbacks" },
      callbackWriters.map(({ callback, description, write }) => {
        const address = `${callback.method.toUpperCase()} ${md.clip(callback.expression, 300)}`;
        const title = md.label(md.text(`${md.clip(callback.name, 200)} `), md.inlineCode(address));
        const summary = textAt(callback.written, "summary")?.trim();
        const about = summary ? md.label(md.text(md.clip(summary, 300))) : undefined;
        return md.component("Accordion", { title, description: about }, [
          ...(isTrueAt(callback.written, "deprecated")
            ? md.fieldNote(undefined, [md.text(messages.deprecatedField)])
            : []),
          ...endNotice(callback.written, messages, context.describe.field),
          ...context.describe.field(description),
          ...md.docsLine(callback.written["externalDocs"], messages.moreInformation),
          ...operationId(callback.written),
          ...md.codesNote("tags", textsAt(callback.written, "tags"), messages.groups),
          ...ownServers(context, callback.written, callback.pathItem),
          ...write(),
        ]);
      }),
    ),
  ];
}

/** The servers of a request that the API itself sends, folded. */
const ownServers = (context: PageContext, ...holders: readonly JsonObject[]): RootContent[] => {
  const servers = holders.map((holder) => readServers(holder, context.references)).find(({ length }) => length > 0);
  return md.expandable(context.messages.serversTitle, serverItems(context, servers ?? []));
};

/** A response with only the media types that have examples; nothing if none has. */
const withExamples = (response: OperationResponse): OperationResponse[] => {
  const content = response.content.filter(({ examples }) => examples.length > 0);
  return content.length === 0 ? [] : [{ ...response, content }];
};

function examples(
  context: PageContext,
  subject: OperationSubject,
  operation: Operation,
  servers: readonly Server[],
  ways: readonly (readonly Credential[])[],
  samples: readonly panel.WrittenSample[],
): RootContent[] {
  const { api, messages, spec } = context;
  const baseUrl = absoluteUrl(servers[0], spec.source);
  const credentials = ways.find((way) => way.length > 0) ?? [];
  const requestOf = ({ title, value }: Partial<NamedExample>): panel.SampledRequest => ({
    title,
    request: () => requestSample({ ...context, ...subject, operation, baseUrl, credentials, example: value }),
  });
  const [first = {}, ...others] = namedBodies(operation);
  return [
    ...panel.requestExample(samples, [requestOf(first), ...others.map(requestOf)], api),
    ...panel.responseExample(panel.responseSamples(operation.responses, context, messages), context.cuts),
  ];
}

/** The media type whose examples show the payload of a webhook or a callback. */
const payloads = ({ body }: Pick<Operation, "body">): MediaType[] => {
  const media = preferredMedia(body?.content ?? []);
  return media === undefined ? [] : [media];
};

const payloadSamples = (context: PageContext, media: readonly MediaType[]): RootContent[] =>
  media.flatMap((mediaType) => panel.mediaSamples(mediaType, context.messages.payload, context));

const codeGroup = (samples: readonly RootContent[], name = "CodeGroup"): RootContent[] =>
  md.componentWith(name, { dropdown: samples.length > panel.maxTabs }, samples);

/** A webhook is an incoming request: its payload replaces the request sample. */
function webhookExamples(context: PageContext, operation: Operation): RootContent[] {
  return [
    ...codeGroup(payloadSamples(context, payloads(operation)), "RequestExample"),
    ...panel.responseExample(panel.responseSamples(operation.responses, context, context.messages), context.cuts),
  ];
}

const maxOptions = 12;

/** The operation with the examples of an extension, or one for each value of a body's discriminator, unless it has examples. */
function withOptionExamples(
  { reader, sampler, api }: Pick<PageContext, "reader" | "sampler" | "api">,
  operation: Operation,
): Operation {
  const filled = (media: MediaType, direction: Direction, isUsual = true): MediaType => {
    const { schema, examples } = media;
    if (examples.length > 0) return media;
    const vendors = isUsual && isJson(media.type) ? vendorExamples(operation.written, direction) : [];
    if (schema === undefined || vendors.length > 0) return { ...media, examples: vendors };
    const layers = layersOf(reader.flatten(schema), reader);
    const options = layers.at(-1)!.unions.find(({ discriminator }) => discriminator !== undefined)?.options ?? [];
    if (options.length < 2 || layers.some((layer) => layer.examples.length > 0 || layer.default)) return media;
    const properties = direction === "request" ? api.examples.defaults : "all";
    const optionExamples = options
      .slice(0, maxOptions)
      .flatMap(({ schema: optionSchema, value: name }, option): NamedExample[] => {
        const { title, refName } = reader.flatten(optionSchema);
        const value = sampler.value(schema, { direction, properties, option });
        return value === undefined ? [] : [{ title: title?.trim() || refName || name || `${option + 1}`, value }];
      });
    return { ...media, examples: optionExamples };
  };
  const { body, responses } = operation;
  return {
    ...operation,
    ...(body && { body: { ...body, content: body.content.map((media) => filled(media, "request")) } }),
    responses: responses.map((response) => ({
      ...response,
      content: response.content.map((media) => filled(media, "response", isSuccess(response))),
    })),
  };
}

/** The bodies in the examples that Fern adds to an operation. */
const vendorExamples = (written: JsonObject, direction: Direction): NamedExample[] =>
  listAt(written, "x-fern-examples").flatMap((example, i): NamedExample[] => {
    const value = direction === "request" ? member(example, "request") : member(member(example, "response"), "body");
    return value === undefined ? [] : [{ title: textAt(example, "name") ?? `${i + 1}`, value }];
  });
