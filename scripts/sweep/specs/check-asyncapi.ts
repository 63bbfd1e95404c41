// Channels of AsyncAPI 2 and 3 with their operations and messages, compared with the pages of the channels.
import type { Miss, OperationCheck } from "./check-operation.ts";
import { holdsText, missingOfExample } from "./find-text.ts";
import {
  isInternal,
  isRecord,
  listOf,
  type Record_,
  recordOf,
  type Source,
  textOf,
  type Value,
} from "./source-files.ts";
import type { SourceText } from "./source-operation.ts";
import type { WrittenPage } from "./written-page.ts";

export interface SourceChannel {
  /** Address, or the name of a channel without one. */
  readonly address: string;
  /** Titles that its page may have. */
  readonly titles: readonly string[];
  readonly texts: readonly SourceText[];
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  readonly messages: readonly Record_[];
}

export function readAsyncApi({ root, resolve }: Source): SourceChannel[] {
  const isSecond = textOf(root["asyncapi"]).startsWith("2");
  const messagesOf = (value: Value | undefined): Record_[] => {
    const message = recordOf(resolve(value));
    return Array.isArray(message["oneOf"]) ? message["oneOf"].flatMap(messagesOf) : [message];
  };
  return Object.entries(recordOf(resolve(root["channels"]))).flatMap(([name, written]) => {
    const channel = recordOf(resolve(written));
    if (isInternal(channel)) return [];
    const operations = isSecond
      ? ["publish", "subscribe"].map((key) => recordOf(resolve(channel[key])))
      : Object.values(recordOf(root["operations"]))
          .map((each) => recordOf(resolve(each)))
          .filter((each) => resolve(each["channel"]) === channel);
    const messages = isSecond
      ? operations.flatMap((each) => (each["message"] === undefined ? [] : messagesOf(each["message"])))
      : Object.values(recordOf(channel["messages"])).flatMap(messagesOf);
    const texts = [channel, ...operations, ...messages].flatMap((each, i) =>
      ["title", "summary", "description"].map((key) => ({
        kind: i === 0 ? "channel text" : i <= operations.length ? "operation text" : "message text",
        place: name,
        text: textOf(resolve(each[key])),
      })),
    );
    return {
      address: isSecond ? name : textOf(channel["address"]) || name,
      titles: [textOf(channel["title"]), name],
      texts: texts.filter(({ text }) => text !== ""),
      parameters: Object.entries(recordOf(channel["parameters"])).map(([parameter, each]) => ({
        name: parameter,
        description: textOf(recordOf(resolve(each))["description"]),
      })),
      messages,
    };
  });
}

export function checkChannel(channel: SourceChannel, page: WrittenPage, options: OperationCheck): void {
  const { tally, walk, limits, pages, source } = options;
  const place = channel.address;
  const check = (kind: Miss["kind"], isThere: boolean, what: () => string): void =>
    tally.check(kind, isThere, place, what, page.path);
  for (const { kind, text } of channel.texts) {
    const missing = holdsText(page.root, text, pages);
    check(kind, missing === undefined, () => missing!.slice(0, 160));
  }
  for (const { name, description } of channel.parameters) {
    const boxes = page.root.fields.get(name) ?? [];
    check("parameter", boxes.length > 0, () => name);
    for (const box of boxes.slice(0, 1)) {
      const missing = holdsText(box, description, pages);
      check("parameter description", missing === undefined, () => `${name}: ${missing!.slice(0, 160)}`);
    }
  }
  for (const message of channel.messages) {
    const name = textOf(message["name"]);
    if (name !== "") check("message name", holdsText(page.root, name, pages) === undefined, () => name);
    const type = textOf(message["contentType"]);
    if (type !== "") check("media type", holdsText(page.root, type, pages) === undefined, () => type);
    const parts = [message, ...listOf(message["traits"]).map((trait) => source.resolve(trait))].filter(isRecord);
    const schemas = parts.flatMap((part) => [part["headers"], payloadOf(part["payload"], source)]);
    const roots = schemas.filter((schema) => schema !== undefined);
    if (limits && roots.length > 0) tally.addWalk(place, walk(roots, [page.root], "response", limits), page.path);
    for (const each of listOf(message["examples"]))
      for (const value of [recordOf(each)["payload"], recordOf(each)["headers"]])
        if (value !== undefined) {
          const missing = missingOfExample(value, page.root, pages);
          check("example", missing === undefined, () => missing!.slice(0, 160));
        }
  }
}

/** AsyncAPI 3 can put a schema beside the name of its format; only JSON Schema has properties to follow. */
function payloadOf(payload: Value | undefined, source: Source): Value | undefined {
  const value = source.resolve(payload);
  if (!isRecord(value) || typeof value["schemaFormat"] !== "string") return payload;
  return /avro|protobuf|raml|xsd/i.test(value["schemaFormat"]) ? undefined : value["schema"];
}
