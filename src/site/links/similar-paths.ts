import { nearestName } from "../../lib/diagnostic/index.js";
import { folderOf, nameOf } from "../../lib/url/index.js";
import { withoutExtension } from "./page-index.js";

/** Paths that somebody may have meant who wrote one that leads nowhere. */
export interface SimilarPaths {
  /** The path that differs in upper and lower case only. */
  otherCase(path: string): string | undefined;
  /** The same name in another folder, or a similar one in the same. */
  nearest(path: string): string | undefined;
  /** The first path in a folder. */
  firstIn(folder: string): string | undefined;
}

/**
 * In: all paths, without a slash in front. Their tables are built at the first mistake; after that a mistake costs the
 * same in a site of any size.
 */
export function createSimilarPaths(paths: () => Iterable<string>): SimilarPaths {
  let made: Tables | undefined;
  const tables = (): Tables => {
    made ??= tablesOf(paths());
    return made;
  };
  const nearestOf = (path: string): string | undefined => {
    const { byName, byFolder } = tables();
    const bare = withoutExtension(path);
    const sameName = byName.get(lowerCase(nameOf(bare))) ?? [];
    const moved = nearestName(bare, sameName.slice(0, mostCompared));
    if (moved !== undefined) return moved;
    if (sameName.length === 1) return sameName[0];
    // Names alone, so that a long folder does not make everything in it seem alike.
    const inFolder = (byFolder.get(lowerCase(folderOf(bare))) ?? []).slice(0, mostCompared);
    const near = nearestName(nameOf(bare), inFolder.map(nameOf));
    return near === undefined ? undefined : inFolder.find((each) => nameOf(each) === near);
  };
  /** A mistake in a snippet is made on every page that shows it. */
  const known = new Map<string, string | undefined>();
  return {
    otherCase: (path) => tables().byLowerCase.get(lowerCase(path)),
    firstIn: (folder) => tables().byFolder.get(lowerCase(folder))?.[0],
    nearest(path) {
      if (!known.has(path)) known.set(path, nearestOf(path));
      return known.get(path);
    },
  };
}

/** A site may miss hundreds of pages and have a thousand `overview`s: help is worth only so much time. */
const mostCompared = 300;

/** By what two paths may share, each in lower case. */
interface Tables {
  readonly byLowerCase: ReadonlyMap<string, string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
}

function tablesOf(paths: Iterable<string>): Tables {
  const byLowerCase = new Map<string, string>();
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    const lower = lowerCase(path);
    if (!byLowerCase.has(lower)) byLowerCase.set(lower, path);
    push(byName, nameOf(lower), path);
    push(byFolder, folderOf(lower), path);
  }
  return { byLowerCase, byName, byFolder };
}

const lowerCase = (path: string): string => path.normalize("NFC").toLowerCase();

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
