import { nearestName, type Rewrite } from "../../lib/diagnostic/index.js";
import { languageName } from "../../lib/language/index.js";
import { lazy } from "../../lib/memo.js";
import { folderOf, nameOf } from "../../lib/url/index.js";
import { withoutExtension } from "./page-index.js";
import type { OtherPrefix } from "./target.js";

/**
 * Suggestions for a path without a page or file. The tables are built at the first mistake; each further mistake takes constant
 * time.
 *
 * @param paths returns all paths, without a leading slash
 */
export function createSimilarPaths(paths: () => Iterable<string>) {
  const tables = lazy(() => tablesOf(paths()));
  /** Whether it is the page of another platform, product or resource: `ios/errors` and `android/errors`. */
  const isCounterpart = (candidate: string, path: string): boolean => {
    const [names, others] = [path.split("/"), candidate.split("/")];
    const at = names.findIndex((name, i) => lowerCase(name) !== lowerCase(others[i] ?? ""));
    const isBetween = at > 0 && at < names.length - 1 && names.length === others.length;
    return isBetween && tables().byFolder.has(lowerCase(names.slice(0, at + 1).join("/")));
  };
  const nearestOf = (path: string): string | undefined => {
    const { byName, byFolder, folders } = tables();
    const bare = withoutExtension(path);
    const language = languageOf(bare);
    const namesakes = (byName.get(lowerCase(nameOf(bare))) ?? [])
      .slice(0, maxCompared)
      .filter((candidate) => languageOf(candidate) === language && !isOtherOverview(bare, candidate));
    const variant = variantOf(bare);
    const sameVariant = namesakes.filter((candidate) => variantOf(candidate) === variant);
    // The same page in another language is no replacement.
    const sameName = (sameVariant.length > 0 || folders.has(lowerCase(variant)) ? sameVariant : namesakes).filter(
      (candidate) => !isCounterpart(candidate, bare),
    );
    const moved = nearestName(bare, sameName);
    if (moved !== undefined) return moved;
    if (sameName.length === 1) return sameName[0];
    // Compare names only, since all paths in a long folder look similar.
    const inFolder = (byFolder.get(lowerCase(folderOf(bare))) ?? []).slice(0, maxCompared);
    const numbers = numbersIn(bare);
    const names = inFolder.map(nameOf).filter((name) => numbersIn(name) === numbers);
    const near = nearestName(nameOf(bare), names);
    return near === undefined ? undefined : inFolder.find((candidate) => nameOf(candidate) === near);
  };
  /** Cached results, since a mistake in a snippet occurs on every page that shows it. */
  const nearestPaths = new Map<string, string | undefined>();
  return {
    /** The path that differs only in upper and lower case. */
    otherCase: (path: string): string | undefined => tables().byLowerCase.get(lowerCase(path)),
    /** The only path in the folder that has the same name but another extension of the same kind. */
    otherExtension(path: string): string | undefined {
      const [, stem, extension] = /^(.*)\.(\w+)$/s.exec(lowerCase(path)) ?? [];
      const kind = kinds.find((names) => names.includes(extension ?? ""));
      if (stem === undefined || kind === undefined) return undefined;
      const alike = (tables().byFolder.get(folderOf(stem)) ?? []).filter((candidate) =>
        kind.some((name) => lowerCase(candidate) === `${stem}.${name}`),
      );
      return alike.length === 1 ? alike[0] : undefined;
    },
    /**
     * The only path that differs in the folders at its start, or in one additional folder of a version: the version of the
     * page `from`, or the first one.
     */
    otherPrefix(path: string, from = ""): OtherPrefix | undefined {
      const bare = withoutExtension(path);
      const sameName = tables().byName.get(lowerCase(nameOf(bare))) ?? [];
      if (sameName.length > maxCompared) return undefined;
      const versions = sameName.flatMap((candidate) => {
        const version = addedVersion(bare, withoutExtension(candidate));
        if (version === undefined) return [];
        return [{ version, path: `/${candidate}`, cause: `the folder "${version}" of its version is missing` }];
      });
      const [first] = versions;
      if (first) return versions.find(({ version }) => from.split("/").includes(version)) ?? first;
      const longer = sameName.filter((candidate) => withoutExtension(candidate).endsWith(`/${bare}`));
      const shorter = sameName.filter((candidate) => bare.endsWith(`/${withoutExtension(candidate)}`));
      const [only, ...others] = [...longer, ...shorter];
      if (only === undefined && !tables().byFolder.has(lowerCase(folderOf(bare))))
        return movedWithFolder(bare, sameName);
      if (only === undefined || others.length > 0) return undefined;
      const [inner, outer] = longer.length > 0 ? [bare, withoutExtension(only)] : [withoutExtension(only), bare];
      const prefix = outer.slice(0, -inner.length - 1);
      // The path may mean a folder that ends with it.
      if (
        tables()
          .foldersByName.get(lowerCase(nameOf(bare)))
          ?.some((folder) => `/${folder}`.endsWith(`/${lowerCase(bare)}`))
      )
        return undefined;
      if (prefix.split("/").some((folder) => separatesPages.test(folder))) return undefined;
      // If several pages have this name, the path may mean another one, unless no path starts with the same folder.
      const isBase =
        longer.length === 0 &&
        !tables().byFolder.has(lowerCase(prefix)) &&
        !tables().folders.has(lowerCase(prefix.split("/")[0]!));
      const namesakes = sameName.filter((candidate) => `/${withoutExtension(candidate)}`.endsWith(`/${inner}`));
      const isClear = namesakes.length === 1 || (isBase && (inner.includes("/") || baseNames.test(prefix)));
      const cause = `"/${prefix}" ${longer.length > 0 ? "is missing from its start" : "at its start is extra"}`;
      return isClear ? { path: `/${only}`, cause } : undefined;
    },
    /** The first path in a folder. */
    firstIn: (folder: string): string | undefined => tables().byFolder.get(lowerCase(folder))?.[0],
    /** The same name in another folder, or a similar name in the same folder. */
    nearest(path: string): string | undefined {
      if (!nearestPaths.has(path)) nearestPaths.set(path, nearestOf(path));
      return nearestPaths.get(path);
    },
  };
}

