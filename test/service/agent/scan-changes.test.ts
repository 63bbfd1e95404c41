import { expect, test } from "vitest";
import { pathFault } from "../../../src/service/agent/allowed-path.js";
import { scanChanges } from "../../../src/service/agent/commit-work.js";

const own = "s3cr3t-of-the-service";
const patchOf = (...added: readonly string[]): string =>
  [
    "diff --git a/index.mdx b/index.mdx",
    "--- a/index.mdx",
    "+++ b/index.mdx",
    "@@ -1 +1 @@",
    "-Old <!-- gone --> https://old.example.com/x",
    ...added.map((line) => `+${line}`),
  ].join("\n");
const scan = (...added: readonly string[]) =>
  scanChanges(patchOf(...added), [own], async (host) => host === "docs.acme.com");
const fill = (prefix: string, length: number, letter = "a"): string => prefix + letter.repeat(length);

const secrets: readonly (readonly [what: string, ...lines: string[]])[] = [
  ["a secret of this service", `The token is ${own}.`],
  ["a secret of this service", Buffer.from(`user:${own}:x`).toString("base64")],
  ["a secret of this service", Buffer.from(`xx${own}yy`).toString("base64")],
  ["a secret of this service", Buffer.from(own).toString("hex")],
  ["a secret of this service", own.slice(0, 9), own.slice(9)],
  ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ["a GitHub token", fill("ghp_", 36)],
  ["a GitHub token", fill("github_pat_", 60)],
  ["a GitLab token", fill("glpat-", 20)],
  ["an AWS key", fill("AKIA", 16, "A")],
  ["a Google API key", fill("AIza", 35)],
  ["a model API key", fill("sk-ant-", 40)],
  ["a Slack token", fill("xoxb-", 30)],
  ["a Stripe key", fill("sk_live_", 24)],
  ["an npm token", fill("npm_", 36)],
  ["a key of this service", fill("svc_", 40)],
  ["a signed token", `${fill("eyJ", 20)}.${fill("eyJ", 20)}.${fill("", 20)}`],
];
for (const [what, ...lines] of secrets)
  test(`a change with ${what} is not pushed: ${lines.join(" ").slice(0, 24)}`, async () => {
    expect((await scan(...lines)).secrets).toContain(what);
  });

test("a secret in a file's name is found; deleted text, a public key and prose are not secrets", async () => {
  const named = await scanChanges(patchOf("x").replaceAll("index.mdx", `${own}.mdx`), [own], async () => true);
  expect(named.secrets).toEqual(["a secret of this service"]);
  expect(
    (await scan(fill("svc_dsc_", 40), "The keys begin with ghp_ or sk-ant-.", "See https://docs.acme.com/a.")).secrets,
  ).toEqual([]);
});

const suspicious: readonly (readonly [rule: string, line: string, sentence: string | undefined])[] = [
  ["a new host", "See https://evil.example.org/x", "`evil.example.org`"],
  ["a new host without a scheme", '<img src="//evil.example.org/x.png" />', "`evil.example.org`"],
  ["a host that the removed line had", "See https://old.example.com/y", undefined],
  ["a host of the site", "See https://DOCS.acme.com/y", undefined],
  ["a second comment", "<!-- a --> <!-- b -->", "comment"],
  ["a comment in place of another", "<!-- a -->", undefined],
  ["a comment of MDX", "{/* a */} {/* b */}", "comment"],
  ["a text-direction mark", "a\u202eb", "invisible"],
  ["a zero-width space", "a\u200bb", "invisible"],
  ["tag characters", "a\u{e0041}", "invisible"],
  ["an emoji of several parts", "👩\u200d💻", undefined],
];
for (const [rule, line, sentence] of suspicious)
  test(`${rule} ${sentence === undefined ? "is not suspicious" : "makes a draft"}`, async () => {
    const { suspicions } = await scan(line);
    if (sentence === undefined) expect(suspicions).toEqual([]);
    else expect(suspicions).toEqual([expect.stringContaining(sentence)]);
  });

const closed = [
  ...[
    "../x.mdx",
    "/etc/passwd",
    "a/../../x",
    "a//b",
    "",
    ".",
    "a\0b",
    "a\\b",
    "x".repeat(1001),
    `${"x".repeat(256)}/a.mdx`,
  ],
  ...[".git/config", ".GIT/hooks/pre-push", "docs/.git/config", ".git./config", ".git\u200b/config", ".git /x"],
  ...[
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".gitattributes",
    ".gitmodules",
    ".gitignore",
    ".husky/x",
    "CODEOWNERS",
  ],
  ...[
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    ".npmrc",
    ".env",
    ".env.local",
    "run.sh",
    "Makefile",
    "Dockerfile",
  ],
  ...[".mintlify/AGENTS.md", "docs.json/../x.mdx", "docs.json ", "docs.json.", "docs.json:x.mdx", "e\u0301.mdx"],
  ...["azure-pipelines.yml", "AZURE-PIPELINES.YAML", "\uff41zure-pipelines.yml", "bitbucket-pipelines.yml"],
  ...[
    "cloudbuild.yaml",
    "action.yml",
    "renovate.json",
    "vercel.json",
    "netlify.toml",
    "wrangler.toml",
    "tsconfig.json",
  ],
  ...["CON.mdx", "guides/nul.md", "aux/x.mdx", "com1.tar.mdx"],
  ...["_headers", "_redirects", "robots.txt", ".well-known/a.json", "sw.js", "snippets/a.jsx", "a.html", "tool.py"],
  ...["docker-compose.prod.yml", "tsconfig.build.json", "api/cloudbuild-release.yaml", "x/pnpm-workspace.yaml"],
];
test("an agent writes neither outside of the site nor files that run programs", () => {
  expect(closed.filter((path) => pathFault(path) === undefined)).toEqual([]);
  const open = ["index.mdx", "docs.json", "guides/git/install.mdx", "api/openapi.yaml", "a b/é.md", "logo.svg"];
  expect(open.filter((path) => pathFault(path) !== undefined)).toEqual([]);
});
