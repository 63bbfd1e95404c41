import type { RootContent } from "mdast";
import { type JsonObject, member, textAt } from "../../lib/json/index.js";
import { schemaContent } from "../operations/body-sections.js";
import {
  clip,
  codeList,
  component,
  countOfMore,
  docsLine,
  expandable,
  fence,
  fieldNote,
  label,
  tagNotes,
  text,
  valueNote,
} from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { responseExample, withinRoom } from "../samples/sample-panel.js";
import type { SchemaNode } from "../schema/schema-outline.js";
import { foldedBindings } from "./bindings.js";
import type { ChannelOperation, Message } from "./channel-operation.js";

/** A section about one operation of a channel. */
export function operationSection(context: PageContext, operation: ChannelOperation): SectionWriter {
  const { messages, describe } = context;
  const { id, action, title } = operation;
  const writersOf = (all: readonly Message[], prefix: string) =>
    all.map((message) => {
      // What the section says already is not said again.
      const own = message.description === title ? { ...message, description: undefined } : message;
      return { message, write: messageContent(context, own, `${prefix} ${message.title}`, id) };
    });
  const sentMessages = writersOf(operation.messages, id);
  const replies = writersOf(operation.reply, `${id} ${messages.response}`);
  const writeBindings = foldedBindings(context, operation.bindings, { section: id, qualifier: id });
  const name = action && (action === "send" ? messages.send : messages.receive);
  return () => [
    component("ApiSection", { title: title ?? name, subtitle: title === undefined ? undefined : name, id }, [
      ...describe.field(operation.description),
      ...docsLine(operation.docs, messages.moreInformation),
      ...valueNote("operationId", action === undefined || id === title || id.startsWith(`${action} `) ? undefined : id),
      ...tagNotes(operation.tags, describe.field),
      ...writeBindings(),
      ...messageList(sentMessages),
      ...countOfMore(operation.moreMessages, context.cuts, "maxMessages"),
      ...expandable(messages.response, [
        ...runtimeValue(context, "address", operation.replyAddress),
        ...messageList(replies),
        ...countOfMore(operation.moreReplies, context.cuts, "maxMessages"),
      ]),
    ]),
  ];
}

/** A single message is shown directly, several are folded. */
function messageList(parts: readonly { readonly message: Message; readonly write: SectionWriter }[]): RootContent[] {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  if (others.length === 0) return first.write();
  const folded = parts.map(({ message, write }) =>
    component("Accordion", { title: label(text(clip(message.title, 200))) }, write()),
  );
  return [component("AccordionGroup", {}, folded)];
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
    ...docsLine(docs, messages.moreInformation),
    ...fieldNote(
      undefined,
      codeList(
        [name, contentType, ...new Set(formats)].filter((word) => word !== undefined),
        " · ",
      ),
    ),
    ...valueNote("messageId", id),
    ...tagNotes(message.tags, describe.field),
    ...runtimeValue(context, "correlationId", message.correlation),
    ...(head ? expandable(messages.headers, contentOf(head, `${qualifier} header`)) : []),
    ...(body ? contentOf(body, qualifier) : []),
    ...written.map(({ value, lang }) =>
      typeof value === "string" ? fence(lang, value) : fence("json", context.sampler.text(value, context.cuts)),
    ),
    ...writeBindings(),
  ];
}

/** What the document calls `name`: the place in a message where its value is at run time. */
const runtimeValue = ({ describe }: PageContext, name: string, value: JsonObject | undefined): RootContent[] => [
  ...fieldNote(
    undefined,
    codeList(
      [name, textAt(value, "location") ?? ""].filter((word) => value && word),
      " = ",
    ),
  ),
  ...describe.field(textAt(value, "description")),
];

/** Samples that are made from schemas; those of hundreds of messages would be most of a page. */
const maxGenerated = 60;

/** Examples of all messages in the sample panel: sent messages as requests, received ones as responses. */
export function messageExamples(
  { sampler, messages: words, cuts }: PageContext,
  operations: readonly ChannelOperation[],
): RootContent[] {
  let generatedCount = 0;
  const samplesOf = (isSent: boolean): RootContent[] =>
    operations
      .flatMap(({ action, messages, reply }) => ((action === "send") === isSent ? messages : reply))
      .flatMap(({ title, payload, examples }) => {
        const written = examples.flatMap((example) => {
          const summary = textAt(example, "summary");
          const name = summary ?? (examples.length === 1 ? undefined : textAt(example, "name"));
          const halves = [["payload"], ["headers", words.headers]] as const;
          return halves.flatMap(([key, part]) => {
            const value = member(example, key);
            const label = [title, name, part].filter((each) => each !== undefined).join(" · ");
            return value === undefined ? [] : [fence("json", sampler.text(value, cuts), label)];
          });
        });
        if (written.length > 0) return written;
        const generated =
          payload === undefined || ++generatedCount > maxGenerated
            ? undefined
            : sampler.value(payload, { direction: "both", properties: "all" });
        return generated === undefined ? [] : [fence("json", sampler.text(generated, cuts), title)];
      });
  const sent = withinRoom(samplesOf(true), cuts);
  return [
    ...(sent.length === 0 ? [] : [component("RequestExample", { dropdown: sent.length > 1 }, sent)]),
    ...responseExample(samplesOf(false), cuts),
  ];
}
