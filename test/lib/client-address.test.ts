import { expect, test } from "vitest";
import { addressMatcher, clientAddress } from "../../src/lib/client-address.js";
import { jobsPath, openApiWorld } from "../support/api-world.js";

const trusted = ["10.0.0.0/8", "fd00::/8", "127.0.0.1"];
const cases: readonly [
  rule: string,
  connection: string | undefined,
  forwardedFor: string | undefined,
  client: string | undefined,
][] = [
  ["is the connection's without the header", "198.51.100.7", undefined, "198.51.100.7"],
  ["is the connection's if that is not a trusted proxy", "198.51.100.7", "203.0.113.9", "198.51.100.7"],
  ["is the one from a trusted proxy", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
  ["is the last one that is not a trusted proxy", "10.1.2.3", "1.1.1.1, 203.0.113.9, 10.9.9.9", "203.0.113.9"],
  ["is the farthest proxy if all are trusted", "10.1.2.3", "10.4.4.4, 10.9.9.9", "10.4.4.4"],
  ["is the proxy's if the header contains no address", "10.1.2.3", "unknown", "10.1.2.3"],
  ["is the nearest known one if a hop is not an address", "10.1.2.3", "203.0.113.9, x, 10.9.9.9", "10.9.9.9"],
  ["is IPv4 if it is mapped to IPv6", "::ffff:10.1.2.3", "::ffff:203.0.113.9", "203.0.113.9"],
  ["comes without port", "127.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
  ["comes without brackets and port", "fd00::1", "[2001:db8::9]:4711", "2001:db8::9"],
  ["comes without zone", "fe80::1%eth0", undefined, "fe80::1"],
  ["is unknown if the connection has none", undefined, "203.0.113.9", undefined],
];
for (const [rule, connection, forwardedFor, client] of cases)
  test(`a client's address ${rule}`, () => {
    expect(clientAddress(connection, forwardedFor, addressMatcher(trusted))).toBe(client);
  });

const ranges: readonly [range: string, address: string, inside: boolean][] = [
  ["203.0.113.9", "203.0.113.9", true],
  ["203.0.113.9", "203.0.113.10", false],
  ["203.0.113.0/24", "203.0.113.255", true],
  ["203.0.113.0/24", "203.0.114.0", false],
  ["2001:db8::/32", "2001:db8:1::1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["203.0.113.0/33", "203.0.113.0", false],
  ["docs.acme.com", "203.0.113.9", false],
  ["203.0.113.0/24", "docs.acme.com", false],
];
for (const [range, address, inside] of ranges)
  test(`${address} is ${inside ? "" : "not "}in ${range}`, () => {
    expect(addressMatcher([range])(address)).toBe(inside);
  });

test("a key's allowed addresses apply to the address from a trusted proxy only", async () => {
  const world = await openApiWorld({ trustedProxies: ["10.0.0.0/8"] });
  const { secret: key } = await world.newKey({ allowedAddresses: ["203.0.113.0/24"] });
  const status = async (from: string | undefined, forwardedFor: string) =>
    (await world.call("GET", jobsPath, { key, from, headers: { "X-Forwarded-For": forwardedFor } })).status;
  expect(await status("10.0.0.1", "203.0.113.9")).toBe(200);
  expect(await status("10.0.0.1", "203.0.113.9, 198.51.100.7")).toBe(403);
  expect(await status("198.51.100.7", "203.0.113.9")).toBe(403);
});
