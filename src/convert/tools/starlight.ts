import { joinPath } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, isData, valueAt } from "../data.js";
import { block, indentOf, type Line, type PageText, replaceGroups, withoutColumns } from "../page-text.js";
import type { NavEntry, NavTab, Project, ProjectPage, Tool, ToolContext } from "../project.js";
import { Call, Unknown } from "../settings/evaluate.js";
import { githubSlugs } from "../steps/anchors.js";
import { attribute, calloutTags, colonBlocks, fenceInfos, plainOptions } from "../steps/blocks.js";
import { mdxImports } from "../steps/imports.js";
import { landingHead, landingPage } from "../steps/landing.js";
import { mdxElements } from "../steps/mdx-elements.js";
import { folderEntries } from "./navigation.js";
import {
  addressOf,
  byAddressOf,
  findFile,
  findFolder,
  hasPages,
  headOf,
  inside,
  isGenerated,
  isInLanguage,
  isPage,
  isTrue,
  isUnreadable,
  logoOf,
  notePrograms,
  numberOf,
  pageEntry,
  pagesBelow,
  pictureReader,
  redirectsOf,
  relativeTo,
  settingsData,
  withPages,
} from "./shared.js";

const config = /(?:^|\/)astro\.config\.[cm]?[jt]s$/;

export const starlight: Tool = {
  name: "Starlight",
  detect(files, start) {
    const base = findFolder(files, config, start);
    if (base === undefined) return undefined;
    return hasPages(files, joinPath(base, "src/content/docs")) ? base : undefined;
  },
  read,
  convert(text, context) {
    const { frontmatter, report } = context;
    if (asText(valueAt(frontmatter, "banner.content")) !== undefined)
      report(
        "setting",
        'The "banner" of a page is not converted; write its text as a callout at the top of the page.',
        1,
      );
    const inlined = mdxImports(text, context);
    const blocks = colonBlocks(
      isData(frontmatter["hero"]) ? [...landingPage(frontmatter), ...inlined] : inlined,
      (name, rest) => calloutTags(name, /^\s*\[(.*)\]/.exec(rest)?.[1]),
      ({ line }, name) => context.report("aside", `":::${name}" is not a kind of aside; its text stays.`, line),
    );
    return mdxElements(stepLists(fenceInfos(blocks, marks)), context);
  },
  frontmatter: (data) => ({
    ...data,
    ...(isData(data["hero"]) ? landingHead(data) : {}),
    sidebarTitle: valueAt(data, "sidebar.label"),
    hidden: undefined,
    searchable: asText(data["pagefind"]) === "false" ? false : undefined,
    tag: asText(valueAt(data, "sidebar.badge.text")) ?? asText(valueAt(data, "sidebar.badge")),
  }),
  isMarkdown: ({ source }) => source.endsWith(".md"),
  slugs: githubSlugs,
};

