import { posix } from "node:path";
import { applyEdits, type Edit, type Node as JsonNode, modify, parseTree } from "jsonc-parser";
import { Refused, type SiteFiles } from "./site-files.js";

const page = /\.mdx?$/;

/**
 * Moves a page with what leads to it: the navigation, the links of other pages and of its own, and a redirect from its old
 * address. Out: what was done, for the model.
 */
export async function movePage(files: SiteFiles, from: string, to: string): Promise<string> {
  if (!page.test(from) || !page.test(to)) throw new Refused("Only pages can be moved: their names end in .mdx or .md.");
  const paths = files.list();
  if (paths.includes(to)) throw new Refused(`There is a file ${to} already.`);
  const [oldUrl, newUrl] = [urlOf(from), urlOf(to)];
  const texts: Record<string, string | undefined> = {
    [to]: withAbsoluteLinks(await files.read(from), from),
    [from]: undefined,
  };
  const settings = ["docs.json", "mint.json"].find((name) => paths.includes(name));
  const written = settings === undefined ? undefined : withMove(await files.read(settings), from, to);
  if (settings !== undefined && written) texts[settings] = written.text;
  let links = 0;
  for (const path of paths.filter((each) => page.test(each) && each !== from)) {
    const text = await files.read(path).catch(() => "");
    const linked = text.replaceAll(absoluteLink, (link, before: string, url: string) => {
      if (url !== oldUrl) return link;
      links++;
      return before + newUrl;
    });
    if (linked !== text) texts[path] = linked;
  }
  await files.change(texts, { from, to });
  const counts = `Entries of the navigation: ${written?.entries ?? 0}. Links: ${links}.`;
  return `Moved. ${counts} A redirect leads from ${oldUrl} to ${newUrl}. Run check.`;
}

const urlOf = (path: string): string => `/${path.replace(page, "").replace(/(^|\/)index$/, "")}`;

const absoluteLink = /(\]\(|\bhref=["'])(\/[^\s)"'#?]*)/g;
const relativeLink = /(\]\(|\b(?:href|src)=["']|\bfrom\s+["'])(\.{1,2}\/[^\s)"']*)/g;

const withAbsoluteLinks = (text: string, from: string): string =>
  text.replaceAll(relativeLink, (_, before: string, url: string) => {
    return before + posix.join("/", posix.dirname(from), url);
  });

/** Undefined if the settings cannot be read. */
function withMove(text: string, from: string, to: string): { text: string; entries: number } | undefined {
  const root = parseTree(text);
  if (root?.type !== "object") return undefined;
  const member = (name: string): JsonNode | undefined =>
    root.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];
  const edits: Edit[] = [];
  const rename = (node: JsonNode | undefined): void => {
    const value: unknown = node?.type === "string" ? node.value : undefined;
    if (typeof value === "string" && value.replace(/^\//, "").replace(page, "") === from.replace(page, ""))
      edits.push({ offset: node!.offset, length: node!.length, content: JSON.stringify(to.replace(page, "")) });
    for (const child of node?.children ?? []) rename(child);
  };
  rename(member("navigation"));
  const redirect = { source: urlOf(from), destination: urlOf(to) };
  const known = member("redirects");
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: /^ {4}"/m.test(text) ? 4 : 2 };
  const added =
    known === undefined
      ? modify(text, ["redirects"], [redirect], { formattingOptions })
      : known.type === "array"
        ? modify(text, ["redirects", -1], redirect, { formattingOptions, isArrayInsertion: true })
        : [];
  return { text: applyEdits(text, [...edits, ...added]), entries: edits.length };
}
