// The navigation of each tool as its authors wrote it, read without `src`: entries, groups and what they are in, tabs, languages, versions.
import { basename, dirname, posix } from "node:path";
import {
  bookSummary,
  docsDir,
  type Files,
  headText,
  isPage,
  listedIn,
  mkdocsFolders,
  under,
  yamlOf,
} from "./source-files.ts";
import {
  asData,
  asList,
  asText,
  type Data,
  folderNodes,
  group,
  languages,
  pageNode,
  type Reader,
  readable,
  type SourceNode,
  settingsIn,
  titleOf,
  withIndexes,
  withInner,
} from "./source-nodes.ts";
import { docusaurus, starlight, vue } from "./source-sidebars.ts";

const mkdocs: Reader = (files, mark, pages) => {
  const root = docsDir(files, mark);
  // A folder may contain settings for several builds.
  const parts = files.paths.filter(
    (path) => dirname(path) === dirname(mark) && /(?:^|\/)(?:mkdocs|properdocs)[\w.-]*\.ya?ml$/.test(path),
  );
  const all = [mark, ...parts].map((path) => files.read(path));
  const [first = {}, ...variants] = all.map((text) => asData(yamlOf(text)));
  const settings: Data = { ...first, nav: [first, ...variants].find((each) => each["nav"] !== undefined)?.["nav"] };
  const hasTabs = /\bnavigation\.tabs\b/.test(all.join("\n"));
  const hasIndexes = /\bnavigation\.indexes\b/.test(all.join("\n"));
  const visit =
    (from: string) =>
    (value: unknown): SourceNode[] =>
      asList(value).flatMap((each): SourceNode[] => {
        const [label, inner] = typeof each === "object" ? (Object.entries(each ?? {})[0] ?? ["", ""]) : ["", each];
        if (Array.isArray(inner)) {
          const items = visit(from)(inner);
          // The label of a section opens its index page.
          const index = items.find(
            ({ kind, file }) => hasIndexes && kind === "page" && /(?:^|\/)(?:index|README)\.md$/.test(file!),
          );
          // Without a label, a section has that of its index page.
          const named = items[0]?.kind === "page" ? items[0].label : "";
          return [
            group(
              label || named,
              items.filter((item) => item !== index),
              index?.file,
            ),
          ];
        }
        const file = posix.join(from, String(inner));
        // With literate-nav, a folder has the list of its README or SUMMARY.
        const list = [`${file}SUMMARY.md`, `${file}README.md`].find((path) => file.endsWith("/") && files.has(path));
        if (list !== undefined) return [group(label, listedIn(files, list))];
        // A link to another site has a label, but no file.
        if (/^https?:/.test(String(inner))) return [{ kind: "page", label }];
        return pages.includes(file) ? [{ ...pageNode(files, file), ...(label === "" ? {} : { label }) }] : [];
      });
  const summary = files.paths.filter((path) => under(root, path) && basename(path) === "SUMMARY.md");
  const lists = files.paths.filter((path) => listFile.test(path) && under(root, path));
  const plugins = asList(settings["plugins"]).map((each) =>
    typeof each === "string" ? [each, {}] : Object.entries(asData(each))[0]!,
  );
  const plugin = (name: RegExp): Data | undefined => {
    const found = plugins.find(([key]) => name.test(String(key)));
    return found === undefined ? undefined : asData(found[1]);
  };
  const own =
    settings["nav"] !== undefined
      ? visit(root)(settings["nav"])
      : plugin(/literate-nav/) !== undefined && summary.length > 0
        ? summary.flatMap((path) => listedIn(files, path))
        : lists.length > 0
          ? withIndexes(
              listedFolders(files, root, pages),
              (file) => hasIndexes && /(?:^|\/)(?:index|README)\.md$/.test(file),
            )
          : [];
  const codes = asList(plugin(/^i18n$/)?.["languages"]).map((each) => String(asData(each)["locale"]));
  // A single tab is not shown.
  const tops = hasTabs && own.length === 1 ? (own[0]!.items ?? own) : own;
  const tabs = tops.map(
    (each): SourceNode =>
      hasTabs && tops === own && settings["nav"] !== undefined && each.kind === "group"
        ? { ...each, kind: "tab" }
        : each,
  );
  // The pages before the first section are in one tab; each later one has its own.
  const sectionAt = tabs.findIndex(({ kind }) => kind !== "page");
  const loose = hasTabs ? tabs.slice(0, sectionAt < 0 ? tabs.length : sectionAt) : [];
  const home: SourceNode[] = loose.length > 0 ? [{ kind: "tab", label: "Home", items: loose }] : [];
  const isThere = (code: string): boolean =>
    files.paths.some((path) => under(posix.join(root, code), path) || path.endsWith(`.${code}.md`)) ||
    code === codes[0];
  // Languages in folders beside that of the settings.
  const folders = mkdocsFolders(files, mark);
  const others = folders.map((folder): SourceNode => {
    const own = pages.filter((path) => under(folder, path) && folder !== root);
    return {
      kind: "language",
      label: basename(dirname(folder)),
      items: own.map((file) => ({ kind: "page", label: "", file })),
    };
  });
  return [...home, ...tabs, ...languages(codes, isThere), ...(others.length > 1 ? others : [])];
};