/** Groups of extensions of files that can replace each other. */
const kinds = [
  ["png", "jpg", "jpeg", "webp", "avif", "svg", "gif"],
  ["mp4", "webm", "mov"],
  ["mp3", "ogg", "wav"],
  ["yaml", "yml", "json"],
  ["woff2", "woff", "ttf", "otf"],
];

/** Bounds the time for suggestions: a site may have hundreds of broken links and a thousand pages `overview`. */
const maxCompared = 300;

/** `image (4).png` is no misspelt `image (54).png`. */
const numbersIn = (path: string): string => (nameOf(path).match(/\d+/g) ?? []).join(" ");

/** Folders of languages and versions, in which the same path is another page. */
const separatesPages = /^(?:[a-z]{2}(?:-[a-z]{2,4})?|v?\d[\w.-]*|latest|next|main|legacy)$/i;

/** The language and the version of a path, as its folders name them. */
const variantOf = (path: string): string =>
  folderOf(path)
    .split("/")
    .filter((folder) => separatesPages.test(folder))
    .join("/");

/** The first folder that names a language. */
const languageOf = (path: string): string | undefined =>
  lowerCase(folderOf(path))
    .split("/")
    .find((folder) => {
      const [, language] = /^([a-z]{2})(?:-(?:[a-z]{2}|han[st]))?$/.exec(folder) ?? [];
      return language !== undefined && languageName(language) !== language;
    });

/** Whether two pages whose name says nothing are of unlike folders: `desktop/overview` and `overview`. */
function isOtherOverview(path: string, candidate: string): boolean {
  const [folder, other] = [nameOf(folderOf(path)), nameOf(folderOf(withoutExtension(candidate)))];
  return commonNames.test(nameOf(path)) && folder !== other && nearestName(folder, [other]) === undefined;
}
const commonNames = /^(?:index|overview|intro(?:duction)?|readme|quick-?start|getting-started)$/i;

