import { readdir, readFile } from "node:fs/promises";
import { builtFile } from "../../lib/package-root.js";
import { systemErrorCode } from "../../lib/system-error.js";
import { waitForFilesAsync } from "../../lib/wait-for-files.js";

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
