import type { RootContent } from "mdast";
import { entriesAt, isObject, listAt, member, textAt } from "../json/index.js";
import type { Json, JsonObject } from "../specs/api-spec.js";
import { protocolOfChannel } from "../specs/channel-protocol.js";
import { schemaContent } from "./body-parts.js";
import { clip, component, fence, inlineCode, label, text } from "./nodes.js";
import type { Parameter } from "./operation.js";
import { authorizationPart, responseExample, serverList } from "./operation-page.js";
import type { PageContext, Part } from "./page-context.js";
import { parameterParts } from "./parameter-parts.js";
import { channelForm } from "./playground/operation-form.js";
import { printJson } from "./print-json.js";
import { nameOfRef, refOf } from "./references.js";
import { sampleValue } from "./sample-value.js";
import { type Credential, readScheme } from "./security.js";
import { filledUrl, readServer, type Server } from "./server.js";

/** What goes one way over a channel. */
interface ChannelOperation {
  readonly id: string;
  /** Undefined where no operation says which way. */
  readonly action?: "send" | "receive";
  readonly title?: string;
  readonly description?: string;
  readonly messages: readonly Message[];
  /** What comes back for them. */
  readonly reply: readonly Message[];
}
interface Message {
  readonly title: string;
  readonly description?: string;
  readonly contentType?: string;
  readonly payload?: Json;
  readonly headers?: Json;
  readonly examples: readonly JsonObject[];
}

const maxOperations = 40;
const maxMessages = 60;

/** A page about one channel of an AsyncAPI document: where it is, and what is sent and received on it. */
export function channelPart(context: PageContext, channel: JsonObject): Part {
  const { references } = context;
  const servers = serversOf(context, channel);
  const operations = operationsOf(context, channel);
  const listed = operations.length > 0 ? operations : [allMessages(context, channel)];
  const ws = references.followObject(member(references.followObject(channel["bindings"]), "ws"));
  const ways = credentialsOf(
    context,
    servers.map(({ written }) => written),
    channel,
  );
  const parameters = [...channelParameters(context, channel), ...bindingParameters(context, ws)];
  const parts = [
    authorizationPart(context, ways),
    parameterParts(context, parameters),
    ...listed.map((operation) => operationSection(context, operation)),
    bindingsPart(context, channel),
  ];
  const address = textAt(channel, "address") ?? "";
  const [server] = servers;
  // Elsewhere the address is the name of a topic or a queue, and the server is another thing.
  const isPath = server !== undefined && /^(?:wss?|https?|sse)$/i.test(server.protocol);
  const path = isPath && /^[^/?]/.test(address) ? `/${address}` : address;
  const opens = () =>
    channelForm(context, {
      address: path,
      servers: servers.map((each) => each.server),
      ways,
      parameters,
      messages: messagesToSend(context, operations, channel),
    });
  return () => [
    component("ApiHeader", {
      method: protocolOfChannel(context.spec.document, channel, references.follow),
      path,
      base: isPath ? filledUrl(server.server) : undefined,
      full: true,
      copy: context.playground.isNamed,
      playground: context.playground.offer(opens),
    }),
    ...serverList(
      context,
      servers.map((each) => each.server),
      !isPath,
    ),
    ...parts.flatMap((write) => write()),
    ...messageExamples(context, listed),
  ];
}

interface ChannelServer {
  readonly server: Server;
  readonly protocol: string;
  readonly written: JsonObject;
}

/** Those that the channel names, else all. */
function serversOf({ spec, references }: PageContext, channel: JsonObject): ChannelServer[] {
  const named = listAt(channel, "servers");
  const written = named.length > 0 ? named : entriesAt(spec.document, "servers").map(([, server]) => server);
  return written.slice(0, 30).flatMap((each) => {
    const server = references.followObject(each);
    const host = textAt(server, "host");
    if (server === undefined || host === undefined) return [];
    const protocol = textAt(server, "protocol") ?? "";
    const url = `${protocol}://${host}${textAt(server, "pathname") ?? ""}`;
    const variables = Object.fromEntries(
      entriesAt(server, "variables").map(([name, variable]) => [name, references.followObject(variable) ?? {}]),
    );
    return [{ server: readServer({ ...server, url, variables }), protocol, written: server }];
  });
}