/** The plugins awesome-pages and awesome-nav: each folder has a file with the order of what it contains. */
const listFile = /(?:^|\/)\.(?:pages|nav\.yml)$/;

function listedFolders(files: Files, folder: string, pages: readonly string[]): SourceNode[] {
  const listOf = (path: string): Data =>
    asData(yamlOf([`${path}/.pages`, `${path}/.nav.yml`].filter((each) => files.has(each)).map(files.read)[0] ?? ""));
  const { nav, arrange } = listOf(folder);
  const listed = asList(nav ?? [...asList(arrange), "..."]);
  const isNamed = (name: string): boolean =>
    JSON.stringify(listed)
      .split('"')
      .some((each) => each.replace(/^\.\/|\/$/g, "") === name);
  const below = new Set(
    pages.filter((path) => under(folder, path)).map((path) => path.slice(folder.length + 1).split("/")[0]!),
  );
  const visit = (value: unknown): SourceNode[] => {
    if (typeof value !== "string")
      return Object.entries(asData(value)).flatMap(([label, inner]) =>
        Array.isArray(inner) ? [group(label, inner.flatMap(visit))] : visit(inner).map((node) => ({ ...node, label })),
      );
    const path = posix.join(folder, value).replace(/\/$/, "");
    if (value === "...") return [...below].filter((name) => !isNamed(name)).flatMap(visit);
    if (pages.includes(path)) return [pageNode(files, path)];
    if (!pages.some((each) => under(path, each))) return [];
    const { title, hide } = listOf(path);
    return hide === true ? [] : [group(asText(title) ?? readable(basename(path)), listedFolders(files, path, pages))];
  };
  return listed.flatMap(visit);
}

export function rspressRoot(files: Files, mark: string): string {
  const settings = asData(settingsIn(files, mark));
  const hasPages = (name: string): boolean =>
    name !== "" && files.paths.some((path) => isPage(path) && under(posix.join(dirname(mark), name), path));
  // A preset has names of its own for the settings.
  const texts =
    "call" in settings ? [...JSON.stringify(settings).matchAll(/"([\w./-]+)"/g)].map(([, text]) => text!) : [];
  return posix.join(dirname(mark), asText(settings["root"]) ?? texts.find(hasPages) ?? "docs");
}

