import { decodePercent, encodeSuffix, encodeUrl } from "./paths.js";
import { cleanUrl, isUnsafeUrl } from "./url-safety.js";

/** The parts of an address as typed; nothing is looked up. */
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

/** Leads to the page that it is on: to an anchor, or to the page with a query. */
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
/** Would run code or open files of the reader's machine. */
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
