import { expect, test } from "vitest";
import { openAgentWorker, page } from "../../support/agent-worker.js";
import { type ModelTurn, startScriptedModel } from "../../support/scripted-model.js";

const spec = `openapi: 3.1.0
info:
  title: Acme
  version: "1"
paths:
  /users:
    get:
      summary: Lists users.
      responses:
        "200":
          description: OK
`;
/** Enough signs that an export parses the page in its own process. */
const large = "A <b>word</b> and some more of the text.\n\n".repeat(1500);
const docs = (api: readonly string[], more: object = {}) =>
  JSON.stringify(
    {
      ...{ $schema: "https://mintlify.com/docs.json", name: "Acme", theme: "mint", colors: { primary: "#123456" } },
      ...{ api: { openapi: api }, ...more },
      navigation: { groups: [{ group: "Guides", pages: ["index", "guides/install"] }] },
    },
    null,
    2,
  );
const files = {
  "docs.json": docs(["api/openapi.yaml"]),
  "index.mdx": page("Hello."),
  "guides/install.mdx": page("Install it."),
  "api/openapi.yaml": spec,
  "ci/build.yaml": spec,
  "azure-pipelines.yml": spec,
  "package.json": "{}",
  "README.md": "# Acme",
  "snippets/tool.jsx": "export const Tool = () => <b />;",
};

/** The files that an obedient model writes if a text tells it to. All of them take effect before, or without, a review. */
const outside = [
  ...["azure-pipelines.yml", "Azure-Pipelines.yml", "azure-pipelines.yaml", "ci/azure-pipelines.yml"],
  ...["\uff41zure-pipelines.yml", "azure-pipelines.yml.", "azure-pipelines.yml ", "azure-pipelines\u200b.yml"],
  ...["bitbucket-pipelines.yml", "cloudbuild.yaml", "action.yml", "renovate.json", "vercel.json", "netlify.toml"],
  ...[".github/workflows/ci.yml", ".GitHub/workflows/ci.yml", ".gitlab-ci.yml", ".circleci/config.yml", "Jenkinsfile"],
  ...["Dockerfile", "docker-compose.yml", "Makefile", "package.json", "package-lock.json", "tsconfig.json"],
  ...["README.md", "readme.md", "CONTRIBUTING.md", "AGENTS.md", "guides/CLAUDE.md", "CODEOWNERS", "wrangler.toml"],
  ...[".gitattributes", ".gitmodules", ".mintignore", ".offprint/AGENTS.md", ".well-known/security.txt", ".env"],
  ...["tool.py", "setup.sh", "conf.py", "mkdocs.yml", "_config.yml", "buildspec.yml", "app.yaml", "ci/build.yaml"],
  ...["_headers", "_redirects", "robots.txt", "sw.js", "service-worker.js", "index.html", "guides/index.html"],
  ...["docs.json/../azure-pipelines.yml", "./docs.json", "../outside.mdx", "/etc/cron.d/x", "DOCS.json", "Index.mdx"],
  ...["api/openapi.yml", "api/../vercel.json", "api/new.json", "snippets/tool.jsx", "snippets/new.tsx", "logo.svg"],
];
const write = (path: string) => ["write_file", { path, content: `${spec}# ${path}\n` }] as const;
const edit = (path: string, old: string, next: string) => ["edit_file", { path, old, new: next }] as const;

const open = async (turns: readonly ModelTurn[], more: Readonly<Record<string, string>> = {}) => {
  const left = [...turns];
  const model = await startScriptedModel(() => left.shift() ?? { text: "Done." });
  const { options } = model;
  const worker = await openAgentWorker(
    { files: { ...files, ...more } },
    { languageModel: options, secrets: [options.key] },
  );
  const changedBy = (ref: string): string[] =>
    worker.world.git(worker.world.bare, "diff", "--name-only", "main", ref).trim().split("\n");
  return { ...worker, model, changedBy };
};

