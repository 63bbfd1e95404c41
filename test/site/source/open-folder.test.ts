import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { formatDiagnostic } from "../../../src/lib/diagnostic/index.js";
import { openFolder, openListedFolder } from "../../../src/site/source/index.js";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files; each holds its own path. */
function folderOf(...paths: string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "offprint-source-")));
  made.push(folder);
  for (const path of paths) write(folder, path, path);
  return folder;
}

function write(folder: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const pathsOf = (folder: string, ignore: string[] = []) => openFolder(folder, { ignore }).files.paths;
const codesOf = (folder: string) =>
  openFolder(folder).diagnostics.map(({ code, location }) => [code, location?.sourcePath]);

describe("openFolder lists", () => {
  test("files sorted by code unit, with / as separator", () => {
    expect(pathsOf(folderOf("b/a.mdx", "a.mdx", "Z.mdx", "b.mdx", "ä.mdx", "b/index.mdx"))).toEqual([
      "Z.mdx",
      "a.mdx",
      "b.mdx",
      "b/a.mdx",
      "b/index.mdx",
      "ä.mdx",
    ]);
  });

  test("names with spaces, quotes, #, %, brackets and any script", () => {
    const names = ["50%.mdx", "a b.mdx", "a#b.mdx", `it's "it".mdx`, "zürich/東京 😀.mdx", "{x}[y](z)+&,;=.mdx"].sort();
    const { files, diagnostics } = openFolder(folderOf(...names));
    expect(files.paths).toEqual(names);
    expect(diagnostics).toEqual([]);
    for (const name of names) expect(files.readText(name)).toBe(name);
  });

  test("no files of tools, and no README or LICENSE", () => {
    const left = [
      ".git/config",
      ".github/a.md",
      ".env",
      ".vscode/x.json",
      "node_modules/a/README.md",
      "a/node_modules/b.js",
    ];
    const top = [
      "build/x.mdx",
      "dist/x.mdx",
      "coverage/x.mdx",
      "tmp/x.mdx",
      "temp/x.mdx",
      ".cache/x",
      ".mintlify/x.json",
    ];
    const papers = [
      "README.md",
      "a/README.md",
      "LICENSE.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "AGENTS.md",
      "CLAUDE.md",
    ];
    const kept = [
      ".htaccess",
      ".mintlify/skills/a.md",
      ".mintlify/specs/b.json",
      ".well-known/x.txt",
      "a/build/x.mdx",
      "a/temp/y.mdx",
      "changelog.mdx",
    ];
    expect(pathsOf(folderOf(...left, ...top, ...papers, ...kept))).toEqual(kept.sort());
  });

  test("no bundle that an earlier run wrote into the site", () => {
    expect(pathsOf(folderOf("a.mdx", "site/_offprint/app.js", "site/index.html", "site/a.md"))).toEqual(["a.mdx"]);
  });

  test("what .mintignore does not exclude; it may include what is excluded by default", () => {
    const folder = folderOf(
      "drafts/a.mdx",
      "a.draft.mdx",
      "b.mdx",
      "keep.draft.mdx",
      "build/x.mdx",
      "x/build/y.mdx",
      "README.md",
    );
    write(
      folder,
      ".mintignore",
      "\ufeff# drafts\r\ndrafts/\r\n*.draft.mdx\n!keep.draft.mdx\n!/build\n!README.md\nx/**\n",
    );
    expect(pathsOf(folder)).toEqual(["README.md", "b.mdx", "build/x.mdx", "keep.draft.mdx"]);
  });

  test("what the navigation lists, also where such names are left out by default", () => {
    const names = ["build/x.mdx", "build/y.png", "dist/z.mdx", "README.md", "a/README.md", "tmp/README.md"];
    const folder = folderOf(...names);
    const listed = `{ // With a comment
      "navigation": { "groups": [{ "group": "Build", "pages": ["/build/x", "a/README", "[id]/README.md"] }], },
      "redirects": [{ "source": "/dist/z", "destination": "/tmp/z" }]
    }`;
    write(folder, "docs.json", listed);
    expect(pathsOf(folder)).toEqual(["a/README.md", "build/x.mdx", "build/y.png", "docs.json"]);
    write(folder, "docs.json", `${"[".repeat(100_000)}`);
    expect(pathsOf(folder)).toEqual(["docs.json"]);
    write(folder, "docs.json", listed);
    write(folder, ".mintignore", "build/y.png\n");
    expect(pathsOf(folder)).toEqual(["a/README.md", "build/x.mdx", "docs.json"]);
  });

  test("files listed by a file that the navigation includes, but not by any other", () => {
    const folder = folderOf("build/x.mdx", "dist/z.mdx");
    const included = { "nav/all.json": { groups: [{ $ref: "/nav/group.json" }, { $ref: "../../outside.json" }] } };
    const files = { ...included, "nav/group.json": { pages: ["build/x"] }, "moved.json": [{ destination: "/dist/z" }] };
    write(folder, "docs.json", `{ "navigation": { "$ref": "nav/all.json" }, "redirects": { "$ref": "moved.json" } }`);
    for (const [name, content] of Object.entries(files)) write(folder, name, JSON.stringify(content));
    const names = ["build/x.mdx", "docs.json", "moved.json", "nav/all.json", "nav/group.json"];
    expect(pathsOf(folder)).toEqual(names);
  });

  test("nothing in folders that the caller excludes", () => {
    expect(pathsOf(folderOf("out/a.md", "a/out/b.md"), ["/out/"])).toEqual(["a/out/b.md"]);
  });
});

describe("openFolder reports", () => {
  test("a folder that does not exist", () => {
    const { files, diagnostics } = openFolder("/does/not/exist");
    expect(files.paths).toEqual([]);
    expect(diagnostics.map((each) => formatDiagnostic(each))).toEqual([
      "error SITE_NOT_FOUND\n  The site folder /does/not/exist does not exist.\n  fix: give the folder that contains docs.json.",
    ]);
  });

  test("a file given for a folder", () => {
    const folder = folderOf("docs.json");
    const [diagnostic] = openFolder(join(folder, "docs.json")).diagnostics;
    expect(diagnostic).toMatchObject({ code: "SITE_NOT_FOUND", fix: `give its parent folder instead: ${folder}` });
  });

  test("names that are invalid on some systems, and continues", () => {
    const folder = folderOf("a.mdx", "b\nc.mdx", "d\\e.mdx");
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from(".mdx")]), "x");
    const { files, diagnostics } = openFolder(folder);
    expect(files.paths).toEqual(["a.mdx"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(3).fill("SOURCE_NAME_UNUSABLE"));
  });

  test("more files than the limit", () => {
    const { files, diagnostics } = openFolder(folderOf("a", "data/b", "data/c"), { maxFileCount: 2 });
    expect(files.paths).toEqual([]);
    expect(diagnostics[0]).toMatchObject({
      code: "SITE_TOO_LARGE",
      severity: "error",
      fix: 'export the folder that contains docs.json, and list other files in .mintignore: most are in "data/".',
    });
  });

  test("a folder without read permission, and continues", () => {
    const folder = folderOf("a.mdx", "closed/b.mdx");
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "closed"), 0);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534); // root may read everything
    const { files, diagnostics } = openFolder(folder);
    if (isRoot) process.seteuid?.(0);
    chmodSync(join(folder, "closed"), 0o700);
    expect(files.paths).toEqual(["a.mdx"]);
    expect(diagnostics).toMatchObject([
      { code: "SOURCE_UNREADABLE", severity: "error", location: { sourcePath: "closed/" } },
    ]);
  });

  const unfit = [
    ["many wildcards in a name", `${"*a".repeat(10)}\n`],
    ["many wildcards across folders", `${"**/a/".repeat(10)}\n`],
    ["thousands of lines", "x\n".repeat(3000)],
  ] as const;
  for (const [rule, text] of unfit) {
    test(`ignore rules with ${rule}, and exports nothing that they might hide`, () => {
      const folder = folderOf("a.mdx");
      write(folder, ".mintignore", text);
      const { files, diagnostics } = openFolder(folder);
      expect(files.paths).toEqual([]);
      expect(diagnostics).toMatchObject([
        { code: "IGNORE_RULE_UNUSABLE", severity: "error", location: { sourcePath: ".mintignore" } },
      ]);
    });
  }

  test("ignore rules that cannot be read", () => {
    const folder = folderOf("a.mdx");
    mkdirSync(join(folder, ".mintignore"));
    expect(codesOf(folder)).toEqual([["SOURCE_UNREADABLE", ".mintignore"]]);
  });
});

