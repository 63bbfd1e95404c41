import { joinPath } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, isData, valueAt } from "../data.js";
import { block, indentOf, type Line, type PageText } from "../page-text.js";
import type { NavEntry, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { Call, readJs } from "../read-js.js";
import { attribute, calloutTags, colonBlocks, element, fenceInfos } from "../steps/blocks.js";
import { mdxImports } from "../steps/imports.js";
import { landingHead, landingPage } from "../steps/landing.js";
import { attributeText, type ElementTable, replaceElements } from "../steps/tags.js";
import { folderEntries } from "./folder-navigation.js";
import {
  addressOf,
  findFile,
  findFolder,
  footerOf,
  headOf,
  inside,
  isPage,
  isTrue,
  isUnreadable,
  labelOf,
  logoOf,
  noteUnreadable,
  numberOf,
  pageEntry,
  pagesBelow,
  redirectsOf,
  relativeTo,
} from "./shared.js";

const config = /(?:^|\/)astro\.config\.[cm]?[jt]s$/;

export const starlight: Tool = {
  name: "Starlight",
  detect(files) {
    const base = findFolder(files, config);
    const root = joinPath(base ?? "", "src/content/docs");
    return files.paths.some((path) => inside(root, path) && isPage(path)) ? base : undefined;
  },
  read,
  convert(text, context) {
    const { frontmatter } = context;
    const inlined = mdxImports(text, context);
    const blocks = colonBlocks(
      isData(frontmatter["hero"]) ? [...landingPage(frontmatter), ...inlined] : inlined,
      (name, rest) => calloutTags(name, /^\s*\[(.*)\]/.exec(rest)?.[1]),
      ({ line }, name) => context.report("aside", `":::${name}" is not a kind of aside; its text stays.`, line),
    );
    return replaceElements(stepLists(fenceInfos(blocks, marks)), elements);
  },
  frontmatter: (data) => ({
    ...data,
    ...(isData(data["hero"]) ? landingHead(data) : {}),
    sidebarTitle: valueAt(data, "sidebar.label"),
    hidden: undefined,
    tag: asText(valueAt(data, "sidebar.badge.text")) ?? asText(valueAt(data, "sidebar.badge")),
  }),
  isMarkdown: ({ source }) => source.endsWith(".md"),
};

/** Marks of Expressive Code; `{2}` is also one of ours. */
const marks = (info: string): string =>
  info
    .replace(/\bshowLineNumbers(?:=true)?(?!\S)/, "lines")
    .replace(/\b(?:mark|ins|del)=\{([\d,\s-]+)\}/g, "{$1}")
    .replace(/\s(?:frame="[^"]*"|collapse=\{[^{}]*\}|startLineNumber=\d+)/g, "");

const badgeColors: Readonly<Record<string, string>> = {
  note: "blue",
  tip: "purple",
  success: "green",
  caution: "yellow",
  danger: "red",
};

const elements: ElementTable = {
  TabItem: (tag) => element("Tab", attribute("title", attributeText(tag, "label") ?? "Tab")),
  Tabs: () => element("Tabs"),
  CardGrid: () => element("CardGroup", " cols={2}"),
  Card: (tag) =>
    tag.isEmpty || tag.attributes.has("href")
      ? undefined
      : element("Card", attribute("title", attributeText(tag, "title"))),
  LinkCard(tag) {
    const [title, href] = ["title", "href"].map((name) => attribute(name, attributeText(tag, name)));
    const description = (attributeText(tag, "description") ?? "").replace(/[<{]/g, "\\$&");
    return { open: `<Card${title}${href}>${description}</Card>`, close: "" };
  },
  LinkButton: (tag) => element("a", attribute("href", attributeText(tag, "href"))),
  Aside: (tag) => calloutTags(attributeText(tag, "type") ?? "note", attributeText(tag, "title")) ?? element("Note"),
  Badge(tag) {
    const text = attributeText(tag, "text");
    if (!tag.isEmpty || text === undefined) return undefined;
    const { open, close } = element("Badge", attribute("color", badgeColors[attributeText(tag, "variant") ?? "note"]));
    return { open: open + text, close };
  },
  Icon: ({ isEmpty }) => (isEmpty ? { open: "", close: "" } : undefined),
};

function read(context: ToolContext): Project {
  const { files, base } = context;
  const configPath = findFile(files, config)!;
  const whole = asData(readJs(files, configPath));
  const call = asList(whole["integrations"]).find(
    (integration): integration is Call => integration instanceof Call && integration.name === "starlight",
  );
  const settings = asData(call?.args[0]);
  if (call === undefined) noteUnreadable(context, configPath, "name, logo and navigation");
  const root = joinPath(base, "src/content/docs");
  const pages = pagesBelow(files, root, (path, source) => {
    const slug = asText(headOf(files, source)["slug"]);
    return slug === undefined ? addressOf(path).toLowerCase().replaceAll(" ", "-") : joinPath("", slug);
  });
  const picture = (written: unknown): string | undefined => {
    const path = asText(written);
    const source = path === undefined ? undefined : joinPath(base, path.startsWith("/") ? `public${path}` : path);
    return source !== undefined && files.has(source) ? source : undefined;
  };
  const light = picture(valueAt(settings, "logo.src") ?? valueAt(settings, "logo.light"));
  const dark = picture(valueAt(settings, "logo.dark"));
  const newPath = (source: string | undefined): string | undefined =>
    source && `/${relativeTo(base, source).replace(/^(?:public|src)\//, "")}`;
  const social = settings["social"];
  const socialLinks = Array.isArray(social)
    ? social.map((item) => [valueAt(item, "icon"), valueAt(item, "href")] as const)
    : Object.entries(asData(social));
  return {
    name: asText(settings["title"]),
    url: asText(whole["site"]),
    pages,
    tabs: [{ label: "", entries: navigation(settings, pages, root, configPath, context) }],
    settings: {
      description: asText(settings["description"]),
      logo: logoOf(newPath(light), newPath(dark)),
      footer: footerOf(socialLinks),
    },
    files: [light, dark].filter((path) => path !== undefined),
    assetFolders: [joinPath(base, "public"), joinPath(base, "src")],
    basePath: (asText(whole["base"]) ?? "").replace(/\/$/, ""),
    redirects: redirectsOf(
      Object.entries(asData(whole["redirects"])).map(
        ([from, to]) => [from, asText(to) ?? valueAt(to, "destination")] as const,
      ),
    ),
  };
}

function navigation(
  settings: Data,
  pages: readonly ProjectPage[],
  root: string,
  file: string,
  context: ToolContext,
): NavEntry[] {
  const { files } = context;
  const byAddress = new Map(pages.map(({ address, source }) => [address, source]));
  const heads = new Map(pages.map(({ source }) => [source, headOf(files, source)]));
  const listed = pages
    .filter(({ source }) => !isTrue(valueAt(heads.get(source), "sidebar.hidden")))
    .map(({ source }) => source);
  const factsOf = (path: string) => ({ position: numberOf(valueAt(heads.get(path), "sidebar.order")) });
  const page = (address: string, label?: string): NavEntry[] =>
    pageEntry(byAddress.get(joinPath("", address.replace(/[?#].*$/, ""))), address, label, file, context);
  const entries = (written: unknown, depth: number): NavEntry[] => {
    if (isUnreadable(written, depth, file, context)) return [];
    if (typeof written === "string") return page(written);
    if (Array.isArray(written)) return written.flatMap((item) => entries(item, depth + 1));
    const entry = asData(written);
    const label = asText(entry["label"]);
    const link = asText(entry["link"]);
    const slug = asText(entry["slug"]);
    const folder = asText(valueAt(entry, "autogenerate.directory"));
    if (folder !== undefined) {
      const inFolder = folderEntries(listed, joinPath(root, folder), factsOf);
      return [{ kind: "group", label: label ?? labelOf(folder), expanded: true, entries: inFolder }];
    }
    if (entry["items"] !== undefined) {
      const items = entries(entry["items"], depth + 1);
      return [{ kind: "group", label: label ?? "", expanded: !isTrue(entry["collapsed"]), entries: items }];
    }
    if (link !== undefined && /^[a-z]+:/.test(link)) return [{ kind: "link", label: label ?? link, href: link }];
    return slug === undefined && link === undefined ? [] : page(slug ?? link!, label);
  };
  if (settings["sidebar"] === undefined) return folderEntries(listed, root, factsOf);
  const home = byAddress.get("");
  return [...(home === undefined ? [] : [{ kind: "page", source: home } as const]), ...entries(settings["sidebar"], 0)];
}

/** `<Steps>` around a numbered list, as Starlight writes it: each item becomes a step. */
function stepLists(lines: PageText): PageText {
  const out: Line[] = [];
  let isInside = false;
  let isOpen = false;
  let depth = 0;
  const close = (line: number): void => {
    if (isOpen) out.push(...block(["</Step>"], line));
    isOpen = false;
  };
  for (const line of lines) {
    if (!line.code && /^\s*<Steps>\s*$/.test(line.text)) {
      isInside = true;
      depth = indentOf(line.text).length;
    } else if (!line.code && /^\s*<\/Steps>\s*$/.test(line.text)) {
      close(line.line);
      isInside = false;
    } else if (isInside) {
      const [, mark = "", title = ""] =
        (!line.code || line.opens) && indentOf(line.text).length <= depth
          ? (/^\s*(\d{1,9}[.)]\s+)(.*)$/.exec(line.text) ?? [])
          : [];
      if (mark !== "") {
        close(line.line);
        isOpen = true;
        const { short, rest } = stepTitle(title);
        out.push(...block([`<Step${attribute("title", short)}>`], line.line));
        if (rest !== "") out.push({ ...line, text: rest });
        continue;
      }
    }
    out.push(line);
  }
  return out;
}

/** A short first line without marks is the title of the step; a long one is its text. */
function stepTitle(text: string): { readonly short: string; readonly rest: string } {
  const bold = /^\*\*([^*]{1,80})\*\*[.:]?\s*(.*)$/.exec(text);
  if (bold) return { short: bold[1]!.replace(/[.:]$/, ""), rest: bold[2]! };
  return text.length <= 80 && !/[`[<*]/.test(text)
    ? { short: text.replace(/[.:]$/, ""), rest: "" }
    : { short: "", rest: text };
}