/** Operations that name this channel, in the order written. */
function operationsOf(context: PageContext, channel: JsonObject): ChannelOperation[] {
  const { spec, references } = context;
  return entriesAt(spec.document, "operations")
    .flatMap(([id, each]): ChannelOperation[] => {
      const operation = references.followObject(each);
      const action = textAt(operation, "action");
      if (operation === undefined || (action !== "send" && action !== "receive")) return [];
      if (references.follow(operation["channel"]) !== channel) return [];
      const named = listAt(operation, "messages");
      const messages =
        named.length > 0 ? named.map((message) => ["", message] as const) : entriesAt(channel, "messages");
      const reply = references.followObject(operation["reply"]);
      return [
        {
          id,
          action,
          title: textAt(operation, "title") ?? textAt(operation, "summary"),
          description: textAt(operation, "description"),
          messages: readMessages(context, messages),
          reply: readMessages(context, replyMessages(context, reply)),
        },
      ];
    })
    .slice(0, maxOperations);
}

/** A channel that no operation speaks of shows what may pass on it. */
function allMessages(context: PageContext, channel: JsonObject): ChannelOperation {
  const messages = readMessages(context, entriesAt(channel, "messages"));
  return { id: "messages", title: context.words.payload, messages, reply: [] };
}

/** What a reader may send: where nothing is said to be sent, anything that passes on the channel. */
function messagesToSend(context: PageContext, operations: readonly ChannelOperation[], channel: JsonObject) {
  const sent = operations.filter(({ action }) => action === "send");
  const from = sent.length > 0 ? sent : [allMessages(context, channel)];
  return from
    .flatMap(({ messages }) => messages)
    .slice(0, maxMessages)
    .map(({ title, payload, examples }) => ({
      title: clip(title, 200),
      ...(payload === undefined ? {} : { payload }),
      example: examples.map((example) => member(example, "payload")).find((value) => value !== undefined),
    }));
}

/** Those that the reply names, else all of the channel that it comes on. */
function replyMessages({ references }: PageContext, reply: JsonObject | undefined): (readonly [string, Json])[] {
  const named = listAt(reply, "messages");
  if (named.length > 0) return named.map((message) => ["", message] as const);
  return entriesAt(references.followObject(member(reply, "channel")), "messages");
}

const readMessages = (context: PageContext, written: readonly (readonly [key: string, message: Json])[]): Message[] =>
  written.slice(0, maxMessages).flatMap(([key, message]) => readMessage(context, message, key));

/** @param key by which the channel knows it. */
function readMessage({ references }: PageContext, written: Json, key: string): Message[] {
  const message = references.followObject(written);
  if (message === undefined) return [];
  const ref = refOf(written);
  const traits = listAt(message, "traits").flatMap((trait) => references.followObject(trait) ?? []);
  const whole: JsonObject = Object.assign({}, ...traits, message);
  const payload = schemaOf(references.follow(whole["payload"]), whole["payload"]);
  const headers = schemaOf(references.follow(whole["headers"]), whole["headers"]);
  return [
    {
      title: textAt(whole, "title") ?? textAt(whole, "name") ?? (ref === undefined ? key : nameOfRef(ref)),
      description: textAt(whole, "description") ?? textAt(whole, "summary"),
      contentType: textAt(whole, "contentType"),
      ...(payload === undefined ? {} : { payload }),
      ...(headers === undefined ? {} : { headers }),
      examples: listAt(whole, "examples").filter(isObject).slice(0, 12),
    },
  ];
}

/** A schema in another format names it beside. */
function schemaOf(followed: Json | undefined, written: Json | undefined): Json | undefined {
  const inner = member(followed, "schema");
  return inner !== undefined && textAt(followed, "schemaFormat") !== undefined ? inner : written;
}

function operationSection(context: PageContext, operation: ChannelOperation): Part {
  const { words, describe } = context;
  const { id, action, title, description, messages, reply } = operation;
  const partsOf = (all: readonly Message[], prefix: string) =>
    all.map((message) => ({ message, write: messagePart(context, message, `${prefix} ${message.title}`, id) }));
  const parts = partsOf(messages, id);
  const replies = partsOf(reply, `${id} ${words.response}`);
  const name = action && (action === "send" ? words.send : words.receive);
  return () => [
    component("ApiSection", { title: title ?? name, subtitle: title === undefined ? undefined : name, id }, [
      ...(description === undefined ? [] : describe.field(description)),
      ...messageList(parts),
      ...(replies.length === 0 ? [] : [component("Expandable", { title: words.response }, messageList(replies))]),
    ]),
  ];
}

/** One message as it is, several folded. */
function messageList(parts: readonly { readonly message: Message; readonly write: Part }[]): RootContent[] {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  if (others.length === 0) return first.write();
  const folded = parts.map(({ message, write }) =>
    component("Accordion", { title: label(text(clip(message.title, 200))) }, write()),
  );
  return [component("AccordionGroup", {}, folded)];
}

