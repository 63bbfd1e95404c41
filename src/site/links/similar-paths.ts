import { nearestName, type Rewrite } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { folderOf, nameOf } from "../../lib/url/index.js";
import { withoutExtension } from "./page-index.js";
import type { OtherPrefix } from "./target.js";

/** Suggestions for a path that leads nowhere. */
export interface SimilarPaths {
  /** The path that differs in upper and lower case only. */
  otherCase(path: string): string | undefined;
  /** The same name in another folder, or a similar one in the same. */
  nearest(path: string): string | undefined;
  /** The only path in the folder that has the same name but another extension of the same kind. */
  otherExtension(path: string): string | undefined;
  /**
   * The only path that this one is with folders added, removed or replaced at its beginning, or with the folder of a version
   * more: of that of the page `from`, or of the first.
   */
  otherPrefix(path: string, from?: string): OtherPrefix | undefined;
  /** The first path in a folder. */
  firstIn(folder: string): string | undefined;
}

/**
 * In: all paths, without a leading slash. The tables are built at the first mistake; each mistake then costs the same in
 * a site of any size.
 */
export function createSimilarPaths(paths: () => Iterable<string>): SimilarPaths {
  const tables = lazy(() => tablesOf(paths()));
  const nearestOf = (path: string): string | undefined => {
    const { byName, byFolder } = tables();
    const bare = withoutExtension(path);
    const sameName = byName.get(lowerCase(nameOf(bare))) ?? [];
    const moved = nearestName(bare, sameName.slice(0, maxCompared));
    if (moved !== undefined) return moved;
    if (sameName.length === 1) return sameName[0];
    // Names only: with a long folder in front, all names would look similar.
    const inFolder = (byFolder.get(lowerCase(folderOf(bare))) ?? []).slice(0, maxCompared);
    const near = nearestName(nameOf(bare), inFolder.map(nameOf));
    return near === undefined ? undefined : inFolder.find((each) => nameOf(each) === near);
  };
  /** A mistake in a snippet repeats on every page that shows it. */
  const known = new Map<string, string | undefined>();
  return {
    otherCase: (path) => tables().byLowerCase.get(lowerCase(path)),
    otherExtension(path) {
      const [, stem, extension] = /^(.*)\.(\w+)$/s.exec(lowerCase(path)) ?? [];
      const kind = kinds.find((names) => names.includes(extension ?? ""));
      if (stem === undefined || kind === undefined) return undefined;
      const alike = (tables().byFolder.get(folderOf(stem)) ?? []).filter((each) =>
        kind.some((name) => lowerCase(each) === `${stem}.${name}`),
      );
      return alike.length === 1 ? alike[0] : undefined;
    },
    otherPrefix(path, from = "") {
      const bare = withoutExtension(path);
      const sameName = tables().byName.get(lowerCase(nameOf(bare))) ?? [];
      if (sameName.length > maxCompared) return undefined;
      const versions = sameName.flatMap((each) => {
        const version = addedVersion(bare, withoutExtension(each));
        if (version === undefined) return [];
        return [{ version, path: `/${each}`, cause: `the folder "${version}" of its version is missing` }];
      });
      const [first] = versions;
      if (first) return versions.find(({ version }) => from.split("/").includes(version)) ?? first;
      const longer = sameName.filter((each) => withoutExtension(each).endsWith(`/${bare}`));
      const shorter = sameName.filter((each) => bare.endsWith(`/${withoutExtension(each)}`));
      const [only, ...others] = [...longer, ...shorter];
      if (only === undefined && !tables().byFolder.has(lowerCase(folderOf(bare))))
        return movedWithFolder(bare, sameName);
      if (only === undefined || others.length > 0) return undefined;
      const [inner, outer] = longer.length > 0 ? [bare, withoutExtension(only)] : [withoutExtension(only), bare];
      const prefix = outer.slice(0, -inner.length - 1);
      if (prefix.split("/").some((folder) => meansAnother.test(folder))) return undefined;
      // Of a page with several namesakes, the path may mean another one, unless no path begins like this one.
      const isBase =
        longer.length === 0 &&
        !tables().byFolder.has(lowerCase(prefix)) &&
        !tables().folders.has(lowerCase(prefix.split("/")[0]!));
      const namesakes = sameName.filter((each) => `/${withoutExtension(each)}`.endsWith(`/${inner}`));
      const isKnown = namesakes.length === 1 || (isBase && (inner.includes("/") || baseNames.test(prefix)));
      const cause = `"/${prefix}" ${longer.length > 0 ? "is missing from its start" : "at its start is extra"}`;
      return isKnown ? { path: `/${only}`, cause } : undefined;
    },
    firstIn: (folder) => tables().byFolder.get(lowerCase(folder))?.[0],
    nearest(path) {
      if (!known.has(path)) known.set(path, nearestOf(path));
      return known.get(path);
    },
  };
}

