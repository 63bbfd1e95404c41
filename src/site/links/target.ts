import type { MediaType } from "../../lib/media-type.js";
import type { PixelSize } from "../../lib/pixel-size.js";
import {
  decodePercent,
  type ExternalAddress,
  encodePath,
  type SelfAddress,
  type UnsafeAddress,
} from "../../lib/url/index.js";
import type { LeftOutPage, PagePlan } from "../site.js";

export interface Origin {
  /** The page that shows it, or the settings. */
  readonly sourcePath: string;
  /** The snippet in which it is written, if any. */
  readonly writtenIn?: string;
}

/** A page or file of the bundle. */
export type SiteTarget = (
  | { readonly kind: "page"; readonly page: PagePlan; readonly outputPath: string }
  /** `isShared`: a style sheet or script that every page loads under another name. */
  | { readonly kind: "file"; readonly outputPath: string; readonly isShared?: boolean }
) & {
  /** Its path with a leading slash, if the written path differs in case. */
  readonly rightCase?: string;
  readonly otherPrefix?: OtherPrefix;
};

/** The right path, if the written one has too many or too few folders at its start, or lacks the folder of a version. */
export interface OtherPrefix {
  /** The right path, with a leading slash. */
  readonly path: string;
  /** The difference, in a sentence. */
  readonly cause: string;
}

export type Target = FoundTarget | MissingTarget | SelfAddress | ExternalAddress | UnsafeAddress;

export type FoundTarget = SiteTarget & {
  /** `?query#fragment`, encoded. */
  readonly suffix: string;
  /** The written path with a leading slash, if it is a folder without a page, whose first page is the target. */
  readonly folder?: string;
  /** Size of an embedded image, in CSS pixels. */
  readonly size?: PixelSize;
};
export interface MissingTarget {
  readonly kind: "missing";
  /** The most likely of the candidates, with a leading slash. */
  readonly path: string;
  /** The path that it would have in the bundle. */
  readonly outputPath: string;
  readonly suffix: string;
  /** All paths to which the address may refer, without a leading slash. */
  readonly candidates: readonly string[];
  /** The page that would be there if it were not left out. */
  readonly leftOut?: LeftOutPage;
}

/**
 * Relative href from one file of the bundle to another, percent-encoded: `../images/a%20b.png`. It works from `file://` and
 * below any base path. It never starts with a slash or with something that looks like a scheme.
 */
export function relativeHref(fromOutputPath: string, toOutputPath: string): string {
  let shared = 0;
  const limit = Math.min(fromOutputPath.length, toOutputPath.length);
  for (let i = 0; i < limit && fromOutputPath.charCodeAt(i) === toOutputPath.charCodeAt(i); i++)
    if (fromOutputPath.charCodeAt(i) === slash) shared = i + 1;
  return upToRoot(fromOutputPath.slice(shared)) + encodePath(toOutputPath.slice(shared));
}

const slash = 47;

/** `../` for every folder of a path: the relative path from the file to the root of the bundle. */
export function upToRoot(outputPath: string): string {
  let up = "";
  for (let at = outputPath.indexOf("/"); at >= 0; at = outputPath.indexOf("/", at + 1)) up += "../";
  return up;
}

/** `relativeHref` with a query and a fragment; an anchor in the file itself needs only the fragment. */
export const hrefWithSuffix = (fromOutputPath: string, toOutputPath: string, suffix: string): string =>
  fromOutputPath === toOutputPath && suffix.startsWith("#")
    ? suffix
    : relativeHref(fromOutputPath, toOutputPath) + suffix;

/** Href from a file of the bundle to a target; for a missing target, to the path that it would have. */
export function hrefOf(target: Exclude<Target, UnsafeAddress>, fromOutputPath: string): string {
  if (target.kind === "external") return target.url;
  if (target.kind === "self") return hrefWithSuffix(fromOutputPath, fromOutputPath, target.suffix || "#");
  return hrefWithSuffix(fromOutputPath, target.outputPath, target.suffix);
}

/** The kinds of files that pages load: `media` is video and audio, `style` a style sheet or font, `embed` another page. */
export type LoadedKind = "image" | "media" | "embed" | "script" | "style";

/** The copy of a file of another host. */
export interface EmbeddedFile {
  readonly outputPath: string;
  readonly group: MediaType["group"] | "style";
  readonly size?: FoundTarget["size"];
}

/** By `embeddedKey`. */
export type EmbeddedFiles = ReadonlyMap<string, EmbeddedFile>;

