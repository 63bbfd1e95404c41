import type { Image, PhrasingContent, RootContent } from "mdast";
import { entriesAt, type Json, listAt, member, textAt } from "../../lib/json/index.js";
import { plainText } from "../../lib/plain-text.js";
import { isHttpAddress } from "../../lib/url/index.js";
import { infoVersion, type SpecEntry, type SpecTag } from "../../site/specs/index.js";
import { referenceKinds } from "../kinds.js";
import { authorizationSection } from "../operations/authorization-section.js";
import { inlineSchemes, readScheme } from "../operations/security.js";
import { readServers, serverItems } from "../operations/server.js";
import {
  clip,
  docsLine,
  docsLink,
  inlineCode,
  joined,
  link,
  listWith,
  paragraph,
  section,
  tagNotes,
  text,
  valueNote,
} from "./nodes.js";
import { listedEntries, type PageContext, type SectionWriter } from "./page-context.js";

/** A page about the whole API: after its description come servers, authorization, groups, contact and license. */
export function overviewPage(context: PageContext): SectionWriter {
  const { spec, messages } = context;
  const kind = referenceKinds[spec.format];
  const servers = kind?.servers?.(context) ?? readServers(spec.document, context.references);
  const authorization = authorizationSection(context, schemesOf(context), { isList: true });
  return () => [
    ...section(messages.serversTitle, "servers", serverItems(context, servers)),
    ...authorization(),
    ...section(messages.groups, "groups", listWith(groupItems(context))),
    ...(kind?.overviewListsEntries
      ? section(messages[kind.entriesTitle], kind.entriesTitle, listWith(entryItems(context)))
      : []),
    ...section(messages.moreInformation, "more-information", listWith(moreItems(context, spec.document))),
  ];
}

export function headOf(context: PageContext): RootContent[] {
  const { spec, messages, references, describe } = context;
  const { info } = spec.document;
  const version = infoVersion(spec.document);
  const summary = textAt(info, "summary");
  // The tags of operations are listed as groups.
  const groups = new Set<unknown>(listedEntries(context).map(({ tag }) => tag));
  const tags = listAt(info, "tags").map(references.followObject);
  const unusedTags = tags.filter((tag) => !groups.has(textAt(tag, "name")));
  return [
    ...logoOf(info),
    ...valueNote(messages.version, version && clip(version, 100)),
    // The identifier of the application, in AsyncAPI.
    ...valueNote("id", textAt(spec.document, "id")),
    ...(summary === undefined ? [] : [paragraph(text(clip(summary, 1000)))]),
    ...tagNotes(unusedTags, describe.field),
  ];
}

/** `x-logo`: the logo of the API, with its link. */
function logoOf(info: Json | undefined): RootContent[] {
  const logo = member(info, "x-logo");
  const url = textAt(logo, "url");
  if (url === undefined) return [];
  const image: Image = { type: "image", url, alt: textAt(logo, "altText") ?? textAt(info, "title") ?? "" };
  const href = textAt(logo, "href");
  return [paragraph(href === undefined ? image : link(href, image))];
}

/** A page about a tag: after its description come its operations. */
export function groupPage(context: PageContext, tag: SpecTag): SectionWriter {
  const { messages, spec } = context;
  const title = messages[referenceKinds[spec.format]?.entriesTitle ?? "operations"];
  return () => [
    ...docsLine(context.references.follow(tag.externalDocs), messages.moreInformation),
    ...section(title, "operations", listWith(entryItems(context, tag))),
  ];
}

/** Each security scheme as a way of its own, with all its scopes. */
function schemesOf({ spec, references, messages }: PageContext) {
  const inline = Array.from(
    inlineSchemes(spec.document, references).values(),
    ({ name, scheme }) => [name, scheme] as const,
  );
  return [...entriesAt(spec.document["components"], "securitySchemes"), ...inline].flatMap(([name, written]) => {
    const scheme = references.followObject(written);
    const scopes = entriesAt(scheme, "flows").flatMap(([, flow]) =>
      ["scopes", "availableScopes"].flatMap((key) => entriesAt(flow, key).map(([scope]) => scope)),
    );
    const credential = readScheme(name, scheme, [...new Set(scopes)], messages);
    return credential === undefined ? [] : [[credential]];
  });
}

