import { getLocation } from "jsonc-parser";
import { CompletionItemKind } from "vscode-languageserver";
import { componentDefinitions, propNamesOf } from "../page/components/index.js";
import { iconNames } from "../page/icons/create-icons.js";
import { type Cursor, cursorAt } from "./cursor.js";
import { componentText, componentTexts, pageKeys, propertyText, settingsAt, settingText } from "./hover.js";
import type { OpenSite } from "./open-site.js";
import { importsIn, isAddress } from "./targets.js";

export interface Completion {
  readonly label: string;
  readonly kind: CompletionItemKind;
  /** Replaces the word at the cursor. Default: the label. */
  readonly insert?: string;
  readonly detail?: string;
  /** Markdown. */
  readonly about?: string;
}
export interface Completions {
  readonly items: readonly Completion[];
  /** The part of the text that a completion replaces. */
  readonly start: number;
  readonly end: number;
}

/** More would not help, and all are sent at every keystroke. */
const maxItems = 200;

/** The completions at an offset of a file; undefined where there is nothing to complete. */
export async function completionsAt(
  site: OpenSite,
  sourcePath: string,
  offset: number,
): Promise<Completions | undefined> {
  const text = site.readText(sourcePath) ?? "";
  if (sourcePath.endsWith(".json")) return completionsInSettings(site, text, offset);
  const cursor = cursorAt(text, offset);
  if (!cursor) return undefined;
  const items = await itemsFor(site, sourcePath, text, cursor, offset);
  return { items, start: cursor.start, end: cursor.end };
}

async function itemsFor(
  site: OpenSite,
  sourcePath: string,
  source: string,
  cursor: Cursor,
  offset: number,
): Promise<Completion[]> {
  const { kind } = cursor;
  const typed = cursor.text.slice(0, offset - cursor.start);
  const plan = site.plan();
  if (kind === "tag") return componentItems(source);
  if (kind === "property") return propertyItems(cursor);
  if (kind === "key")
    return Object.keys(pageKeys().properties ?? {}).map((key) => ({
      label: key,
      kind: CompletionItemKind.Property,
      insert: source[cursor.end] === ":" ? key : `${key}: `,
      about: settingText([pageKeys().properties![key]!]),
    }));
  if (!plan) return [];
  if (kind === "variable")
    return Object.entries(plan.site.config.variables).map(([label, value]) => ({
      label,
      kind: CompletionItemKind.Variable,
      detail: value,
    }));
  if (kind === "import") return fileItems(plan.files.paths, (path) => /\.(?:mdx?|jsx?|tsx?)$/.test(path));
  if (kind === "value" && cursor.component === "Snippet")
    return fileItems(plan.site.snippets, (path) => /\.mdx?$/.test(path));
  if (kind === "value" && isIcon(cursor)) return iconItems(site, typed);
  if (kind === "link" || isAddress(cursor))
    return linkItems(site, sourcePath, typed, kind === "link" ? cursor.isImage : /^(?:src|img)$/.test(cursor.property));
  return [];
}

const isIcon = ({ component, property }: { readonly component: string; readonly property: string }): boolean =>
  component === "" ? property === "icon" : componentDefinitions.get(component)?.props[property] === "icon";

function componentItems(source: string): Completion[] {
  const imported = importsIn(source).flatMap(({ names, from }) =>
    names
      .filter((name) => /^[A-Z]/.test(name))
      .map((name) => ({ label: name, kind: CompletionItemKind.Class, detail: from })),
  );
  const builtIn = Object.keys(componentTexts()).map((name) => ({
    label: name,
    kind: CompletionItemKind.Class,
    about: componentText(name) ?? "",
  }));
  return [...imported, ...builtIn];
}

function propertyItems({ component, written, text }: Extract<Cursor, { kind: "property" }>): Completion[] {
  const kinds: Readonly<Record<string, string>> = componentDefinitions.get(component)?.props ?? {};
  return [...(propNamesOf(component) ?? [])]
    .filter((name) => name === text || !written.includes(name))
    .map((name) => ({
      label: name,
      kind: CompletionItemKind.Property,
      insert: insertOf(name, kinds[name]),
      ...(kinds[name] && { detail: kinds[name] }),
      about: propertyText(component, name) ?? "",
    }));
}

