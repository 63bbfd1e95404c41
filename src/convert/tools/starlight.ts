import { at, type Data, dataOf, isData, listOf, textOf } from "../data.js";
import { block, indentOf, type Line, type PageText } from "../page-text.js";
import type { NavEntry, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { Call, readJs, Unknown } from "../read-js.js";
import { attribute, calloutTags, colonBlocks, element, fenceInfos } from "../steps/blocks.js";
import { mdxImports } from "../steps/imports.js";
import { landingHead, landingPage } from "../steps/landing.js";
import { attributeText, mapTags, type Tag } from "../steps/tags.js";
import {
  addressOf,
  below,
  findFile,
  findFolder,
  folderEntries,
  headOf,
  isPage,
  isTrue,
  labelOf,
  noteComputed,
  noteFor,
  noteUnreadable,
  numberOf,
  pagesBelow,
  relativeTo,
} from "./shared.js";
import { known } from "./vitepress.js";

const config = /(?:^|\/)astro\.config\.[cm]?[jt]s$/;

export const starlight: Tool = {
  name: "Starlight",
  detect(files) {
    const base = findFolder(files, config);
    return base !== undefined &&
      files.paths.some((path) => path.startsWith(below(base, "src/content/docs/")) && isPage(path))
      ? base
      : undefined;
  },
  read,
  convert(text, context) {
    const { frontmatter, page } = context;
    const inlined = mdxImports(text, context);
    const blocks = colonBlocks(
      isData(frontmatter["hero"]) ? [...landingPage(frontmatter), ...inlined] : inlined,
      (name, rest) => calloutTags(name, /^\s*\[(.*)\]/.exec(rest)?.[1]),
      (line, name) =>
        noteFor(context, page.source, "aside", `":::${name}" is not a kind of aside; its text stays.`, line.line),
    );
    return components(stepLists(fenceInfos(blocks, marks)));
  },
  frontmatter: (data) => ({
    ...data,
    ...(isData(data["hero"]) ? landingHead(data) : {}),
    sidebarTitle: at(data, "sidebar.label"),
    hidden: undefined,
    tag: textOf(at(data, "sidebar.badge.text")) ?? textOf(at(data, "sidebar.badge")),
  }),
  isMarkdown: ({ source }) => source.endsWith(".md"),
};

/** Marks of Expressive Code: `{2}` is ours, too. */
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

function components(lines: PageText): PageText {
  const open: string[] = [];
  const convert = (tag: Tag): string | undefined => {
    const { name, isEnd, isEmpty } = tag;
    const value = (key: string): string | undefined => attributeText(tag, key);
    switch (name) {
      case "TabItem":
        return isEnd ? "</Tab>" : `<Tab${attribute("title", value("label") ?? "Tab")}>`;
      case "Tabs":
        return isEnd ? "</Tabs>" : "<Tabs>";
      case "CardGrid":
        return isEnd ? "</CardGroup>" : "<CardGroup cols={2}>";
      case "Card":
        if (isEmpty || tag.attributes.has("href")) return undefined;
        return isEnd ? "</Card>" : `<Card${attribute("title", value("title"))}>`;
      case "LinkCard":
        return `<Card${attribute("title", value("title"))}${attribute("href", value("href"))}>${(value("description") ?? "").replace(/[<{]/g, "\\$&")}</Card>`;
      case "LinkButton":
        return isEnd ? "</a>" : `<a${attribute("href", value("href"))}>`;
      case "Aside": {
        if (isEnd) return open.pop();
        const tags = calloutTags(value("type") ?? "note", value("title")) ?? element("Note");
        open.push(tags.close);
        return tags.open;
      }
      case "Badge": {
        const text = value("text");
        return isEmpty && text !== undefined
          ? `<Badge${attribute("color", badgeColors[value("variant") ?? "note"])}>${text}</Badge>`
          : undefined;
      }
      case "Icon":
        return isEmpty ? "" : undefined;
      default:
        return undefined;
    }
  };
  return mapTags(lines, convert);
}

function read(context: ToolContext): Project {
  const { files, base } = context;
  const configPath = findFile(files, config)!;
  const whole = dataOf(readJs(files, configPath));
  const call = listOf(whole["integrations"]).find(
    (each): each is Call => each instanceof Call && each.name === "starlight",
  );
  const settings = dataOf(call?.args[0]);
  if (call === undefined) noteUnreadable(context, configPath, "name, logo and navigation");
  const root = below(base, "src/content/docs");
  const pages = pagesBelow(files, root, (path) =>
    addressOf(path.slice(root.length + 1))
      .toLowerCase()
      .replaceAll(" ", "-"),
  ).map((page): ProjectPage => {
    const slug = textOf(headOf(files, page.source)["slug"]);
    return slug === undefined ? page : { ...page, address: below("", slug) };
  });
  const picture = (written: unknown): string | undefined => {
    const path = textOf(written);
    const source = path === undefined ? undefined : below(base, path.startsWith("/") ? `public${path}` : path);
    return source !== undefined && files.has(source) ? source : undefined;
  };
  const [light, dark] = [
    picture(at(settings, "logo.src") ?? at(settings, "logo.light")),
    picture(at(settings, "logo.dark")),
  ];
  const shown = (source: string): string => `/${relativeTo(base, source).replace(/^(?:public|src)\//, "")}`;
  const social = settings["social"];
  const socials = (
    Array.isArray(social)
      ? social.map((each) => [textOf(at(each, "icon")), textOf(at(each, "href"))] as const)
      : Object.entries(dataOf(social)).map(([name, href]) => [name, textOf(href)] as const)
  ).filter(([name, href]) => name !== undefined && known.has(name) && href !== undefined);
  return {
    name: textOf(settings["title"]),
    url: textOf(whole["site"]),
    pages,
    tabs: [{ label: "", entries: navigation(settings, pages, root, configPath, context) }],
    settings: {
      description: textOf(settings["description"]),
      logo: light && (dark ? { light: shown(light), dark: shown(dark) } : shown(light)),
      footer: socials.length > 0 ? { socials: Object.fromEntries(socials) } : undefined,
    },
    files: [light, dark].filter((each) => each !== undefined),
    assetFolders: [below(base, "public"), below(base, "src")],
    basePath: (textOf(whole["base"]) ?? "").replace(/\/$/, ""),
    redirects: Object.entries(dataOf(whole["redirects"])).flatMap(([source, to]) => {
      const destination = textOf(to) ?? textOf(at(to, "destination"));
      return destination === undefined ? [] : [{ source, destination }];
    }),
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
    .filter(({ source }) => !isTrue(at(heads.get(source), "sidebar.hidden")))
    .map(({ source }) => source);
  const factsOf = (path: string) => ({ position: numberOf(at(heads.get(path), "sidebar.order")) });
  const page = (address: string, label?: string): NavEntry[] => {
    const source = byAddress.get(below("", address.replace(/[?#].*$/, "")));
    if (source === undefined)
      noteFor(context, file, "navigation", `The sidebar lists "${address}", but there is no such page.`);
    return source === undefined ? [] : [{ kind: "page", source, label }];
  };
  const entries = (written: unknown, depth: number): NavEntry[] => {
    if (written instanceof Unknown || written instanceof Call || depth > 30) {
      noteComputed(context, file, written);
      return [];
    }
    if (typeof written === "string") return page(written);
    if (Array.isArray(written)) return written.flatMap((each) => entries(each, depth + 1));
    const entry = dataOf(written);
    const label = textOf(entry["label"]);
    const link = textOf(entry["link"]);
    const slug = textOf(entry["slug"]);
    const folder = textOf(at(entry, "autogenerate.directory"));
    if (folder !== undefined)
      return [
        {
          kind: "group",
          label: label ?? labelOf(folder),
          expanded: true,
          entries: folderEntries(listed, factsOf, below(root, folder)),
        },
      ];
    if (entry["items"] !== undefined)
      return [
        {
          kind: "group",
          label: label ?? "",
          expanded: !isTrue(entry["collapsed"]),
          entries: entries(entry["items"], depth + 1),
        },
      ];
    if (link !== undefined && /^[a-z]+:/.test(link)) return [{ kind: "link", label: label ?? link, href: link }];
    return slug === undefined && link === undefined ? [] : page(slug ?? link!, label);
  };
  if (settings["sidebar"] === undefined) return folderEntries(listed, factsOf, root);
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
        const { short, rest } = titleOf(title);
        out.push(...block([`<Step${attribute("title", short)}>`], line.line));
        if (rest !== "") out.push({ ...line, text: rest });
        continue;
      }
      out.push(line);
      continue;
    }
    out.push(line);
  }
  return out;
}

/** A short first line without marks is the title of the step; a long one is its text. */
function titleOf(text: string): { readonly short: string; readonly rest: string } {
  const bold = /^\*\*([^*]{1,80})\*\*[.:]?\s*(.*)$/.exec(text);
  if (bold) return { short: bold[1]!.replace(/[.:]$/, ""), rest: bold[2]! };
  return text.length <= 80 && !/[`[<*]/.test(text)
    ? { short: text.replace(/[.:]$/, ""), rest: "" }
    : { short: "", rest: text };
}
