import { decodePercent, encodeUrl } from "./percent.js";
import { encodeSuffix } from "./suffix.js";
import { cleanUrl, isUnsafeUrl } from "./url-safety.js";

/** An address as typed, taken apart; nothing is looked up. */
export type WrittenAddress =
  | {
      readonly kind: "path";
      /** Decoded, `/` between its names; begins with `/` where it counts from the root. */
      readonly path: string;
      readonly suffix: string;
    }
  | SelfAddress
  | ExternalAddress
  | UnsafeAddress;

/** Means what it stands in: a place in it, or itself with a query. */
export interface SelfAddress {
  readonly kind: "self";
  /** `?query#fragment`, encoded. */
  readonly suffix: string;
}
export interface ExternalAddress {
  readonly kind: "external";
  readonly url: string;
  /** Opens another site; false for mail, telephone, programs. */
  readonly host: boolean;
}
/** Would run code or reach into the reader's machine. */
export interface UnsafeAddress {
  readonly kind: "unsafe";
}

export function parseAddress(written: string): WrittenAddress {
  const url = cleanUrl(written);
  if (url.startsWith("#")) return { kind: "self", suffix: encodeSuffix(url) };
  if (isUnsafeUrl(url)) return { kind: "unsafe" };
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return externalAddress(url);
  // From file:// an address without a scheme would be looked for on the reader's disk.
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
