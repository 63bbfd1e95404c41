import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isSvgText, mediaTypeOf, svgType } from "../../lib/media-type.js";
import { createPixelSizeReader, type PixelSize } from "../../lib/pixel-size.js";
import { isOutOfFiles, waitForFiles } from "../../lib/wait-for-files.js";
import type { SiteFiles } from "../../site/source/index.js";

/** An image of the site: its size in CSS pixels, if it has one, and a fault of its content. */
interface MeasuredImage extends Partial<PixelSize> {
  /** `what` is the end of a sentence: `is empty`. */
  readonly fault?: { readonly what: string; readonly severity: "warning" | "hint" };
}
/** Undefined if there is no such file. */
export type ImageMeter = (sourcePath: string) => MeasuredImage | undefined;

/** Enough bytes for the size in every format, except some photos. */
const headerBytes = 64 * 1024;
/** Enough bytes for photos that begin with a preview and a colour profile. */
const largeHeaderBytes = 1024 * 1024;

/** Reads only the beginning of each file, once. @throws {Error} of the file system, if too many files are open. */
export async function createImageMeter(files: SiteFiles): Promise<ImageMeter> {
  const read = await createPixelSizeReader();
  const measured = new Map<string, MeasuredImage | undefined>();

  const measure = (path: string): MeasuredImage | undefined => {
    try {
      const head = readHead(path, headerBytes);
      const size = read(head) ?? read(readHead(path, largeHeaderBytes));
      const fault = faultOf(path, head) ?? hintOf(statSync(path).size, size, head);
      return fault === undefined ? size : { ...size, fault };
    } catch (error) {
      // If the file cannot be read, copying it reports that.
      if (isOutOfFiles(error)) throw error;
      return undefined;
    }
  };
  return (sourcePath) => {
    if (!measured.has(sourcePath))
      measured.set(sourcePath, files.has(sourcePath) ? measure(files.absolutePath(sourcePath)) : undefined);
    return measured.get(sourcePath);
  };
}

type Fault = NonNullable<MeasuredImage["fault"]>;
const unusable = (what: string): Fault => ({ what, severity: "warning" });

/** Hints at large files, and at an SVG without a `viewBox` that does not shrink to the width of a page, about 600. */
function hintOf(bytes: number, size: PixelSize | undefined, head: Uint8Array): Fault | undefined {
  if (bytes > largeBytes)
    return { what: `has ${(bytes / 1e6).toFixed(1)} MB, which readers wait for`, severity: "hint" };
  const root = size && size.width > 600 && /<svg\s[^>]*>/.exec(Buffer.from(head.subarray(0, 4096)).toString());
  return root && !/\sviewBox\s*=/i.test(root[0])
    ? { what: `has no viewBox in its <svg>, so narrow screens show only a part of it`, severity: "hint" }
    : undefined;
}
const largeBytes = 5e6;

/** Browsers show a JPEG named PNG, but not an SVG named PNG or a PNG named SVG. */
function faultOf(path: string, head: Uint8Array): Fault | undefined {
  const named = /\.(png|jpe?g|gif|webp|avif|svg|ico|bmp)$/i.exec(path)?.[1]?.toLowerCase().replace("jpeg", "jpg");
  if (named === undefined) return undefined;
  if (head.length === 0) return unusable("is empty");
  const type = mediaTypeOf(head);
  const text = type ? "" : Buffer.from(head).toString();
  if (text.startsWith("version https://git-lfs")) return unusable("is a placeholder of Git LFS, not the image");
  const actual = type ?? (isSvgText(text) ? svgType : undefined);
  if (actual?.group !== "image")
    return unusable(/^\s*<(?:!doctype html|html)\b/i.test(text) ? "is an HTML page, not an image" : "is not an image");
  const root = actual === svgType ? /<svg[\s/>][^>]*/i.exec(text) : undefined;
  if (root && !/\sxmlns\s*=/.test(root[0]))
    return unusable('has no xmlns="http://www.w3.org/2000/svg" in its <svg>, so browsers do not show it');
  if (actual.extension === named) return undefined;
  const what = `contains ${actual.extension.toUpperCase()}, although its name says ${named.toUpperCase()}`;
  if (actual === svgType || named === "svg") return unusable(`${what}, so browsers do not show it on most hosts`);
  return { what: `${what}; browsers show it, but some hosts and programs do not`, severity: "hint" };
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
