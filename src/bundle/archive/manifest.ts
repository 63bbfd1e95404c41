/** A file of a bundle, as the manifest lists it. */
export interface BundleFile {
  /** Relative to the bundle, with `/`: `guides/install.html`. */
  readonly path: string;
  readonly bytes: number;
  /** Of the content, in lower-case hex. */
  readonly sha256: string;
}

export const manifestName = "offprint.json";

/** Content of `offprint.json`: enough to verify a bundle, and to copy only the files that changed. */
export interface Manifest {
  /** Version of this format. */
  readonly formatVersion: 1;
  readonly engineVersion: string;
  readonly siteName: string;
  readonly pageCount: number;
  /** `cloud`, `client-hosted` or `air-gapped`. */
  readonly deployment: string;
  /** The groups of readers that it is for, sorted; absent: everyone. */
  readonly audience?: readonly string[];
  /** Origin of the assistant that the pages ask, `https://docs-api.example.com`; absent if they ask none. */
  readonly assistant?: string;
  /** Origin of the service that counts the views, in the same form; absent if the pages send none. */
  readonly analytics?: string;
  /** Absolute URLs of pages are the base URL and their path; only of a site with a known address. */
  readonly address?: { readonly baseUrl: string; readonly trailingSlash: boolean };
  /** What each search index has the pages of; only of a site with languages or versions. */
  readonly searchScopes?: readonly ManifestScope[];
  /** Every file but the manifest itself, sorted by path. */
  readonly files: readonly BundleFile[];
}

export interface ManifestScope {
  /** BCP 47 tag. */
  readonly language?: string;
  /** As the navigation names it. */
  readonly version?: string;
  readonly isDefault: boolean;
}

/** @throws {Error} if two files have the same path: our bug, since one of them would be lost. */
export function createManifest(
  about: Omit<Manifest, "formatVersion" | "files">,
  files: readonly BundleFile[],
): Manifest {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (let i = 1; i < sorted.length; i++)
    if (sorted[i]!.path === sorted[i - 1]!.path)
      throw new Error(`"${sorted[i]!.path}" was written twice. This is a bug of Offprint; please report it.`);
  return { formatVersion: 1, ...about, files: sorted };
}

/** One file a line, so that a diff of two manifests is readable. */
export function printManifest(manifest: Manifest): string {
  const { files, ...head } = manifest;
  const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(",\n");
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [\n${lines}\n  ]\n}\n`;
}

/** Files that agents read in place of pages. */
const agentFiles: ReadonlySet<string> = new Set(["llms.txt", "llms-full.txt", "skill.md"]);

/**
 * Paths of the pages (`/`, `/guides/install`) and of the files for agents (`/llms.txt`). A page has a Markdown version;
 * other HTML files are redirects, the page for unknown addresses, or the site's own files.
 */
export function publishedPaths({ files }: Pick<Manifest, "files">): ReadonlySet<string> {
  const html = new Set(files.flatMap(({ path }) => (path.endsWith(".html") ? [path.slice(0, -".html".length)] : [])));
  const published = new Set<string>();
  for (const { path } of files) {
    if (agentFiles.has(path)) published.add(`/${path}`);
    else if (path.endsWith(".md") && html.has(path.slice(0, -".md".length)))
      published.add(`/${path.slice(0, -".md".length).replace(/(?:^|\/)index$/, "")}`);
  }
  return published;
}
