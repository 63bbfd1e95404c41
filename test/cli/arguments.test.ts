import assert from "node:assert/strict";
import { test } from "vitest";
import { parseCommandLine } from "../../src/cli/command-line.js";
import { UsageError } from "../../src/cli/environment.js";

async function parse(line: string): Promise<unknown> {
  const { command, input } = parseCommandLine(line.split(" "));
  return (await command.load()).parse(input, env);
}

const env = { OFFPRINT_MODEL: "tiny", OFFPRINT_MODEL_URL: "http://models.example:8080/v1/" };

const defaults = {
  output: undefined,
  archive: undefined,
  deployment: undefined,
  baseUrl: undefined,
  paths: undefined,
  audience: undefined,
  embedRemote: undefined,
  print: false,
  strict: false,
  concurrency: "time",
  cache: undefined,
  report: undefined,
  watch: false,
  assistant: undefined,
  mcpUrl: undefined,
  analytics: undefined,
  questions: undefined,
  display: "live",
  format: "text",
  all: false,
  verbose: false,
  verify: false,
  maxWarnings: undefined,
};

const accepted = [
  // words                                                    arguments
  ["export docs", { command: "export", site: "docs", output: "offprint-out" }],
  ["export docs -o out", { command: "export", site: "docs", output: "out" }],
  [
    "export docs --mcp-url https://a.example/mcp/docs?key=svc_dsc_x",
    { command: "export", site: "docs", output: "offprint-out", mcpUrl: "https://a.example/mcp/docs?key=svc_dsc_x" },
  ],
  ["export docs --shard 2/8", { command: "export", site: "docs", shard: { index: 2, count: 8 } }],
  ["export docs --print", { command: "export", site: "docs", output: "offprint-out", print: true }],
  [
    "export docs --questions model",
    {
      ...{ command: "export", site: "docs", output: "offprint-out" },
      questions: { url: "http://models.example:8080/v1", model: "tiny", key: undefined },
    },
  ],
  ["export docs --archive a.zip", { command: "export", site: "docs", archive: "a.zip" }],
  ["export docs -a a.tar.gz -o out", { command: "export", site: "docs", archive: "a.tar.gz", output: "out" }],
  [
    "export docs --base-url https://a.example/b/",
    { command: "export", site: "docs", output: "offprint-out", baseUrl: "https://a.example/b" },
  ],
  [
    "export docs --assistant-url https://api.a.example/ --assistant-key svc_dsc_x --assistant-site docs",
    {
      command: "export",
      site: "docs",
      output: "offprint-out",
      assistant: { url: "https://api.a.example", key: "svc_dsc_x", domain: "docs" },
    },
  ],
  [
    "export docs --assistant-url https://api.a.example --assistant-key svc_dsc_x --assistant-question How? --assistant-question Why?",
    {
      command: "export",
      site: "docs",
      output: "offprint-out",
      assistant: { url: "https://api.a.example", key: "svc_dsc_x", domain: undefined, questions: ["How?", "Why?"] },
    },
  ],
  [
    "export docs --analytics-url https://api.a.example/ --analytics-site docs.a.example --analytics-searches",
    {
      command: "export",
      site: "docs",
      output: "offprint-out",
      analytics: { url: "https://api.a.example", domain: "docs.a.example", searches: true },
    },
  ],
  ["export docs --paths a,b/c", { command: "export", site: "docs", output: "offprint-out", paths: ["a", "b/c"] }],
  [
    "export --json docs --no-cache",
    { command: "export", site: "docs", output: "offprint-out", display: "json", cache: false },
  ],
  ["export docs --cache c", { command: "export", site: "docs", output: "offprint-out", cache: "c" }],
  ["check docs --cache s3://b/c", { command: "check", site: "docs", cache: "s3://b/c" }],
  [
    "export docs --deployment air-gapped",
    { command: "export", site: "docs", output: "offprint-out", deployment: "air-gapped" },
  ],
  ["check docs --deployment air-gapped", { command: "check", site: "docs", deployment: "air-gapped" }],
  ["check docs --audience staff,partners", { command: "check", site: "docs", audience: ["partners", "staff"] }],
  ["check docs --embed-remote", { command: "check", site: "docs", embedRemote: true }],
  ["check docs --no-embed-remote", { command: "check", site: "docs", embedRemote: false }],
  ["check docs --max-warnings 0 --quiet", { command: "check", site: "docs", maxWarnings: 0, display: "quiet" }],
  ["check docs --format github --all", { command: "check", site: "docs", format: "github", all: true }],
  ["check docs --format json --verbose", { command: "check", site: "docs", display: "json", verbose: true }],
  ["check docs --concurrency work", { command: "check", site: "docs", concurrency: "work" }],
  ["check docs --concurrency 8 --report r.json", { command: "check", site: "docs", concurrency: 8, report: "r.json" }],
] as const;
for (const [words, expected] of accepted)
  test(`offprint ${words} is accepted`, async () => assert.deepEqual(await parse(words), { ...defaults, ...expected }));

