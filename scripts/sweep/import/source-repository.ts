// A repository of another tool as its authors wrote it, read without `src`: which files are pages, and which entries its
// navigation has. Settings are searched for literal texts; what they compute is not counted.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { bookSummary, type Files, headText, isPage, listedIn, mkdocsFolders, under } from "./source-files.ts";
import { hugoContent, navigationReaders, rspressRoot } from "./source-navigation.ts";
import { type SourceNode, withInner } from "./source-nodes.ts";
import { docusaurusFolders } from "./source-sidebars.ts";

export interface SourceRepository {
  readonly folder: string;
  readonly tool: string;
  /** Files that are pages of the old site, relative to the repository. */
  readonly pages: readonly string[];
  readonly navigation: readonly SourceNode[];
  /** How the tool makes anchors. */
  readonly slug: (text: string) => string;
}

/** A tool: the file that only it has, its pages, and its navigation. */
interface ToolReader {
  readonly name: string;
  readonly mark: RegExp;
  /** Whether files of other programs may have this name. */
  fits?(files: Files, mark: string): boolean;
  pages(files: Files, mark: string): string[];
  readonly slug: (text: string) => string;
}

const inFolder = (files: Files, folder: string): string[] =>
  files.paths.filter((path) => isPage(path) && under(folder, path));

