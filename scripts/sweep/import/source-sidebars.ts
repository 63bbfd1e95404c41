// The navigations in JavaScript settings: those of Docusaurus, VitePress, VuePress and Starlight.
import { basename, dirname, posix } from "node:path";
import { type Files, headText, isPage, under, yamlOf } from "./source-files.ts";
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
  type SourceNode,
  settingsIn,
  titleOf,
  translated,
  withIndexes,
} from "./source-nodes.ts";
import type { WrittenCall } from "./source-settings.ts";

/** The settings of Docusaurus, and the options of each part that has documents. */
function docusaurusDocs(files: Files, mark: string) {
  const settings = asData(settingsIn(files, mark));
  const [preset = {}] = asList(settings["presets"]).flatMap((each) => asData(asList(each)[1])["docs"] ?? []);
  const named = asList(settings["plugins"]).filter((each) => String(asList(each)[0]).includes("content-docs"));
  const all = [...(preset === false ? [] : [preset]), ...named.map((each) => asList(each)[1])].map(asData);
  const instances = all.map((options) => ({
    options,
    folder: posix.join(dirname(mark), asText(options["path"]) ?? "docs"),
    id: asText(options["id"]) ?? "default",
  }));
  return { settings, instances };
}

export const docusaurusFolders = (files: Files, mark: string): string[] =>
  docusaurusDocs(files, mark).instances.flatMap(({ folder, id }) => [
    folder,
    posix.join(dirname(mark), id === "default" ? "versioned_docs" : `${id}_versioned_docs`),
  ]);

