import { readFileSync } from "node:fs";
import { createServer as createHttps, type Server } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Connections,
  type FetchOutcome,
  guardedBytes,
  guardedFetch,
  type Network,
} from "../../../src/lib/fetch/index.js";
import { isPublicAddress } from "../../../src/lib/fetch/target.js";

const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const publicAddress = "93.184.215.14";

describe("an address", () => {
  const cases: readonly (readonly [address: string, isPublic: boolean])[] = [
    ["93.184.215.14", true],
    ["1.1.1.1", true],
    ["172.15.0.1", true],
    ["172.32.0.1", true],
    ["2606:4700::1111", true],
    ["127.0.0.1", false],
    ["127.8.9.10", false],
    ["0.0.0.0", false],
    ["10.1.2.3", false],
    ["100.64.0.1", false],
    ["169.254.169.254", false],
    ["168.63.129.16", false],
    ["168.63.129.17", true],
    ["100.100.100.200", false],
    ["192.0.0.192", false],
    ["::ffff:168.63.129.16", false],
    ["64:ff9b::168.63.129.16", false],
    ["2606:4700:64::169.254.169.254", false],
    ["2606:4700:64::a83f:8110", false],
    ["172.16.0.1", false],
    ["172.31.255.255", false],
    ["192.168.1.1", false],
    ["192.0.2.1", false],
    ["198.18.0.1", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["::", false],
    ["::1", false],
    ["::ffff:127.0.0.1", false],
    ["::ffff:93.184.215.14", false],
    ["64:ff9b::a00:1", false],
    ["2002:7f00:1::", false],
    ["2001:db8::1", false],
    ["2001:0:5ef5:79fd::1", false],
    ["fc00::1", false],
    ["fd12::1", false],
    ["fe80::1", false],
    ["fe80::1%eth0", false],
    ["ff02::1", false],
    ["example.com", false],
    ["", false],
  ];
  for (const [address, isPublic] of cases)
    test(`${address || "(none)"} is ${isPublic ? "" : "not "}public`, () =>
      expect(isPublicAddress(address)).toBe(isPublic));
});

describe("guardedFetch", () => {
  let server: Server;
  let port = 0;
  const asked: string[] = [];
  const connections: string[] = [];
  const used = new WeakSet<object>();

  beforeAll(async () => {
    server = createHttps(
      { key: beside("test-only-key.pem"), cert: beside("test-only-certificate.pem") },
      (request, response) => {
        asked.push(`${request.headers.host}${request.url}`);
        const { pathname, searchParams } = new URL(request.url!, "https://specs.example");
        const to = searchParams.get("to");
        if (to !== null) response.writeHead(302, { location: to }).end("moved");
        else if (pathname === "/once") {
          if (used.has(request.socket)) request.socket.destroy();
          else response.end("first");
          used.add(request.socket);
        } else if (pathname === "/spec.json") response.end('\ufeff{"openapi":"3.1.0"}');
        else if (pathname === "/gzip") response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
        else if (pathname === "/bomb")
          response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(20_000_000)));
        else if (pathname === "/zstd") response.writeHead(200, { "content-encoding": "zstd" }).end("x");
        else if (pathname === "/large") response.end(Buffer.alloc(2_000_000, "a"));
        else if (pathname === "/endless") {
          const pour = (): void => {
            while (!response.destroyed && response.write("a".repeat(65_536)));
            if (!response.destroyed) response.once("drain", pour);
          };
          pour();
        } else if (pathname === "/slow") response.write("a");
        else if (pathname === "/silent") return;
        else if (pathname === "/cut") {
          response.writeHead(200, { "content-length": "100" });
          response.write("a", () => response.destroy());
        } else if (pathname === "/headers") response.end(JSON.stringify(request.headers));
        else response.writeHead(404).end("nothing here");
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Names resolve as the test says; every connection ends at the server of the test. */
  const network = (names: Readonly<Record<string, readonly string[]>> = {}): Network => ({
    resolve: async (host) => names[host] ?? [publicAddress],
    connect: (address, toPort) => {
      connections.push(`${address}:${toPort}`);
      return connect(port, "127.0.0.1");
    },
    ca: beside("test-only-certificate.pem"),
  });
  const get = (url: string, names?: Readonly<Record<string, readonly string[]>>): Promise<FetchOutcome> =>
    guardedFetch(url, {
      network: network(names),
      maxBytes: 1_000_000,
      timeoutMs: /\/(?:slow|silent)$/.test(url) ? 1500 : 60_000,
    });

  test("returns the text without a byte-order mark, over a connection to the address it checked", async () => {
    connections.length = 0;
    expect(await get("https://specs.example/spec.json")).toEqual({ ok: true, text: '{"openapi":"3.1.0"}' });
    expect(connections).toEqual([`${publicAddress}:443`]);
  });

  test("decompresses a compressed response", async () => {
    expect(await get("https://specs.example/gzip")).toEqual({ ok: true, text: "packed" });
  });

  test("sends the host name, with a port only if that is not 443", async () => {
    asked.length = 0;
    await get("https://specs.example/spec.json");
    await get("https://specs.example:8443/spec.json");
    expect(asked).toEqual(["specs.example/spec.json", "specs.example:8443/spec.json"]);
  });

  test("sends no credentials", async () => {
    const answer = await get("https://specs.example/headers");
    const headers = answer.ok ? Object.keys(JSON.parse(answer.text) as object).sort() : [];
    expect(headers).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  test("follows a redirect to another public host", async () => {
    const to = encodeURIComponent("https://cdn.specs.example/spec.json");
    expect(await get(`https://specs.example/?to=${to}`)).toMatchObject({ ok: true });
    expect(await get("https://specs.example/a/b?to=/spec.json")).toMatchObject({ ok: true });
  });

  const refused: readonly (readonly [rule: string, url: string, reason: RegExp])[] = [
    ["http", "http://specs.example/spec.json", /only https/],
    ["a file", "file:///etc/passwd", /only https/],
    ["data", "data:application/json,{}", /only https/],
    ["another scheme", "gopher://specs.example/", /only https/],
    ["a text that is not an address", "https://", /not a valid URL/],
    ["a user name", "https://me:secret@specs.example/spec.json", /user name/],
    ["this machine by number", "https://127.0.0.1/spec.json", /public internet/],
    ["this machine by one number", "https://2130706433/", /public internet/],
    ["this machine in octal", "https://0177.0.0.1/", /public internet/],
    ["this machine in hexadecimal", "https://0x7f.1/", /public internet/],
    ["zero", "https://0/", /public internet/],
    ["this machine in IPv6", "https://[::1]/", /public internet/],
    ["IPv4 inside IPv6", "https://[::ffff:10.0.0.1]/", /public internet/],
    ["the metadata of a cloud", "https://169.254.169.254/latest", /public internet/],
    ["a name of a private address", "https://inside.example/", /public internet/],
    ["a name with one private address among others", "https://both.example/", /public internet/],
    ["a name without an address", "https://none.example/", /no IP address/],
    [
      "a redirect to a private address",
      `https://specs.example/?to=${encodeURIComponent("https://inside.example/")}`,
      /public internet/,
    ],
    [
      "a redirect to http",
      `https://specs.example/?to=${encodeURIComponent("http://specs.example/spec.json")}`,
      /only https/,
    ],
    ["a redirect to a file", `https://specs.example/?to=${encodeURIComponent("file:///etc/passwd")}`, /only https/],
    ["redirects in a circle", "https://specs.example/?to=?to=", /redirects more than 5 times|answered/],
    ["a missing file", "https://specs.example/nothing", /answered 404/],
    ["a file that is too large", "https://specs.example/large", /larger than/],
    ["what unpacks to too much", "https://specs.example/bomb", /larger than/],
    ["what has no end", "https://specs.example/endless", /larger than/],
    ["an unknown encoding", "https://specs.example/zstd", /encoded/],
    ["what stops in the middle", "https://specs.example/cut", /could not be reached/],
    ["what goes on too slowly", "https://specs.example/slow", /within 1.5 seconds/],
    ["what never answers", "https://specs.example/silent", /within 1.5 seconds/],
    ["a certificate of another name", "https://other.example/spec.json", /could not be reached/],
  ];
  const names = { "inside.example": ["10.0.0.5"], "both.example": [publicAddress, "127.0.0.1"], "none.example": [] };
  for (const [rule, url, reason] of refused)
    test(`refuses ${rule}`, async () => {
      const outcome = await get(url, names);
      expect(outcome).toMatchObject({ ok: false });
      expect(outcome.ok ? "" : outcome.reason).toMatch(reason);
    });

  test("sends nothing to a private address, not even after a redirect", () => {
    expect(asked.filter((each) => !each.includes("specs.example"))).toEqual([]);
    expect(connections.every((each) => each.startsWith(publicAddress))).toBe(true);
  });

  test("uses the address that it checked, even if the name resolves to another one later", async () => {
    let lookups = 0;
    connections.length = 0;
    const changing: Network = { ...network(), resolve: async () => [++lookups === 1 ? publicAddress : "127.0.0.1"] };
    expect(await guardedFetch("https://specs.example/spec.json", { network: changing })).toMatchObject({ ok: true });
    expect(lookups).toBe(1);
    expect(connections).toEqual([`${publicAddress}:443`]);
  });

  test("uses open connections again, each only for the host and the address that it was made for", async () => {
    const open = new Connections();
    const pinned = { network: network(), connections: open };
    connections.length = 0;
    const bytes = (url: string, more: Partial<typeof pinned> = {}) => guardedBytes(url, { ...pinned, ...more });
    for (let i = 0; i < 3; i++)
      expect(await bytes("https://specs.example/gzip")).toMatchObject({ ok: true, bytes: Buffer.from("packed") });
    expect(connections).toEqual([`${publicAddress}:443`]);
    await bytes("https://files.specs.example/gzip");
    expect(connections).toHaveLength(2);
    const moved: Network = { ...network(), resolve: async () => ["1.1.1.1"] };
    await bytes("https://specs.example/gzip", { network: moved });
    expect(connections[2]).toBe("1.1.1.1:443");
    const closed: Network = { ...network(), resolve: async () => ["127.0.0.1"] };
    expect(await bytes("https://specs.example/gzip", { network: closed })).toMatchObject({ ok: false });
    expect(connections).toHaveLength(3);
    open.destroy();
  });

  test("sends the request again if the server closes the connection of another request", async () => {
    const open = new Connections();
    const pinned = { network: network(), connections: open };
    connections.length = 0;
    for (let i = 0; i < 2; i++)
      expect(await guardedBytes("https://specs.example/once", pinned)).toMatchObject({ bytes: Buffer.from("first") });
    expect(connections).toHaveLength(2);
    open.destroy();
  });

  test("gives up on a DNS lookup that never ends", async () => {
    const stuck: Network = { ...network(), resolve: () => new Promise(() => {}) };
    const outcome = await guardedFetch("https://specs.example/", { network: stuck, timeoutMs: 200 });
    const reason = "it did not answer completely within 0.2 seconds";
    expect(outcome).toEqual({ ok: false, reason, unreachable: true });
  });

  test("distinguishes a host without an answer from one whose answer cannot be used", async () => {
    const nowhere: Network = { ...network(), connect: () => connect(1, "127.0.0.1") };
    expect(await guardedFetch("https://specs.example/", { network: nowhere })).toMatchObject({ unreachable: true });
    for (const path of ["gone", "slow", "cut"])
      expect(await get(`https://specs.example/${path}`)).not.toHaveProperty("unreachable");
  });

  test("gives a file as bytes, decompressed, with the address after all redirects", async () => {
    const to = "https://files.specs.example/gzip";
    const outcome = await guardedBytes(`https://specs.example/?to=${to}`, { network: network() });
    expect(outcome).toEqual({ ok: true, bytes: Buffer.from("packed"), url: to });
    const large = await guardedBytes("https://specs.example/large", { network: network(), maxBytes: 1_048_576 });
    expect(large).toMatchObject({ ok: false, reason: "it is larger than 1 MB" });
  });

  test("stops when it is aborted", async () => {
    const controller = new AbortController();
    const fetching = guardedFetch("https://specs.example/silent", { network: network() }, controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(fetching).rejects.toThrow("enough");
  });
});
