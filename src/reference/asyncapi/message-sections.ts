import type { RootContent } from "mdast";
import { type JsonObject, member, textAt } from "../../lib/json/index.js";
import { schemaContent } from "../operations/body-sections.js";
import { jsonIn } from "../operations/media-type.js";
import * as md from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { responseExample, withinRoom } from "../samples/sample-panel.js";
import type { SchemaNode } from "../schema/schema-outline.js";
import { foldedBindings } from "./bindings.js";
import type { ChannelOperation, Message } from "./channel-operation.js";

/** A message in a section: shown there, or as a link to the earlier section that shows it. */
interface PlacedMessage {
  readonly title: string;
  readonly hasTitle: boolean;
  readonly place: string;
  /** Absent for a link. */
  readonly write?: SectionWriter;
}

/** A section for each operation of a channel. A message of several operations, such as an error, is shown once. */
export function operationSections(context: PageContext, operations: readonly ChannelOperation[]): SectionWriter[] {
  const uses = Map.groupBy(
    operations.flatMap(({ messages, reply }) => [...messages, ...reply]),
    ({ source }) => source,
  );
  const places = new Map<JsonObject, string>();
  const placed = (all: readonly Message[], { id, title: operationTitle }: ChannelOperation, prefix: string) =>
    all.map((message): PlacedMessage => {
      const title = md.clip(message.title, 200);
      const earlierPlace = places.get(message.source);
      const { hasTitle } = message;
      if (earlierPlace !== undefined) return { title, hasTitle, place: earlierPlace };
      const isAlone = all.length === 1 || uses.get(message.source)!.length === 1;
      const place = isAlone ? id : context.anchors.claim(title, id, prefix);
      places.set(message.source, place);
      // The section's title may say the same as the description.
      const shown = message.description === operationTitle ? { ...message, description: undefined } : message;
      return { title, hasTitle, place, write: messageContent(context, shown, `${prefix} ${message.title}`, id) };
    });
  return operations.map((operation) => {
    const { id, reply } = operation;
    return operationSection(
      context,
      operation,
      placed(operation.messages, operation, id),
      placed(reply, operation, `${id} ${context.messages.response}`),
    );
  });
}

function operationSection(
  context: PageContext,
  operation: ChannelOperation,
  sentMessages: readonly PlacedMessage[],
  replies: readonly PlacedMessage[],
): SectionWriter {
  const { messages, describe } = context;
  const { id, action, title } = operation;
  const writeBindings = foldedBindings(context, operation.bindings, { section: id, qualifier: id });
  const name = action && (action === "send" ? messages.send : messages.receive);
  const response = (): RootContent[] => [
    ...runtimeValue(context, "address", operation.replyAddress),
    ...messageList(id, replies),
    ...md.countOfMore(operation.moreReplies, context.cuts, "maxMessages"),
  ];
  return () => [
    md.component("ApiSection", { title: title ?? name, subtitle: title === undefined ? undefined : name, id }, [
      ...describe.field(operation.description),
      ...md.docsLine(operation.docs, messages.moreInformation),
      ...md.valueNote(
        "operationId",
        action === undefined || id === title || id.startsWith(`${action} `) ? undefined : id,
      ),
      ...md.tagNotes(operation.tags, describe.field),
      ...writeBindings(),
      ...messageList(id, sentMessages, title),
      ...md.countOfMore(operation.moreMessages, context.cuts, "maxMessages"),
      ...md.expandable(messages.response, response(), true),
    ]),
  ];
}

/** Shows a single message, folds several, and links to those of other sections. @param shown the title above. */
function messageList(section: string, parts: readonly PlacedMessage[], shown?: string): RootContent[] {
  const [only, ...others] = parts;
  if (only?.write && others.length === 0)
    return [...(only.hasTitle && only.title !== shown ? [md.paragraph(md.strong(only.title))] : []), ...only.write()];
  const defaultOpen = parts.filter(({ write }) => write).length === 1 || undefined;
  const folded = parts.flatMap(({ title, place, write }) => {
    const id = place === section ? undefined : place;
    return write ? [md.component("Accordion", { title: md.label(md.text(title)), id, defaultOpen }, write())] : [];
  });
  const links = parts.flatMap(({ title, place, write }) => (write ? [] : [md.link(`#${place}`, md.text(title))]));
  return [...md.componentWith("AccordionGroup", {}, folded), ...md.paragraphWith(md.joined(links, " · "))];
}