function messagePart(context: PageContext, message: Message, place: string, section: string): Part {
  const { words, outline, describe } = context;
  const { payload, headers, description, contentType } = message;
  const body = payload === undefined ? undefined : outline.add(payload, "both");
  const head = headers === undefined ? undefined : outline.add(headers, "both");
  return () => [
    ...(description === undefined ? [] : describe.field(description)),
    ...(contentType === undefined ? [] : [component("FieldNote", {}, [inlineCode(contentType)])]),
    ...(head === undefined
      ? []
      : [
          component(
            "Expandable",
            { title: words.headers },
            schemaContent(context, head, { direction: "both", site: { section, place: `${place} header` } }),
          ),
        ]),
    ...(body === undefined ? [] : schemaContent(context, body, { direction: "both", site: { section, place } })),
  ];
}

/** `{userId}` of an address. */
function channelParameters({ references }: PageContext, channel: JsonObject): Parameter[] {
  return entriesAt(channel, "parameters")
    .slice(0, 100)
    .flatMap(([name, each]): Parameter[] => {
      const written = references.followObject(each);
      if (written === undefined) return [];
      const { enum: values, default: fallback, examples } = written;
      const schema: JsonObject = {
        type: "string",
        ...(values === undefined ? {} : { enum: values }),
        ...(fallback === undefined ? {} : { default: fallback }),
        ...(examples === undefined ? {} : { examples }),
      };
      return [
        {
          name,
          place: "path",
          required: true,
          deprecated: false,
          allowReserved: false,
          description: textAt(written, "description"),
          schema,
          examples: [],
          written,
        },
      ];
    });
}

/** What a WebSocket is opened with. */
function bindingParameters({ references }: PageContext, ws: JsonObject | undefined): Parameter[] {
  return (["query", "headers"] as const).flatMap((keyword) => {
    const schema = references.followObject(member(ws, keyword));
    const required = listAt(schema, "required");
    return entriesAt(schema, "properties")
      .slice(0, 100)
      .map(([name, property]): Parameter => {
        const followed = references.followObject(property);
        return {
          name,
          place: keyword === "query" ? "query" : "header",
          required: required.includes(name),
          deprecated: false,
          allowReserved: false,
          description: textAt(followed, "description"),
          schema: property,
          examples: [],
          written: followed ?? {},
        };
      });
  });
}

/** Bindings of other protocols, as written. */
function bindingsPart({ references, words }: PageContext, channel: JsonObject): Part {
  const bindings = references.followObject(channel["bindings"]);
  const others = Object.entries(bindings ?? {}).filter(([protocol]) => protocol !== "ws" && protocol !== "$ref");
  if (others.length === 0) return () => [];
  return () => [
    component(
      "ApiSection",
      { title: words.bindings, id: "bindings" },
      others.slice(0, 20).map(([protocol, binding]) => fence("json", printJson(binding), protocol)),
    ),
  ];
}

function messageExamples({ reader }: PageContext, operations: readonly ChannelOperation[]): RootContent[] {
  const samplesOf = (isSent: boolean): RootContent[] =>
    operations
      .flatMap(({ action, messages, reply }) => ((action === "send") === isSent ? messages : reply))
      .slice(0, maxMessages)
      .flatMap(({ title, payload, examples }) => {
        const given = examples.flatMap((example) => {
          const value = member(example, "payload");
          return value === undefined ? [] : [{ name: textAt(example, "summary") ?? textAt(example, "name"), value }];
        });
        if (given.length > 0)
          return given.map(({ name, value }) =>
            fence("json", printJson(value), given.length === 1 || name === undefined ? title : `${title} · ${name}`),
          );
        const made =
          payload === undefined ? undefined : sampleValue([payload], reader, { direction: "both", properties: "all" });
        return made === undefined ? [] : [fence("json", printJson(made), title)];
      });
  const sent = samplesOf(true);
  return [
    ...(sent.length === 0 ? [] : [component("RequestExample", { dropdown: sent.length > 1 }, sent)]),
    ...responseExample(samplesOf(false)),
  ];
}

/** Ways to authorize at the servers; an operation's own are few and stand with them. */
function credentialsOf(context: PageContext, servers: readonly JsonObject[], channel: JsonObject): Credential[][] {
  const { spec, references, words } = context;
  const operations = entriesAt(spec.document, "operations")
    .map(([, each]) => references.followObject(each))
    .filter((operation) => operation !== undefined && references.follow(operation["channel"]) === channel);
  const written = [...servers, ...operations].flatMap((holder) => listAt(holder, "security"));
  const schemes = [...new Map(written.map((each) => [refOf(each) ?? each, each])).values()];
  return schemes.flatMap((each) => {
    const credential = readScheme(refOf(each) ?? "", references.followObject(each), [], words);
    return credential === undefined ? [] : [[credential]];
  });
}