/** The only path that ends with the same two names, because its folder was moved. */
function movedWithFolder(path: string, sameName: readonly string[]): OtherPrefix | undefined {
  const end = /\/[^/]+\/[^/]+$/.exec(path)?.[0];
  const [only, ...others] = end === undefined ? [] : sameName.filter((path) => withoutExtension(path).endsWith(end));
  if (only === undefined || others.length > 0) return undefined;
  const [names, right] = [path.split("/"), withoutExtension(only).split("/")];
  for (; names.length > 0 && names.at(-1) === right.at(-1); right.pop()) names.pop();
  if ([...names, ...right].some((folder) => separatesPages.test(folder))) return undefined;
  return { path: `/${only}`, cause: `"/${names.join("/")}" is "/${right.join("/")}" in the site` };
}

/** The only folder that `longer` has in addition to those of `path`, if it is a version. */
function addedVersion(path: string, longer: string): string | undefined {
  const names = path.split("/");
  const more = longer.split("/");
  const at = more.findIndex((name, i) => lowerCase(name) !== lowerCase(names[i] ?? ""));
  const version = more[at];
  const isOne = version !== undefined && /^(?:v?\d[\w.-]*|latest|current|stable)$/i.test(version);
  return isOne && lowerCase(more.toSpliced(at, 1).join("/")) === lowerCase(path) ? version : undefined;
}

/** Folders below which documentation is often served. */
const baseNames = /^(?:docs?|documentation)$/i;

/** Keys are in lower case. */
interface Tables {
  readonly byLowerCase: ReadonlyMap<string, string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
  readonly foldersByName: ReadonlyMap<string, readonly string[]>;
  /** First folders. */
  readonly folders: ReadonlySet<string>;
}

function tablesOf(paths: Iterable<string>): Tables {
  const all = [...paths];
  const lower = all.map(lowerCase);
  const byFolder = Map.groupBy(all, (_, i) => folderOf(lower[i]!));
  return {
    byLowerCase: new Map(all.map((path, i) => [lower[i]!, path] as const).reverse()),
    byName: Map.groupBy(all, (_, i) => nameOf(lower[i]!)),
    byFolder,
    foldersByName: Map.groupBy(byFolder.keys(), nameOf),
    folders: new Set(lower.filter((path) => path.includes("/")).map((path) => path.slice(0, path.indexOf("/")))),
  };
}

const lowerCase = (path: string): string => path.normalize("NFC").toLowerCase();

/** A replacement for an address without a page or file. */
export interface Suggestion {
  /** Similar, with a leading slash. */
  readonly path: string;
  /** Whether it is the same file with another extension. */
  readonly certain: boolean;
}

/** Paths that need no escapes as an address in Markdown, in a tag and in JSON. */
const plain = /^[\p{L}\p{N}\-._~/@+=:,;!$&*]*$/u;

/** The fix for the address of a missing image. */
export const addImage = (source: string): string =>
  /^(?!\/\/)[^:]+\.\w+$/.test(source)
    ? `add ${source.replace(/^\.?\//, "")}, or write the path of another image of the site.`
    : "write the path of an image of the site.";

/**
 * Rewrites an address so that it refers to `path`. Its query and fragment stay. If only the case of its names differs, its
 * dots, its extension and a missing slash stay, too.
 *
 * @param path decoded, with a leading slash; there is no rewrite for a path that would need escapes
 */
export function newAddress(written: string, path: string, certain = true): Rewrite[] {
  if (!plain.test(path)) return [];
  const [, lead, names, extension, suffix] = addressParts.exec(written)!;
  const isSame = certain && names !== "" && path.toLowerCase().endsWith(`/${names!.toLowerCase()}`);
  const inForm = isSame ? `${lead}${path.slice(-names!.length)}${extension}${suffix}` : written;
  return [{ written, replacement: inForm === written ? path + suffix : inForm, certain, places: [] }];
}

const addressParts = /^((?:\.{0,2}\/)*)([^?#]*?)((?:\.(?:mdx?|html?))?)((?:[?#].*)?)$/s;
