import type { Json, JsonObject } from "../../lib/json/index.js";
import { childOf, isList, isObject } from "../../lib/json/index.js";

/**
 * The protocol of a channel, in capitals and short enough for a pill: that of its first server, otherwise that of its
 * bindings; undefined without either.
 *
 * @param follow resolves a value that may be a reference.
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

/** The address shows whether it is encrypted; text that is not a protocol name is dropped. */
function protocolLabel(protocol: string): string | undefined {
  const name = protocol
    .trim()
    .replace(/^secure-|-secure$/i, "")
    .toUpperCase();
  return /^[A-Z][A-Z0-9+.-]{0,11}$/.test(name) ? name : undefined;
}
