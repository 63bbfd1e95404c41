import { entriesAt, isObject, type Json, member, pathOf, pointerTo } from "../../lib/json/index.js";
import { descriptionOf } from "../../site/specs/index.js";
import type { ReferenceKind } from "../reference-kind.js";
import { refOf } from "../schema/references.js";
import { channelPage, furtherOperations, serversOf } from "./channel-page.js";

export const asyncapi: ReferenceKind = {
  name: "AsyncAPI",
  entriesTitle: "channels",

  subject(context, target) {
    const { document } = context.spec;
    if (target.kind === "model") {
      const channel = context.spec.resolve(target.pointer);
      if (!isObject(channel) || pathOf(target.pointer)[0] !== "channels") return undefined;
      const { pointer } = target;
      return { description: undefined, pointer, write: furtherOperations(context, channel, target.skip) };
    }
    if (target.kind !== "channel") return undefined;
    const channel = context.references.follow(member(document["channels"], target.name));
    if (!isObject(channel)) return undefined;
    const pointer = pointerTo("channels", target.name);
    const operations = entriesAt(document, "operations").filter(([, operation]) => channelOf(operation) === pointer);
    return {
      description: descriptionOf(channel),
      pointer,
      excerpt: [pointer, ...operations.map(([name]) => pointerTo("operations", name))],
      write: channelPage(context, channel),
    };
  },

  servers: (context) => serversOf(context, {}),

  published({ document }, targets, { follow }) {
    const names = new Set(targets.flatMap((target) => (target.kind === "channel" ? [target.name] : [])));
    const isShown = (operation: Json): boolean => names.has(pathOf(channelOf(follow(operation)) ?? "").at(-1) ?? "");
    return {
      channels: Object.fromEntries(entriesAt(document, "channels").filter(([name]) => names.has(name))),
      operations: Object.fromEntries(entriesAt(document, "operations").filter(([, operation]) => isShown(operation))),
    };
  },
};

/** The pointer of an operation's channel. */
const channelOf = (operation: Json | undefined): string | undefined => refOf(member(operation, "channel"));