/** A URL without its fragment, which is not sent to servers. */
export const embeddedKey = (url: string): string => url.replace(/#.*$/s, "");

/** The file types that each kind accepts. An address in a style sheet counts as an image, and may be a font. */
const groups: Readonly<Record<LoadedKind, readonly EmbeddedFile["group"][]>> = {
  image: ["image", "font"],
  media: ["video", "audio", "image", "text"],
  style: ["style", "font"],
  embed: [],
  script: [],
};

export const isLoadedAs = (kind: LoadedKind, { group }: Pick<EmbeddedFile, "group">): boolean =>
  groups[kind].includes(group);

export function embeddedTarget(files: EmbeddedFiles, url: string, kind: LoadedKind): FoundTarget | undefined {
  const key = embeddedKey(url);
  const file = files.get(key);
  if (file === undefined || !isLoadedAs(kind, file)) return undefined;
  const { outputPath, size } = file;
  return { kind: "file", outputPath, suffix: url.slice(key.length), ...(size ? { size } : {}) };
}

export type ImportTarget =
  /** `isAlias`: the import names the folder of the site as other tools do. */
  | { readonly kind: "file"; readonly sourcePath: string; readonly isAlias?: true }
  | { readonly kind: "missing"; readonly sourcePath: string }
  /** A path outside the site folder. */
  | { readonly kind: "outside" }
  /** A package, or an alias of another system. */
  | { readonly kind: "package" };

/** Whether the site has a file at a path. */
type Has = (sourcePath: string) => boolean;

/** What to do about a missing file. An export does not see files with a dot at the start of their name or folder. */
export function addFile(sourcePath: string, otherwise: string): string {
  const hidden = /^.*?(?:^|\/)(\.[^./][^/]*)/.exec(sourcePath.replace(/^\//, ""));
  return hidden
    ? `rename ${hidden[1]}, since names that start with a dot are hidden; or write !/${hidden[0]} in .mintignore.`
    : `add the file, or ${otherwise}.`;
}

const extensions = ["", ".mdx", ".md", ".jsx", ".js", ".tsx", ".ts"];

/**
 * Finds the file of an import in `importer`: relative to the site's root, with or without a leading slash, or, with `./` or
 * `../`, to the importing file. The extension may be omitted.
 */
export function resolveImport(from: string, importer: string, has: Has): ImportTarget {
  const written = from.replace(/[?#].*$/, "").replaceAll("\\", "/");
  const relative = /^\.\.?(?:\/|$)/.test(written);
  const bare = !relative && !written.startsWith("/");
  const [, own] = /^(?:@site|[@~])\/(.+)/.exec(written) ?? [];
  const used = own && (findFile(own, has) ?? findFile(own.replace(/^(?:static|public)\//, ""), has));
  if (used) return { kind: "file", sourcePath: used, isAlias: true };
  if (/^(?:[@~]\/|@[\w-]+\/|[a-z]+:)/i.test(written) || (bare && /^[^/.]+$/.test(written))) return { kind: "package" };
  const folder = relative ? importer.slice(0, importer.lastIndexOf("/") + 1) : "";
  const path = joinInside(folder + written);
  if (path === undefined) return { kind: "outside" };
  const sourcePath = findFile(path, has);
  if (sourcePath !== undefined) return { kind: "file", sourcePath };
  return bare && !/\.[a-z]{2,5}$/i.test(written) ? { kind: "package" } : { kind: "missing", sourcePath: path };
}

/** Finds the file of `<Snippet file="…">`: in a folder of snippets, or by its path in the site. */
export function resolveSnippetFile(file: string, has: Has): ImportTarget {
  const path = joinInside(file);
  if (path === undefined) return { kind: "outside" };
  for (const folder of ["snippets/", "_snippets/", ""]) {
    const sourcePath = findFile(folder + path, has);
    if (sourcePath !== undefined) return { kind: "file", sourcePath };
  }
  return { kind: "missing", sourcePath: `snippets/${path}` };
}

/** Finds a file by its path as written, or else by the percent-decoded path (`my%20file.mdx`). */
function findFile(path: string, has: Has): string | undefined {
  const decoded = joinInside(decodePercent(path));
  for (const candidate of decoded === undefined || decoded === path ? [path] : [path, decoded])
    for (const extension of extensions) if (has(candidate + extension)) return candidate + extension;
  return undefined;
}

/** Normalizes a path; undefined if it is outside of the site. */
function joinInside(path: string): string | undefined {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return undefined;
    } else if (name !== "" && name !== ".") names.push(name);
  }
  return path.includes("\0") ? undefined : names.join("/");
}
