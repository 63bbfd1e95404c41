// An entry of an old navigation, and what the readers of several tools share.
import { posix } from "node:path";
import { type Files, headText, under, yamlOf } from "./source-files.ts";
import { readSettings } from "./source-settings.ts";

export interface SourceNode {
  readonly kind: "page" | "group" | "tab" | "language" | "version";
  /** "" if only the page knows its label. The code of a language. */
  readonly label: string;
  /** The page that it opens, relative to the repository. */
  readonly file?: string | undefined;
  readonly items?: readonly SourceNode[] | undefined;
}

export type Reader = (files: Files, mark: string, pages: readonly string[]) => SourceNode[];
export type Data = Readonly<Record<string, unknown>>;

export const asData = (value: unknown): Data => (typeof value === "object" && value !== null ? (value as Data) : {});
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
export const settingsIn = (files: Files, path: string): unknown =>
  readSettings(path, (each) => (files.has(each) ? files.read(each) : undefined));
export const group = (label: string, items: readonly SourceNode[], file?: string): SourceNode => ({
  kind: "group",
  label,
  file,
  items,
});

/** Lets the label of each group open the page that is its index. */
export const withIndexes = (nodes: readonly SourceNode[], isIndex: (file: string) => boolean): SourceNode[] =>
  nodes.map((node) => {
    const items = withIndexes(node.items ?? [], isIndex);
    const index = items.find(({ kind, file }) => kind === "page" && isIndex(file ?? ""));
    return node.kind === "page"
      ? node
      : group(
          node.label,
          items.filter((item) => item !== index),
          index?.file,
        );
  });

/** A field of the front matter, or else the first heading. */
export function titleOf(text: string, fields: readonly string[]): string | undefined {
  const head = headText(text);
  for (const field of fields) {
    const value = new RegExp(`^${field}\\s*[:=]\\s*(.+)$`, "m").exec(head)?.[1]?.trim() ?? "";
    // The name of another value, or a text of several lines.
    const isLong = new RegExp(`^${field}:.*\\n[ \\t]+\\S`, "m").test(head);
    if (/^[*|>]/.test(value) || isLong) return String(asData(yamlOf(head))[field]);
    if (value !== "") return value.replace(/^(["'])(.*)\1$/, "$2").replaceAll("''", "'");
  }
  const body = text.slice(head === "" ? 0 : head.length + 8).replace(/^[ \t>]*(`{3,}|~{3,})[\s\S]*?\n[ \t>]*\1/gm, "");
  return /^#\s+(.+?)(?:\s*\{\s*[#.:][^{}]*\})?\s*#*$/m.exec(body)?.[1] ?? /^(.+)\r?\n=+\s*$/m.exec(body)?.[1];
}

export const pageNode = (files: Files, file: string, fields: readonly string[] = ["title"]): SourceNode => ({
  kind: "page",
  label: titleOf(files.read(file), fields) ?? "",
  file,
});

/** A group for each folder with pages. @param labelOf the label of a folder that a file has; "" if only its name is known */
export function folderNodes(
  files: Files,
  folder: string,
  pages: readonly string[],
  labelOf: (folder: string) => string | undefined,
  page: (file: string) => SourceNode = (file) => pageNode(files, file),
): SourceNode[] {
  const own = pages.filter((path) => under(folder, path));
  const start = folder === "" || folder === "." ? 0 : folder.length + 1;
  const nameOf = (path: string): string => path.slice(start).split("/")[0]!;
  return [...Map.groupBy(own, nameOf)].flatMap(([name, inner]): SourceNode[] => {
    if (inner[0] === posix.join(folder, name)) return [page(inner[0]!)];
    const below = posix.join(folder, name);
    return [group(labelOf(below) ?? readable(name), folderNodes(files, below, inner, labelOf, page))];
  });
}

export const readable = (name: string): string => name.replace(/^\d+[-_.)\s]+(?=\D)/, "").replace(/[-_]+/g, " ");

/** The folders of languages that have pages. */
export const languages = (codes: readonly string[], isThere: (code: string) => boolean): SourceNode[] => {
  const found = codes.filter(isThere).map((label): SourceNode => ({ kind: "language", label }));
  return found.length > 1 ? found : [];
};

/** The pages of a navigation that are translated; the translations know their labels. */
export const translated = (nodes: readonly SourceNode[], fileOf: (file: string) => string | undefined): SourceNode[] =>
  withInner(nodes).flatMap(({ file }): SourceNode[] => {
    const own = file === undefined ? undefined : fileOf(file);
    return own === undefined ? [] : [{ kind: "page", label: "", file: own }];
  });

/** Entries and all entries inside of them. */
export const withInner = (nodes: readonly SourceNode[]): SourceNode[] =>
  nodes.flatMap((node) => [node, ...withInner(node.items ?? [])]);
