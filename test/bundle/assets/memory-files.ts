import type { SiteFiles } from "../../../src/site/source/site-files.js";

/** A site that exists only as texts, by path. */
export function memoryFiles(texts: Readonly<Record<string, string>>): SiteFiles {
  const read = (path: string): string => {
    const text = texts[path];
    if (text === undefined) throw new Error(`${path} is not in the site`);
    return text;
  };
  return {
    root: "/site",
    paths: Object.keys(texts).sort(),
    has: (path) => path in texts,
    sizeOf: (path) => Buffer.byteLength(read(path)),
    readText: read,
    readBytes: (path) => Buffer.from(read(path)),
    absolutePath: (path) => `/site/${path}`,
  };
}