/** Rspress: a folder has its order in `_meta.json`, and its tabs are in `_nav.json` or in the settings. */
const rspress: Reader = (files, mark, pages) => {
  const settings = asData(settingsIn(files, mark));
  const root = rspressRoot(files, mark);
  const all = files.paths.filter((path) => under(root, path) && /(?:^|\/)_(?:meta|nav)\.json$/.test(path));
  const codes = [...asList(settings["locales"]), ...asList(asData(settings["themeConfig"])["locales"])].map(
    (each) => asText(asData(each)["lang"]) ?? "",
  );
  const words = files.has(posix.join(dirname(mark), "i18n.json"))
    ? asData(yamlOf(files.read(posix.join(dirname(mark), "i18n.json"))))
    : {};
  const textOf = (value: unknown): string => {
    const text = asText(value) ?? "";
    return asText(Object.values(asData(words[text]))[0]) ?? text;
  };
  const page = (file: string): SourceNode => ({ kind: "page", label: "", file });
  const nodesIn = (folder: string): SourceNode[] => {
    const meta = posix.join(folder, "_meta.json");
    if (!all.includes(meta)) return pages.filter((each) => under(folder, each)).map(page);
    return asList(yamlOf(files.read(meta))).flatMap((item): SourceNode[] => {
      const own = typeof item === "string" ? { name: item } : asData(item);
      const name = posix.join(folder, (asText(own["name"]) ?? "?").replace(/\.mdx?$/, ""));
      const file = [`${name}.mdx`, `${name}.md`].find((each) => pages.includes(each));
      const label = textOf(own["label"]);
      if (file !== undefined && own["type"] !== "dir")
        return [label === "" ? pageNode(files, file) : { ...page(file), label }];
      return [group(label, pages.some((each) => under(name, each)) ? nodesIn(name) : [])];
    });
  };
  const homes = codes.length > 1 ? codes : [""];
  const entries = homes.flatMap((code) =>
    all.includes(posix.join(root, code, "_meta.json"))
      ? nodesIn(posix.join(root, code))
      : [...new Set(pages.filter((path) => under(posix.join(root, code), path)).map((path) => dirname(path)))].flatMap(
          nodesIn,
        ),
  );
  const tabs = all
    .filter((path) => path.endsWith("_nav.json"))
    .flatMap((path) => asList(yamlOf(files.read(path))))
    .map((item): SourceNode => ({ kind: "tab", label: textOf(asData(item)["text"]) }));
  const isThere = (code: string): boolean => pages.some((path) => under(posix.join(root, code), path));
  return [...entries, ...tabs, ...languages([...new Set(codes)], isThere)];
};

