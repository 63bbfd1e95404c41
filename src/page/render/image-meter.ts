import { closeSync, openSync, readSync } from "node:fs";
import { createPixelSizeReader, type PixelSize } from "../../lib/pixel-size.js";
import { isOutOfFiles, waitForFiles } from "../../lib/wait-for-files.js";
import type { SiteFiles } from "../../site/source/index.js";

/** Size of an image of the site in CSS pixels; undefined if the file is not an image or has no size. */
export type ImageMeter = (sourcePath: string) => PixelSize | undefined;

/** Contains the size in all formats but some photos. */
const headerBytes = 64 * 1024;
/** Contains the size of photos that begin with a preview and a colour profile. */
const largeHeaderBytes = 1024 * 1024;

/** Reads only the beginning of each file, once. @throws {Error} of the file system, if too many files are open. */
export async function createImageMeter(files: SiteFiles): Promise<ImageMeter> {
  const read = await createPixelSizeReader();
  const sizes = new Map<string, PixelSize | undefined>();

  const sizeOf = (path: string, bytes: number): PixelSize | undefined => {
    try {
      return read(readHead(path, bytes));
    } catch (error) {
      // Copying the file reports that it is gone or cannot be read.
      if (isOutOfFiles(error)) throw error;
      return undefined;
    }
  };
  return (sourcePath) => {
    if (!sizes.has(sourcePath)) {
      const path = files.has(sourcePath) ? files.absolutePath(sourcePath) : undefined;
      sizes.set(
        sourcePath,
        path === undefined ? undefined : (sizeOf(path, headerBytes) ?? sizeOf(path, largeHeaderBytes)),
      );
    }
    return sizes.get(sourcePath);
  };
}

function readHead(path: string, bytes: number): Uint8Array {
  const file = waitForFiles(() => openSync(path, "r"));
  try {
    const head = new Uint8Array(bytes);
    return head.subarray(0, readSync(file, head, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}
