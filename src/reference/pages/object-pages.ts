import type { RootContent } from "mdast";
import type { Json } from "../../lib/json/index.js";
import { plainText } from "../../lib/plain-text.js";
import type { SpecObject } from "../../site/specs/index.js";
import { schemaContent } from "../operations/body-sections.js";
import { maxFolds } from "../schema/schema-fields.js";
import { clip, component, countOfMore, joined, link, listWith, paragraphWith, section, text } from "./nodes.js";
import { entryItem, firstLine } from "./overview-page.js";
import type { PageContext, SectionWriter } from "./page-context.js";

/** Limit of operations, and of objects, that an object's page lists as its users: an error may have thousands. */
const maxUsers = 2_000;
/** A longer list of operations is one paragraph of links, without methods and paths. */
const maxListed = 300;
/** A longer list of objects has no descriptions, and a heading for each first letter. */
const maxDescribed = 100;
const maxTitleLength = 200;

/** A page about a structure that other pages refer to instead of showing it. */
export function modelPage(
  context: PageContext,
  schema: Json,
  { name, pointer, skip }: { readonly name: string; readonly pointer: string; readonly skip: number },
): SectionWriter {
  const { messages, outline } = context;
  const node = outline.add(schema, "both", skip);
  return () => {
    // The reader has opened other parts to get here, so no field is folded.
    const site = { section: "attributes", qualifier: "body", folds: maxFolds };
    const content = schemaContent(context, node, { direction: "both", site, name, isDescribed: true });
    return [
      component("ApiSection", { title: messages.attributesTitle, id: "attributes", fields: true }, content),
      ...(skip === 0 ? userSections(context, pointer) : []),
    ];
  };
}

/** The operations that take or return an object, and the objects that contain it. */
export function userSections(context: PageContext, pointer: string): RootContent[] {
  const { messages, objects } = context;
  const object = objects().get(pointer);
  if (object === undefined) return [];
  const { users, holders } = object;
  const holderLinks = holders.slice(0, maxUsers).map((holderPointer) => {
    const holder = objects().get(holderPointer)!;
    const url = addressOf(context, holder);
    const title = text(clip(holder.title, maxTitleLength));
    return url === undefined ? title : link(url, title);
  });
  const items = users.slice(0, maxUsers).map((entry) => entryItem(context, entry));
  const titles = items.map(([title]) => title!);
  return [
    ...section(messages.usedBy, "used-by", [
      ...(items.length > maxListed ? paragraphWith(joined(titles, " · ")) : listWith(items)),
      ...countOfMore(users.length - maxUsers, context.cuts, "maxUsers"),
    ]),
    ...section(messages.partOf, "part-of", [
      ...paragraphWith(joined(holderLinks)),
      ...countOfMore(holders.length - maxUsers, context.cuts, "maxUsers"),
    ]),
  ];
}

const addressOf = ({ pageOf, key: spec }: PageContext, { title, pointer }: SpecObject): string | undefined =>
  pageOf({ kind: "model", spec, name: title, pointer, skip: 0 });

/** A page with links to the pages of all objects: from there, each is one step away. */
export function objectsPage(context: PageContext): SectionWriter {
  return () => {
    const links = [...context.objects().values()].flatMap((object) => {
      const url = addressOf(context, object);
      const about = clip(plainText(firstLine(object.description)), maxTitleLength);
      return url === undefined ? [] : [{ about, node: link(url, text(clip(object.title, maxTitleLength))), object }];
    });
    if (links.length <= maxDescribed)
      return listWith(links.map(({ about, node }) => (about === "" ? [node] : [node, text(`: ${about}`)])));
    const letters = Map.groupBy(links, ({ object }) => object.title.slice(0, 1).toUpperCase());
    return Array.from(letters).flatMap(([letter, group]): RootContent[] => [
      { type: "heading", depth: 2, children: [text(letter)] },
      ...paragraphWith(
        joined(
          group.map(({ node }) => node),
          " · ",
        ),
      ),
    ]);
  };
}