const github = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
/** The names of HTML entities stay: `what39s-new`. */
const docsifyAnchor = (text: string): string =>
  text
    .trim()
    .replace(/[A-Z]+/g, (word) => word.toLowerCase())
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replace(/[\u2000-\u206F\u2E00-\u2E7F\\'!"#$%&()*+,./:;<=>?@[\]^`{|}~]/g, "")
    .replace(/\s/g, "-")
    .replace(/-+/g, "-")
    .replace(/^(\d)/, "_$1");
const withoutEmoji = (text: string): string => text.replace(/:[a-z\d_+-]+:/g, "");
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
      const folders = [
        ...docusaurusFolders(files, mark),
        ...["blog", "src/pages"].map((name) => posix.join(base, name)),
      ];
      return folders.flatMap((folder) => inFolder(files, folder)).filter((path) => !/(?:^|\/)_/.test(path));
    },
  },
  {
    name: "VuePress",
    mark: /(?:^|\/)\.vuepress\/config(?:\/index)?\.\w+$/,
    slug: vue,
    pages: (files, mark) =>
      inFolder(files, mark.slice(0, Math.max(0, mark.indexOf(".vuepress/") - 1))).filter(
        // Files in folders with a dot are parts of pages.
        (path) => !/(?:^|\/)\./.test(path),
      ),
  },
  {
    name: "VitePress",
    mark: /(?:^|\/)\.vitepress\/config(?:\/index)?\.\w+$/,
    slug: vue,
    pages: (files, mark) =>
      inFolder(files, mark.slice(0, Math.max(0, mark.indexOf(".vitepress/") - 1))).filter(
        (path) => !/(?:^|\/)\.|README\.md|\[/.test(path),
      ),
  },
  {
    name: "Starlight",
    mark: /(?:^|\/)astro\.config\.\w+$/,
    slug: github,
    pages: (files, mark) => inFolder(files, posix.join(dirname(mark), "src/content/docs")),
  },
  {
    name: "Rspress",
    mark: /(?:^|\/)(?:rspress|rstack)\.config\.\w+$/,
    // Rstack has the settings of several tools in one file.
    fits: (files, mark) => mark.includes("rspress.") || /\bdoc\(/.test(files.read(mark)),
    slug: github,
    pages: (files, mark) =>
      inFolder(files, rspressRoot(files, mark)).filter((path) => !/(?:^|\/)_|\/public\//.test(path)),
  },
  {
    name: "MkDocs",
    mark: /(?:^|\/)(?:mkdocs(?:[-_.][\w.-]+)?\.ya?ml|properdocs\.ya?ml|zensical\.toml)$/,
    slug: python,
    pages: (files, mark) =>
      mkdocsFolders(files, mark)
        .flatMap((folder) => inFolder(files, folder))
        .filter(
          (path) =>
            !/(?:^|\/)(?:\.|overrides\/)/.test(path) &&
            !(basename(path) === "SUMMARY.md" && /\bliterate-nav\b/.test(files.read(mark))),
        ),
  },
  {
    name: "mdBook",
    mark: /(?:^|\/)book\.toml$/,
    slug: rust,
    pages: (files, mark) => withInner(listedIn(files, bookSummary(files, mark))).flatMap(({ file }) => file ?? []),
  },
  {
    name: "Nextra",
    mark: /(?:^|\/)(?:app|content|pages)\/(?:.*\/)?_meta(?:\.global|\.[a-z]{2}(?:-[A-Z]{2})?)?\.\w+$/,
    slug: github,
    pages(files, mark) {
      const base = /^(.*?)(?:^|\/)(?:src\/)?(?:app|content|pages)\//.exec(mark)![1]!;
      return ["app", "content", "pages", "src/app", "src/content", "src/pages"].flatMap((name) =>
        inFolder(files, posix.join(base, name)).filter(
          (path) => !/(?:^|\/)_/.test(path) && (!/(?:^|\/)app$/.test(name) || /\/page\.mdx?$/.test(path)),
        ),
      );
    },
  },
  {
    name: "Fumadocs",
    mark: /(?:^|\/)source\.config\.\w+$/,
    slug: github,
    pages: (files, mark) =>
      inFolder(files, posix.join(dirname(mark), "content")).filter((path) => !/(?:^|\/)\./.test(path)),
  },
  {
    name: "Nuxt",
    mark: /(?:^|\/)(?:nuxt|docus)\.config\.\w+$/,
    slug: github,
    fits: (files, mark) => inFolder(files, posix.join(dirname(mark), "content")).length > 0,
    pages: (files, mark) =>
      inFolder(files, posix.join(dirname(mark), "content")).filter((path) => !/(?:^|\/)\./.test(path)),
  },
  {
    name: "Hugo",
    mark: /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml)$/,
    slug: github,
    pages(files, mark) {
      const all = hugoContent(files, mark).flatMap((folder) => inFolder(files, folder));
      const bundles = new Set(all.filter((path) => basename(path) === "index.md").map((path) => dirname(path)));
      return all.filter(
        (path) =>
          !/\/_common\/|^content\/LICENSE/.test(path) &&
          (basename(path) === "index.md" || !bundles.has(dirname(path))) &&
          !/^(?:draft|headless)\s*[:=]\s*true/m.test(headText(files.read(path))),
      );
    },
  },
  {
    name: "GitBook",
    mark: /(?:^|\/)SUMMARY\.md$/,
    slug: (text) => github(withoutEmoji(text)).replace(/^-+|-+$/g, ""),
    pages(files) {
      const summaries = files.paths.filter((path) => basename(path) === "SUMMARY.md");
      return [...new Set(summaries.flatMap((path) => inFolder(files, dirname(path))))].filter(
        (path) => !/SUMMARY\.md$|(?:^|\/)\.[^/]+\//.test(path),
      );
    },
  },
  {
    name: "ReadMe",
    mark: /(?:^|\/)(?:_order\.yaml|(?:docs|v[\d.]+)\/.*\.md)$/,
    // Before _order.yaml, the front matter of an export had the order.
    fits(files, mark) {
      const head = mark.endsWith(".md") ? headText(files.read(mark)) : "";
      return head === ""
        ? !mark.endsWith(".md")
        : /^excerpt:/m.test(head) && /^(?:hidden|deprecated|category):/m.test(head);
    },
    slug: github,
    pages: (files) => files.paths.filter((path) => isPage(path) && /(?:^|\/)(?:docs|reference|v[\d.]+)\//.test(path)),
  },
  {
    name: "Docsify",
    mark: /(?:^|\/)(?:_sidebar\.md|index\.html)$/,
    fits: (files, mark) => mark.endsWith(".md") || /\bloadSidebar\b|\$docsify\b/.test(files.read(mark)),
    slug: docsifyAnchor,
    pages(files, mark) {
      let base = dirname(mark);
      while (base !== "." && !files.has(`${base}/index.html`)) base = dirname(base);
      return inFolder(files, files.has(posix.join(base, "index.html")) ? base : dirname(mark)).filter(
        (path) => !/(?:^|\/)_/.test(path),
      );
    },
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
  },
];

/**
 * @param converted the files that became pages: of several sites in a repository, theirs is compared
 * @returns undefined if no tool is known by the files
 */
export function readRepository(
  folder: string,
  converted: ReadonlySet<string> = new Set(),
): SourceRepository | undefined {
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
  const isConverted = (tool: ToolReader, mark: string): boolean =>
    tool.name !== "Markdown" && tool.pages(files, mark).some((path) => converted.has(path));
  if (["mint.json", "docs.json"].some((name) => existsSync(join(folder, name)))) return undefined;
  const found = tools
    .flatMap((tool, rank) => {
      const mark = paths
        .filter(
          (path) =>
            tool.mark.test(path) &&
            (tool.fits?.(files, path) ?? true) &&
            // Settings of the same name belong to other programs.
            (!/^(?:Hugo|Starlight)$/.test(tool.name) || tool.pages(files, path).length > 0),
        )
        .toSorted(
          (a, b) =>
            Number(isConverted(tool, b)) - Number(isConverted(tool, a)) ||
            a.split("/").length - b.split("/").length ||
            // If a folder has both, Hugo reads the file with its own name.
            Number(/(?:^|\/)config\.\w+$/.test(a)) - Number(/(?:^|\/)config\.\w+$/.test(b)) ||
            (a.replaceAll("/", "\0") < b.replaceAll("/", "\0") ? -1 : 1),
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
  const hasEmoji = tool.name === "MkDocs" && /\bpymdownx\.emoji\b/.test(files.read(mark));
  const isUnicode = tool.name === "MkDocs" && /slugify\s*:.*\b(?:pymdownx\.slugs|uslugify)/.test(files.read(mark));
  return {
    folder,
    tool: tool.name,
    pages,
    navigation: navigationReaders[tool.name]!(files, mark, pages),
    slug: (text) => (isUnicode ? github : tool.slug)(hasEmoji ? withoutEmoji(text) : text),
  };
}
