import { isIP } from "node:net";
import { isOperatorAddress, isPublicAddress } from "./address-rules.js";
import type { Network } from "./network.js";
import { Refusal } from "./refusal.js";

export interface Target {
  readonly url: URL;
  /** Without brackets. */
  readonly host: string;
  /** Checked; the connection goes here. */
  readonly address: string;
  /** Checked; tried in this order if the connection to `address` is refused: `localhost` has two. */
  readonly otherAddresses: readonly string[];
  readonly port: number;
}

/**
 * Checks an address and looks its name up.
 *
 * @param allowPrivate allows private networks too, and http:// inside them.
 * @throws {Refusal}
 */
export async function checkTarget(written: string, network: Network, allowPrivate: boolean): Promise<Target> {
  if (!URL.canParse(written)) throw new Refusal("it is not a valid address");
  const url = new URL(written);
  const isPlain = url.protocol === "http:" && allowPrivate;
  if (url.protocol !== "https:" && !isPlain)
    throw new Refusal(`only https:// is fetched, and this is ${url.protocol}//`);
  if (url.username !== "" || url.password !== "") throw new Refusal("it contains a user name or password");
  // URL writes every form of an IP address in its usual one.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [host] : await network.resolve(host);
  const [address, ...otherAddresses] = addresses;
  if (address === undefined) throw new Refusal("its name has no address");
  const isAllowed = (each: string): boolean => isPublicAddress(each) || (allowPrivate && isOperatorAddress(each));
  if (!addresses.every(isAllowed))
    throw new Refusal(
      `"${url.hostname}" is ${allowPrivate ? "neither on the public internet nor in a private network" : "not on the public internet"}`,
    );
  if (isPlain && !addresses.every(isOperatorAddress))
    throw new Refusal(`http:// is only allowed in private networks, and "${url.hostname}" is on the public internet`);
  return { url, host, address, otherAddresses, port: url.port === "" ? (isPlain ? 80 : 443) : Number(url.port) };
}
