import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { guardedFetch, type Network } from "../../../src/lib/fetch/index.js";
import { isOperatorAddress } from "../../../src/lib/fetch/target.js";

describe("a POST by guardedFetch", () => {
  let server: Server;
  let base = "";
  const received: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        received.push(`${request.method} ${request.headers["webhook-id"] ?? "-"} ${body}`);
        const [, status = "200"] = /^\/(\d{3})$/.exec(request.url!) ?? [];
        response.writeHead(Number(status), { location: "/200" }).end("noted");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    received.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const message = { method: "POST", headers: { "webhook-id": "evt_1" }, body: '{"é":1}' } as const;

  for (const status of [200, 202, 204])
    test(`succeeds with status ${status}`, async () => {
      expect(await guardedFetch(`${base}/${status}`, { ...message, allowPrivate: true })).toMatchObject({ ok: true });
      expect(received).toEqual(['POST evt_1 {"é":1}']);
    });
  for (const status of [301, 307, 400, 410, 500])
    test(`fails with status ${status}, and follows no redirect`, async () => {
      const outcome = await guardedFetch(`${base}/${status}`, { ...message, allowPrivate: true });
      expect(outcome).toEqual({ ok: false, reason: `it answered ${status}`, status });
      expect(received).toHaveLength(1);
    });
  test("sends nothing to a private address unless that is allowed", async () => {
    expect(await guardedFetch(base, message)).toMatchObject({ ok: false });
    expect(await guardedFetch(base.replace("http:", "https:"), message)).toMatchObject({ ok: false });
    expect(received).toEqual([]);
  });

  test("over http:// is only sent to private addresses", async () => {
    const { port } = server.address() as AddressInfo;
    const network = (...addresses: string[]): Network => ({
      resolve: async () => addresses,
      connect: () => connect(port, "127.0.0.1"),
    });
    const post = (to: Network) =>
      guardedFetch("http://hooks.example/200", { ...message, allowPrivate: true, network: to });
    expect(await post(network("10.0.0.7"))).toMatchObject({ ok: true });
    expect(await post(network("93.184.215.14"))).toMatchObject({ ok: false, reason: /^http:\/\/ is for private/ });
    expect(await post(network("10.0.0.7", "93.184.215.14"))).toMatchObject({ ok: false });
    expect(received).toHaveLength(1);
  });

  test("a redirect of a GET to another origin drops the headers", async () => {
    const other = createServer((request, response) => response.end(String(request.headers["authorization"])));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const first = createServer((_, response) => response.writeHead(302, { location: elsewhere }).end());
    await new Promise<void>((resolve) => first.listen(0, "127.0.0.1", resolve));
    const { port } = first.address() as AddressInfo;
    const outcome = await guardedFetch(`http://127.0.0.1:${port}/`, {
      allowPrivate: true,
      headers: { authorization: "Bearer secret" },
    });
    expect(outcome).toEqual({ ok: true, text: "undefined" });
    for (const each of [first, other]) {
      each.closeAllConnections();
      each.close();
    }
  });
});

describe("the network of an operator", () => {
  const cases: readonly (readonly [address: string, isOperators: boolean])[] = [
    ["127.0.0.1", true],
    ["10.1.2.3", true],
    ["172.16.0.1", true],
    ["192.168.1.1", true],
    ["100.64.0.1", true],
    ["::1", true],
    ["fd12::1", true],
    ["93.184.215.14", false],
    ["169.254.169.254", false],
    ["100.100.100.200", false],
    ["168.63.129.16", false],
    ["192.0.0.192", false],
    ["fd00:ec2::254", false],
    ["fd20:ce::254", false],
    ["fd00:42::42", false],
    ["fd00:c1::a9fe:a9fe", false],
    ["fd00:64:ff9b::169.254.169.254", false],
    ["fd00:64:ff9b::a00:1", true],
    ["64:ff9b::a9fe:a9fe", false],
    ["::ffff:169.254.169.254", false],
    ["fe80::1", false],
    ["0.0.0.0", false],
    ["255.255.255.255", false],
    ["224.0.0.1", false],
    ["::ffff:127.0.0.1", false],
    ["localhost", false],
  ];
  for (const [address, isOperators] of cases)
    test(`${isOperators ? "has" : "has not"} ${address}`, () => expect(isOperatorAddress(address)).toBe(isOperators));
});
