import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseCommandLine } from "../../../src/cli/command-line.js";
import { exportedPagesSettings } from "../../../src/cli/commands/service.js";
import { UsageError } from "../../../src/cli/environment.js";
import { jobLimits } from "../../../src/cli/settings/api.js";

const now = Date.UTC(2030, 0, 1);
beforeAll(() => void vi.useFakeTimers({ now, toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

async function parse(line: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const { command, input } = parseCommandLine(line.split(" "));
  return (await command.load()).parse(input, env);
}

const accepted = [
  // words                                          arguments
  ["service", { port: 7070, host: "127.0.0.1", publicUrl: undefined, concurrency: undefined, site: undefined }],
  ["service --port 0 --concurrency 3 --data d", { port: 0, concurrency: 3, data: "d" }],
  ["service --site docs.acme.com=./docs", { site: { domain: "docs.acme.com", folder: resolve("docs") } }],
  ["api --host 0.0.0.0 --public-url https://a.example/", { host: "0.0.0.0", publicUrl: "https://a.example" }],
  ["service", { console: "same", consoleLogin: "any" }],
  ["service --console off --console-login oidc", { console: "off", consoleLogin: "oidc" }],
  ["api --console 0.0.0.0:7071", { console: { host: "0.0.0.0", port: 7071 } }],
  ["api --console [::1]:7071", { console: { host: "::1", port: 7071 } }],
  [
    "console invite ada@acme.com",
    { email: "ada@acme.com", role: "reader", organization: "default", url: "http://127.0.0.1:7070" },
  ],
  [
    "console invite ada@acme.com --role owner --organization acme --public-url https://a.example/",
    { role: "owner", organization: "acme", url: "https://a.example" },
  ],
  ["console reset ada@acme.com", { email: "ada@acme.com" }],
  ["worker --concurrency 2", { concurrency: 2, health: undefined, graceMs: undefined, sandbox: undefined }],
  ["worker --sandbox required --export-priority normal", { sandbox: "required", exportPriority: "normal" }],
  [
    "worker --grace 90 --health-port 7071 --health-host 0.0.0.0",
    { graceMs: 90_000, health: { port: 7071, host: "0.0.0.0" } },
  ],
  ["migrate --check --data d", { check: true, data: "d" }],
  [
    "site add Docs.Acme.com --folder docs",
    {
      domain: "docs.acme.com",
      organization: "default",
      deployment: "cloud",
      source: { kind: "folder", path: resolve("docs") },
    },
  ],
  [
    "site add a.b --git https://git.example.com/d.git --ref v1 --subfolder ./docs/ --deployment air-gapped --organization o",
    {
      organization: "o",
      deployment: "air-gapped",
      source: { kind: "git", url: "https://git.example.com/d.git", ref: "v1", subfolder: "docs" },
    },
  ],
  ["site list --json", { json: true }],
  ["site remove a.b --organization o", { domain: "a.b", organization: "o" }],
  [
    "site set-counting a.b --humans-from beacon --agents-from logs",
    { domain: "a.b", counting: { humansFrom: "beacon", agentsFrom: "logs" } },
  ],
  ["site set-counting a.b --agents-from logs", { counting: { agentsFrom: "logs" } }],
  ["site secret a.b", { domain: "a.b" }],
  [
    "key create",
    {
      kind: "admin",
      name: "admin",
      scopes: ["write"],
      allowedAddresses: [],
      expiresAt: new Date(now + 90 * 24 * 60 * 60_000),
    },
  ],
  ["key create --name ci --scope read --expires never", { name: "ci", scopes: ["read"], expiresAt: undefined }],
  ["key create --expires 2030-06-01", { expiresAt: new Date("2030-06-01") }],
  ["key create --allow 203.0.113.7,2001:db8::/32", { allowedAddresses: ["203.0.113.7", "2001:db8::/32"] }],
  ["key create --kind assistant", { kind: "assistant", scopes: [] }],
  ["key create --kind assistant --groups staff,partners", { groups: ["partners", "staff"] }],
  ["key create --kind assistant --origin https://a.b,null", { allowedOrigins: ["https://a.b", "null"] }],
  ["service --site a.b=docs --export", { exportSite: true }],
  [
    "ask A.b How do --json",
    { domain: "a.b", question: "How do", json: true, service: "http://127.0.0.1:7070", key: undefined },
  ],
  ["ask a.b how? --service https://e.example/ --key k", { service: "https://e.example", key: "k", json: false }],
  ["key revoke key_1", { keyId: "key_1" }],
] as const;
describe("the commands of the service accept", () => {
  for (const [words, expected] of accepted)
    test(`offprint ${words}`, async () => expect(await parse(words)).toMatchObject(expected));
  test("the public address of the environment, if no option gives one", async () =>
    expect(await parse("api", { OFFPRINT_PUBLIC_URL: "https://e.example" })).toMatchObject({
      publicUrl: "https://e.example",
    }));
});

const refused = [
  // words                                          what the message says
  ["service docs", /remove "docs"/],
  ["service --prot 1", /no option --prot.*"--port"/],
  ["service --port 70000", /from 0 to 65535, not "70000"/],
  ["service --site docs", /docs\.example\.com=\.\/docs, not "docs"/],
  ["worker --sandbox on", /--sandbox must be one of auto, required, off, not "on"/],
  ["worker --export-priority high", /--export-priority must be one of idle, normal, not "high"/],
  ["service --console 7071", /address and a port such as 127\.0\.0\.1:7071, not "7071"/],
  ["service --console-login password", /--console-login must be one of any, oidc, not "password"/],
  ["worker --console off", /no option --console/],
  ["console invite ada", /"ada" is not an email address/],
  ["console invite a@b.c --role root", /--role must be one of owner, editor, reader, not "root"/],
  ["api --concurrency 2", /no option --concurrency/],
  ["api --public-url ftp://a", /not "ftp:\/\/a"/],
  ["worker --port 1", /no option --port/],
  ["worker --health-host 0.0.0.0", /--health-host can only be used with --health-port/],
  ["site", /add, list, remove, set-counting, secret/],
  ["site set-counting a.b", /--humans-from, --agents-from, or both/],
  ["site set-counting a.b --agents-from beacon", /one of server, logs, not "beacon"/],
  ["site ad a.b", /no "offprint site ad".*"add"/],
  ["site add", /needs <domain>\. Example: offprint site add docs\.example\.com/],
  ["site add https://docs.acme.com/x --folder d", /host name without.*Write "docs\.acme\.com"/],
  ["site add a.b", /--folder \.\/docs, or --git/],
  ["site add a.b --folder d --git https://g.example/d.git", /--folder \.\/docs, or --git/],
  ["site add a.b --folder d --ref main", /--ref can only be used with --git/],
  ["site add a.b --git https://u:p@g.example/d.git", /user name or password/],
  ["site add a.b --git ext::sh", /https:\/\//],
  ["site add a.b --git https://g.example/d.git --subfolder ../x", /subfolder/],
  ["site add a.b c.d --folder d", /remove "c\.d"/],
  ["site add a.b --folder d --deployment moon", /not "moon"/],
  ["site list a.b", /remove "a\.b"/],
  ["site remove a.b --folder d", /--folder belongs to "offprint site add"/],
  ["key", /create, list, rotate, revoke/],
  ["key create ci", /remove "ci"/],
  ["key create --scope admin", /read, write, not "admin"/],
  ["key create --kind assistant --scope read", /have no scopes/],
  ["key create --expires 2029-12-31", /is in the past/],
  ["key create --expires 0d", /is in the past/],
  ["key create --expires soon", /30d.*not "soon"/],
  ["key create --allow 0.0.0.0/0", /allows every address/],
  ["key create --allow ::/0", /allows every address/],
  ["key create --allow 10.0.0.0/33", /not "10\.0\.0\.0\/33"/],
  ["key create --allow home", /not "home"/],
  ["key create --origin https://a.b", /--origin is only for assistant keys/],
  ["key create --kind assistant --origin https://a.b/docs", /--origin takes origins without a path/],
  ["service --export", /--export can only be used with --site/],
  ["ask a.b", /needs <question>\. Example: offprint ask/],
  ["ask https://a.b/x how", /Write "a\.b"/],
  ["ask a.b how --service ftp://a", /--service must be the URL of the API/],
  ["key list --name a", /--name belongs to "offprint key create"/],
  ["key revoke", /needs <id>/],
] as const;
describe("the commands of the service refuse", () => {
  for (const [words, says] of refused)
    test(`offprint ${words}`, async () => {
      await expect(parse(words)).rejects.toThrow(UsageError);
      await expect(parse(words)).rejects.toThrow(says);
    });
});

describe("the assistant of exported pages", () => {
  const [url, key] = ["https://api.example.com/", "svc_dsc_0123"];
  test("comes from the environment", () => {
    expect(exportedPagesSettings({}).assistant).toBeUndefined();
    expect(
      exportedPagesSettings({ OFFPRINT_PAGE_ASSISTANT_URL: url, OFFPRINT_PAGE_ASSISTANT_KEY: key }).assistant,
    ).toEqual({
      url: "https://api.example.com",
      key,
    });
  });
  test.each([
    { OFFPRINT_PAGE_ASSISTANT_URL: url },
    { OFFPRINT_PAGE_ASSISTANT_KEY: key },
    { OFFPRINT_PAGE_ASSISTANT_URL: "api.example.com", OFFPRINT_PAGE_ASSISTANT_KEY: key },
    { OFFPRINT_PAGE_ASSISTANT_URL: url, OFFPRINT_PAGE_ASSISTANT_KEY: "svc_0123" },
  ])("needs an address and a public key, not %j", (env) =>
    expect(() => exportedPagesSettings(env)).toThrow(UsageError),
  );
});

test("the service that pages tell of their views comes from the environment", () => {
  expect(exportedPagesSettings({}).analytics).toBeUndefined();
  const url = "https://api.example.com/";
  expect(
    exportedPagesSettings({ OFFPRINT_PAGE_ANALYTICS_URL: url, OFFPRINT_PAGE_ANALYTICS_SEARCHES: "1" }).analytics,
  ).toEqual({
    url: "https://api.example.com",
    searches: true,
  });
  expect(() => exportedPagesSettings({ OFFPRINT_PAGE_ANALYTICS_URL: "api.example.com" })).toThrow(UsageError);
});

describe("the limits of an organization", () => {
  test("come from the environment, and only those that are set", () => {
    expect(jobLimits({})).toEqual({});
    expect(jobLimits({ OFFPRINT_MAX_QUEUED: "50", OFFPRINT_MAX_CONCURRENT: " 3 " })).toEqual({
      maxQueued: 50,
      maxConcurrent: 3,
    });
  });
  test.each(["0", "-1", "many", "1.5"])("are whole numbers above 0, not %s", (written) => {
    expect(() => jobLimits({ OFFPRINT_MAX_QUEUED: written })).toThrow(
      new UsageError(`OFFPRINT_MAX_QUEUED must be a whole number above 0, not "${written}".`),
    );
  });
});
