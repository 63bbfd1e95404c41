import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { builtFile } from "../../lib/package-root.js";
import { systemErrorCode } from "../../lib/system-error.js";
import { waitForFilesAsync } from "../../lib/wait-for-files.js";
import type { BundleFile } from "../archive/index.js";

/** The folder of the bundle that a site cannot use. */
const ourFolder = "_offprint";

/** Writes a file of the bundle, and creates its folders if needed. */
export type WriteAsset = (outputPath: string, bytes: Uint8Array) => void | Promise<void>;

export type ClientFiles = ReturnType<typeof createClientFiles>;

/** Reads the files that `scripts/build-client.js` wrote, writes files of the bundle, and remembers the latter. */
export function createClientFiles(write: WriteAsset, folder = builtFile("client")) {
  const files: BundleFile[] = [];
  const put = async (path: string, bytes: Uint8Array): Promise<string> => {
    await write(path, bytes);
    files.push({ path, bytes: bytes.length, sha256: hash("sha256", bytes, "hex") });
    return path;
  };
  const hashedPath = (name: string, extension: string, bytes: Uint8Array): string =>
    `${ourFolder}/${name}.${hash("sha256", bytes, "hex").slice(0, 8)}.${extension}`;
  /** Returns the path; its name contains a hash of the content. */
  const writeHashed = (name: string, extension: string, content: string | Uint8Array): Promise<string> => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    return put(hashedPath(name, extension, bytes), bytes);
  };
  const read = async (name: string): Promise<Uint8Array> => {
    try {
      return await waitForFilesAsync(() => readFile(`${folder}/${name}`));
    } catch (cause) {
      if (systemErrorCode(cause) !== "ENOENT") throw cause;
      const message = `The built client is incomplete: ${folder}/${name} cannot be read. Run npm run build.`;
      throw new Error(message, { cause });
    }
  };
  /** Names of the files in a folder, sorted; none if it does not exist. */
  const list = async (name: string): Promise<string[]> => {
    const entries = await readdir(`${folder}/${name}`, { withFileTypes: true }).catch(() => []);
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  };
  return {
    files,
    read,
    list,
    writeHashed,
    script: async (name: string): Promise<string> => writeHashed(name, "js", await read(`${name}.js`)),
    /** A style sheet that only some pages need. */
    part: async (name: string): Promise<string> => writeHashed(name, "css", await read(`parts/${name}.css`)),
    /** The path that `part` gives to each of them, by name; nothing is written. */
    async partPaths(): Promise<Record<string, string>> {
      const names = (await list("parts")).map((file) => file.replace(/\.css$/, ""));
      const paths = names.map(
        async (name) => [name, hashedPath(name, "css", await read(`parts/${name}.css`))] as const,
      );
      return Object.fromEntries(await Promise.all(paths));
    },
    async copyFolder(name: string): Promise<void> {
      for (const file of await list(name)) await put(`${ourFolder}/${name}/${file}`, await read(`${name}/${file}`));
    },
  };
}
