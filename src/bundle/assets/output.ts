import { createHash } from "node:crypto";
import type { BundleFile } from "../archive/index.js";

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