/** Extensions of files that can take each other's place. */
const kinds = [
  ["png", "jpg", "jpeg", "webp", "avif", "svg", "gif"],
  ["mp4", "webm", "mov"],
  ["mp3", "ogg", "wav"],
  ["yaml", "yml", "json"],
  ["woff2", "woff", "ttf", "otf"],
];

/** A site may have hundreds of broken links and a thousand `overview`s: limits the time for suggestions. */
const maxCompared = 300;

/** Languages and versions: the same path below another one is another page. */
const meansAnother = /^(?:[a-z]{2}(?:-[a-z]{2,4})?|v?\d[\w.-]*|latest|next|main|legacy)$/i;

/** The only path that ends with the same two names, whose folder was moved. */
function movedWithFolder(path: string, sameName: readonly string[]): OtherPrefix | undefined {
  const end = /\/[^/]+\/[^/]+$/.exec(path)?.[0];
  const [only, ...others] = end === undefined ? [] : sameName.filter((each) => withoutExtension(each).endsWith(end));
  if (only === undefined || others.length > 0) return undefined;
  const [names, right] = [path.split("/"), withoutExtension(only).split("/")];
  for (; names.length > 0 && names.at(-1) === right.at(-1); right.pop()) names.pop();
  if ([...names, ...right].some((folder) => meansAnother.test(folder))) return undefined;
  return { path: `/${only}`, cause: `"/${names.join("/")}" is "/${right.join("/")}" in the site` };
}

/** The name of the only folder that `longer` has more than `path`, if it is a version. */
function addedVersion(path: string, longer: string): string | undefined {
  const names = path.split("/");
  const more = longer.split("/");
  const at = more.findIndex((name, i) => lowerCase(name) !== lowerCase(names[i] ?? ""));
  const version = more[at];
  const isOne = version !== undefined && /^(?:v?\d[\w.-]*|latest|current|stable)$/i.test(version);
  return isOne && lowerCase(more.toSpliced(at, 1).join("/")) === lowerCase(path) ? version : undefined;
}

/** What a site of documentation is often served below. */
const baseNames = /^(?:docs?|documentation)$/i;

/** Keys are in lower case. */
interface Tables {
  readonly byLowerCase: ReadonlyMap<string, string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
  /** First folders. */
  readonly folders: ReadonlySet<string>;
}

function tablesOf(paths: Iterable<string>): Tables {
  const byLowerCase = new Map<string, string>();
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  const folders = new Set<string>();
  for (const path of paths) {
    const lower = lowerCase(path);
    if (!byLowerCase.has(lower)) byLowerCase.set(lower, path);
    push(byName, nameOf(lower), path);
    push(byFolder, folderOf(lower), path);
    if (lower.includes("/")) folders.add(lower.slice(0, lower.indexOf("/")));
  }
  return { byLowerCase, byName, byFolder, folders };
}

const lowerCase = (path: string): string => path.normalize("NFC").toLowerCase();

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** A replacement for an address that leads nowhere. */
export interface Suggestion {
  /** Similar, with a leading slash. */
  readonly path: string;
  /** It is the same file with another extension. */
  readonly certain: boolean;
}

/** What an address can hold in Markdown, in a tag and in JSON without escapes. */
const plain = /^[\p{L}\p{N}\-._~/@+=:,;!$&*]*$/u;

/** The fix for the address of a missing image. */
export const addImage = (source: string): string =>
  /^(?!\/\/)[^:]+\.\w+$/.test(source)
    ? `add ${source.replace(/^\.?\//, "")}, or write the path of another image of the site.`
    : "write the path of an image of the site.";

/**
 * The address that leads to `path`, in place of `written`: its query and fragment stay, and so do its dots, extension and
 * missing slash where only the names differ in case.
 *
 * @param path with a leading slash, decoded; one that an address would have to escape gives nothing
 */
export function newAddress(written: string, path: string, certain = true): Rewrite[] {
  if (!plain.test(path)) return [];
  const [, lead, names, extension, suffix] = addressParts.exec(written)!;
  const isSame = certain && names !== "" && path.toLowerCase().endsWith(`/${names!.toLowerCase()}`);
  const inForm = isSame ? `${lead}${path.slice(-names!.length)}${extension}${suffix}` : written;
  return [{ written, replacement: inForm === written ? path + suffix : inForm, certain, places: [] }];
}

const addressParts = /^((?:\.{0,2}\/)*)([^?#]*?)((?:\.(?:mdx?|html?))?)((?:[?#].*)?)$/s;