const nextra: Reader = (files, _, pages) => {
  // Nextra 2 may write the language before the extension: `_meta.fr.json`, `guide.fr.mdx`.
  const ending = /(?:\.([a-z]{2}(?:-[A-Z]{2})?))?\.\w+$/;
  const placeOf = (path: string): string => `${dirname(path)}\0${ending.exec(path)?.[1] ?? ""}`;
  const metas = new Map(
    files.paths
      .filter((path) => /(?:^|\/)_meta(?:\.[a-z]{2}(?:-[A-Z]{2})?)?\.\w+$/.test(path))
      .map((path) => [placeOf(path), asData(settingsIn(files, path))]),
  );
  const itemOf = (path: string): unknown => metas.get(placeOf(path))?.[basename(path).replace(ending, "")];
  const isHidden = (path: string): boolean =>
    path !== "." && (/^(?:hidden|children)$/.test(String(asData(itemOf(path))["display"])) || isHidden(dirname(path)));
  const isApp = (path: string): boolean => /(?:^|\/)app\//.test(path);
  const shown = pages.filter((path) => !/\[|components\//.test(path) && !isHidden(isApp(path) ? dirname(path) : path));
  const folders = new Set(shown.flatMap((path) => (isApp(path) ? [] : [dirname(path)])));
  const placesIn = (folder: string): string[] => [...metas.keys()].filter((place) => place.startsWith(`${folder}\0`));
  const entryOf = (folder: string, place: string): unknown => metas.get(place)![basename(folder)];
  const all = [...folders].flatMap((folder) => placesIn(dirname(folder)).map((place) => ({ folder, place })));
  const groups = all.flatMap(({ folder, place }): SourceNode[] => {
    const item = entryOf(folder, place);
    const code = place.slice(place.indexOf("\0") + 1);
    const label = asText(item) ?? asText(asData(item)["title"]);
    const items = shown
      .filter((path) => under(folder, path) && (code === "" || ending.exec(path)?.[1] === code))
      .map((file): SourceNode => ({ kind: "page", label: "", file }));
    const kind = asData(item)["type"] === "page" ? "tab" : "group";
    return label === undefined ? [] : [{ kind, label, items }];
  });
  const separators = [...metas].flatMap(([place, meta]) => {
    const folder = place.slice(0, place.indexOf("\0"));
    return isHidden(folder)
      ? []
      : Object.values(meta).flatMap((item): SourceNode[] => {
          const { type, title } = asData(item);
          return type === "separator" && typeof title === "string"
            ? [
                group(
                  title,
                  shown
                    .filter((path) => under(folder, path))
                    .slice(0, 1)
                    .map((file) => ({ kind: "page", label: "", file })),
                ),
              ]
            : [];
        });
  });
  const labelIn = (file: string): string => (isApp(file) ? "" : (asText(itemOf(file)) ?? ""));
  const codes = [...new Set([...metas.keys()].map((place) => place.slice(place.indexOf("\0") + 1)).filter(Boolean))];
  const entries = shown.map((file): SourceNode => ({ kind: "page", label: labelIn(file), file }));
  return [...entries, ...groups, ...separators, ...languages(codes, () => true)];
};

const fumadocs: Reader = (files, mark, all) => {
  // Parts that pages include.
  const pages = all.filter((path) => !basename(path).startsWith("."));
  const content = posix.join(dirname(mark), "content");
  const metaOf = (folder: string): Data =>
    asData(yamlOf(files.has(`${folder}/meta.json`) ? files.read(`${folder}/meta.json`) : ""));
  // A folder that the list above it does not name is not in the navigation, whatever it lists.
  const isListed = (folder: string): boolean =>
    basename(folder) === "content" ||
    (asList(metaOf(dirname(folder))["pages"] ?? ["..."]).some(
      (name) => /^\.\.\.$|^z\.\.\.a$/.test(String(name)) || String(name).replace(/^\.\.\./, "") === basename(folder),
    ) &&
      isListed(dirname(folder)));
  const metas = files.paths.filter(
    (path) => under(content, path) && basename(path) === "meta.json" && isListed(dirname(path)),
  );
  const nodes = metas.flatMap((path): SourceNode[] => {
    const folder = dirname(path);
    const { title, root, pages: listed } = metaOf(folder);
    const items: SourceNode[] = [];
    let part = items;
    for (const name of asList(listed)) {
      const separator = /^---(?:\[[\w-]*\])?(.+?)-*$/.exec(String(name))?.[1];
      const file = posix.join(folder, `${name}.mdx`);
      if (separator !== undefined) {
        part = [];
        items.push(group(separator, part));
      } else if (pages.includes(file)) part.push(pageNode(files, file));
      else
        part.push(
          ...pages
            .filter((each) => under(posix.join(folder, String(name)), each))
            .map((each): SourceNode => ({ kind: "page", label: "", file: each })),
        );
    }
    const inner =
      listed === undefined
        ? pages.filter((each) => under(folder, each)).map((file): SourceNode => ({ kind: "page", label: "", file }))
        : items;
    return dirname(folder) === content || typeof title !== "string"
      ? inner
      : [{ kind: root === true ? "tab" : "group", label: title, items: inner }];
  });
  // Folders without a list have their pages, those of translations `page.fr.mdx` included.
  const known = new Set(withInner(nodes).map(({ file }) => file));
  const unnamed = (file: string): SourceNode => ({ kind: "page", label: "", file });
  const others = pages.filter((path) => !known.has(path) && isListed(dirname(path)));
  const codes = pages.flatMap((path) => /\.([a-z]{2})\.mdx?$/.exec(path)?.[1] ?? []);
  const isThere = (code: string): boolean => codes.includes(code);
  return [
    ...nodes,
    ...folderNodes(files, content, others, () => undefined, unnamed),
    ...languages([...new Set(codes)], isThere),
  ];
};

/** The folders of the pages: `content`, and those that settings name. */
export function hugoContent(files: Files, mark: string): string[] {
  const base = dirname(mark).replace(/\/?config\/_default$/, "");
  const named = [...files.read(mark).matchAll(/\bcontentDir["']?\s*[:=]\s*["']?([\w./-]+)/gi)].map(([, name]) => name!);
  const all = ["content", ...named].map((name) => posix.join(base, name));
  return [...new Set(all)].filter((folder) => files.paths.some((path) => under(folder, path)));
}

const hugo: Reader = (files, mark, pages) => {
  const base = dirname(mark).replace(/\/?config\/_default$/, "");
  const fields = ["linkTitle", "linktitle", "title"];
  const listed = pages.filter((path) => !/^toc_hide\s*[:=]\s*true/m.test(headText(files.read(path))));
  const label = (folder: string): string | undefined => {
    const index = files.paths.find((path) => dirname(path) === folder && /^_index(?:\.\w+)?\.md$/.test(basename(path)));
    return index === undefined ? undefined : titleOf(files.read(index), fields);
  };
  const text = files.read(mark);
  const written = /\.ya?ml$/.test(mark)
    ? Object.keys(asData(asData(yamlOf(text))["languages"]))
    : [...text.matchAll(/^\s*\[languages\.([\w-]+)\]/gim)].map(([, code]) => code!);
  const [content = posix.join(base, "content"), ...others] = hugoContent(files, mark);
  const isThere = (code: string): boolean =>
    pages.some((path) => path.endsWith(`.${code}.md`) || under(posix.join(content, code), path)) ||
    [content, ...others].some((folder) => folder.endsWith(`.${code}`));
  const codes = languages(written, isThere);
  // Folders of languages have the same sections.
  const root = [...written, "en"]
    .map((code) => posix.join(content, code))
    .find((each) => pages.some((path) => under(each, path)));
  const page = (file: string): SourceNode => pageNode(files, file, fields);
  const names = listed.filter((path) => basename(path) !== "_index.md");
  // A page may be a folder with its pictures.
  const sections = folderNodes(
    files,
    root ?? content,
    names.map((path) => path.replace(/\/index\.md$/, ".md")),
    label,
    (file) => ({ kind: "page", label: "", file: names.includes(file) ? file : file.replace(/\.md$/, "/index.md") }),
  );
  return [...sections, ...listed.map(page), ...codes];
};

const nuxt: Reader = (files, mark, pages) => {
  const listed = pages.filter(
    (path) => !/(?:^|\/)_/.test(path) && !/^navigation:\s*false/m.test(headText(files.read(path))),
  );
  const label = (folder: string): string | undefined =>
    files.has(`${folder}/.navigation.yml`)
      ? asText(asData(yamlOf(files.read(`${folder}/.navigation.yml`)))["title"])
      : undefined;
  const page = (file: string): SourceNode => {
    const own = asText(asData(asData(yamlOf(headText(files.read(file))))["navigation"])["title"]);
    return own === undefined ? pageNode(files, file) : { kind: "page", label: own, file };
  };
  return folderNodes(files, posix.join(dirname(mark), "content"), listed, label, page);
};

const summaries: Reader = (files) =>
  files.paths.filter((path) => basename(path) === "SUMMARY.md").flatMap((path) => listedIn(files, path));

const readme: Reader = (files, _, pages) =>
  ["docs", "reference"].flatMap((name) =>
    [...new Set(pages.map((path) => path.split(`${name}/`)[0]!))].flatMap((base) =>
      folderNodes(
        files,
        base + name,
        pages,
        () => undefined,
        (file) => ({ kind: "page", label: "", file }),
      ),
    ),
  );

/** The folders around most pages may be the top of the new site, so they need not be groups. */
const markdown: Reader = (files, _, pages) => {
  const isMost = ({ items = [] }: SourceNode): boolean =>
    withInner(items).filter(({ file }) => file !== undefined).length > pages.length / 2;
  const below = (nodes: readonly SourceNode[]): SourceNode[] => {
    const main = nodes.find(isMost);
    return nodes.flatMap((node) => (node === main ? [group(node.label, []), ...below(node.items!)] : [node]));
  };
  return below(
    folderNodes(
      files,
      "",
      pages,
      () => undefined,
      (file) => ({ kind: "page", label: "", file }),
    ),
  );
};

export const navigationReaders: Readonly<Record<string, Reader>> = {
  Docusaurus: docusaurus,
  VitePress: vue,
  VuePress: vue,
  Starlight: starlight,
  MkDocs: mkdocs,
  mdBook: (files, mark) => listedIn(files, bookSummary(files, mark), /^#\s+(.+?)\s*$/),
  Nextra: nextra,
  Fumadocs: fumadocs,
  Hugo: hugo,
  GitBook: summaries,
  ReadMe: readme,
  Rspress: rspress,
  Nuxt: nuxt,
  Docsify(files, mark, pages) {
    let top = dirname(mark);
    while (top !== "." && !files.has(`${top}/index.html`)) top = dirname(top);
    const index = posix.join(top, "index.html");
    const named = files.has(index) ? files.read(index) : "";
    const written = posix.join(top, /\bbasePath:\s*["']([^"']+)["']/.exec(named)?.[1] ?? "").replace(/\/$/, "");
    const root = pages.some((path) => under(written, path)) ? written : top;
    const sidebar = /\bloadSidebar:\s*["']([^"']+)["']/.exec(named)?.[1] ?? "_sidebar.md";
    // A folder may have a sidebar of its own.
    const all = files.paths.filter((path) => basename(path) === basename(sidebar) && under(root, path));
    return (mark.endsWith(".html") ? all : [mark]).flatMap((path) => listedIn(files, path, undefined, root));
  },
  Markdown: markdown,
};
