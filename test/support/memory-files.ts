import type { SiteFiles } from "../../src/site/source/site-files.js";

/** A site that exists only as texts, by path. */
export function memoryFiles(texts: Readonly<Record<string, string>>): SiteFiles {
  const read = (path: string): string => {
    if (!Object.hasOwn(texts, path)) throw new Error(`${path} is not a file of the site`);
    return texts[path]!;
  };
  return {
    root: "/site",
    paths: Object.keys(texts).sort(),
    has: (path) => Object.hasOwn(texts, path),
    sizeOf: (path) => Buffer.byteLength(read(path)),
    readText: read,
    readBytes: (path) => Buffer.from(read(path)),
    absolutePath: (path) => `/site/${path}`,
  };
}
