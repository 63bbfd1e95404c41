import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { page, writeSite } from "../support/cli.js";
import { exportInProcess } from "../support/pool-in-process.js";

/** A small site with one of everything that serving looks at, exported. */
export interface SmallBundle {
  readonly folder: string;
  readonly archive: string;
  /** Of the archive. */
  readonly sha256: string;
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), "offprint-deploy-"));

const icon = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect width="9" height="9"/></svg>';

/** @param text of the start page: two texts make two bundles. */
export async function exportSmallSite(
  text: string,
  files: Readonly<Record<string, string>> = {},
): Promise<SmallBundle> {
  const place = newFolder();
  const source = writeSite(join(place, "site"), {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0a6c5b" },
      navigation: { pages: ["index", "guides/install", "guides/größe", "inline"] },
      redirects: [
        { source: "/old", destination: "/guides/install?from=old#top" },
        { source: "/away", destination: "https://example.com/there" },
        { source: "/v1/:page", destination: "/guides/:page" },
        { source: "/blog/*", destination: "https://blog.example.com/posts/*" },
      ],
    }),
    "index.mdx": page("Start", text),
    "guides/install.mdx": page("Install", "Some **text** about it. ".repeat(80)),
    "guides/größe.mdx": page("Größe", "Ein Wort."),
    "inline.mdx": page("Inline", '<div style={{ color: "red" }}>Red.</div>'),
    "images/icon.svg": icon,
    ".htaccess": "Options -Indexes\n",
    "files/numbers.csv": "1,2,3\n".repeat(2000),
    "files/demo/index.html": "<!doctype html><title>Demo</title><script>document.title = 1</script>",
    ...files,
  });
  const folder = join(place, "bundle");
  const archive = join(place, "bundle.tar.gz");
  const result = await exportInProcess({ source, output: folder, archive, baseUrl: "https://docs.acme.com" });
  return { folder, archive, sha256: result.archive!.sha256 };
}

/** A copy that may be changed. */
export function copyOf(folder: string): string {
  const copy = join(newFolder(), "bundle");
  cpSync(folder, copy, { recursive: true });
  return copy;
}

export const bytesOf = (path: string): Buffer => readFileSync(path);
