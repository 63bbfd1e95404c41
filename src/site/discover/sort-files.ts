import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { nameOf } from "../../lib/url/index.js";
import { isPageFile, stemOf } from "./output-paths.js";

/** The files of a site by their use. Each list is in the order of the given paths. */
export interface SortedFiles {
  /** Files that are pages if they are listed, or if no page imports them. */
  readonly candidates: readonly string[];
  /** Candidates that are pages only if the navigation lists them: notes for the writers of the site. */
  readonly notes: ReadonlySet<string>;
  /** `.jsx`, `.tsx` and everything that can be imported from a folder of snippets. */
  readonly modules: readonly string[];
  readonly styles: readonly string[];
  /** Scripts of the site, unless a page imports them. */
  readonly scripts: readonly string[];
  readonly statics: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Sorts by path only; nothing is read. The configuration, hidden files and working files are in no list. */
export function sortFiles(paths: readonly string[]): SortedFiles {
  const pages: string[] = [];
  const notes = new Set<string>();
  const modules: string[] = [];
  const styles: string[] = [];
  const scripts: string[] = [];
  const statics: string[] = [];
  for (const path of paths) {
    if (configuration.test(path) || hidden.test(path)) continue;
    if (inSnippets.test(path) && importable.test(path)) modules.push(path);
    else if (path === "skill.md" || nameOf(path) === "SKILL.md") statics.push(path);
    else if (isPageFile(path)) {
      pages.push(path);
      if (workingNote.test(path)) notes.add(path);
    } else if (/\.[jt]sx$/.test(path)) modules.push(path);
    else if (path.endsWith(".css")) styles.push(path);
    else if (path.endsWith(".js") && !toolSettings.test(path)) scripts.push(path);
    else if (served.test(path)) statics.push(path);
  }
  const { candidates, diagnostics } = preferMdx(pages);
  diagnostics.push(...paths.flatMap(hostFileLeftOut), ...paths.flatMap(pageLeftOut));
  return { candidates, notes, modules, styles, scripts, statics, diagnostics };
}

const configuration = /^(?:docs|mint|offprint\.lock)\.json$/;
/** Files in or below a name that starts with a dot; `.well-known` is served, and `.htaccess` is for Apache. */
const hidden = /(?:^|\/)\.(?!well-known\/)(?!htaccess$)/;
const inSnippets = /^_?snippets\//;
/** Files that can have imports. */
export const importable = /\.(?:mdx?|[jt]sx?)$/;
const workingNote = /(?:^|\/)(?:README|AGENTS|CLAUDE|GEMINI)\.md$/;
/** Settings of build tools are written for Node and fail in a browser. */
const toolSettings = /\.config\.js$/;
/** Extensions of the files that are copied as they are. */
const served =
  /\.(?:png|jpe?g|gif|webp|avif|svgz?|ico|bmp|mp4|webm|mov|m4v|ogv|mp3|wav|ogg|m4a|flac|vtt|srt|json|ya?ml|woff2?|ttf|otf|eot|pdf|txt|xml|csv|tsv|zip|gz|tgz|wasm|webmanifest|htaccess|html?|docx?|xlsx?|pptx?)$/i;

/** Files for hosts that the bundle writes itself, with the place for what the site's own one says. */
const ownHostFiles: Readonly<Record<string, string>> = {
  _redirects: 'move the redirects to docs.json: "redirects": [{ "source": "/old", "destination": "/new" }].',
  _headers: "set the headers in your host's configuration, such as netlify.toml, and delete the file.",
};

function hostFileLeftOut(sourcePath: string): readonly Diagnostic[] {
  const fix = Object.hasOwn(ownHostFiles, sourcePath) ? ownHostFiles[sourcePath] : undefined;
  if (fix === undefined) return [];
  const what = `${sourcePath} is left out, because the export writes a file with that name itself.`;
  return [{ code: "PATH_RESERVED", severity: "warning", what, location: { sourcePath }, fix }];
}

/** Pages by their content, with an ending that pages do not have. */
const otherPage = /\.(?:markdown|mdown|mkdn?|mdx?|mdx?\.txt)$/i;

function pageLeftOut(sourcePath: string): readonly Diagnostic[] {
  if (!otherPage.test(sourcePath) || isPageFile(sourcePath) || hidden.test(sourcePath)) return [];
  const right = `${sourcePath.replace(otherPage, "")}.mdx`;
  const what = `${sourcePath} is not exported as a page, because its name ends neither in .mdx nor in .md.`;
  return [
    {
      code: "SOURCE_NAME_UNUSABLE",
      severity: "warning",
      what,
      location: { sourcePath },
      fix: `rename it to ${right}.`,
    },
  ];
}

function preferMdx(pages: readonly string[]): {
  readonly candidates: readonly string[];
  readonly diagnostics: Diagnostic[];
} {
  const stems = new Set(pages.filter((path) => path.endsWith(".mdx")).map(stemOf));
  const shadowed = (path: string): boolean => path.endsWith(".md") && stems.has(stemOf(path));
  const diagnostics = pages.filter(shadowed).map(
    (path): Diagnostic => ({
      code: "PAGE_SHADOWED",
      severity: "warning",
      what: `${path} is left out, because ${stemOf(path)}.mdx has the same URL, and .mdx takes precedence over .md.`,
      location: { sourcePath: path },
      fix: "remove or rename one of the two files.",
    }),
  );
  return { candidates: pages.filter((path) => !shadowed(path)), diagnostics };
}
