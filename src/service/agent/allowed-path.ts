import { lstat, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

/** Folders and files that run programs or decide who may do what. */
const closed =
  /^(\.git|\.github|\.gitlab|\.gitea|\.forgejo|\.circleci|\.husky|\.githooks|\.devcontainer|\.vscode|node_modules)$/i;
const closedFile =
  /^(\.git.*|\.gitlab-ci.*|\.npmrc|\.yarnrc.*|\.env.*|jenkinsfile|makefile|dockerfile.*|codeowners|package\.json|.*[.-]lock(file)?|.*lock\.(json|yaml|yml)|bun\.lockb|.*\.(sh|bash|ps1|bat|cmd|exe|dll|so))$/i;
const maxPathLength = 1000;

/**
 * Why an agent may not write the file, as a sentence; undefined if it may.
 *
 * @param path relative to the site, with `/`.
 */
export function pathFault(path: string): string | undefined {
  const segments = path.split("/");
  const isPlain =
    path.length <= maxPathLength &&
    !/[\p{Cc}\\]/u.test(path) &&
    segments.every((segment) => !["", ".", ".."].includes(segment) && segment.length <= 255);
  if (!isPlain) return "It is not a path inside the site, such as guides/install.mdx.";
  if (segments.some((segment) => closed.test(segment.normalize("NFKC").replace(/[.\s\u200b-\u200f]+$/u, ""))))
    return "The agent changes nothing of the repository itself, of its pipelines and of its packages.";
  if (closedFile.test(segments.at(-1)!))
    return "The agent changes no programs, lock files and settings of the repository.";
  return undefined;
}

/**
 * The file to write, below `folder`, which is a real path. Its folders need not exist.
 *
 * @throws {Error} with a sentence that says why it may not be written: it leads through a symbolic link, is one, or is
 *   no plain file.
 */
export async function writablePath(folder: string, path: string): Promise<string> {
  const fault = pathFault(path);
  if (fault !== undefined) throw new Error(fault);
  const file = join(folder, path);
  // The nearest folder that exists must be where its name says.
  for (let at = dirname(file); ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real === undefined) {
      if (await lstat(at).catch(() => undefined)) throw new Error("It leads through a symbolic link.");
      continue;
    }
    if (real !== at || (at !== folder && !at.startsWith(folder + sep)))
      throw new Error("It leads through a symbolic link.");
    break;
  }
  const stats = await lstat(file).catch(() => undefined);
  if (stats && !stats.isFile()) throw new Error("It is a folder or a symbolic link, not a file.");
  if (stats && (stats.mode & 0o111) !== 0) throw new Error("It is a program.");
  return file;
}
