import { lookup } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { addressMatcher } from "../client-address.js";

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

/** Checks an address and looks it up. @param allowPrivate private networks, and http:// there. @throws {Refusal} */
export async function checkTarget(written: string, network: Network, allowPrivate: boolean): Promise<Target> {
  if (!URL.canParse(written)) throw new Refusal("it is not a valid URL");
  const url = new URL(written);
  const isPlain = url.protocol === "http:" && allowPrivate;
  if (url.protocol !== "https:" && !isPlain)
    throw new Refusal(`only https:// is fetched, and this is ${url.protocol}//`);
  if (url.username !== "" || url.password !== "") throw new Refusal("it contains a user name or password");
  // `URL` normalizes every notation of an IP address.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [host] : await network.resolve(host);
  const [address, ...otherAddresses] = addresses;
  if (address === undefined) throw new Refusal("its host name has no IP address");
  const isAllowed = (ip: string): boolean => isPublicAddress(ip) || (allowPrivate && isOperatorAddress(ip));
  if (!addresses.every(isAllowed))
    throw new Refusal(
      `"${url.hostname}" is ${allowPrivate ? "neither on the public internet nor in a private network" : "not on the public internet"}`,
    );
  if (isPlain && !addresses.every(isOperatorAddress))
    throw new Refusal(`http:// is only allowed in private networks, and "${url.hostname}" is on the public internet`);
  return { url, host, address, otherAddresses, port: url.port === "" ? (isPlain ? 80 : 443) : Number(url.port) };
}

/** Whether an address is public: not of this machine, private networks, clouds' metadata, or their tunnels. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !isClosed4(address);
  if (version !== 6 || address.includes("%")) return false;
  return isOpen6(address) && !isClosed6(address) && !isMetadata6(address);
}

/** Whether an address is of this machine or a private range, but not of a cloud's metadata service. */
export function isOperatorAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return isPrivate4(address) && address !== "100.100.100.200";
  if (version !== 6 || address.includes("%")) return false;
  return isPrivate6(address) && !isMetadata6(address);
}

/** A metadata service, at its own address or behind a NAT64 prefix of any network. */
const isMetadata6 = (address: string): boolean =>
  isCloudMetadata6(address) || metadataTail.test(new URL(`http://[${address}]`).hostname);

/** 168.63.129.16 is Azure's wire server. The last one is multicast, reserved and broadcast. */
const isClosed4 = subnets(
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 " +
    "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3",
);

/** The only range of public addresses. */
const isOpen6 = subnets("2000::/3");

/** Protocol assignments, tunnels and documentation. */
const isClosed6 = subnets("2001::/23 2001:db8::/32 2002::/16 3fff::/20");
const isPrivate4 = subnets("10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16");
const isPrivate6 = subnets("::1/128 fc00::/7");

/** The metadata services of AWS, Google Cloud and Scaleway. */
const isCloudMetadata6 = subnets("fd00:ec2::/32 fd20:ce::254/128 fd00:42::42/128");

/** 169.254.169.254, 169.254.170.2, 169.254.170.23, 100.100.100.200, 168.63.129.16 and 192.0.0.192 as the last 32 bits. */
const metadataTail = /:(?:a9fe:a9fe|a9fe:aa02|a9fe:aa17|6464:64c8|a83f:8110|c000:c0)\]$/;

function subnets(ranges: string): (address: string) => boolean {
  return addressMatcher(ranges.split(" "));
}

/** Name look-up, connections, and certificates to trust in addition to those that Node knows. */
export interface Network {
  /** Every address of a name. */
  resolve(host: string): Promise<readonly string[]>;
  connect(address: string, port: number): Socket;
  readonly ca?: string;
}

export const realNetwork: Network = {
  resolve: async (host) => (await lookup(host, { all: true, order: "verbatim" })).map(({ address }) => address),
  connect: (address, port) => connect({ host: address, port }),
};

/** A refused request, returned to the caller as a value. The message completes a sentence after "because". */
export class Refusal extends Error {
  constructor(
    message: string,
    /** The status that the server answered, if that is the reason. */
    readonly status?: number,
  ) {
    super(message);
  }
}
