import { decodePercent, encodeSuffix, encodeUrl } from "./paths.js";

/** The parts of an address as written; nothing is looked up. */
export type WrittenAddress =
  | {
      readonly kind: "path";
      /** Decoded, with `/` between its names; starts with `/` if it is relative to the root. */
      readonly path: string;
      readonly suffix: string;
    }
  | SelfAddress
  | ExternalAddress
  | UnsafeAddress;

/** An address on the same page: an anchor, or the page with a query. */
export interface SelfAddress {
  readonly kind: "self";
  /** `?query#fragment`, encoded. */
  readonly suffix: string;
}
export interface ExternalAddress {
  readonly kind: "external";
  readonly url: string;
  /** True for another site; false for mail, telephone, programs. */
  readonly host: boolean;
}
/** An address that would run code or open files of the reader's machine. */
export interface UnsafeAddress {
  readonly kind: "unsafe";
}

export function parseAddress(written: string): WrittenAddress {
  const url = cleanUrl(written);
  if (url.startsWith("#")) return { kind: "self", suffix: encodeSuffix(url) };
  if (isUnsafeUrl(url)) return { kind: "unsafe" };
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return externalAddress(url);
  // On a page opened from file://, an address without a scheme would lead to the reader's disk.
  if (/^[\\/]{2}/.test(url)) return externalAddress(`https://${url.replace(/^[\\/]+/, "")}`);
  const tail = url.search(/[?#]/);
  const suffix = tail < 0 ? "" : encodeSuffix(url.slice(tail));
  const path = decodePercent(tail < 0 ? url : url.slice(0, tail)).replaceAll("\\", "/");
  return path === "" ? { kind: "self", suffix } : { kind: "path", path, suffix };
}

const externalAddress = (url: string): ExternalAddress => ({
  kind: "external",
  url: encodeUrl(url),
  host: /^(?:https?|ftps?):/i.test(url),
});

/** Strips what browsers strip: tabs and line breaks everywhere, spaces and control characters at both ends. */
export function cleanUrl(written: string): string {
  let start = 0;
  let end = written.length;
  while (start < end && isStripped(written.charCodeAt(start))) start++;
  while (end > start && isStripped(written.charCodeAt(end - 1))) end--;
  const url = written.slice(start, end).toWellFormed();
  return /[\0\t\n\r]/.test(url) ? url.replace(/[\0\t\n\r]/g, "") : url;
}

const isStripped = (code: number): boolean => code <= 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0xfeff;

const hidden = /[\0-\x20\x7f-\xa0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]/g;
const unsafeScheme =
  /^(?:javascript|vbscript|livescript|mocha|data|file|blob|filesystem|view-source|mhtml):|^[a-z]:[\\/]/i;

/** Whether an address can run code or open files of the reader's machine, so that no link, frame or form may use it. */
export const isUnsafeUrl = (url: string): boolean => url.includes(":") && unsafeScheme.test(url.replace(hidden, ""));

/** Whether a URL is an image in a data URL, which an `img` shows without running code in it. */
export const isImageData = (url: string): boolean => /^data:image\/[a-z0-9.+-]+[;,]/i.test(url);

/** An absolute http(s) address; undefined for anything else. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined;
}

/** Whether a text starts like a web address, valid or not. */
export const isHttpAddress = (written: string): boolean => /^https?:\/\//i.test(written);
