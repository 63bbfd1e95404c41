// A repository of another tool as its authors wrote it, read without `src`: which files are pages, and which entries its
// navigation has. Settings are searched for literal texts; what they compute is not counted.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { parse } from "yaml";

export interface SourceEntry {
  readonly label: string;
  /** The page, relative to the repository; undefined for a group or another site. */
  readonly file: string | undefined;
}

export interface SourceRepository {
  readonly folder: string;
  readonly tool: string;
  /** Files that are pages of the old site, relative to the repository. */
  readonly pages: readonly string[];
  readonly entries: readonly SourceEntry[];
  /** How the tool makes anchors. */
  readonly slug: (text: string) => string;
}

interface Files {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly has: (path: string) => boolean;
  readonly read: (path: string) => string;
}

/** A tool: the file that only it has, its pages, and its navigation. */
interface ToolReader {
  readonly name: string;
  readonly mark: RegExp;
  pages(files: Files, mark: string): string[];
  entries(files: Files, mark: string, pages: readonly string[]): SourceEntry[];
  readonly slug: (text: string) => string;
}

const isPage = (path: string): boolean => /\.mdx?$/.test(path);
const under = (folder: string, path: string): boolean =>
  folder === "" || folder === "." || path.startsWith(`${folder}/`);
const inFolder = (files: Files, folder: string): string[] =>
  files.paths.filter((path) => isPage(path) && under(folder, path));

const github = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
const python = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[^\x20-\x7E]/g, "")
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "-");
const vue = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036F]/g, "")
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .replace(/^(\d)/, "_$1")
    .toLowerCase();
const rust = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s/g, "-")
    .replace(/[^\p{L}\p{N}_-]/gu, "");

