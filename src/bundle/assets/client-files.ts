import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { builtFile } from "../../lib/package-root.js";
import { systemErrorCode } from "../../lib/system-error.js";
import { waitForFilesAsync } from "../../lib/wait-for-files.js";
import type { BundleFile } from "../archive/index.js";

/** Reads the files that `scripts/build-client.js` wrote. */
export function clientReader(folder = builtFile("client")) {
  return {
    read: async (name: string): Promise<Uint8Array> => {
      try {
        return await waitForFilesAsync(() => readFile(`${folder}/${name}`));
      } catch (cause) {
        if (systemErrorCode(cause) !== "ENOENT") throw cause;
        throw new Error(`The built client is incomplete: ${folder}/${name} cannot be read. Run npm run build.`, {
          cause,
        });
      }
    },
    /** Names of the files in a folder, sorted; none if it does not exist. */
    list: async (name: string): Promise<string[]> => {
      const entries = await readdir(`${folder}/${name}`, { withFileTypes: true }).catch(() => []);
      const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
      return names.sort();
    },
  };
}

export const ourFolder = "_offprint";

export type Output = ReturnType<typeof createOutput>;

/** Writes files of the bundle and remembers them. */
export function createOutput(write: (outputPath: string, bytes: Uint8Array) => void | Promise<void>) {
  const files: BundleFile[] = [];
  const put = async (path: string, bytes: Uint8Array): Promise<string> => {
    await write(path, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    files.push({ path, bytes: bytes.length, sha256 });
    return path;
  };
  return {
    files,
    plain: (name: string, bytes: Uint8Array) => put(`${ourFolder}/${name}`, bytes),
    /** Returns the path; its name contains a hash of the content. */
    hashed: (name: string, extension: string, bytes: Uint8Array) =>
      put(`${ourFolder}/${name}.${hashOf(bytes)}.${extension}`, bytes),
  };
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 8);
