import { joinPath } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, isData, valueAt } from "../data.js";
import { mapText, type PageText } from "../page-text.js";
import type { NavEntry, PageContext, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { Call, readJs, Unknown } from "../read-js.js";
import { attribute, calloutTags, colonBlocks, element, fenceInfos } from "../steps/blocks.js";
import { landingHead, landingPage } from "../steps/landing.js";
import { attributeText, type ElementTable, replaceElements } from "../steps/tags.js";
import { folderEntries } from "./folder-navigation.js";
import {
  addressOf,
  findFile,
  footerOf,
  insertFiles,
  isUnreadable,
  logoOf,
  navbarOf,
  noteUnreadable,
  pagesBelow,
  publicPath,
  relativeTo,
} from "./shared.js";

const config = /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/;

export const vitepress: Tool = {
  name: "VitePress",
  detect(files) {
    const found = findFile(files, config);
    return found?.slice(0, Math.max(0, found.indexOf(".vitepress/") - 1));
  },
  read,
  convert(text, context) {
    const inserted = insertFiles(
      insertFiles(text, context, ({ text: line, code }) =>
        code ? undefined : /^\s*<!--\s*@include:\s*([^\s{]+?)(?:\{[^{}]*\})?\s*-->/.exec(line)?.[1],
      ),
      { ...context, include: (path, from) => context.include(path.replace(/^@\//, `${context.base}/`), from) },
      ({ text: line, code }) => (code ? undefined : /^\s*<<<\s+([^\s{#]+)/.exec(line)?.[1]),
      (code, path) =>
        `\`\`\`\`${path.slice(path.lastIndexOf(".") + 1)} ${path.slice(path.lastIndexOf("/") + 1)}\n${code.trimEnd()}\n\`\`\`\``,
    );
    const body = withoutPrograms(inserted, context);
    const blocks = colonBlocks(
      asText(context.frontmatter["layout"]) === "home" ? [...landingPage(context.frontmatter), ...body] : body,
      (name, rest) => blockTags(name, rest.trim()),
      ({ line }, name) => context.report("container", `"::: ${name}" is not known; its text stays.`, line),
    );
    const fenced = fenceInfos(blocks, (info) =>
      info
        .replace(/:(?:no-)?line-numbers(?:=\d+)?/g, (mark) => (mark.startsWith(":no") ? "" : " lines"))
        .replace(/\[([^\]]+)\]\s*$/, "$1")
        .replace(/^(\w+)\{/, "$1 {"),
    );
    const plain = mapText(fenced, (part, { line, generated }) => {
      if (!generated && part.includes("{{"))
        context.reportOnce("expression", "The page shows values of Vue ({{ … }}), which stay as text.", line);
      return part.replace(/^\[\[toc\]\]$/i, "");
    });
    return replaceElements(plain, elements);
  },
  frontmatter: (data) => ({ ...data, ...(isData(data["hero"]) ? landingHead(data) : {}) }),
  isMarkdown: () => true,
};

function blockTags(name: string, title: string) {
  if (name === "details") return element("Accordion", attribute("title", title || "Details"));
  if (name === "code-group") return element("CodeGroup");
  if (name === "raw" || name === "v-pre") return { open: "", close: "" };
  return calloutTags(name, title.replace(/\s*\{[^{}]*\}$/, ""));
}

/** `<script setup>` and `<style>` are left out. */
function withoutPrograms(lines: PageText, { report }: PageContext): PageText {
  let end: string | undefined;
  return lines.flatMap((line) => {
    if (line.code) return [line];
    if (end === undefined) {
      const name = /^<(script|style)\b/.exec(line.text)?.[1];
      if (name === undefined) return [line];
      if (name === "script")
        report("component", "The page has a script of Vue, which is left out with its components.", line.line);
      end = `</${name}>`;
    }
    if (line.text.includes(end)) end = undefined;
    return [];
  });
}

const badgeColors: Readonly<Record<string, string>> = { tip: "green", info: "gray", warning: "yellow", danger: "red" };

const elements: ElementTable = {
  Badge(tag) {
    const badge = element("Badge", attribute("color", badgeColors[attributeText(tag, "type") ?? "tip"]));
    return tag.isEmpty ? { ...badge, open: badge.open + (attributeText(tag, "text") ?? "") } : badge;
  },
};

function read(context: ToolContext): Project {
  const { files, base } = context;
  const configPath = findFile(files, config)!;
  const settings = asData(readJs(files, configPath));
  if (Object.keys(settings).length === 0) noteUnreadable(context, configPath, "name, logo and navigation");
  const root = joinPath(base, asText(settings["srcDir"]) ?? ".");
  const excluded = /(?:^|\/)(?:\.vitepress|node_modules|README\.md$)/;
  const rewrites = new Map(Object.entries(asData(settings["rewrites"])));
  const pages = pagesBelow(files, root, (path) => addressOf(asText(rewrites.get(path)) ?? path)).filter(
    ({ source }) => !excluded.test(relativeTo(root, source)),
  );
  const theme = asData(settings["themeConfig"]);
  const light = publicPath(
    asText(theme["logo"]) ?? asText(valueAt(theme, "logo.light")) ?? asText(valueAt(theme, "logo.src")),
  );
  const dark = publicPath(asText(valueAt(theme, "logo.dark")));
  const copied = [light, dark].flatMap((path) =>
    path !== undefined && files.has(joinPath(root, `public${path}`)) ? [joinPath(root, `public${path}`)] : [],
  );
  if (isData(settings["locales"]))
    context.note(
      configPath,
      "languages",
      "All languages are now in one navigation; navigation.languages of docs.json separates them.",
    );
  return {
    name: asText(settings["title"]),
    pages,
    tabs: tabsOf(theme, pages, configPath, context, root),
    settings: {
      description: asText(settings["description"]),
      logo: copied.length === 0 ? undefined : logoOf(light, dark),
      navbar: navbarOf(asList(theme["nav"]).map((item) => [valueAt(item, "text"), valueAt(item, "link")])),
      footer: footerOf(asList(theme["socialLinks"]).map((item) => [valueAt(item, "icon"), valueAt(item, "link")])),
    },
    files: copied,
    assetFolders: [joinPath(root, "public")],
    basePath: (asText(settings["base"]) ?? "/").replace(/\/$/, ""),
  };
}

function tabsOf(theme: Data, pages: readonly ProjectPage[], file: string, context: ToolContext, root: string) {
  const byAddress = new Map(pages.map(({ address, source }) => [address, source]));
  const entriesOf = (items: unknown, prefix: string, depth = 0): NavEntry[] => {
    if (isUnreadable(items, depth, file, context)) return [];
    return asList(items).flatMap((item): NavEntry[] => {
      if (isUnreadable(item, depth, file, context)) return [];
      const entry = asData(item);
      const label = asText(entry["text"]) ?? "";
      const link = asText(entry["link"]);
      const outside = link !== undefined && /^[a-z]+:/.test(link);
      const address =
        link === undefined || outside
          ? undefined
          : addressOf(joinPath("", prefix + link.replace(/[?#].*$|\.html$|\/$/g, "")));
      const source = address === undefined ? undefined : byAddress.get(address);
      if (address !== undefined && source === undefined)
        context.note(file, "navigation", `The navigation lists "${link}", but there is no such page.`);
      if (Array.isArray(entry["items"]) || entry["items"] instanceof Unknown)
        return [
          {
            kind: "group",
            label,
            root: source,
            expanded: entry["collapsed"] === false,
            entries: entriesOf(entry["items"], prefix + (asText(entry["base"]) ?? ""), depth + 1),
          },
        ];
      if (outside) return [{ kind: "link", label, href: link }];
      return source === undefined ? [] : [{ kind: "page", source, label }];
    });
  };
  const sidebar = theme["sidebar"];
  const sources = pages.map(({ source }) => source);
  if (sidebar === undefined) return [{ label: "", entries: folderEntries(sources, root) }];
  if (!isData(sidebar) || sidebar instanceof Unknown || sidebar instanceof Call)
    return [{ label: "", entries: entriesOf(sidebar, "") }];
  const start = byAddress.get("");
  return Object.entries(sidebar).map(([path, written], i) => {
    const label = asList(theme["nav"]).find((item) => (asText(valueAt(item, "link")) ?? "").startsWith(path));
    const items = isData(written) && !(written instanceof Unknown) ? written["items"] : written;
    const base = isData(written) ? (asText(written["base"]) ?? "") : "";
    const entries = entriesOf(items, base);
    const home: NavEntry[] =
      i === 0 && start !== undefined && !JSON.stringify(entries).includes(JSON.stringify(start))
        ? [{ kind: "page", source: start }]
        : [];
    return {
      label: asText(valueAt(label, "text")) ?? asText(valueAt(entries[0], "label")) ?? path,
      entries: [...home, ...entries],
    };
  });
}