const tools: readonly ToolReader[] = [
  {
    name: "Docusaurus",
    mark: /(?:^|\/)docusaurus\.config\.\w+$/,
    slug: github,
    pages(files, mark) {
      const base = dirname(mark);
      const docs = /\bpath:\s*["']((?:\.\.\/)*docs)["']/.exec(files.read(mark))?.[1] ?? "docs";
      const folders = [
        posix.join(base, docs),
        ...["versioned_docs", "blog", "src/pages"].map((name) => posix.join(base, name)),
      ];
      return folders.flatMap((folder) => inFolder(files, folder)).filter((path) => !/(?:^|\/)_/.test(path));
    },
    entries(files, mark, pages) {
      const base = dirname(mark);
      const docs = posix.join(base, /\bpath:\s*["']((?:\.\.\/)*docs)["']/.exec(files.read(mark))?.[1] ?? "docs");
      const sidebars = files.paths.filter((path) => dirname(path) === base && /^sidebars\.\w+$/.test(basename(path)));
      const idOf = new Map(
        pages
          .filter((path) => under(docs, path))
          .map((path) => [path.slice(docs.length + 1).replace(/\.mdx?$/, ""), path]),
      );
      return sidebars.flatMap((path) =>
        [...files.read(path).matchAll(/(?:^|[\s[,{(])(?<!\w["']?\s*:\s*)["']([\w./-]+)["']\s*(?=[,\]\n}])/g)].flatMap(
          ([, id]) => {
            const file = idOf.get(id!);
            return file === undefined
              ? []
              : [{ file, label: titleOf(files.read(file), ["sidebar_label", "title"]) ?? "" }];
          },
        ),
      );
    },
  },
  {
    name: "VuePress",
    mark: /(?:^|\/)\.vuepress\/config(?:\/index)?\.\w+$/,
    slug: vue,
    pages: (files, mark) =>
      inFolder(files, mark.slice(0, Math.max(0, mark.indexOf(".vuepress/") - 1))).filter(
        (path) => !/\.vuepress\//.test(path),
      ),
    entries: () => [],
  },
  {
    name: "VitePress",
    mark: /(?:^|\/)\.vitepress\/config(?:\/index)?\.\w+$/,
    slug: vue,
    pages: (files, mark) =>
      inFolder(files, mark.slice(0, Math.max(0, mark.indexOf(".vitepress/") - 1))).filter(
        (path) => !/(?:^|\/)\.|README\.md|\[/.test(path),
      ),
    entries(files, mark, pages) {
      const base = mark.slice(0, Math.max(0, mark.indexOf(".vitepress/") - 1));
      const settings = files.paths.filter(
        (path) =>
          under(posix.join(base, ".vitepress"), path) && /\.[cm]?[jt]s$/.test(path) && !/theme\/|cache\//.test(path),
      );
      return settings.flatMap((path) => {
        const text = withoutBlocks(
          files.read(path),
          /\bnav\s*:\s*\[|\bfunction nav\w*\([^)]*\)[^{]*\{\s*(?:return|const \w+ =)\s*\[/g,
        );
        const from = text.search(/\bsidebar\b/i);
        if (from < 0) return [];
        return [
          ...text
            .slice(from)
            .matchAll(/\btext:\s*(["'`])((?:(?!\1)[^\\\n$]|\\.)+)\1,\s*link:\s*(["'`])([^"'`\n$]+)\3/g),
        ].flatMap(([, , label, , link]) => {
          const address = link!.replace(/[?#].*$|\.html$/g, "");
          const file = [`${address}.md`, `${address}/index.md`, `${address}index.md`]
            .map((each) => posix.join(base, each))
            .find((each) => pages.includes(each));
          return file === undefined ? [] : [{ file, label: label!.replace(/\\(.)/g, "$1") }];
        });
      });
    },
  },
  {
    name: "Starlight",
    mark: /(?:^|\/)astro\.config\.\w+$/,
    slug: github,
    pages: (files, mark) => inFolder(files, posix.join(dirname(mark), "src/content/docs")),
    entries(files, mark, pages) {
      const root = posix.join(dirname(mark), "src/content/docs");
      // Entries under a condition are not counted.
      const written = files.read(mark).replace(/\bredirects:\s*\{[^{}]*\}/g, "");
      const text = withoutBlocks(written, /\.\.\.\(\s*\w+\s*\?\s*\[/g);
      const find = (slug: string): string | undefined =>
        ["", "en/"]
          .flatMap((prefix) =>
            [`${slug}.mdx`, `${slug}.md`, `${slug}/index.mdx`, `${slug}/index.md`].map((each) =>
              posix.join(root, prefix + each),
            ),
          )
          .find((each) => pages.includes(each));
      const labelled = [
        ...text.matchAll(/\blabel:\s*(["'])((?:(?!\1).)+)\1,\s*(?:slug|link):\s*(["'])([^"']+)\3/g),
      ].map(([, , label, , slug]) => ({ label: label!, file: find(slug!.replace(/^\/|\/$/g, "")) }));
      const plain = [...text.matchAll(/^\s*["']([\w/.-]+)["'],?\s*$/gm)].flatMap(([, slug]) => {
        const file = find(slug!);
        return file === undefined ? [] : [{ file, label: labelIn(files.read(file)) ?? "" }];
      });
      return [...labelled.filter(({ file }) => file !== undefined), ...plain];
    },
  },
  {
    name: "MkDocs",
    mark: /(?:^|\/)(?:mkdocs|zensical)\.ya?ml$/,
    slug: python,
    pages: (files, mark) =>
      inFolder(files, docsDir(files, mark)).filter((path) => !/(?:^|\/)(?:\.|overrides\/)/.test(path)),
    entries(files, mark, pages) {
      const root = docsDir(files, mark);
      const hasIndexes = /\bnavigation\.indexes\b/.test(files.read(mark));
      const visit = (value: unknown, group = ""): SourceEntry[] => {
        if (typeof value === "string") {
          const file = posix.join(root, value);
          // The label of a section opens its index page.
          const own = hasIndexes && /(?:^|\/)index\.md$/.test(value) ? group : "";
          return pages.includes(file) ? [{ file, label: own || (titleOf(files.read(file), ["title"]) ?? "") }] : [];
        }
        if (Array.isArray(value)) return value.flatMap((item) => visit(item, group));
        return Object.entries((value ?? {}) as object).flatMap(([label, inner]) => {
          if (Array.isArray(inner)) return visit(inner, label);
          const file = posix.join(root, String(inner));
          return pages.includes(file) ? [{ file, label: label || titleOf(files.read(file), ["title"]) || "" }] : [];
        });
      };
      const { nav } = yamlOf(files.read(mark)) as { nav?: unknown };
      if (nav !== undefined) return visit(nav);
      // Lists of awesome-pages in folders: each label that they write for a file.
      return files.paths
        .filter((path) => /(?:^|\/)\.(?:pages|nav\.yml)$/.test(path) && under(root, path))
        .flatMap((path) => {
          const { nav: own, arrange } = yamlOf(files.read(path)) as { nav?: unknown[]; arrange?: unknown[] };
          return [...(own ?? arrange ?? [])].flatMap((item) => {
            const [label, name] = typeof item === "object" ? (Object.entries(item ?? {})[0] ?? []) : ["", item];
            const file = posix.join(dirname(path), String(name));
            return pages.includes(file) ? [{ file, label: label || titleOf(files.read(file), ["title"]) || "" }] : [];
          });
        });
    },
  },
  {
    name: "mdBook",
    mark: /(?:^|\/)book\.toml$/,
    slug: rust,
    pages: (files, mark) => listedIn(files, bookSummary(files, mark)).flatMap(({ file }) => file ?? []),
    entries: (files, mark) => listedIn(files, bookSummary(files, mark)),
  },
  {
    name: "Nextra",
    mark: /(?:^|\/)(?:app|content|pages)\/(?:.*\/)?_meta(?:\.global)?\.\w+$/,
    slug: github,
    pages(files, mark) {
      const base = /^(.*?)(?:^|\/)(?:src\/)?(?:app|content|pages)\//.exec(mark)![1]!;
      return ["app", "content", "pages", "src/app", "src/content", "src/pages"].flatMap((name) =>
        inFolder(files, posix.join(base, name)).filter(
          (path) => !/(?:^|\/)_/.test(path) && (!/(?:^|\/)app$/.test(name) || /\/page\.mdx?$/.test(path)),
        ),
      );
    },
    entries(files, _, pages) {
      const isHidden = (path: string): boolean =>
        files.paths
          .filter((meta) => dirname(meta) === dirname(path) && /^_meta\.\w+$/.test(basename(meta)))
          .some((meta) =>
            new RegExp(
              `["']?${basename(path).replace(/\.\w+$/, "")}["']?\\s*:\\s*\\{[^{}]*\\bdisplay["']?\\s*:\\s*["']hidden`,
            ).test(files.read(meta)),
          );
      return pages
        .filter((path) => !/\[|components\//.test(path) && !isHidden(path))
        .map((file) => ({ file, label: "" }));
    },
  },
  {
    name: "Fumadocs",
    mark: /(?:^|\/)source\.config\.\w+$/,
    slug: github,
    pages: (files, mark) => inFolder(files, posix.join(dirname(mark), "content")),
    entries(files, mark, pages) {
      const metas = files.paths.filter(
        (path) => under(posix.join(dirname(mark), "content"), path) && basename(path) === "meta.json",
      );
      const pagesIn = (folder: string): unknown[] | undefined =>
        (yamlOf(files.has(`${folder}/meta.json`) ? files.read(`${folder}/meta.json`) : "") as { pages?: unknown[] })
          ?.pages;
      // A folder that the list above it does not name is not in the navigation, whatever it lists.
      const isListed = (folder: string): boolean =>
        basename(folder) === "content" ||
        ((pagesIn(dirname(folder)) ?? ["..."]).some(
          (name) => /^\.\.\.|^z\.\.\.a$/.test(String(name)) || name === basename(folder),
        ) &&
          isListed(dirname(folder)));
      return metas
        .filter((path) => isListed(dirname(path)))
        .flatMap((path) =>
          ((yamlOf(files.read(path)) as { pages?: unknown[] }).pages ?? []).flatMap((name) => {
            const file = typeof name === "string" ? posix.join(dirname(path), `${name}.mdx`) : "";
            return pages.includes(file) ? [{ file, label: titleOf(files.read(file), ["title"]) ?? "" }] : [];
          }),
        );
    },
  },
  {
    name: "Hugo",
    mark: /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml)$/,
    slug: github,
    pages(files, mark) {
      const base = dirname(mark).replace(/\/?config\/_default$/, "");
      const all = inFolder(files, posix.join(base, "content"));
      const bundles = new Set(all.filter((path) => basename(path) === "index.md").map((path) => dirname(path)));
      return all.filter(
        (path) =>
          !/\/_common\/|^content\/LICENSE/.test(path) &&
          (basename(path) === "index.md" || !bundles.has(dirname(path))) &&
          !/^(?:draft|headless)\s*[:=]\s*true/m.test(headText(files.read(path))),
      );
    },
    entries: (files, _, pages) =>
      pages
        .filter((path) => !/^toc_hide\s*[:=]\s*true/m.test(headText(files.read(path))))
        .flatMap((file) => ({ file, label: titleOf(files.read(file), ["linkTitle", "linktitle", "title"]) ?? "" })),
  },
  {
    name: "GitBook",
    mark: /(?:^|\/)SUMMARY\.md$/,
    slug: github,
    pages(files) {
      const summaries = files.paths.filter((path) => basename(path) === "SUMMARY.md");
      return [...new Set(summaries.flatMap((path) => inFolder(files, dirname(path))))].filter(
        (path) => !/SUMMARY\.md$|\.gitbook\//.test(path),
      );
    },
    entries: (files) =>
      files.paths.filter((path) => basename(path) === "SUMMARY.md").flatMap((path) => listedIn(files, path)),
  },
  {
    name: "ReadMe",
    mark: /(?:^|\/)_order\.yaml$/,
    slug: github,
    pages: (files) => files.paths.filter((path) => isPage(path) && /(?:^|\/)(?:docs|reference)\//.test(path)),
    entries: () => [],
  },
  {
    name: "Docsify",
    mark: /(?:^|\/)_sidebar\.md$/,
    slug: github,
    pages(files, mark) {
      let base = dirname(mark);
      while (base !== "." && !files.has(`${base}/index.html`)) base = dirname(base);
      return inFolder(files, files.has(posix.join(base, "index.html")) ? base : dirname(mark)).filter(
        (path) => !/(?:^|\/)_/.test(path),
      );
    },
    entries: (files, mark) => listedIn(files, mark),
  },
  {
    name: "Markdown",
    mark: /\.mdx?$/,
    slug: github,
    pages: (files) =>
      files.paths.filter(
        (path) =>
          isPage(path) &&
          // Folders whose names begin with a dot have settings of programs.
          !/(?:^|\/)\.[^/]+\//.test(path) &&
          !/(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|LICENSE|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY)\.md$/i.test(path),
      ),
    entries: () => [],
  },
];

function docsDir(files: Files, mark: string): string {
  return posix.join(dirname(mark), String((yamlOf(files.read(mark)) as { docs_dir?: string }).docs_dir ?? "docs"));
}

/** A text without the lists that begin so. */
function withoutBlocks(text: string, start: RegExp): string {
  let out = "";
  let done = 0;
  for (const { 0: found, index } of text.matchAll(start)) {
    if (index < done) continue;
    let [depth, at] = [1, index + found.length];
    for (; depth > 0 && at < text.length; at++) depth += text[at] === "[" ? 1 : text[at] === "]" ? -1 : 0;
    out += text.slice(done, index);
    done = at;
  }
  return out + text.slice(done);
}

const bookSummary = (files: Files, mark: string): string =>
  posix.join(dirname(mark), /^\s*src\s*=\s*["']([^"']+)["']/m.exec(files.read(mark))?.[1] ?? "src", "SUMMARY.md");

/** The links of a list in Markdown. */
function listedIn(files: Files, path: string): SourceEntry[] {
  if (!files.has(path)) return [];
  return [
    ...files
      .read(path)
      .replace(/<!--[\s\S]*?-->/g, "")
      .matchAll(/^\s*(?:[-*+]\s+)?\[((?:[^[\]\\\n]|\\.|\[[^\]\n]*\])+)\]\(<?\/?([^\s()<>]+)>?(?:\s[^)\n]*)?\)\s*$/gm),
  ].flatMap(([, label, href]) => {
    const file = posix.join(dirname(path), decode(href!.replace(/[?#].*$/, "")));
    const found = [file, `${file}.md`].find((each) => files.has(each) && isPage(each));
    return found === undefined ? [] : [{ file: found, label: label!.replace(/\\(.)/g, "$1") }];
  });
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function yamlOf(written: string): unknown {
  // The environment of MkDocs: the default of a variable.
  const text = written.replace(/!ENV\s*\[[^\],]*,\s*("[^"]*"|[^\],]*),?\s*\]/g, "$1");
  try {
    return parse(text, { logLevel: "silent", uniqueKeys: false }) ?? {};
  } catch {
    return parse(text.replace(/!![\w/:.]+(?:\s+''|\s+"")?/g, ""), { logLevel: "silent", uniqueKeys: false }) ?? {};
  }
}

export const headText = (text: string): string =>
  /^\s*(?:---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\+\+\+)/.exec(text)?.[1] ?? "";

/** A field of the front matter, or else the first heading. */
function titleOf(text: string, fields: readonly string[]): string | undefined {
  const head = headText(text);
  for (const field of fields) {
    const value = new RegExp(`^${field}\\s*[:=]\\s*(.+)$`, "m").exec(head)?.[1]?.trim();
    // A name for a value of another field.
    if (value?.startsWith("*")) return String((yamlOf(head) as Record<string, unknown>)[field]);
    if (value !== undefined && value !== "" && !/^[|>]/.test(value))
      return value.replace(/^(["'])(.*)\1$/, "$2").replaceAll("''", "'");
  }
  const body = text.slice(head === "" ? 0 : head.length + 8);
  return /^#\s+(.+?)(?:\s*\{[^{}]*\})?\s*#*$/m.exec(body)?.[1] ?? /^(.+)\r?\n=+\s*$/m.exec(body)?.[1];
}

const labelIn = (text: string): string | undefined =>
  /^sidebar:[\s\S]{0,200}?^\s+label:\s*(.+)$/m.exec(headText(text))?.[1]?.trim() ?? titleOf(text, ["title"]);

/** @returns undefined if no tool is known by the files */
export function readRepository(folder: string): SourceRepository | undefined {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath.slice(folder.length + 1), entry.name))
    .filter((path) => !/(?:^|\/)(?:node_modules|__fixtures__|fixtures|tests?|\.git)\//.test(path));
  const present = new Set(paths);
  const files: Files = {
    folder,
    paths,
    has: (path) => present.has(path),
    read: (path) => readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n"),
  };
  if (["mint.json", "docs.json"].some((name) => existsSync(join(folder, name)))) return undefined;
  const found = tools
    .flatMap((tool, rank) => {
      const mark = paths
        .filter(
          (path) =>
            tool.mark.test(path) &&
            // Settings of the same name belong to other programs.
            (!/^(?:Hugo|Starlight)$/.test(tool.name) || tool.pages(files, path).length > 0),
        )
        .toSorted(
          (a, b) =>
            a.split("/").length - b.split("/").length || (a.replaceAll("/", "\0") < b.replaceAll("/", "\0") ? -1 : 1),
        )[0];
      const depth = (mark ?? "")
        .replace(/(?:\.v(?:ite|ue)press|config\/_default|(?:src\/)?(?:app|content|pages))\/.*$/, "")
        .split("/").length;
      return mark === undefined ? [] : [{ tool, mark, order: tool.name === "Markdown" ? 1_000 : depth * 20 + rank }];
    })
    .toSorted((a, b) => a.order - b.order)[0];
  if (found === undefined) return undefined;
  const { tool, mark } = found;
  const pages = [...new Set(tool.pages(files, mark))];
  const isUnicode = tool.name === "MkDocs" && /slugify\s*:.*\b(?:pymdownx\.slugs|uslugify)/.test(files.read(mark));
  return {
    folder,
    tool: tool.name,
    pages,
    entries: tool.entries(files, mark, pages),
    slug: isUnicode ? github : tool.slug,
  };
}