describe("openFolder exports nothing when .mintignore", () => {
  const links = [
    ["never ends", "/dev/zero"],
    ["lies outside", "../rules"],
    ["leads nowhere", "nowhere"],
  ] as const;
  for (const [rule, target] of links) {
    test(rule, () => {
      const folder = folderOf("rules", "site/a.mdx");
      symlinkSync(target, join(folder, "site/.mintignore"));
      const { files, diagnostics } = openFolder(join(folder, "site"));
      expect(files.paths).toEqual([]);
      expect(diagnostics).toMatchObject([{ code: "SOURCE_UNREADABLE", severity: "error" }]);
    });
  }

  test("is larger than any list of rules", () => {
    const folder = folderOf("a.mdx");
    write(folder, ".mintignore", "# \n".repeat(500_000));
    expect(codesOf(folder)).toEqual([["SOURCE_UNREADABLE", ".mintignore"]]);
  });
});

describe("openFolder follows a symbolic link", () => {
  test("to a file or folder of the site", () => {
    const folder = folderOf("a/x.mdx", "b.mdx");
    symlinkSync("a", join(folder, "link"));
    symlinkSync("../b.mdx", join(folder, "a/c.mdx"));
    const { files, diagnostics } = openFolder(folder);
    expect(files.paths).toEqual(["a/c.mdx", "a/x.mdx", "b.mdx", "link/c.mdx", "link/x.mdx"]);
    expect(files.readText("link/c.mdx")).toBe("b.mdx");
    expect(diagnostics).toEqual([]);
  });

  test("within a site that is itself reached through one", () => {
    const folder = folderOf("site/a.mdx");
    symlinkSync("site", join(folder, "link"));
    const { files } = openFolder(join(folder, "link"));
    expect([files.root, files.paths]).toEqual([join(folder, "site"), ["a.mdx"]]);
  });

  test("not out of the site, not even to a folder whose name has the same prefix", () => {
    const folder = folderOf("site/a.mdx", "site-secret/b.mdx", "secret.txt");
    symlinkSync("../site-secret", join(folder, "site/b"));
    symlinkSync("../secret.txt", join(folder, "site/c.txt"));
    symlinkSync("/etc/passwd", join(folder, "site/d.txt"));
    const { files, diagnostics } = openFolder(join(folder, "site"));
    expect(files.paths).toEqual(["a.mdx"]);
    expect(diagnostics.map(({ code, location }) => [code, location?.sourcePath]).sort()).toEqual([
      ["SOURCE_LINK_OUTSIDE", "b"],
      ["SOURCE_LINK_OUTSIDE", "c.txt"],
      ["SOURCE_LINK_OUTSIDE", "d.txt"],
    ]);
  });

  test("not into hidden folders, unless they are included again", () => {
    const folder = folderOf(".git/config", ".env", ".public/x.txt", "a.mdx");
    symlinkSync(".git/config", join(folder, "config.txt"));
    symlinkSync(".git", join(folder, "git"));
    symlinkSync(".env", join(folder, "env.txt"));
    symlinkSync(".public/x.txt", join(folder, "x.txt"));
    write(folder, ".mintignore", "!/.public/\n");
    const { files, diagnostics } = openFolder(folder);
    expect(files.paths).toEqual([".public/x.txt", "a.mdx", "x.txt"]);
    expect(diagnostics.map(({ code, location }) => [code, location?.sourcePath])).toEqual(
      ["config.txt", "env.txt", "git"].map((path) => ["SOURCE_LINK_PRIVATE", path]),
    );
  });

  test("not in a cycle", () => {
    const folder = folderOf("a/x.mdx", "b/y.mdx");
    symlinkSync("..", join(folder, "a/up"));
    symlinkSync("../b", join(folder, "a/other"));
    symlinkSync("../a", join(folder, "b/other"));
    symlinkSync("self", join(folder, "self"));
    const { files, diagnostics } = openFolder(folder);
    expect(files.paths).toEqual(["a/other/y.mdx", "a/x.mdx", "b/other/x.mdx", "b/y.mdx"]);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["SOURCE_LINK_LOOP", "SOURCE_LINK_BROKEN"]));
  });

  test("a limited number of times where links fan out", () => {
    const folder = folderOf("f0/x.mdx", ...Array.from({ length: 12 }, (_, i) => `f${i + 1}/x.mdx`));
    for (let i = 0; i < 12; i++)
      for (const name of ["l", "r"]) symlinkSync(`../f${i + 1}`, join(folder, `f${i}/${name}`));
    expect(pathsOf(folder).length).toBeLessThan(1000);
  });

  test("not if it is ignored, and reports nothing", () => {
    const folder = folderOf("a.mdx");
    symlinkSync("/nowhere", join(folder, ".link"));
    symlinkSync("/etc", join(folder, "build"));
    expect(openFolder(folder)).toMatchObject({ files: { paths: ["a.mdx"] }, diagnostics: [] });
  });
});

