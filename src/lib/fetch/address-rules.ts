import { BlockList, isIP } from "node:net";

/**
 * Whether an address belongs to the public internet. Everything else is refused: this machine, private networks, the
 * metadata services of clouds, and tunnel addresses that contain one of those.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !closed4.check(address, "ipv4");
  if (version !== 6 || address.includes("%")) return false;
  return open6.check(address, "ipv6") && !closed6.check(address, "ipv6");
}

/**
 * Whether an address belongs to a network that an operator runs: this machine and the private ranges. The
 * metadata services of clouds are refused here too: they give credentials to anyone who asks.
 */
export function isOperatorAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return private4.check(address, "ipv4") && !metadata4.check(address, "ipv4");
  if (version !== 6 || address.includes("%")) return false;
  return private6.check(address, "ipv6") && !metadata6.check(address, "ipv6");
}

/** The last one is multicast, reserved and broadcast. */
const closed4 = subnets(
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 " +
    "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3",
);
/** The only range assigned to the public. */
const open6 = subnets("2000::/3");
/** Protocol assignments, tunnels and documentation. */
const closed6 = subnets("2001::/23 2001:db8::/32 2002::/16 3fff::/20");
const private4 = subnets("10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16");
const private6 = subnets("::1/128 fc00::/7");
const metadata4 = subnets("100.100.100.200/32");
const metadata6 = subnets("fd00:ec2::/32");

function subnets(ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(" ")) {
    const [net = "", prefix] = range.split("/");
    list.addSubnet(net, Number(prefix), isIP(net) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