/** The groups of the navigation, with the descriptions of their tags. */
function groupItems(context: PageContext): PhrasingContent[][] {
  const { tags, pageOf, key: spec } = context;
  const used = new Map<string, SpecEntry>();
  for (const entry of listedEntries(context))
    if (entry.tag !== undefined && !used.has(entry.tag)) used.set(entry.tag, entry);
  /** The page of the group, else of its first operation. */
  const addressOf = (name: string, pointer?: string): string | undefined => {
    const page = pointer === undefined ? undefined : pageOf({ kind: "group", spec, name, pointer });
    const first = used.get(name);
    return page ?? (first && pageOf(first.target));
  };
  const described = tags().filter(({ kind }) => kind === "nav" || kind === "trait");
  const others = [...used.keys()].filter((name) => !described.some((tag) => tag.name === name));
  return [
    ...described.flatMap(({ name, label, parents, pointer, description }) => {
      const url = addressOf(name, pointer);
      if (url === undefined && !used.has(name)) return [];
      return [named([...parents, label].join(" › "), url, plainText(firstLine(description)))];
    }),
    ...others.map((name) => named(name, addressOf(name), "")),
  ];
}

/** @param tag absent: the entries without a tag. */
function entryItems(context: PageContext, tag?: SpecTag): PhrasingContent[][] {
  return listedEntries(context)
    .filter((entry) => entry.tag === tag?.name)
    .map((entry) => entryItem(context, entry));
}

/** The title of an entry, linked to its page, and its address. */
export function entryItem({ pageOf }: PageContext, entry: SpecEntry): PhrasingContent[] {
  const url = pageOf(entry.target);
  const address = entry.kind === "operation" ? `${entry.method!.toUpperCase()} ${entry.name}` : entry.name;
  const code = inlineCode(clip(address, 300));
  const name = entry.derivedTitle ?? entry.title;
  const title = name === undefined ? [] : [text(clip(name, 300))];
  if (url === undefined) return [...title, text(" "), code];
  return title.length === 0 ? [link(url, code)] : [link(url, ...title), text(" "), code];
}

const named = (label: string, url: string | undefined, about: string): PhrasingContent[] => {
  const name = text(clip(label, 300));
  return [url === undefined ? name : link(url, name), ...(about === "" ? [] : [text(`: ${clip(about, 300)}`)])];
};

/** The first paragraph, without the tags of Markdoc around it. */
export const firstLine = (markdown = ""): string =>
  markdown
    .replace(/\{%[^%\n]{0,500}%\}/g, "")
    .trim()
    .split(/\n\s*\n/, 1)[0]!
    .replace(/^#+\s+/, "");

/** Further documents, contact, license and terms. */
function moreItems(context: PageContext, document: PageContext["spec"]["document"]): PhrasingContent[][] {
  const { messages, references } = context;
  const { info } = document;
  const docs = [member(info, "externalDocs"), document["externalDocs"]]
    .map((docs) => docsLink(references.follow(docs), messages.moreInformation))
    .filter((line) => line.length > 0);
  const contact = member(info, "contact");
  const license = member(info, "license");
  const identifier = textAt(license, "identifier");
  const licenseUrl = textAt(license, "url") ?? (identifier && `https://spdx.org/licenses/${identifier}.html`);
  const email = textAt(contact, "email");
  const mail = email !== undefined && /^[^\s@<>:/?#]+@[^\s@<>:/?#]+$/.test(email) ? `mailto:${email}` : undefined;
  const name = textAt(contact, "name");
  const who = [
    leadingTo(textAt(contact, "url"), name ?? textAt(contact, "url")),
    email === undefined ? [] : [mail === undefined ? text(clip(email, 300)) : link(mail, text(email))],
  ].filter((part) => part.length > 0);
  const terms = textAt(info, "termsOfService");
  // In Arazzo: the descriptions of the APIs that the workflows call.
  const sources = listAt(document, "sourceDescriptions").flatMap((source) => {
    const url = textAt(source, "url");
    return labelled(textAt(source, "name") ?? "", leadingTo(url, url));
  });
  return [
    ...docs,
    ...sources,
    ...labelled(messages.contact, joined(who)),
    ...labelled(messages.license, leadingTo(licenseUrl, textAt(license, "name") ?? identifier ?? licenseUrl)),
    ...labelled(messages.terms, leadingTo(terms, terms)),
  ];
}

const labelled = (label: string, content: PhrasingContent[]): PhrasingContent[][] =>
  content.length === 0 ? [] : [[text(`${label}: `), ...content]];

/** A link if the URL is HTTP, else plain text. */
const leadingTo = (url: string | undefined, words: string | undefined): PhrasingContent[] => {
  if (words === undefined) return [];
  const shown = text(clip(words, 300));
  return [url !== undefined && isHttpAddress(url) ? link(url, shown) : shown];
};
