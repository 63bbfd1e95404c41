import type { RootContent } from "mdast";
import { clip, fieldNote, inlineCode, link, paragraph, text } from "../pages/nodes.js";
import type { PageContext } from "../pages/page-context.js";
import type { SchemaNode } from "../schema/schema-outline.js";

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
