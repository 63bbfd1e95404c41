import * as json from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { descriptionOf, protocolOfChannel } from "../../site/specs/index.js";
import { createFormSchemas } from "../forms/form-schemas.js";
import { createForm, type FormSubject, requestValue, shortExample } from "../forms/operation-form.js";
import type { PlaygroundForm } from "../forms/playground-form.js";
import { authorizationSection } from "../operations/authorization-section.js";
import { parameterSections } from "../operations/parameter-sections.js";
import { type Credential, inlineSchemes, readScheme, schemeContent } from "../operations/security.js";
import { filledUrl, readServer, type Server, serverList } from "../operations/server.js";
import type { Parameter } from "../operations/write-parameter.js";
import * as md from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { nameOfRef, refOf } from "../schema/references.js";
import { bindingFields } from "./bindings.js";
import { messagesToSend, operationsOf, operationsOnPage, withTraits } from "./channel-operation.js";
import { messageExamples, operationSections } from "./message-sections.js";

/** A page about one channel of an AsyncAPI document: its address, and what is sent and received on it. */
export function channelPage(context: PageContext, channel: json.JsonObject): SectionWriter {
  const { spec, references, playground } = context;
  const servers = serversOf(context, channel);
  const { operations, later } = operationsOf(context, channel, 0);
  const ways = credentialsOf(context, servers, channel);
  const parameters = [...addressParameters(context, channel), ...socketParameters(context, channel)];
  const sections = [
    authorizationSection(context, ways),
    parameterSections(context, parameters),
    ...operationSections(context, operations),
    laterOperations(context, channel, later),
    bindingsSection(context, channel),
  ];
  const address = json.textAt(channel, "address") ?? "";
  const [server] = servers;
  // For other protocols the address is the name of a topic or queue and does not follow the server's URL.
  const isPath = server !== undefined && /^(?:wss?|https?|sse)$/i.test(server.protocol);
  const path = isPath && /^[^/?]/.test(address) ? `/${address}` : address;
  // A channel for replies often has no address, because it is known only when a request is sent.
  const header = () =>
    md.component("ApiHeader", {
      method: protocolOfChannel(spec.document, channel, references.follow),
      path,
      base: isPath ? filledUrl(server) : undefined,
      full: true,
      copy: playground.canCopyAddress,
      playground: playground.offer(
        () => channelForm(context, { path, servers, ways, parameters }, messagesToSend(context, operations, channel)),
        ({ socket }) => ({ scripts: [socket] }),
      ),
    });
  return () => [
    ...(path === "" && !isPath ? [] : [header()]),
    ...md.docsLine(references.follow(channel["externalDocs"]), context.messages.moreInformation),
    ...md.tagNotes(json.listAt(channel, "tags").map(references.followObject), context.describe.field),
    ...serverList(context, servers, !isPath),
    ...sections.flatMap((write) => write()),
    ...messageExamples(context, operations),
  ];
}

/** A further page of a channel. @param skip number of operations that earlier pages show. */
export function furtherOperations(context: PageContext, channel: json.JsonObject, skip: number): SectionWriter {
  const { operations } = operationsOf(context, channel, skip);
  const sections = operationSections(context, operations);
  return () => [...sections.flatMap((write) => write()), ...messageExamples(context, operations)];
}

/** Links to the operations that further pages of the channel show. */
function laterOperations(
  { models, outline, cuts }: PageContext,
  channel: json.JsonObject,
  later: ReturnType<typeof operationsOf>["later"],
): SectionWriter {
  return () => {
    const links = later.flatMap(({ id, title }, i) => {
      const page = models?.pageOf(channel, i - (i % operationsOnPage) + operationsOnPage);
      if (page === undefined) return [];
      const href = `${models!.hrefTo(outline.refer(page).outputPath)}#${id}`;
      return [[{ ...md.link(href, md.text(title)), data: { isMade: true as const } }]];
    });
    return links.length === 0 ? md.countOfMore(later.length, cuts, "operationsOnPage") : [md.bulletList(links)];
  };
}

/** The form that opens a channel; undefined if none of its servers uses WebSocket. */
function channelForm(
  context: PageContext,
  channel: FormSubject,
  messages: ReturnType<typeof messagesToSend>,
): PlaygroundForm | undefined {
  const servers = channel.servers.filter(({ url }) => /^wss?:/i.test(url));
  if (servers.length === 0) return undefined;
  const schemas = createFormSchemas(context.reader, context.references);
  const formMessages = messages.map(({ title, payload, example }) =>
    withoutUndefined({
      title,
      schema: payload === undefined ? 0 : schemas.add([payload]),
      example: shortExample(example ?? (payload === undefined ? undefined : requestValue(payload, context))),
    }),
  );
  const form = createForm(context, schemas, { ...channel, servers }, { messages: formMessages });
  return {
    ...form,
    parameters: form.parameters.map((parameter, i) => {
      // Without its parameters an address is incomplete, so they start with their defaults.
      const start = parameter.place === "path" ? json.textAt(channel.parameters[i]!.written, "default") : undefined;
      return withoutUndefined({ ...parameter, start });
    }),
  };
}

