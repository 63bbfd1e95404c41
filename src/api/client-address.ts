import { BlockList, isIP } from "node:net";

/** Tells whether an address lies in one of the addresses and CIDR ranges; what is neither matches nothing. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.trim().split("/");
    const family = isIP(address);
    if (family === 0) continue;
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
    if (!Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) continue;
    list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/**
 * The address of whoever sent the request: the connection's, or where a trusted proxy made that, the nearest one of
 * X-Forwarded-For that is not itself a trusted proxy. Undefined if the connection has none.
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

/** Without brackets, port and zone; an IPv4 address within IPv6 as IPv4. */
const plain = (address: string): string =>
  address
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, "$1");
