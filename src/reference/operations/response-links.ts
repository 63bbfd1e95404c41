import type { PhrasingContent, RootContent } from "mdast";
import { entriesAt, type Json, type JsonObject, pathOf, pointerTo, textAt } from "../../lib/json/index.js";
import { isHttpAddress } from "../../lib/url/index.js";
import {
  bulletList,
  clip,
  expandable,
  fieldNote,
  inlineCode,
  link,
  paragraph,
  shortValue,
  strong,
  text,
} from "../pages/nodes.js";
import type { PageContext } from "../pages/page-context.js";
import type { SchemaNode } from "../schema/schema-outline.js";

/** A link of a response: the operation that can be called next, with values of the response. */
export interface ResponseLink {
  readonly name: string;
  readonly written: JsonObject;
}

const maxLength = 300;

/** The links of a response, folded, each leading to the page of its operation. */
export function linkList(context: PageContext, links: readonly ResponseLink[]): RootContent[] {
  const items = links.flatMap(({ name, written }) => {
    const { requestBody } = written;
    const values = [
      ...entriesAt(written, "parameters").map(([parameter, value]) =>
        assigned(inlineCode(clip(parameter, 200)), value),
      ),
      ...(requestBody === undefined ? [] : [assigned(text(context.messages.body), requestBody)]),
    ];
    return [
      paragraph(strong(clip(name, 200)), text(": "), ...operationOf(context, written)),
      ...context.describe.field(textAt(written, "description")),
      ...(values.length === 0 ? [] : [bulletList(values)]),
    ];
  });
  return expandable(context.messages.links, items);
}

const assigned = (name: PhrasingContent, value: Json): PhrasingContent[] => [
  name,
  text(" = "),
  inlineCode(shortValue(value, maxLength)),
];

/** The operation that a link names; as written, if the specification does not have it. */
function operationOf({ entries, pageOf }: PageContext, written: JsonObject): PhrasingContent[] {
  const id = textAt(written, "operationId");
  const reference = textAt(written, "operationRef");
  const pointer = reference?.startsWith("#/") ? pointerTo(...pathOf(reference)) : undefined;
  const entry = entries().find((candidate) =>
    id === undefined ? candidate.pointer === pointer : candidate.operationId === id,
  );
  if (entry === undefined) {
    const shown = inlineCode(clip(id ?? reference ?? "", maxLength));
    return [id === undefined && reference !== undefined && isHttpAddress(reference) ? link(reference, shown) : shown];
  }
  const code = inlineCode(clip(`${(entry.method ?? "").toUpperCase()} ${entry.name}`, maxLength));
  const url = pageOf(entry.target);
  const title = entry.title === undefined ? undefined : clip(entry.title, maxLength);
  if (url === undefined) return title === undefined ? [code] : [text(`${title} `), code];
  return title === undefined ? [link(url, code)] : [link(url, text(title)), text(" "), code];
}

const maxTitleLength = 200;

/** Names the object of a body, with a link to its page. */
export function objectLink(context: PageContext, { core }: SchemaNode): RootContent[] {
  const { identity } = core;
  const page = identity && context.models?.pageOf(identity, 0);
  const url = page?.isPlanned ? context.pageOf(page.target) : undefined;
  if (url === undefined) return [];
  return fieldNote(context.messages.object, [link(url, inlineCode(clip(page!.title, maxTitleLength)))]);
}

/** A link to the list of all objects, on a page that does not show everything inside its own. */
export function objectsLink({ messages, outline, pageOf, key: spec }: PageContext): RootContent[] {
  const url = outline.models().length > 0 ? pageOf({ kind: "objects", spec }) : undefined;
  return url === undefined ? [] : [paragraph(link(url, text(messages.allObjects)))];
}