const refused = [
  // words                                what the message says
  ["exprot docs", /no command "exprot".*"export"/],
  ["export", /needs <site>\. Example: offprint export \.\/docs/],
  ["export docs more", /remove "more"/],
  ["export docs --ouput x", /no option --ouput.*"--output"/],
  ["export docs --archive a.rar", /\.zip, \.tar\.gz or \.tgz, not "a\.rar"/],
  ["export docs --deployment moon", /cloud, client-hosted, air-gapped, not "moon"/],
  ["export docs --base-url docs.example.com", /https:\/\/docs\.example\.com/],
  ["export docs --base-url https://u:p@a.example", /--base-url/],
  ["export docs --assistant-question How?", /--assistant-url and --assistant-key/],
  ["export docs --assistant-url https://api.a.example", /--assistant-url and --assistant-key/],
  ["export docs --assistant-url api.a.example --assistant-key svc_dsc_x", /https:\/\/docs-api\.example\.com/],
  ["export docs --assistant-url https://a.example --assistant-key svc_secret", /svc_dsc_/],
  ["export docs --mcp-url docs.example.com/mcp", /--mcp-url .*https:\/\/docs\.example\.com\/mcp/],
  ["serve out --mcp-origin https://a.example", /--mcp-origin can only be used with --mcp/],
  ["serve out --mcp --mcp-origin https://a.example/b", /an origin such as https:\/\/app\.example\.com, not/],
  ["mcp", /needs <bundle>\. Example: offprint mcp/],
  ["export docs --analytics-searches", /--analytics-url/],
  ["export docs --analytics-url api.a.example", /https:\/\/docs-api\.example\.com/],
  ["export docs --concurrency 0", /from 1 to 64, not "0"/],
  ["export docs --concurrency many", /not "many"/],
  ["export docs --embed-remote --no-embed-remote", /one of --embed-remote and --no-embed-remote/],
  ["export docs --questions yes", /--questions must be one of model, not "yes"/],
  ["export docs --shard 2/8 --questions model", /one of --shard and --questions/],
  ["export docs --shard 0/8", /such as 2\/8, not "0\/8"/],
  ["export docs --shard 9/8", /not "9\/8"/],
  ["export docs --shard 2", /not "2"/],
  ["export docs --shard 2/8 --no-cache", /one of --shard and --no-cache/],
  ["export docs --shard 2/8 -o out", /one of --shard and --output/],
  ["check docs --shard 2/8", /--shard belongs to "offprint export"/],
  ["check docs --strict", /--strict belongs to .*"offprint export"/],
  ["check docs --format xml", /text, json, github, sarif, not "xml"/],
  ["check docs --json --format sarif", /one of --json and --format/],
  ["export docs --quiet --json", /one of --quiet and --json/],
  ["check docs --output out", /--output belongs to "offprint export"/],
  ["exprot --help docs", /no command "exprot".*"export"/],
] as const;
for (const [words, message] of refused)
  test(`offprint ${words} is refused`, async () => {
    await assert.rejects(
      () => parse(words),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  });

test("offprint export docs --questions model is refused without a language model", async () => {
  const { command, input } = parseCommandLine("export docs --questions model".split(" "));
  const { parse } = await command.load();
  assert.throws(() => parse(input, {}), /--questions model needs OFFPRINT_MODEL/);
});