function messageContent(context: PageContext, message: Message, qualifier: string, section: string): SectionWriter {
  const { messages, outline, describe } = context;
  const { id, name, payload, headers, formats, written, description, docs, contentType, bindings } = message;
  const body = payload === undefined ? undefined : outline.add(payload, "both");
  const head = headers === undefined ? undefined : outline.add(headers, "both");
  const writeBindings = foldedBindings(context, bindings, { section, qualifier });
  const contentOf = (node: SchemaNode, contentQualifier: string): RootContent[] =>
    schemaContent(context, node, { direction: "both", site: { section, qualifier: contentQualifier } });
  return () => [
    ...describe.field(description),
    ...md.docsLine(docs, messages.moreInformation),
    ...md.fieldNote(
      undefined,
      md.codeList(
        [name, contentType, ...new Set(formats)].filter((word) => word !== undefined),
        " · ",
      ),
    ),
    ...md.valueNote("messageId", id),
    ...md.tagNotes(message.tags, describe.field),
    ...runtimeValue(context, "correlationId", message.correlation),
    ...(head ? md.expandable(messages.headers, contentOf(head, `${qualifier} header`)) : []),
    ...(body ? contentOf(body, qualifier) : []),
    ...written.map(({ value, lang }) =>
      typeof value === "string" ? md.fence(lang, value) : md.fence("json", context.sampler.text(value, context.cuts)),
    ),
    ...writeBindings(),
  ];
}

/** Says where in a message the value of `name` is at run time. */
const runtimeValue = ({ describe }: PageContext, name: string, value: JsonObject | undefined): RootContent[] => [
  ...md.fieldNote(
    undefined,
    md.codeList(
      [name, textAt(value, "location") ?? ""].filter((word) => value && word),
      " = ",
    ),
  ),
  ...describe.field(textAt(value, "description")),
];

/** Limit of samples generated from schemas: those of hundreds of messages would fill the page. */
const maxGenerated = 60;

/** Examples of all messages in the sample panel: sent messages as requests, received ones as responses. */
export function messageExamples(
  { reader, sampler, messages: words, cuts }: PageContext,
  operations: readonly ChannelOperation[],
): RootContent[] {
  let generatedCount = 0;
  const samplesOf = (isSent: boolean): RootContent[] => {
    const all = operations.flatMap(({ action, messages, reply }) =>
      (action === "send") === isSent ? messages : reply,
    );
    return all
      .filter(({ source }, i) => all.findIndex((message) => message.source === source) === i)
      .flatMap(({ title, payload, examples }) => {
        const written = examples.flatMap((example) => {
          const summary = textAt(example, "summary");
          const name = summary ?? (examples.length === 1 ? undefined : textAt(example, "name"));
          const halves = [["payload"], ["headers", words.headers]] as const;
          return halves.flatMap(([key, part]) => {
            const half = member(example, key);
            const isText =
              key === "payload" && payload !== undefined && reader.flatten(payload).types.includes("string");
            const value = typeof half === "string" && /^\s*[[{]/.test(half) && !isText ? jsonIn(half) : half;
            const label = [title, name, part].filter((word) => word !== undefined).join(" · ");
            return value === undefined ? [] : [md.fence("json", sampler.text(value, cuts), label)];
          });
        });
        if (written.length > 0) return written;
        const generated =
          payload === undefined || ++generatedCount > maxGenerated
            ? undefined
            : sampler.value(payload, { direction: "both", properties: "all" });
        return generated === undefined ? [] : [md.fence("json", sampler.text(generated, cuts), title)];
      });
  };
  const sent = withinRoom(samplesOf(true), cuts);
  return [
    ...md.componentWith("RequestExample", { dropdown: sent.length > 1 }, sent),
    ...responseExample(samplesOf(false), cuts),
  ];
}