/** The options of Expressive Code in our syntax, which also has `{2}`. */
const marks = (info: string): string =>
  // Lines may have a label: `ins={"1":3-5}`.
  plainOptions(info.replace(/(?<=\s)(?:(?:mark|ins|del)=)?\{(?:"[^"]*":)?([\d,\s-]+)\}/g, "{$1}"))
    .replace(/\bshowLineNumbers(?:=true)?(?!\S)/, "lines")
    // We cannot highlight single words.
    .replace(/\s(?:mark|ins|del)=(?:"[^"]*"|'[^']*')(?=\s|$)/g, "");

async function read(context: ToolContext): Promise<Project> {
  const { files, base } = context;
  const configPath = findFile(files, config, context.start)!;
  const whole = settingsData((await context.evaluate([configPath])).get(configPath), configPath, context);
  const call = asList(whole["integrations"])
    .flat()
    .find((integration): integration is Call => integration instanceof Call && integration.name === "starlight");
  const settings = asData(call?.args[0]);
  if (call === undefined)
    context.note(
      configPath,
      "settings",
      "The integrations do not call starlight({ … }); write name and navigation in docs.json.",
    );
  const plugins = asList(settings["plugins"]).flat().filter(isGenerated);
  const topics = plugins.find(({ name }) => isTopics.test(name));
  for (const plugin of plugins)
    if (plugin !== topics)
      context.note(
        configPath,
        "plugin",
        `The plugin "${plugin.name.replace(/\(\).*$/s, "")}" is not converted; write what it adds to the site.`,
      );
  const content = joinPath(base, "src/content");
  for (const [collection, paths] of Map.groupBy(
    files.paths.filter((path) => isPage(path) && inside(content, path)),
    (path) => relativeTo(content, path).split("/")[0]!,
  ))
    if (!/^(?:docs|i18n)$/.test(collection))
      context.note(
        joinPath(content, collection),
        "page",
        `The ${paths.length} pages here belong to another collection than the documentation; move them to src/content/docs, or leave them out.`,
      );
  const root = joinPath(base, "src/content/docs");
  const pages = pagesBelow(files, root, (path, source) => {
    const slug = asText(headOf(files, source)["slug"]);
    return slug === undefined ? addressOf(path).toLowerCase().replaceAll(" ", "-") : joinPath("", slug);
  });
  for (const path of files.paths)
    if (inside(root, path) && /\.mdoc$/.test(path))
      context.note(path, "page", "Pages in Markdoc are not converted; write this one as MDX.");
  notePrograms(context, joinPath(base, "src/pages"), /\.astro$|^[^.]+\.[jt]sx?$/);
  const { picture, copied } = pictureReader(configPath, context, (written) => {
    const source = joinPath(
      base,
      written.startsWith("/") && !written.startsWith("/src/") ? `public${written}` : written,
    );
    return [source, `/${relativeTo(base, source).replace(/^(?:public|src)\//, "")}`];
  });
  const title = settings["title"];
  return {
    name: asText(title) ?? asText(Object.values(asData(title))[0]),
    url: asText(whole["site"])?.replace(/\/$/, ""),
    pages,
    tabs: languagesOf(
      { ...settings, ...(topics instanceof Unknown && { topics: topics.list }) },
      pages,
      root,
      configPath,
      context,
    ),
    languages: prefixesOf(settings),
    settings: {
      description: asText(settings["description"]),
      logo: logoOf(
        picture(valueAt(settings, "logo.src") ?? valueAt(settings, "logo.light")),
        picture(valueAt(settings, "logo.dark")),
      ),
      favicon: picture(settings["favicon"]),
    },
    look: { files: [configPath], data: settings },
    files: copied,
    assetFolders: [joinPath(base, "public"), joinPath(base, "src")],
    basePath: (asText(whole["base"]) ?? "").replace(/\/$/, ""),
    redirects: redirectsOf(
      Object.entries(asData(whole["redirects"])).map(
        ([from, to]) => [from, asText(to) ?? valueAt(to, "destination")] as const,
      ),
    ),
  };
}

/** The name of the plugin that gives each topic its own sidebar. */
const isTopics = /sidebar-?topics/i;

/** The address prefix of each language, the first language first. */
function prefixesOf(settings: Data): string[] {
  const isFirst = (key: string): boolean => key === "root" || key === asText(settings["defaultLocale"]);
  return Object.keys(asData(settings["locales"]))
    .toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
    .map((key) => (key === "root" ? "" : `${key}/`));
}

/** The navigation in each language that has pages. */
function languagesOf(
  settings: Data,
  pages: readonly ProjectPage[],
  root: string,
  file: string,
  context: ToolContext,
): NavTab[] {
  const byAddress = byAddressOf(pages);
  const heads = new Map(pages.map(({ source }) => [source, headOf(context.files, source)]));
  const factsOf = (path: string) => ({ position: numberOf(valueAt(heads.get(path), "sidebar.order")) });
  const locales = prefixesOf(settings).flatMap((prefix) => {
    const key = prefix === "" ? "root" : prefix.slice(0, -1);
    const code = asText(valueAt(asData(settings["locales"])[key], "lang")) ?? key;
    return pages.some(({ address }) => address.startsWith(prefix)) ? [{ prefix, code }] : [];
  });
  const prefixes = locales.map(({ prefix }) => prefix);
  const tabs = (locales.length > 0 ? locales : [{ prefix: "", code: "en" }]).map(
    ({ prefix, code }): NavTab => ({ kind: "language", code, label: code, ...navigation(prefix, code) }),
  );
  const [{ entries, parts = [{ label: "", entries }] }] = tabs as [NavTab];
  return tabs.length > 1 ? tabs : [...parts];

  /** @param prefix the beginning of the addresses of the language: `de/` */
  function navigation(prefix: string, code: string): Pick<NavTab, "entries" | "parts"> {
    const listed = pages
      .filter(({ address }) => isInLanguage(address, prefix, prefixes))
      .filter(({ source }) => !isTrue(valueAt(heads.get(source), "sidebar.hidden")))
      .map(({ source }) => source);
    const page = (written: string, label?: string, tag?: string): NavEntry[] => {
      const address = joinPath("", written.replace(/[?#].*$/, "")).replace(/(?:^|\/)index$/, "");
      const source = byAddress.get(joinPath("", prefix + address).toLowerCase());
      // A page that is not translated is in the navigation of the first language only.
      if (source === undefined && prefix !== prefixes[0] && byAddress.has((prefixes[0] ?? "") + address)) return [];
      const entries = pageEntry(source ?? byAddress.get(address.toLowerCase()), written, label, file, context);
      return entries.map((entry) => ({ ...entry, tag }));
    };
    const labelIn = (entry: Data): string | undefined => {
      const label = entry["label"];
      const all = { ...asData(entry["translations"]), ...asData(label) };
      return (
        asText(all[code]) ??
        asText(all[prefix.replace("/", "")]) ??
        asText(label) ??
        asText(Object.values(asData(label))[0])
      );
    };
    const entries = (written: unknown, depth: number): NavEntry[] => {
      if (isUnreadable(written, depth, file, context)) return [];
      if (typeof written === "string") return page(written);
      if (Array.isArray(written)) return written.flatMap((item) => entries(item, depth + 1));
      const entry = asData(written);
      const label = labelIn(entry);
      const link = asText(entry["link"]);
      const slug = asText(entry["slug"]);
      const tag = asText(valueAt(entry, "badge.text")) ?? asText(entry["badge"]);
      const folder = asText(valueAt(entry, "autogenerate.directory"));
      const expanded = !isTrue(entry["collapsed"]);
      if (entry["items"] !== undefined)
        return [{ kind: "group", label: label ?? "", tag, expanded, entries: entries(entry["items"], depth + 1) }];
      if (folder !== undefined) {
        const inFolder = folderEntries(listed, joinPath(root, prefix + folder), factsOf);
        if (inFolder.length === 0 && prefix === (prefixes[0] ?? ""))
          return pageEntry(undefined, folder, label, file, context);
        return label === undefined ? inFolder : [{ kind: "group", label, tag, expanded, entries: inFolder }];
      }
      if (link !== undefined && /^[a-z]+:/.test(link)) return [{ kind: "link", label: label ?? link, href: link }];
      if (link?.includes("#")) return [{ kind: "link", label: label ?? link, href: link }];
      return slug === undefined && link === undefined ? [] : page(slug ?? link!, label, tag);
    };
    const home = byAddress.get(prefix.replace(/\/$/, ""));
    if (settings["topics"] !== undefined)
      return {
        entries: [],
        parts: asList(settings["topics"]).map((topic, i): NavTab => {
          const { items, link, ...rest } = asData(topic);
          const topicEntries = entries(items ?? [{ ...rest, link }], 0);
          const [linked] = items === undefined || link === undefined ? [] : entries([{ link }], 0);
          const first = linked?.kind === "page" ? linked.source : undefined;
          return {
            label: labelIn(asData(topic)) ?? "",
            icon: asText(asData(topic)["icon"]),
            entries: withPages(i === 0 ? [home, first] : [first], topicEntries),
          };
        }),
      };
    if (settings["sidebar"] === undefined) return { entries: folderEntries(listed, joinPath(root, prefix), factsOf) };
    return { entries: withPages([home], entries(settings["sidebar"], 0)) };
  }
}

/** Starlight's `<Steps>` contains a numbered list: each item becomes a step. */
const stepLists = (lines: PageText): PageText =>
  replaceGroups(lines, (line, at) => {
    if (line.code || !/^\s*<Steps>\s*$/.test(line.text)) return undefined;
    let [end, isOpen] = [at + 1, false];
    while (end < lines.length && (lines[end]!.code || !/^\s*<\/Steps>\s*$/.test(lines[end]!.text))) end++;
    const close = (last: number): Line[] => (isOpen ? block(["</Step>"], last) : []);
    const body = lines.slice(at + 1, end);
    const depth = indentOf(body.find(({ text, code }) => !code && /^\s*\d{1,9}[.)]\s/.test(text))?.text ?? "").length;
    const steps = body.flatMap((written) => {
      const isItem = (!written.code || written.opens) && indentOf(written.text).length <= depth;
      const inner = { ...written, text: withoutColumns(written.text, depth - indentOf(line.text).length) };
      const title = isItem ? /^\s*\d{1,9}[.)]\s+(.*)$/.exec(inner.text)?.[1] : undefined;
      if (title === undefined) return [inner];
      const { short, rest } = stepTitle(title);
      const start = [...close(inner.line), ...block([`<Step${attribute("title", short)}>`], inner.line)];
      isOpen = true;
      return rest === "" ? start : [...start, { ...inner, text: rest }];
    });
    return { end, lines: [line, ...steps, ...close(lines[end - 1]!.line)] };
  });

/** A short first line without markup is the title of the step; any other is its text. */
function stepTitle(text: string): { readonly short: string; readonly rest: string } {
  const bold = /^\*\*([^*]{1,80})\*\*[.:]?\s*(.*)$/.exec(text);
  if (bold) return { short: bold[1]!.replace(/[.:]$/, ""), rest: bold[2]! };
  return text.length <= 80 && !/[`[<*]/.test(text)
    ? { short: text.replace(/[.:]$/, ""), rest: "" }
    : { short: "", rest: text };
}
