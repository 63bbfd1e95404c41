import { entriesAt, type JsonObject, listAt, member, textAt } from "../../lib/json/index.js";
import { descriptionOf, protocolOfChannel } from "../../site/specs/index.js";
import { channelForm } from "../forms/operation-form.js";
import { serverList } from "../openapi/operation-page.js";
import { authorizationPart } from "../operations/authorization-section.js";
import type { Parameter } from "../operations/parameter.js";
import { parameterParts } from "../operations/parameter-sections.js";
import { type Credential, readScheme } from "../operations/security.js";
import { filledUrl, readServer, type Server } from "../operations/server.js";
import { component, countOfMore } from "../pages/nodes.js";
import type { PageContext, Part } from "../pages/page-context.js";
import { nameOfRef, refOf } from "../schema/references.js";
import { bindingsPart } from "./bindings.js";
import { allMessages, messagesToSend, operationsOf, withTraits } from "./channel-operation.js";
import { messageExamples, operationSection } from "./message-sections.js";

/** A page about one channel of an AsyncAPI document: its address, and what is sent and received on it. */
export function channelPart(context: PageContext, channel: JsonObject): Part {
  const { references } = context;
  const servers = serversOf(context, channel);
  const { operations, more } = operationsOf(context, channel);
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
    () => countOfMore(more),
    bindingsSection(context, channel),
  ];
  const address = textAt(channel, "address") ?? "";
  const [server] = servers;
  // For other protocols the address is the name of a topic or queue and does not follow the server's URL.
  const isPath = server !== undefined && /^(?:wss?|https?|sse)$/i.test(server.protocol);
  const path = isPath && /^[^/?]/.test(address) ? `/${address}` : address;
  const opens = () =>
    channelForm(context, {
      path,
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

/** The servers that the channel names, else all. */
export function serversOf(context: PageContext, channel: JsonObject): ChannelServer[] {
  const { spec, references } = context;
  const named = listAt(channel, "servers");
  const written = named.length > 0 ? named : entriesAt(spec.document, "servers").map(([, server]) => server);
  return written.slice(0, 30).flatMap((each, i) => {
    const server = references.followObject(each);
    const host = textAt(server, "host");
    if (server === undefined || host === undefined) return [];
    const protocol = textAt(server, "protocol") ?? "";
    const url = `${protocol}://${host}${textAt(server, "pathname") ?? ""}`;
    const variables = Object.fromEntries(
      entriesAt(server, "variables").map(([name, variable]) => [name, references.followObject(variable) ?? {}]),
    );
    const { title: name = "", bindings } = server;
    const description = descriptionOf(server) ?? "";
    const site = { section: "", qualifier: `server ${i + 1}` };
    return [
      {
        server: {
          ...readServer({ ...server, name, description, url, variables }),
          ...(bindings === undefined ? {} : { writeMore: bindingsPart(context, bindings, site) }),
        },
        protocol,
        written: server,
      },
    ];
  });
}

/** What the channel says for single protocols; the query and headers of a WebSocket are parameters. */
function bindingsSection(context: PageContext, channel: JsonObject): Part {
  const site = { section: "bindings", qualifier: "bindings" };
  const isParameter = (protocol: string, name: string): boolean =>
    protocol === "ws" && (name === "query" || name === "headers");
  const write = bindingsPart(context, channel["bindings"], site, (...member) => !isParameter(...member));
  return () => {
    const shown = write();
    return shown.length === 0
      ? []
      : [component("ApiSection", { title: context.messages.bindings, id: "bindings" }, shown)];
  };
}

/** Ways to authorize at the servers, together with those of the channel's operations. */
function credentialsOf(context: PageContext, servers: readonly JsonObject[], channel: JsonObject): Credential[][] {
  const { spec, references, messages } = context;
  const operations = entriesAt(spec.document, "operations")
    .map(([, each]) => withTraits(context, each))
    .filter((operation) => operation !== undefined && references.follow(operation["channel"]) === channel);
  const written = [...servers, ...operations].flatMap((holder) => listAt(holder, "security"));
  const schemes = [...new Map(written.map((each) => [refOf(each) ?? each, each])).values()];
  return schemes.flatMap((each) => {
    const ref = refOf(each);
    const scheme = references.followObject(each);
    const name = ref === undefined ? textAt(scheme, "type") : nameOfRef(ref);
    const credential = readScheme(name ?? "", scheme, [], messages);
    return credential === undefined ? [] : [[credential]];
  });
}

/** Parameters of a channel's address: `{userId}`. */
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
      return [parameterOf({ name, place: "path", required: true, schema, written })];
    });
}

/** Parameters of a WebSocket's opening request. */
function bindingParameters({ references }: PageContext, ws: JsonObject | undefined): Parameter[] {
  return (["query", "headers"] as const).flatMap((keyword) => {
    const schema = references.followObject(member(ws, keyword));
    const required = listAt(schema, "required");
    return entriesAt(schema, "properties")
      .slice(0, 100)
      .map(([name, property]): Parameter => {
        const written = references.followObject(property) ?? {};
        const place = keyword === "query" ? "query" : "header";
        return parameterOf({ name, place, required: required.includes(name), schema: property, written });
      });
  });
}

const parameterOf = (given: Pick<Parameter, "name" | "place" | "required" | "schema" | "written">): Parameter => ({
  ...given,
  description: textAt(given.written, "description"),
  deprecated: false,
  allowReserved: false,
  examples: [],
});
