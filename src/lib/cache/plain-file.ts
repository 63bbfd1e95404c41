import { constants } from "node:fs";
import { open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";

/**
 * The content of a file of a folder into which another process writes, which is not trusted: undefined for a link, for a
 * file that has another name somewhere, in a folder that is not `folder` any more, and above `maxBytes`.
 *
 * @param folder a real path.
 */
export async function readPlainFile(folder: string, name: string, maxBytes: number): Promise<Buffer | undefined> {
  const path = join(folder, name);
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.nlink !== 1 || stats.size > maxBytes) return undefined;
      const opened = process.platform === "linux" ? await readlink(`/proc/self/fd/${file.fd}`) : await realpath(path);
      if (opened !== path) return undefined;
      const bytes = Buffer.allocUnsafe(stats.size);
      let end = 0;
      while (end < bytes.length) {
        const { bytesRead } = await file.read(bytes, end, bytes.length - end, end);
        if (bytesRead === 0) return undefined;
        end += bytesRead;
      }
      return bytes;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
