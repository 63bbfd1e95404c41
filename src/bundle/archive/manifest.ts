/** A file of a bundle. */
export interface BundleFile {
  /** Relative to the bundle, with `/`: `guides/install.html`. */
  readonly path: string;
  readonly bytes: number;
  /** Of the content, in lower-case hex. */
  readonly sha256: string;
}

export const manifestName = "offprint.json";

/** Content of `offprint.json`, which suffices to verify a bundle and to copy only changed files. */
export interface Manifest {
  /** Version of this format. */
  readonly formatVersion: 1;
  readonly engineVersion: string;
  readonly siteName: string;
  readonly pageCount: number;
  /** `cloud`, `client-hosted` or `air-gapped`. */
  readonly deployment: string;
  /** The groups of readers that may read the bundle, sorted; absent: everyone. */
  readonly audience?: readonly string[];
  /** Origin of the assistant, `https://docs-api.example.com`; absent without one. */
  readonly assistant?: string;
  /** Origin of the service that counts page views; absent without one. */
  readonly analytics?: string;
  /** The base URL of the pages, if the address of the site is known. */
  readonly address?: { readonly baseUrl: string; readonly trailingSlash: boolean };
  /** The language and version of each search index, if the site has several. */
  readonly searchScopes?: readonly ManifestScope[];
  /** All files except the manifest itself, sorted by path. */
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

/** Prints a manifest with a line for each file, so that diffs are readable. */
export function printManifest(manifest: Manifest): string {
  const { files, ...head } = manifest;
  const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(",\n");
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [\n${lines}\n  ]\n}\n`;
}

/** Files that agents read instead of pages. */
const agentFiles: ReadonlySet<string> = new Set(["llms.txt", "llms-full.txt", "skill.md"]);

/** Paths of the pages, which have a Markdown version unlike other HTML files, and of the files for agents. */
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
