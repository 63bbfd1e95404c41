import { BlockList, isIP } from "node:net";

/** Tests whether an address is in one of the addresses and CIDR ranges. Invalid ranges match nothing. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { address, bits } of ranges.map(parseRange).filter((range) => range !== undefined))
    list.addSubnet(address, bits, familyOf(address));
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** An address or CIDR range: `203.0.113.0/24`, `2001:db8::/32`. */
export const isAddressRange = (text: string): boolean => parseRange(text) !== undefined;

function parseRange(text: string): { readonly address: string; readonly bits: number } | undefined {
  const [, address = "", prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  if (isIP(address) === 0) return undefined;
  const maxBits = isIP(address) === 4 ? 32 : 128;
  const bits = prefix === undefined ? maxBits : Number(prefix);
  return bits <= maxBits ? { address, bits } : undefined;
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");

/**
 * The client's address: the address of the connection or, behind trusted proxies, the last one in X-Forwarded-For that is
 * not a trusted proxy. Undefined if the connection has no address.
 */
export function clientAddress(
  connection: string | undefined,
  forwardedFor: string | undefined,
  isTrusted: (address: string) => boolean,
): string | undefined {
  let address = connection && plain(connection);
  const hops = (forwardedFor ?? "").split(",").map((hop) => plain(hop.trim()));
  while (address !== undefined && isTrusted(address)) {
    const hop = hops.pop();
    if (hop === undefined || isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** Removes brackets, port and zone; converts IPv4-mapped addresses to IPv4. */
const plain = (address: string): string =>
  address
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, "$1");

/** The /64 network of an IPv6 address, which usually belongs to one client; an IPv4 address as it is. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [before = "", after] = address.toLowerCase().split("::");
  const groups = (text: string): string[] => text.split(":").filter((group) => group !== "");
  const first = groups(before);
  const last = groups(after ?? "");
  const zeros = after === undefined ? [] : Array(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