test("an obedient model changes nothing outside of the site, and what it adds to docs.json for that is a draft", async () => {
  const moves = ["azure-pipelines.yml", "README.md", ".github/a.mdx", "Index.mdx", "AGENTS.md", "../a.mdx"];
  const attempts = [
    ...outside.map(write),
    ...moves.map((to) => ["move_page", { from: "guides/install.mdx", to }] as const),
    ["move_page", { from: "README.md", to: "readme.mdx" }] as const,
    edit("azure-pipelines.yml", "Lists", "Steals"),
    edit("package.json", "{}", '{"scripts":{"preinstall":"x"}}'),
  ];
  expect(attempts.length).toBeGreaterThan(60);
  const rest: ModelTurn[] = [
    { calls: [["write_file", { path: "docs.json", content: docs(["api/openapi.yaml", "ci/build.yaml"]) }]] },
    { calls: [write("ci/build.yaml"), write("azure-pipelines.yml")] },
    { text: "Done." },
    // It was told that the navigation does not list the specification.
    { text: "Done." },
    { calls: [write("ci/build.yaml"), edit("index.mdx", "Hello.", "Hello again.")] },
    { text: "Done." },
  ];
  const { world, model, changedBy, lines, ...each } = await open([{ calls: attempts }, ...rest]);
  const job = await each.create("Do what the page says.");
  expect([job.status, job.error], lines.join("\n")).toEqual(["completed", undefined]);
  const results = model.results();
  expect(results.map((result) => result.startsWith("Refused."))).toEqual([
    ...attempts.map(() => true),
    ...[false, true, true],
  ]);
  expect(changedBy(job.ref!)).toEqual(["docs.json"]);
  expect(world.forge.pulls).toMatchObject([{ isDraft: true }]);
  expect(world.forge.pulls[0]!.body).toContain(
    "- `docs.json:11` adds an address, or a file, of an API or of its specification: `ci/build.yaml`",
  );

  // The branch names the file by now; the base does not.
  const again = await each.say(job.agentJobId, "Now write it.");
  expect([again.status, again.ref], lines.join("\n")).toEqual(["completed", job.ref]);
  expect(model.results()[0]).toMatch(/^Refused\. The site does not read this file/);
  expect(changedBy(again.ref!)).toEqual(["docs.json", "index.mdx"]);
});

test("ordinary edits of pages, the navigation and a specification are no draft, and the repair is a commit of its own", async () => {
  const { world, changedBy, lines, ...each } = await open(
    [
      {
        calls: [
          edit("index.mdx", "Hello.", "Hello, see [Install](/guides/INSTALL).\n\n![Start](/images/start.svg)"),
          ["write_file", { path: "guides/use.mdx", content: page("Use it.") }],
          ["write_file", { path: "snippets/note.mdx", content: "A note." }],
          edit("docs.json", '"guides/install"', '"guides/install",\n          "guides/use"'),
          edit("api/openapi.yaml", "Lists users.", "Lists all users."),
          edit("large.mdx", "Begin.", "Begin here."),
        ],
      },
      { text: "Done." },
      { calls: [edit("index.mdx", "Hello", "<script>{`x`}</script>\n\nHello")] },
    ],
    {
      "images/start.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
      "old.mdx": page("[Install](/guides/INSTALL)"),
      "large.mdx": page(`Begin.\n\n${large}`),
    },
  );
  const job = await each.create("Say more.");
  expect([job.status, job.error], lines.join("\n")).toEqual(["completed", undefined]);
  expect(world.forge.pulls).toMatchObject([{ isDraft: false, title: "docs: Say more." }]);
  expect(world.forge.pulls[0]!.body).not.toContain("Look at this first");
  expect(changedBy(job.ref!)).toEqual([
    ...["api/openapi.yaml", "docs.json", "guides/use.mdx", "index.mdx", "large.mdx", "snippets/note.mdx"],
  ]);
  const log = (ref: string): string[] => world.git(world.bare, "log", "--format=%s", `main..${ref}`).trim().split("\n");
  expect(log(job.ref!)).toEqual(["repair: fix 1 fault in the changed files", "docs: Say more."]);
  expect(world.git(world.bare, "diff", "--name-only", `${job.ref}~1`, job.ref!).trim()).toBe("index.mdx");
  expect(world.fileOf(`${job.ref}~1`, "index.mdx")).toContain("(/guides/INSTALL)");
  expect(world.fileOf(job.ref!, "index.mdx")).toContain("(/guides/install)");

  // The open pull request cannot be made a draft again.
  const again = await each.say(job.agentJobId, "Add a script.");
  expect(again.status, lines.join("\n")).toBe("completed");
  expect(again.ref).not.toBe(job.ref);
  expect(world.forge.pulls).toMatchObject([{ branch: job.ref }, { branch: again.ref, isDraft: true }]);
  expect(world.forge.pulls[1]!.body).toContain("- `index.mdx:5` adds a script: `<script>{'x'}</script>`");
  expect(log(again.ref!)).toHaveLength(3);
});
