import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSite, type ExportPhase, exportSite, type Manifest } from "offprint";
import { describe, expect, test } from "vitest";
import { contentOf, page, temporaryFolder, writeSite } from "../support/cli.js";

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/sites/${name}`, import.meta.url));

/** A small site with files of many kinds. */
function sampleSite(): string {
  return writeSite(join(realpathSync(temporaryFolder()), "site"), {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0a6c5b" },
      navigation: { pages: ["index", "guides/deep/one"] },
      styling: { codeblocks: { languages: { custom: ["/grammars/acme.tmLanguage"] } } },
    }),
    "grammars/acme.tmLanguage": JSON.stringify({ name: "acme", scopeName: "source.acme", patterns: [] }),
    "index.mdx": page("Start", 'import Note from "/snippets/note.mdx";\n\n<Note />\n\n![Dot](/images/dot.svg)'),
    "guides/deep/one.mdx": page("One", "[Start](/)"),
    "snippets/note.mdx": "A note.",
    "images/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    "style.css": "a { color: red }",
    ".mintignore": "drafts\n",
    "drafts/secret.mdx": page("Secret", "Not yet."),
    "notes.rs": "// no file of the format",
  });
}

/** Folders that runs of this process have in the temporary folder, which other tests use at the same time. */
const workFolders = (): string[] => readdirSync(tmpdir()).filter((name) => name.includes(`.offprint-${process.pid}-`));
const namesIn = (folder: string): string[] => readdirSync(folder).toSorted();

describe("the result", () => {
  test("has manifest, output and archive if it is ok, and types that say so", async () => {
    const source = sampleSite();
    const result = await exportSite({ source, output: join(source, "../out"), archive: join(source, "../x.zip") });
    if (!result.ok) assert.fail("not exported");
    const manifest: Manifest = result.manifest;
    const [output, sha256]: string[] = [result.output, result.archive.sha256];
    assert.deepEqual(manifest, JSON.parse(readFileSync(join(output!, "offprint.json"), "utf8")));
    assert.match(sha256!, /^[0-9a-f]{64}$/);
  });

  test("has none of them if it is not ok", async () => {
    const source = writeSite(join(temporaryFolder(), "site"), { "index.mdx": page("Start", "{1 +}") });
    const result = await exportSite({ source, output: join(source, "../out"), strict: true });
    assert.equal(result.ok, false);
    assert.deepEqual(Object.keys(result).toSorted(), [
      "diagnostics",
      "external",
      "inputFolders",
      "inputs",
      "ok",
      "pageCount",
      "pageMs",
      "pagesMade",
      "siteName",
      "threads",
      "timings",
    ]);
    assert.deepEqual(namesIn(join(source, "..")), ["site"]);
  });
});

describe("inputs", () => {
  const read = [
    ".mintignore",
    "docs.json",
    "grammars/acme.tmLanguage",
    "guides/deep/one.mdx",
    "images/dot.svg",
    "index.mdx",
    "snippets/note.mdx",
    "style.css",
  ];
  for (const [name, run] of [
    ["an export", (source: string) => exportSite({ source, output: "memory" })],
    ["a check", (source: string) => checkSite({ source })],
  ] as const)
    test(`of ${name} are the files of the site that were read, as absolute paths, sorted`, async () => {
      const source = sampleSite();
      const { inputs, inputFolders } = await run(source);
      const below = (paths: readonly string[]) => paths.map((path) => join(source, path));
      assert.deepEqual(inputs, below(read));
      assert.deepEqual(inputFolders, below([".", "grammars", "guides", "guides/deep", "images", "snippets"]));
    });

  test("include the specifications", async () => {
    const source = join(realpathSync(temporaryFolder()), "site");
    cpSync(fixture("api-pages"), source, { recursive: true, filter: (path) => !/expected|\.txt$/.test(path) });
    const { inputs } = await checkSite({ source });
    const names = inputs.map((path) => path.slice(source.length + 1));
    assert.deepEqual(names, names.toSorted());
    assert.ok(names.some((name) => /\.(?:json|ya?ml)$/.test(name) && name !== "docs.json"));
  });

  test("are returned even if nothing could be exported", async () => {
    const source = sampleSite();
    writeFileSync(join(source, "docs.json"), "{");
    const broken = await exportSite({ source, output: "memory" });
    assert.equal(broken.ok, false);
    assert.deepEqual(broken.inputs, [join(source, ".mintignore"), join(source, "docs.json")]);
    const missing = await checkSite({ source: join(source, "nowhere") });
    assert.deepEqual([missing.inputs, missing.inputFolders], [[], [join(source, "nowhere")]]);
  });
});

describe('output: "memory"', () => {
  test("gives the same bytes as a folder, the manifest first, and writes nothing that stays", async () => {
    const source = sampleSite();
    const place = temporaryFolder();
    const during = new Set<number>();
    const onProgress = (): void => void during.add(workFolders().length);
    const result = await exportSite({ source, output: "memory", onProgress });
    assert.deepEqual([[...during], workFolders()], [[1], []]);
    assert.deepEqual(namesIn(join(source, "..")), ["site"]);
    if (!result.ok) assert.fail("not exported");
    const onDisk = await exportSite({ source, output: join(place, "out") });
    if (!onDisk.ok) assert.fail("not exported");
    assert.deepEqual(result.manifest, onDisk.manifest);
    const paths = ["offprint.json", ...onDisk.manifest.files.map((file) => file.path)];
    assert.deepEqual([...result.files.keys()], paths);
    for (const [path, bytes] of result.files)
      assert.ok(Buffer.from(bytes).equals(readFileSync(join(onDisk.output, path))), path);
  });

  test("may be combined with an archive, which is then the only file written", async () => {
    const source = sampleSite();
    const place = temporaryFolder();
    const result = await exportSite({ source, output: "memory", archive: join(place, "x.tar.gz") });
    if (!result.ok) assert.fail("not exported");
    assert.equal(result.archive.path, join(place, "x.tar.gz"));
    assert.ok(result.files.has("index.html"));
    assert.deepEqual(namesIn(place), ["x.tar.gz"]);
  });

  const phases: readonly ExportPhase[] = ["read", "assets", "pages", "outputs", "archive"];
  for (const phase of phases)
    test(`leaves nothing when it is aborted while the phase is "${phase}"`, async () => {
      const source = sampleSite();
      const stop = new AbortController();
      const onProgress = (progress: { readonly phase: ExportPhase }): void => {
        if (progress.phase === phase) stop.abort("enough");
      };
      const running = exportSite({ source, output: "memory", signal: stop.signal, onProgress });
      await assert.rejects(running, (error) => error === "enough");
      assert.deepEqual(workFolders(), []);
    });
});

describe("a check", () => {
  test("finds what an export finds, and writes nothing", async () => {
    const source = sampleSite();
    writeFileSync(join(source, "index.mdx"), page("Start", "[Gone](/gone)"));
    const before = contentOf(join(source, ".."));
    const checked = await checkSite({ source });
    assert.deepEqual(contentOf(join(source, "..")), before);
    const exported = await exportSite({ source, output: "memory" });
    assert.deepEqual(checked.diagnostics, exported.diagnostics);
    assert.deepEqual(
      checked.diagnostics.map(({ code }) => code),
      ["LINK_NOT_FOUND"],
    );
    assert.equal(checked.ok, true);
    expect("manifest" in checked || "files" in checked).toBe(false);
  });

  test("can be aborted", async () => {
    const stop = new AbortController();
    const onProgress = (): void => stop.abort("enough");
    const running = checkSite({ source: sampleSite(), signal: stop.signal, onProgress });
    await assert.rejects(running, (error) => error === "enough");
  });
});
