/** The paths of the new pages and files, and the links to them. */
import { lazy } from "../lib/memo.js";
import { decodePercent, encodePath, folderOf, joinPath } from "../lib/url/index.js";
import type { SiteFiles } from "../site/source/index.js";
import { asData, asList, asText, type Data, readYaml, valueAt } from "./data.js";
import { mapText, type PageText } from "./page-text.js";
import type { AddNote, Project, ProjectPage, ToolContext } from "./project.js";
import { mapTags } from "./steps/tags.js";

/** Names of top-level folders that an export ignores or uses itself. */
const reserved = /^(?:build|dist|coverage|te?mp|node_modules|snippets|_offprint)$/i;

/** A path that every file system allows and that no export ignores: no name in it starts with a dot. */
export const portable = (path: string): string =>
  path
    .split("/")
    .map((name) =>
      name
        .replace(/^\.+/, "")
        .replace(/[^\p{L}\p{M}\p{N}._~()@+,& -]/gu, "-")
        .trim(),
    )
    .filter((name) => name !== "")
    .map((name, i, names) => (i === 0 && names.length > 1 && reserved.test(name) ? `${name}-pages` : name))
    .join("/");

/** The path of each new page, without extension, by its source. It is the old address, so that links keep working. */
export function newPaths(pages: readonly ProjectPage[], note: AddNote): Map<string, string> {
  const taken = new Map<string, string>();
  const paths = new Map<string, string>();
  const folders = new Set(pages.flatMap(({ address }) => foldersOf(portable(address))));
  // If a folder has two start pages, README.md is written for the readers of its repository, so the other keeps the address.
  const isForRepository = ({ source }: ProjectPage): number => Number(/(?:^|\/)readme\.\w+$/i.test(source));
  for (const { source, address } of pages.toSorted((a, b) => isForRepository(a) - isForRepository(b))) {
    const plain = portable(address);
    const preferred = plain === "" ? "index" : folders.has(plain) ? `${plain}/index` : plain;
    let path = preferred;
    for (let n = 2; taken.has(path.toLowerCase()); n++) path = `${preferred}-${n}`;
    const other = taken.get(preferred.toLowerCase());
    if (other !== undefined)
      note(
        source,
        "address",
        `The address of this page is also that of "${other}", so it becomes "${path}"; delete one of them.`,
      );
    taken.set(path.toLowerCase(), source);
    paths.set(source, path);
  }
  return paths;
}

/** The folders that a path is in, the innermost first. */
export const foldersOf = (path: string): string[] => {
  const folders: string[] = [];
  for (let at = folderOf(path); at !== ""; at = folderOf(at)) folders.push(at);
  return folders;
};

