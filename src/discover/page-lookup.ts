import { nearestName } from "../diagnostic/index.js";
import { folderOf, nameOf, stemOf } from "./url-path.js";

/** Finds pages by what people write for them. */
export interface PageLookup {
  /**
   * Source path of the page that `reference` names: with or without a slash in front, at the end or doubled, an
   * extension, `/index`, percent-encoding, `?…` and `#…`. Exact in case, as addresses are.
   */
  find(reference: string): string | undefined;
  /** The page that was probably meant: the same name in another folder, or a similar one in the same. */
  nearest(reference: string): string | undefined;
}

/** @param candidates no two of the same stem. */
export function createPageLookup(candidates: readonly string[]): PageLookup {
  const byStem = new Map(candidates.map((sourcePath) => [stemOf(sourcePath), sourcePath]));
  let similar: Similar | undefined;

  const findPath = (path: string): string | undefined =>
    byStem.get(stemOf(path)) ??
    byStem.get(path) ??
    byStem.get(path === "" ? "index" : `${path}/index`) ??
    (path.endsWith("/index") ? byStem.get(path.slice(0, -"/index".length)) : undefined);

  return {
    find(reference) {
      const path = pathOfReference(reference);
      // A file's name may itself hold a "?" or "#".
      const whole = byStem.get(reference.replace(/^\/+/, ""));
      if (whole !== undefined) return whole;
      return findPath(path) ?? (path.includes("%") ? findPath(decode(path)) : undefined);
    },
    nearest(reference) {
      similar ??= groupStems(byStem.keys());
      const stem = stemOf(pathOfReference(reference));
      const sameName = similar.byName.get(nameOf(stem).toLowerCase()) ?? [];
      const sameFolder = similar.byFolder.get(folderOf(stem).toLowerCase()) ?? [];
      const near = nearestName(stem, sameName.slice(0, mostCompared)) ?? nearestIn(stem, sameFolder);
      const found = near ?? (sameName.length === 1 ? sameName[0] : undefined);
      return found === undefined ? undefined : byStem.get(found);
    },
  };
}

/** What a reference says of the path: no query, no fragment, single slashes, none in front or at the end. */
export function pathOfReference(reference: string): string {
  return reference
    .replace(/[?#].*$/s, "")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")
    .trim();
}

/** Stems by name and by folder, both in lower case. */
interface Similar {
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
}

/** A site may miss hundreds of pages and have a thousand `overview`s: help is worth only so much time. */
const mostCompared = 500;

function groupStems(stems: Iterable<string>): Similar {
  const all = [...stems];
  return {
    byName: Map.groupBy(all, (stem) => nameOf(stem).toLowerCase()),
    byFolder: Map.groupBy(all, (stem) => folderOf(stem).toLowerCase()),
  };
}

/** Compares names alone, so that a long folder does not make everything in it seem alike. */
function nearestIn(stem: string, sameFolder: readonly string[]): string | undefined {
  const compared = sameFolder.slice(0, mostCompared);
  const name = nearestName(nameOf(stem), compared.map(nameOf));
  return name === undefined ? undefined : compared.find((each) => nameOf(each) === name);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