export const docusaurus: Reader = (files, mark, pages) => {
  const base = dirname(mark);
  const { settings, instances } = docusaurusDocs(files, mark);
  const i18n = asData(settings["i18n"]);
  const navbar = asList(asData(asData(settings["themeConfig"])["navbar"])["items"]).map(asData);
  const nodes = instances.flatMap(({ options, folder, id }): SourceNode[] => {
    const at = (name: string): string => posix.join(base, id === "default" ? name : `${id}_${name}`);
    const versions = asList(files.has(at("versions.json")) ? yamlOf(files.read(at("versions.json"))) : [])
      .map(String)
      .filter((name) => files.paths.some((path) => under(at(`versioned_docs/version-${name}`), path)));
    const only = asList(options["onlyIncludeVersions"]);
    const labelOfVersion = (name: string): string | undefined =>
      asText(asData(asData(options["versions"])[name])["label"]);
    const own =
      asText(options["sidebarPath"]) ?? asText(asList(asData(options["sidebarPath"])["args"])[0]) ?? "sidebars";
    const current = ["", ".js", ".ts", ".cjs", ".mjs", ".json"]
      .map((end) => own + end)
      .map((each) => posix.join(base, each))
      .find((each) => files.has(each));
    const parts = [
      ...(options["includeCurrentVersion"] === false
        ? []
        : [{ name: "current", label: labelOfVersion("current") ?? "Next", docs: folder, file: current }]),
      ...versions.map((name) => ({
        name,
        label: labelOfVersion(name) ?? name,
        docs: at(`versioned_docs/version-${name}`),
        file: [at(`versioned_sidebars/version-${name}-sidebars.json`)].find((path) => files.has(path)),
      })),
    ].filter(({ name }) => only.length === 0 || only.includes(name));
    const inParts = parts.map(
      ({ label, docs, file }): SourceNode => ({ kind: "version", label, items: partNodes(docs, file) }),
    );
    return parts.length > 1 ? inParts : inParts.flatMap(({ items = [] }) => items);

    function partNodes(docs: string, file: string | undefined): SourceNode[] {
      const own = pages.filter((path) => under(docs, path));
      const ids = new Map(own.map((path) => [docId(docs, path, files), path]));
      const isGenerated = file === undefined || options["sidebarPath"] === false;
      const sidebars = isGenerated ? {} : asData(settingsIn(files, file));
      const items = (value: unknown): SourceNode[] => {
        const all: SourceNode[] = [];
        let part = all;
        for (const each of asList(value)) {
          const heading =
            asData(each)["type"] === "html"
              ? String(asData(each)["value"])
                  .replace(/<[^<>]*>/g, "")
                  .trim()
              : "";
          if (heading !== "") {
            part = [];
            all.push(group(heading, part));
          } else part.push(...item(each));
        }
        return all;
      };
      const metaOf = (folder: string): Data => {
        const meta = ["json", "yml", "yaml"]
          .map((end) => `${folder}/_category_.${end}`)
          .find((each) => files.has(each));
        return meta === undefined ? {} : asData(yamlOf(files.read(meta)));
      };
      const isIndex = (path: string): boolean =>
        ["index", "readme", basename(dirname(path)).toLowerCase()].includes(
          basename(path)
            .replace(/\.\w+$/, "")
            .toLowerCase(),
        );
      const label = (folder: string): string | undefined => {
        const { label: written, link } = metaOf(folder);
        const index = link === undefined ? own.find((path) => dirname(path) === folder && isIndex(path)) : undefined;
        return (
          asText(written) ?? (index === undefined ? undefined : titleOf(files.read(index), ["sidebar_label", "title"]))
        );
      };
      const opensIndex = (path: string): boolean => isIndex(path) && metaOf(dirname(path))["link"] === undefined;
      const page = (path: string): SourceNode => pageNode(files, path, ["sidebar_label", "title"]);
      const item = (value: unknown): SourceNode[] => {
        if (typeof value === "string") return ids.has(value) ? [page(ids.get(value)!)] : [];
        const { type, label: name, id: target, items: inner, dirName, ...others } = asData(value);
        if (type === "doc" || type === "ref") {
          const found = ids.get(String(target));
          return found === undefined
            ? []
            : [{ ...page(found), ...(name === undefined ? {} : { label: String(name) }) }];
        }
        if (type === "autogenerated")
          return withIndexes(folderNodes(files, posix.join(docs, String(dirName)), own, label, page), opensIndex);
        if (type === "category") return typeof name === "string" ? [group(name, items(inner))] : items(inner);
        return type === undefined ? Object.entries(others).map(([key, list]) => group(key, items(list))) : [];
      };
      const tabs = Object.entries(sidebars).map(([key, value]): SourceNode => {
        const link = navbar.find(({ sidebarId }) => sidebarId === key);
        const inner = Array.isArray(value)
          ? items(value)
          : Object.entries(asData(value)).map(([name, list]) => group(name, items(list)));
        return { kind: "tab", label: asText(link?.["label"]) ?? "", items: inner };
      });
      return file === undefined ? withIndexes(folderNodes(files, docs, own, label, page), opensIndex) : tabs;
    }
  });
  const codes = asList(i18n["locales"]).map(String);
  const isThere = (code: string): boolean =>
    code === i18n["defaultLocale"] ||
    files.paths.some((path) => isPage(path) && under(posix.join(base, `i18n/${code}`), path));
  const translation =
    (code: string) =>
    (file: string): string | undefined =>
      instances
        .flatMap(({ folder, id }) => {
          const own = posix.join(
            base,
            `i18n/${code}/docusaurus-plugin-content-docs${id === "default" ? "" : `-${id}`}`,
          );
          const [, version, rest] = /versioned_docs\/(version-[^/]+)\/(.*)$/.exec(file) ?? [];
          if (version !== undefined) return [posix.join(own, version, rest!)];
          return under(folder, file) ? [posix.join(own, "current", posix.relative(folder, file))] : [];
        })
        .find((path) => files.has(path));
  const found = languages(codes, isThere).map((node) =>
    node.label === i18n["defaultLocale"] ? node : { ...node, items: translated(nodes, translation(node.label)) },
  );
  // Posts are a tab with the label of the link to them.
  const posts = pages.filter((path) => under(posix.join(base, "blog"), path));
  const blog = asList(settings["presets"]).map((each) => asData(asData(asList(each)[1])["blog"]))[0] ?? {};
  const link = navbar.find((each) => /^\/?blog\/?$/.test(asText(each["to"]) ?? ""));
  const tab: SourceNode = {
    kind: "tab",
    label: asText(link?.["label"]) ?? asText(blog["blogTitle"]) ?? "Blog",
    items: posts.map((path) => pageNode(files, path)),
  };
  return [...nodes, ...found, ...(posts.length > 0 ? [tab] : [])];
};

