import { lstat, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

/** Kinds of files that a site consists of. Files that readers' browsers run are not among them. */
const siteFile = /\.(?:mdx?|json|ya?ml|graphqls?|gql|css|png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|m4v|webm|mov|ogv)$/;
/** Files that platforms run or obey once they are pushed, before anybody reviews them. */
const platformFile = new RegExp(
  `^(?:${[
    ...["azure-pipelines", "bitbucket-pipelines", "cloudbuild", "buildspec", "appspec", "gitlab-ci", "jenkins"],
    ...["docker-compose", "serverless", "renovate", "tsconfig", "jsconfig", "package", "pnpm", "npm-shrinkwrap"],
  ].join("|")}).*\\.(?:json|ya?ml)$|^(?:${[
    ...["action", "amplify", "appveyor", "codemagic", "codefresh", "wercker", "cirrus", "drone", "woodpecker"],
    ...["semaphore", "travis", "circle", "compose", "skaffold", "kustomization", "chart", "netlify", "vercel", "now"],
    ...["firebase", "wrangler", "staticwebapp\\.config", "dependabot", "mergify", "codecov", "lefthook", "taskfile"],
    ...["pre-commit-config", "mkdocs", "_config", "readthedocs", "pubspec", "composer", "deno", "lerna", "nx", "turbo"],
    ...["babel\\.config", "biome", "angular", "mcp", ".*[.-]?lock"],
  ].join("|")})\\.(?:json|ya?ml)$`,
);
const maxPathLength = 1000;

/** A name as file systems and people compare it: without case, look-alikes and invisible characters. */
export const foldedName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase();

/** Why an agent may not read the file in any site, as a sentence. @param path relative to the site, with `/`. */
export function readFault(path: string): string | undefined {
  const segments = path.split("/");
  const isPlain =
    path.length <= maxPathLength &&
    path === path.normalize("NFC") &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\:*?"<>|]/u.test(path) &&
    segments.every((segment) => /^[^\s].*[^\s.]$|^[^\s.]$/u.test(segment) && segment.length <= 255);
  if (!isPlain || segments.some((segment) => segment === ".."))
    return "It is not a path inside the site, such as guides/install.mdx.";
  const names = segments.map(foldedName);
  if (names.some((name) => name.startsWith(".") || name === "node_modules" || /^[^.]{1,6}~\d/.test(name)))
    return "The agent does not change hidden files or packages.";
  if (names.some((name) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/.test(name)))
    return "Windows does not allow this file name, so the repository could not be checked out there.";
  return undefined;
}

/**
 * Why an agent may not write the file in any site, as a sentence; undefined if it may where the site reads the file:
 * see `readSiteRule`.
 *
 * @param path relative to the site, with `/`.
 */
export function pathFault(path: string): string | undefined {
  const fault = readFault(path);
  if (fault !== undefined) return fault;
  const name = foldedName(path.split("/").at(-1)!);
  if (!siteFile.test(name) || !siteFile.test(path.toLowerCase()))
    return "The agent only changes docs.json, pages, snippets, specifications, style sheets and media.";
  if (platformFile.test(name)) return "The agent does not change files that platforms execute, such as CI pipelines.";
  return undefined;
}

/**
 * The file at a path below `folder`, which is a real path. Its folders need not exist.
 *
 * @throws {Error} with a sentence that says why an agent may not use it: it leads through a symbolic link, is one, or
 *   is no plain file.
 */
export async function plainFile(folder: string, path: string): Promise<string> {
  const file = join(folder, path);
  // The nearest folder that exists must be where its name says.
  for (let at = dirname(file); ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real === undefined) {
      if (await lstat(at).catch(() => undefined)) throw new Error("The path goes through a symbolic link.");
      continue;
    }
    if (real !== at || (at !== folder && !at.startsWith(folder + sep)))
      throw new Error("The path goes through a symbolic link.");
    break;
  }
  const stats = await lstat(file).catch(() => undefined);
  if (stats && !stats.isFile()) throw new Error("It is a folder or a symbolic link, not a file.");
  if (stats && (stats.mode & 0o111) !== 0) throw new Error("It is executable.");
  return file;
}
