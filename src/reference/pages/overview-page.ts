import type { Image, PhrasingContent, RootContent } from "mdast";
import { entriesAt, type Json, listAt, member, textAt } from "../../lib/json/index.js";
import { plainText } from "../../lib/plain-text.js";
import { isHttpAddress } from "../../lib/url/index.js";
import { infoVersion, type SpecEntry, type SpecTag } from "../../site/specs/index.js";
import { referenceKinds } from "../kinds.js";
import { authorizationSection } from "../operations/authorization-section.js";
import { inlineSchemes, readScheme } from "../operations/security.js";
import { readServers, serverItems } from "../operations/server.js";
import * as md from "./nodes.js";
import { listedEntries, type PageContext, type SectionWriter } from "./page-context.js";

/** A page about the whole API: after its description come servers, authorization, groups, contact and license. */
export function overviewPage(context: PageContext): SectionWriter {
  const { spec, messages } = context;
  const kind = referenceKinds[spec.format];
  const servers = kind?.servers?.(context) ?? readServers(spec.document, context.references);
  const authorization = authorizationSection(context, schemesOf(context), { isList: true });
  return () => [
    ...md.section(messages.serversTitle, "servers", serverItems(context, servers)),
    ...authorization(),
    ...md.section(messages.groups, "groups", md.listWith(groupItems(context))),
    ...(kind?.overviewListsEntries
      ? md.section(messages[kind.entriesTitle], kind.entriesTitle, md.listWith(entryItems(context)))
      : []),
    ...md.section(messages.moreInformation, "more-information", md.listWith(moreItems(context, spec.document))),
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
    ...md.valueNote(messages.version, version && md.clip(version, 100)),
    // The identifier of the application, in AsyncAPI.
    ...md.valueNote("id", textAt(spec.document, "id")),
    ...(summary === undefined ? [] : [md.paragraph(md.text(md.clip(summary, 1000)))]),
    ...md.tagNotes(unusedTags, describe.field),
  ];
}

/** `x-logo`: the logo of the API, with its link. */
function logoOf(info: Json | undefined): RootContent[] {
  const logo = member(info, "x-logo");
  const url = textAt(logo, "url");
  if (url === undefined) return [];
  const image: Image = { type: "image", url, alt: textAt(logo, "altText") ?? textAt(info, "title") ?? "" };
  const href = textAt(logo, "href");
  return [md.paragraph(href === undefined ? image : md.link(href, image))];
}

/** A page about a tag: after its description come its operations. */
export function groupPage(context: PageContext, tag: SpecTag): SectionWriter {
  const { messages, spec } = context;
  const title = messages[referenceKinds[spec.format]?.entriesTitle ?? "operations"];
  return () => [
    ...md.docsLine(context.references.follow(tag.externalDocs), messages.moreInformation),
    ...md.section(title, "operations", md.listWith(entryItems(context, tag))),
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
  const code = md.inlineCode(md.clip(address, 300));
  const name = entry.derivedTitle ?? entry.title;
  const title = name === undefined ? [] : [md.text(md.clip(name, 300))];
  if (url === undefined) return [...title, md.text(" "), code];
  return title.length === 0 ? [md.link(url, code)] : [md.link(url, ...title), md.text(" "), code];
}

const named = (label: string, url: string | undefined, about: string): PhrasingContent[] => {
  const name = md.text(md.clip(label, 300));
  return [
    url === undefined ? name : md.link(url, name),
    ...(about === "" ? [] : [md.text(`: ${md.clip(about, 300)}`)]),
  ];
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
    .map((docs) => md.docsLink(references.follow(docs), messages.moreInformation))
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
    email === undefined ? [] : [mail === undefined ? md.text(md.clip(email, 300)) : md.link(mail, md.text(email))],
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
    ...labelled(messages.contact, md.joined(who)),
    ...labelled(messages.license, leadingTo(licenseUrl, textAt(license, "name") ?? identifier ?? licenseUrl)),
    ...labelled(messages.terms, leadingTo(terms, terms)),
  ];
}

const labelled = (label: string, content: PhrasingContent[]): PhrasingContent[][] =>
  content.length === 0 ? [] : [[md.text(`${label}: `), ...content]];

/** A link if the URL is HTTP, else plain text. */
const leadingTo = (url: string | undefined, words: string | undefined): PhrasingContent[] => {
  if (words === undefined) return [];
  const shown = md.text(md.clip(words, 300));
  return [url !== undefined && isHttpAddress(url) ? md.link(url, shown) : shown];
};