function docId(docs: string, path: string, files: Files): string {
  const own = /^id:\s*["']?([^\s"']+)/m.exec(headText(files.read(path)))?.[1];
  const names = path
    .slice(docs === "." ? 0 : docs.length + 1)
    .replace(/\.mdx?$/, "")
    .split("/")
    .map((name) => name.replace(/^\d+[-_.)\s]+(?=\D)/, ""));
  return [...names.slice(0, -1), own ?? names.at(-1)].join("/");
}

const unnamed = (file: string): SourceNode => ({ kind: "page", label: "", file });

/** VitePress and VuePress. */
export const vue: Reader = (files, mark, pages) => {
  const base = mark.slice(0, Math.max(0, mark.search(/\.v(?:ite|ue)press\//) - 1));
  const settings = asData(settingsIn(files, mark));
  const root = posix.join(base, asText(settings["srcDir"]) ?? "");
  // Folders whose pages are at the top: `en/:rest*`.
  const moved = Object.keys(asData(settings["rewrites"])).flatMap((from) => /^([\w-]+)\/[:(]/.exec(from)?.[1] ?? []);
  const themeOf = (data: Data): Data =>
    asData(data["themeConfig"] ?? asList((data["theme"] as WrittenCall | undefined)?.args)[0] ?? data);
  const item =
    (folder: string) =>
    (value: unknown): SourceNode[] => {
      const own = typeof value === "string" ? { link: value } : asData(value);
      const inner = own["items"] ?? own["children"];
      const prefix = asText(own["prefix"]);
      const at = asText(own["base"]) ?? (prefix === undefined ? folder : posix.join(folder, prefix));
      const label = asText(own["text"]) ?? asText(own["title"]) ?? "";
      const link = asText(own["link"] ?? own["path"])?.replace(/[?#].*$|\.(?:html|md)$/g, "");
      const file =
        link === undefined
          ? undefined
          : ["/", at, ...moved]
              .flatMap((from) =>
                [`${link}.md`, `${link}/index.md`, `${link}index.md`, `${link}/README.md`].map((each) =>
                  posix.join(root, from, each),
                ),
              )
              .find((each) => pages.includes(each));
      if (inner === "structure") return [group(label, below(at))];
      if (inner !== undefined) return [group(label.replace(/<[^<>]*>/g, ""), asList(inner).flatMap(item(at)), file)];
      return file === undefined ? [] : [{ kind: "page", label, file }];
    };
  /** A program makes the part; the new navigation has the folders. */
  const below = (path: string): SourceNode[] =>
    folderNodes(files, posix.join(root, path).replace(/\/$/, ""), pages, () => undefined, unnamed);
  const navOf = (theme: Data): Data[] => asList(theme["nav"] ?? theme["navbar"]).map(asData);
  /** The header may name the part that the sidebar has no name for. */
  const inHeader = (theme: Data): SourceNode[] =>
    navOf(theme).map(({ text }) => ({ kind: "tab", label: asText(text) ?? "" }));
  const sidebarOf = (theme: Data): SourceNode[] => {
    const sidebar = theme["sidebar"] ?? theme["series"];
    if (Array.isArray(sidebar)) return sidebar.flatMap(item("/"));
    // The settings of a theme of VuePress are often in a file of their own, which is not read.
    if (sidebar === undefined && mark.includes(".vuepress/")) return [];
    if (sidebar === undefined || "call" in asData(sidebar)) return below("/");
    const nav = navOf(theme);
    const parts = Object.entries(asData(sidebar)).map(([path, value]): SourceNode => {
      const own = asData(value);
      const listed = asList(Array.isArray(value) ? value : own["items"]).flatMap(item(asText(own["base"]) ?? path));
      const items = listed.length > 0 ? listed : below(path);
      // A path whose value is false has no sidebar.
      const link =
        path === "/" || value === false ? undefined : nav.find((each) => asText(each["link"])?.startsWith(path));
      return { kind: "tab", label: asText(link?.["text"]) ?? "", items };
    });
    return parts;
  };
  const locales = { ...asData(settings["locales"]), ...asData(themeOf(settings)["locales"]) };
  const keys = Object.keys(locales).map((key) => key.replace(/^\/|\/$/g, ""));
  const isThere = (key: string): boolean =>
    pages.some((path) => key === "" || key === "root" || under(posix.join(root, key), path));
  const codeOf = (key: string): string => {
    const own = asData(
      asData(settings["locales"])[key] ?? asData(settings["locales"])[`/${key}/`] ?? asData(settings["locales"])["/"],
    );
    return asText(own["lang"]) ?? (key === "root" || key === "" ? "en" : key);
  };
  const found = languages(keys, isThere);
  const inLanguages = Object.entries(locales).flatMap(([key, each]): SourceNode[] => {
    const label = key.replace(/^\/|\/$/g, "");
    const theme = themeOf(asData(each));
    const items = (theme["sidebar"] ?? theme["series"]) === undefined ? [] : sidebarOf(theme);
    return found.some((each) => each.label === label) ? [{ kind: "language", label: codeOf(label), items }] : items;
  });
  return [
    ...(inLanguages.length > 0 && themeOf(settings)["sidebar"] === undefined ? [] : sidebarOf(themeOf(settings))),
    ...inLanguages,
    ...[settings, ...Object.values(locales).map(asData)].flatMap((each) => inHeader(themeOf(each))),
  ];
};

export const starlight: Reader = (files, mark, pages) => {
  const root = posix.join(dirname(mark), "src/content/docs");
  const call = asList(asData(settingsIn(files, mark))["integrations"])
    .flat()
    .find((each) => asData(each)["call"] === "starlight") as WrittenCall | undefined;
  const settings = asData(call?.args[0]);
  const topics = asList(settings["plugins"])
    .flat()
    .find((each) => /sidebar-?topics/i.test(String(asData(each)["call"]))) as WrittenCall | undefined;
  const locales = asData(settings["locales"]);
  const first = asText(settings["defaultLocale"]) ?? "root";
  const find = (slug: string): string | undefined =>
    ["", `${first}/`]
      .flatMap((prefix) =>
        [".mdx", ".md", "/index.mdx", "/index.md"].map((end) => posix.join(root, prefix + slug + end)),
      )
      .find((each) => pages.includes(each));
  const page = (file: string): SourceNode => ({ kind: "page", label: labelIn(files.read(file)) ?? "", file });
  const labelOf = (label: unknown): string =>
    asText(label) ?? asText(asData(label)[first]) ?? asText(Object.values(asData(label))[0]) ?? "";
  const item = (value: unknown): SourceNode[] => {
    const own = typeof value === "string" ? { slug: value } : asData(value);
    const label = labelOf(own["label"]);
    const folder = asText(asData(own["autogenerate"])["directory"]);
    if (own["items"] !== undefined) return [group(label, asList(own["items"]).flatMap(item))];
    if (folder !== undefined) {
      const at = [folder, `${first}/${folder}`]
        .map((each) => posix.join(root, each))
        .find((each) => pages.some((path) => under(each, path)));
      const shown = pages.filter(
        (path) => !/^sidebar:[\s\S]{0,200}?^\s+hidden:\s*true/m.test(headText(files.read(path))),
      );
      const inner = at === undefined ? [] : folderNodes(files, at, shown, () => undefined, page);
      return label === "" ? inner : [group(label, inner)];
    }
    const slug = asText(own["slug"]) ?? asText(own["link"]);
    const file = slug === undefined ? undefined : find(slug.replace(/^\/|\/$/g, ""));
    return file === undefined ? [] : [{ ...page(file), ...(label === "" ? {} : { label }) }];
  };
  const tabs = asList(topics?.args[0]).map(
    (topic): SourceNode => ({
      kind: "tab",
      label: labelOf(asData(topic)["label"]),
      items: asList(asData(topic)["items"]).flatMap(item),
    }),
  );
  const codeOf = (key: string): string => asText(asData(locales[key])["lang"]) ?? key;
  const isThere = (key: string): boolean => key === "root" || pages.some((path) => under(posix.join(root, key), path));
  const all = topics === undefined ? asList(settings["sidebar"]).flatMap(item) : tabs;
  const home = posix.join(root, first === "root" ? "" : first);
  const found = languages(Object.keys(locales), isThere).map(({ label, ...node }) => ({
    ...node,
    label: codeOf(label),
    items:
      label === first || label === "root"
        ? []
        : translated(all, (file) => {
            const path = posix.join(root, label, posix.relative(home, file));
            return pages.includes(path) ? path : undefined;
          }),
  }));
  return [...all, ...found];
};

const labelIn = (text: string): string | undefined =>
  /^sidebar:[\s\S]{0,200}?^\s+label:\s*(.+)$/m
    .exec(headText(text))?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2") ?? titleOf(text, ["title"]);