/** The text to insert. Afterwards the cursor is at `$1`, between the quotes. */
const insertOf = (name: string, kind: string | undefined): string =>
  kind === "boolean"
    ? name
    : kind === "number" || kind === "list" || kind === "value"
      ? `${name}={$1}`
      : `${name}="$1"`;

function iconItems(site: OpenSite, typed: string): Completion[] {
  const { library } = site.plan()!.site.config.icons;
  const start = typed === "" ? "a" : typed;
  return iconNames(library, start)
    .slice(0, maxItems)
    .map((label) => ({ label, kind: CompletionItemKind.Value }));
}

const fileItems = (paths: readonly string[], isWanted: (path: string) => boolean): Completion[] =>
  paths
    .filter(isWanted)
    .slice(0, maxItems)
    .map((path) => ({ label: `/${path}`, kind: CompletionItemKind.File }));

/** Pages and files; after a `#` the anchors of the page before it. */
async function linkItems(site: OpenSite, sourcePath: string, typed: string, isImage: boolean): Promise<Completion[]> {
  const { site: plan } = site.plan()!;
  const hash = typed.indexOf("#");
  if (hash >= 0) {
    const target = hash === 0 ? undefined : site.addresses()?.resolve(typed.slice(0, hash), { sourcePath });
    const page = target?.kind === "page" ? target.page.sourcePath : sourcePath;
    const anchors = await site.anchors(page);
    return anchors.map((id) => ({ label: `${typed.slice(0, hash)}#${id}`, kind: CompletionItemKind.Reference }));
  }
  const files = plan.staticFiles
    .filter((path) => !isImage || /\.(?:png|jpe?g|gif|svg|webp|avif|mp4|webm)$/i.test(path))
    .map((path) => ({ label: `/${path}`, kind: CompletionItemKind.File }));
  if (isImage) return files;
  return [...pageItems(site), ...files];
}

const pageItems = (site: OpenSite): Completion[] =>
  site.plan()!.site.pages.map(({ urlPath, title, description }) => ({
    label: urlPath,
    kind: CompletionItemKind.Reference,
    detail: title,
    ...(description && { about: description }),
  }));

/** Names and values of docs.json by its schema; pages where they are listed, and icons. */
function completionsInSettings(site: OpenSite, text: string, offset: number): Completions | undefined {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const isInText =
    previousNode !== undefined && offset <= previousNode.offset + previousNode.length && previousNode.offset < offset;
  const [start, end] = isInText ? [previousNode.offset, previousNode.offset + previousNode.length] : [offset, offset];
  const quoted = (label: string, kind: CompletionItemKind, more: Partial<Completion> = {}): Completion => ({
    label,
    kind,
    insert: JSON.stringify(label),
    ...more,
  });
  if (isAtPropertyKey) {
    const properties = settingsAt(path.slice(0, -1)).flatMap(({ properties = {} }) => Object.entries(properties));
    const items = properties.map(([name, schema]) =>
      quoted(name, CompletionItemKind.Property, {
        insert: /^\s*:/.test(text.slice(end)) ? JSON.stringify(name) : `${JSON.stringify(name)}: `,
        about: settingText([schema]),
      }),
    );
    return { items, start, end };
  }
  const values = settingsAt(path).flatMap((schema) => schema.enum ?? []);
  const items = values.map((value) => ({
    label: String(value),
    insert: JSON.stringify(value),
    kind: CompletionItemKind.Value,
  }));
  if (!site.plan() || items.length > 0) return { items, start, end };
  const typed = isInText ? text.slice(start + 1, offset) : "";
  const setting = path.findLast((step) => typeof step === "string");
  if (setting === "icon")
    return { items: iconItems(site, typed).map(({ label, kind }) => quoted(label, kind)), start, end };
  if (setting !== "pages" && setting !== "root" && setting !== "href") return undefined;
  const pages = pageItems(site).map(({ label, kind, ...more }) =>
    quoted(setting === "href" ? label : label.slice(1) || "index", kind, more),
  );
  return { items: pages, start, end };
}