/** Whether a path leads out of the folder that was opened. */
export function climbs(folder: string, written: string): boolean {
  let depth = folder === "" ? 0 : folder.split("/").length;
  for (const name of written.split("/")) {
    if (name === "..") depth--;
    else if (name !== "" && name !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

interface LinkTargets {
  /** Path of the new page by its source. */
  readonly pathOf: ReadonlyMap<string, string>;
  /** Copies a file that is not a page, and returns its new path. */
  readonly copy: (source: string) => string;
}

/** The folder aliases in a project's tsconfig.json or jsconfig.json: `"@assets/*": ["src/assets/*"]`. */
export function aliasesOf(files: SiteFiles, base: string): ToolContext["alias"] {
  const aliases = ["tsconfig.json", "jsconfig.json"].flatMap((name) => {
    const path = joinPath(base, name);
    if (!files.has(path) || files.sizeOf(path) > maxSettingsBytes) return [];
    const options = asData(asData(readYaml(withoutComments(files.readText(path))).value)["compilerOptions"]);
    const folder = joinPath(base, asText(options["baseUrl"]) ?? ".");
    return Object.entries(asData(options["paths"])).flatMap(([from, targets]) => {
      const to = asText(asList(targets)[0]);
      return to?.endsWith("/*") && /.\*$/.test(from)
        ? [[from.slice(0, -1), joinPath(folder, to.slice(0, -1))] as const]
        : [];
    });
  });
  return resolverOf(aliases);
}

const resolverOf =
  (aliases: readonly (readonly [from: string, to: string])[]): ToolContext["alias"] =>
  (path) => {
    const [from, to] = aliases.find(([prefix]) => path.startsWith(prefix)) ?? [];
    return from === undefined ? undefined : joinPath(to!, path.slice(from.length));
  };

/** Where the settings of a bundler are in those of a tool. */
const bundlers = ["builderConfig.resolve", "builderConfig.source", "vite.resolve"];

/** The folder aliases in the settings of a project, and then those of `others`. */
export function withAliases(
  settings: Data | undefined,
  { base, path, alias: others }: ToolContext,
): ToolContext["alias"] {
  const named = bundlers.flatMap((place) =>
    Object.entries(asData(valueAt(settings, `${place}.alias`))).flatMap(([from, to]) =>
      typeof to === "string" ? [[`${from}/`, path(base, to)] as const] : [],
    ),
  );
  const resolve = resolverOf(named);
  return (written) => resolve(written) ?? others(written);
}

const maxSettingsBytes = 1024 * 1024;

/** Removes JSON comments that are on lines of their own. */
const withoutComments = (text: string): string => text.replace(/^\s*(?:\/\/.*|\/\*[^*]*\*\/\s*)$/gm, "");

interface LinkRules {
  readonly files: SiteFiles;
  readonly pages: readonly ProjectPage[];
  readonly assetFolders: readonly string[];
  readonly basePath?: string | undefined;
  /** The folder of the settings. */
  readonly base: string;
  readonly languages?: Project["languages"];
  readonly linkFolder?: Project["linkFolder"];
  readonly redirects?: Project["redirects"];
  readonly alias: ToolContext["alias"];
}

/** Resolves an address as written in a file; undefined if it leads out of the site or nowhere. */
export function createResolver(
  {
    files,
    pages,
    assetFolders,
    basePath = "",
    base,
    alias,
    linkFolder,
    redirects = [],
    languages: [firstLanguage, ...otherLanguages] = [],
  }: LinkRules,
  { pathOf, copy }: LinkTargets,
) {
  const byAddress = new Map(pages.map(({ address, source }) => [address.toLowerCase(), source]));
  // A link to an address that the old site redirected goes straight to the page.
  for (const { source, destination } of redirects) {
    const page = byAddress.get(destination.slice(1).toLowerCase());
    const from = source.slice(1).toLowerCase();
    if (page !== undefined && !byAddress.has(from)) byAddress.set(from, page);
  }
  const addressOf = new Map(pages.map(({ address, source }) => [source, address]));
  /** The page at a path from the folder that relative links start from. */
  const pageFromFolder = (path: string): string | undefined => {
    const source = linkFolder === undefined ? undefined : fileAt(joinPath(linkFolder, path));
    return source !== undefined && pathOf.has(source) ? source : undefined;
  };
  const fileAt = (path: string): string | undefined => {
    const tries = [path, `${path}.md`, `${path}.mdx`, `${path}/index.md`, `${path}/index.mdx`, `${path}/README.md`];
    // A link may have another extension than the file.
    if (/\.(?:mdx?|html?)$/.test(path)) {
      const stem = path.replace(/\.(?:mdx?|html?)$/, "");
      tries.push(`${stem}.md`, `${stem}.mdx`);
    }
    return tries.find((candidate) => pathOf.has(candidate)) ?? (files.has(path) ? path : undefined);
  };
  const pageAt = (address: string): string | undefined => {
    const plain = address.replace(/(?:^|\/)index(?:\.(?:html?|mdx?))?$|\.(?:html?|mdx?)$|\/$/, "");
    const source = byAddress.get(plain.toLowerCase());
    if (source !== undefined) return source;
    const prefix = otherLanguages.find((start) => start !== "" && plain.startsWith(start));
    return prefix && byAddress.get(`${firstLanguage}${plain.slice(prefix.length)}`.toLowerCase());
  };
  const byLowerPath = lazy(() => new Map(files.paths.map((file) => [file.toLowerCase(), file])));
  /** The file that the old site publishes at a path. */
  const published = (path: string): string | undefined => {
    const places = [...assetFolders, ""].map((folder) => joinPath(folder, path));
    // Hugo publishes the files of a folder in lower case.
    return [...places, ...places.flatMap((place) => byLowerPath().get(place) ?? [])].find(
      (candidate) => files.has(candidate) && !pathOf.has(candidate),
    );
  };
  /** A file next to the page at an address above it, such as a picture in the folder of `index.md`. */
  const besidePage = (path: string): string | undefined =>
    foldersOf(path)
      .flatMap((folder) => {
        const page = byAddress.get(folder.toLowerCase());
        return page === undefined ? [] : joinPath(folderOf(page), path.slice(folder.length + 1));
      })
      .find((candidate) => files.has(candidate));
  const newAddress = (source: string): string => {
    const path = pathOf.get(source);
    return path === undefined ? `/${encodePath(copy(source))}` : `/${encodePath(path.replace(/(?:^|\/)index$/, ""))}`;
  };

  /** Docusaurus also resolves `/guide/a.md` and `guide/a.md` against the docs folder: try each folder above. */
  const fromFolderOfPages = (path: string, from: string): string | undefined =>
    (/\.mdx?$/.test(path) ? [from, addressOf.get(from) ?? ""] : [])
      .flatMap((place, i) => foldersOf(place).map((folder) => (i === 0 ? fileAt : pageAt)(joinPath(folder, path))))
      .find((source) => source !== undefined);

  return (href: string, from: string): string | undefined => {
    const [, written = "", suffix = ""] = /^([^?#]*)(.*)$/s.exec(href)!;
    const path = decodePercent(written).replace(/^(?:pathname:\/\/)?/, "");
    const aliased = alias(path);
    const language = otherLanguages.find((start) => `${addressOf.get(from) ?? ""}/`.startsWith(start)) ?? "";
    let source = aliased === undefined ? undefined : fileAt(aliased);
    if (source !== undefined) return newAddress(source) + suffix;
    if (path.startsWith("/")) {
      const isBelowBase = basePath !== "" && `${path}/`.startsWith(`${basePath}/`);
      const inside = joinPath("", isBelowBase ? path.slice(basePath.length) : path);
      source =
        (otherLanguages.some((start) => inside.startsWith(start)) ? undefined : pageAt(language + inside)) ??
        pageAt(inside) ??
        published(inside) ??
        // Files next to the pages may have the language before their address.
        published(inside.replace(/^[a-z]{2}(?:-[A-Za-z]{2,4})?\//, "")) ??
        fileAt(inside) ??
        besidePage(inside) ??
        fromFolderOfPages(inside, from);
    } else if (path.startsWith("@repo/")) source = fileAt(path.slice(6));
    else if (path.startsWith("@site/")) source = fileAt(joinPath(base, path.slice(6)));
    else {
      // Resolve against the file first, then against the address of its page, as a browser does.
      const address = addressOf.get(from) ?? "";
      source =
        pageFromFolder(path) ??
        fileAt(joinPath(folderOf(from), path)) ??
        pageAt(joinPath(address, path)) ??
        fileAt(joinPath(from.replace(/\.mdx?$/i, ""), path)) ??
        pageAt(joinPath(folderOf(address), path)) ??
        published(joinPath(folderOf(address), path)) ??
        (/^\.\.?\//.test(path) ? undefined : fromFolderOfPages(path, from));
      // Where translations are next to the original files, a link stays in the language of its page.
      const target = source === undefined ? undefined : addressOf.get(source);
      if (language !== "" && target !== undefined && !`${target}/`.startsWith(language))
        source = byAddress.get((language + target).toLowerCase()) ?? source;
    }
    // Without a start page, / opens the first page of the new site.
    if (source === undefined) return path === "/" ? `/${suffix}` : undefined;
    return newAddress(source) + suffix;
  };
}

/** Collects links that lead nowhere: a target is reported once, however many links lead to it. */
export function brokenLinks(generated: string | undefined) {
  const places = new Map<string, { readonly href: string; readonly at: (readonly [source: string, line: number])[] }>();
  return {
    add(href: string, source: string, line: number): void {
      if (generated !== undefined && href.startsWith(`/${generated}/`)) return;
      const path = href.replace(/[?#].*$/, "");
      const target = pluginScheme.exec(href)?.[0] ?? (path.startsWith("/") ? path : joinPath(folderOf(source), path));
      const link = places.get(target) ?? { href, at: [] };
      places.set(target, link);
      link.at.push([source, line]);
    },
    report(note: AddNote): void {
      for (const { href, at } of places.values()) {
        const [[source, line], ...others] = at as [readonly [string, number], ...typeof at];
        const named = others.slice(0, 5).map((place) => place.join(":"));
        const more = others.length > named.length ? ` and ${others.length - named.length} others` : "";
        const also = others.length > 0 ? ` The same target: ${named.join(", ")}${more}.` : "";
        const scheme = pluginScheme.exec(href)?.[0];
        const what = scheme
          ? `Links that start with "${scheme}", such as "${href}", are made by a plugin of the old site; write their URLs.`
          : `The link "${href}" has no target in the folder.`;
        note(source, "link", what + also, line);
      }
    },
  };
}

/** The scheme of an address that no browser knows: `jd:net.example.Soil`. */
const pluginScheme =
  /^(?!(?:https?|mailto|tel|sms|ftp|data|javascript|file|about|blob|urn|xmpp|magnet|vscode|pathname):)[a-z][a-z\d+.-]*:(?!\/\/)/i;

/** Whether an address cannot be a link into the site. */
const isOutside = (href: string): boolean => href === "" || /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\{|\?)/i.test(href);

/** @param reportBroken is called with each link into the site that leads nowhere. */
export function rewriteLinks(
  lines: PageText,
  source: string,
  resolve: (href: string, from: string) => string | undefined,
  reportBroken: (href: string, line: number) => void,
): PageText {
  const place = (typed: string, line: number): string => {
    // Browsers read a backslash as a slash.
    const href = typed.replace(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("\\", "/");
    if (pluginScheme.test(href)) reportBroken(href, line);
    if (isOutside(href)) return typed;
    const address = resolve(href, source);
    if (address === undefined) reportBroken(href, line);
    return address ?? typed;
  };
  const inMarkdown = mapText(lines, (text, { line }) =>
    text
      .replace(
        /(\]\()<([^<>\n]{1,2000})>(?=[\s)])/g,
        (_, start: string, href: string) => `${start}${place(href, line)}`,
      )
      .replace(
        /(\]\()([^\s()<>]{1,2000}(?:\([^\s()]{0,500}\)[^\s()<>]{0,500})?)(?=[\s)])/g,
        (_, start: string, href: string) => start + place(href, line),
      )
      .replace(
        /^(\s{0,3}\[[^\]^][^\]]{0,500}\]:\s+)(\S{1,2000})/,
        (_, start: string, href: string) => start + place(href, line),
      )
      .replace(/(:\s*")(@repo\/[^"\n]{1,1000})(?=")/g, (_, start: string, href: string) => start + place(href, line)),
  );
  return mapTags(inMarkdown, ({ written, line, isEnd }, tag) =>
    isEnd || !/\b(?:href|src|to|img)\s*=/.test(written)
      ? undefined
      : tag.replace(
          /(\s(?:href|src|img)=)(["'])([^"']{1,4000})\2/g,
          (_, name: string, quote: string, href: string) => `${name}${quote}${place(href, line)}${quote}`,
        ),
  );
}