describe("SiteFiles", () => {
  const reopened = (folder: string) => openListedFolder(folder, pathsOf(folder));
  test("reads text without its byte-order mark, and bytes as they are", () => {
    const folder = folderOf();
    write(folder, "a.mdx", "\ufeffHällo");
    const files = reopened(folder);
    expect(files.readText("a.mdx")).toBe("Hällo");
    expect([...files.readBytes("a.mdx").subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  test("returns no path and no content of a file that is not listed", () => {
    const folder = folderOf("a.mdx", ".env");
    const files = reopened(folder);
    for (const path of ["../a.mdx", "/etc/passwd", ".env", "./a.mdx", "constructor", "a.mdx/"]) {
      expect(files.has(path)).toBe(false);
      expect(() => files.absolutePath(path)).toThrow(RangeError);
      expect(() => files.readText(path)).toThrow(RangeError);
      expect(() => files.readBytes(path)).toThrow(RangeError);
    }
    expect(files.absolutePath("a.mdx")).toBe(join(folder, "a.mdx"));
  });

  test("an unreadable file is named in the error", () => {
    const folder = folderOf("a.mdx");
    const files = reopened(folder);
    rmSync(join(folder, "a.mdx"));
    expect(() => files.readText("a.mdx")).toThrow(/a\.mdx/);
  });
});
