import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtFile } from "../../lib/package-root.js";
import { systemErrorCode } from "../../lib/system-error.js";
import { waitForFiles } from "../../lib/wait-for-files.js";
import type { BundleFile } from "../archive/index.js";

/** The folder of our files in a bundle; a site cannot have one with this name. */
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
  const read = (name: string): Uint8Array => {
    try {
      return waitForFiles(() => readFileSync(`${folder}/${name}`));
    } catch (cause) {
      if (systemErrorCode(cause) !== "ENOENT") throw cause;
      const message = `The built client is incomplete: ${folder}/${name} cannot be read. Run npm run build.`;
      throw new Error(message, { cause });
    }
  };
  /** Names of the files in a folder, sorted; none if it does not exist. */
  const list = (name: string): string[] => {
    const place = `${folder}/${name}`;
    const entries = existsSync(place) ? readdirSync(place, { withFileTypes: true }) : [];
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  };
  return {
    files,
    read,
    list,
    writeHashed,
    script: (name: string): Promise<string> => writeHashed(name, "js", read(`${name}.js`)),
    /** A style sheet that only some pages need. */
    part: (name: string): Promise<string> => writeHashed(name, "css", read(`on-demand/${name}.css`)),
    /** The texts of all these style sheets. */
    partText: (): string =>
      list("on-demand")
        .map((file) => String(read(`on-demand/${file}`)))
        .join(""),
    /** The paths of all these style sheets by name, as `part` returns them. Writes nothing. */
    partPaths(): Record<string, string> {
      const names = list("on-demand").map((file) => file.replace(/\.css$/, ""));
      return Object.fromEntries(names.map((name) => [name, hashedPath(name, "css", read(`on-demand/${name}.css`))]));
    },
    async copyFolder(name: string): Promise<void> {
      for (const file of list(name)) await put(`${ourFolder}/${name}/${file}`, read(`${name}/${file}`));
    },
  };
}