interface ChannelServer extends Server {
  readonly protocol: string;
  readonly written: json.JsonObject;
}

/** The servers that the channel lists; if it lists none, all of the document. */
export function serversOf(context: PageContext, channel: json.JsonObject): ChannelServer[] {
  const { spec, references } = context;
  const named = json.listAt(channel, "servers");
  const servers = named.length > 0 ? named : json.entriesAt(spec.document, "servers").map(([, server]) => server);
  return servers.flatMap((reference, i) => {
    const written = references.followObject(reference);
    const host = json.textAt(written, "host");
    if (written === undefined || host === undefined || !references.admits(written)) return [];
    const protocol = json.textAt(written, "protocol") ?? "";
    const url = `${protocol}://${host}${json.textAt(written, "pathname") ?? ""}`;
    const variables = Object.fromEntries(
      json.entriesAt(written, "variables").map(([name, variable]) => [name, references.followObject(variable) ?? {}]),
    );
    const { title: name = "", bindings } = written;
    const server = readServer({ ...written, name, description: descriptionOf(written) ?? "", url, variables });
    const site = { section: "", qualifier: `server ${i + 1}` };
    const writeBindings = bindings === undefined ? undefined : bindingFields(context, bindings, site);
    const notes = [
      ...md.valueNote("protocolVersion", json.textAt(written, "protocolVersion")),
      ...md.docsLine(references.follow(written["externalDocs"]), context.messages.moreInformation),
      ...md.tagNotes(json.listAt(written, "tags").map(references.followObject), context.describe.field),
    ];
    const writeMore = () => [...notes, ...(writeBindings?.() ?? [])];
    return [{ ...server, ...((writeBindings || notes.length > 0) && { writeMore }), protocol, written }];
  });
}

/** The bindings of the channel, without query and headers of a WebSocket: the page lists these as parameters. */
function bindingsSection(context: PageContext, channel: json.JsonObject): SectionWriter {
  const site = { section: "bindings", qualifier: "bindings" };
  const isParameter = (protocol: string, name: string): boolean =>
    protocol === "ws" && (name === "query" || name === "headers");
  const write = bindingFields(context, channel["bindings"], site, (...member) => !isParameter(...member));
  return () => md.section(context.messages.bindings, "bindings", write());
}

/** Ways to authorize at the servers and for the channel's operations. */
function credentialsOf(
  context: PageContext,
  servers: readonly ChannelServer[],
  channel: json.JsonObject,
): Credential[][] {
  const { spec, references, messages } = context;
  const operations = json
    .entriesAt(spec.document, "operations")
    .map(([, operation]) => withTraits(context, operation))
    .filter((operation) => operation !== undefined && references.follow(operation["channel"]) === channel);
  const written = [...servers.map((server) => server.written), ...operations].flatMap((holder) =>
    json.listAt(holder, "security"),
  );
  const inline = inlineSchemes(spec.document, references);
  const keyOf = (requirement: json.Json): string =>
    refOf(requirement) ?? (json.isObject(requirement) ? schemeContent(requirement) : "");
  return [...Map.groupBy(written, keyOf)].flatMap(([key, requirements]) => {
    const scheme = references.followObject(requirements[0]);
    const scopes = [scheme, ...requirements].flatMap((holder) => json.textsAt(holder, "scopes"));
    const name = inline.get(key)?.name ?? nameOfRef(key);
    const credential = readScheme(name, scheme, [...new Set(scopes)], messages);
    return credential === undefined ? [] : [[credential]];
  });
}

/** Parameters of a channel's address: `{userId}`. */
function addressParameters({ references }: PageContext, channel: json.JsonObject): Parameter[] {
  return json.entriesAt(channel, "parameters").flatMap(([name, reference]): Parameter[] => {
    const written = references.followObject(reference);
    if (written === undefined) return [];
    const { enum: values, default: fallback, examples, "x-schema": base } = written;
    const keywords: Record<string, json.Json | undefined> = {
      type: "string",
      enum: values,
      default: fallback,
      examples,
    };
    const schema: json.Json = base ?? (withoutUndefined<object>(keywords) as json.JsonObject);
    return [parameterOf({ name, place: "path", required: true, schema, written })];
  });
}

/** Parameters of a WebSocket's opening request. */
function socketParameters({ references }: PageContext, channel: json.JsonObject): Parameter[] {
  const ws = references.followObject(json.member(references.followObject(channel["bindings"]), "ws"));
  return (["query", "headers"] as const).flatMap((keyword) => {
    const schema = references.followObject(json.member(ws, keyword));
    const required = json.listAt(schema, "required");
    return json.entriesAt(schema, "properties").map(([name, property]): Parameter => {
      const written = references.followObject(property) ?? {};
      const place = keyword === "query" ? "query" : "header";
      return parameterOf({ name, place, required: required.includes(name), schema: property, written });
    });
  });
}

const parameterOf = (facts: Pick<Parameter, "name" | "place" | "required" | "schema" | "written">): Parameter => ({
  ...facts,
  description: json.textAt(facts.written, "description"),
  deprecated: false,
  allowReserved: false,
  examples: [],
});
