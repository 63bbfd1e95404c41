import type { Json, JsonObject } from "../../lib/json/index.js";
import { childOf, isList, isObject } from "../../lib/json/index.js";

/**
 * The protocol that a channel speaks, in capitals and short enough for a pill: that of its first server, else the one
 * that it has bindings for. Undefined where the document says neither.
 *
 * @param follow gives what a value stands for that may be a reference.
 */
export function protocolOfChannel(
  document: JsonObject,
  channel: JsonObject,
  follow: (value: Json | undefined) => Json | undefined,
): string | undefined {
  const named = childOf(channel, "servers");
  const all = childOf(document, "servers");
  const servers = isList(named) && named.length > 0 ? named : isObject(all) ? Object.values(all) : [];
  const protocol = childOf(follow(servers[0]), "protocol");
  if (typeof protocol === "string" && protocol.trim() !== "") return protocolLabel(protocol);
  const bindings = follow(childOf(channel, "bindings"));
  const [bound] = isObject(bindings) ? Object.keys(bindings).filter((name) => !/^(?:\$ref$|x-)/.test(name)) : [];
  return bound === undefined ? undefined : bound === "ws" ? "WSS" : protocolLabel(bound);
}

/** Whether it is secured says the address; what is no name of a protocol is not shown. */
function protocolLabel(protocol: string): string | undefined {
  const name = protocol
    .trim()
    .replace(/^secure-|-secure$/i, "")
    .toUpperCase();
  return /^[A-Z][A-Z0-9+.-]{0,11}$/.test(name) ? name : undefined;
}
