/** Whatever a site calls its pages, files and redirects: every system can unpack the archive, and nothing leaves its folder. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { exportInProcess } from "../support/pool-in-process.js";
import { newFolder, writeSite } from "./site-folder.js";

const folder = newFolder("archive");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names: readonly string[] = [
  ...["con", "CON", "aux/page", "nul.txt", "com1", "lpt9.x", "COM¹", "prn /x", "conin$", "clock$"],
  ...["C:", "c:evil", "C:/evil", "d:\\evil", "\\\\server\\share", "a\\..\\..\\evil", "..\\evil", "\\evil"],
  ...[
    "..evil",
    "..%2fevil",
    "%2e%2e%2fevil",
    "%2e%2e/evil",
    "....//evil",
    "a/... /evil",
    "...",
    "a..",
    "~",
    "~/evil",
    "-rf",
    "@x",
  ],
  ...[
    "dot.",
    "dots...",
    "blank ",
    " blank",
    "dot./inside",
    "blank /inside",
    "tab\t",
    "new\nline",
    "bell\u0007",
    "del\u007f",
  ],
  ...["a<b", "a>b", 'a"b', "a|b", "a?b", "a*b", "a:b", "a%00b", "a\u202eb", "a\u200bb", "\u00a0", "\ufeffbom"],
  ...[
    "Upper",
    "upper",
    "UPPER",
    "é",
    "e\u0301",
    "É",
    "straße",
    "STRASSE",
    "ſ",
    "s",
    "ﬁ",
    "fi",
    "K",
    "k",
    "ς",
    "σ",
    "Σ",
  ],
  ...[
    "İ",
    "i\u0307",
    "ı",
    "i",
    "한",
    "\u1112\u1161\u11ab",
    "x".repeat(240),
    "ä".repeat(110),
    "X".repeat(240),
    "日".repeat(80),
  ],
  ...[
    "llms",
    "LLMS",
    "index",
    "INDEX",
    "404",
    "offprint",
    "_offprint/app",
    "_Offprint/App",
    "sitemap",
    "robots",
    "_redirects",
  ],
  ...["one", "One/index", "one/rss", "one/RSS", "a/b", "A/B", "a/b/c", "A/b.html", "a/b.md"],
];

function contents(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of names) {
    const path = name.replaceAll("\0", "");
    files[`${path}.mdx`] = `# Page\n\n<Update label="1">x</Update>\n`;
    for (const extension of ["png", "txt", "html", "xml", "TXT"]) files[`${path}.${extension}`] = "x";
    files[`${path}/file.json`] = "{}";
  }
  const sources = [
    ...names,
    "/../evil",
    "/a/../../evil",
    "//evil",
    "/./x",
    "/a//b",
    "/CON.html",
    "/redirect/Con",
    "/r/\ud800",
  ];
  const redirects = sources.map((source) => ({ source: `/${source}`, destination: "/one" }));
  files["docs.json"] = JSON.stringify({
    theme: "mint",
    name: "Names",
    colors: { primary: "#0f766e" },
    redirects: [...redirects, ...names.map((name) => ({ source: `/from/${name}`, destination: "/one" }))],
    navigation: { pages: ["one"] },
  });
  return files;
}

/** Lists, checks and unpacks an archive with the readers of another language. */
const reader = `
import json, re, sys, unicodedata, tarfile, zipfile, os
archive, target = sys.argv[1:]
if archive.endswith(".zip"):
    with zipfile.ZipFile(archive) as opened:
        entries = [entry.filename for entry in opened.infolist()]
        kinds = [(entry.external_attr >> 28) in (0, 8) and not entry.is_dir() for entry in opened.infolist()]
        assert opened.testzip() is None
        opened.extractall(target)
else:
    with tarfile.open(archive) as opened:
        entries = [entry.name for entry in opened.getmembers()]
        kinds = [entry.isreg() for entry in opened.getmembers()]
        opened.extractall(target, filter="data") if hasattr(tarfile, "data_filter") else opened.extractall(target)
device = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\\$|conout\\$)(?=[. ]|$)", re.I)
def valid(name):
    return not (name in ("", ".", "..") or re.search(r'[<>:"|?*\\\\\\x00-\\x1f\\x7f]|[. ]$', name) or device.match(name) or len(name.encode()) > 255)
fold = lambda name: unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
files = {fold(entry) for entry in entries}
folders = {fold(entry[:at]) for entry in entries for at in range(len(entry)) if entry[at] == "/"}
found = sorted(os.path.relpath(os.path.join(at, name), target) for at, _, names in os.walk(target) for name in names)
print(json.dumps({
    "entries": entries,
    "kinds": all(kinds),
    "invalid": [entry for entry in entries if not all(valid(name) for name in entry.split("/"))],
    "twins": [entry for entry in entries if sum(fold(other) == fold(entry) for other in entries) > 1],
    "both": sorted(files & folders),
    "unpacked": found == sorted(entries),
}))
`;

interface Listing {
  readonly entries: readonly string[];
  readonly kinds: boolean;
  readonly invalid: readonly string[];
  readonly twins: readonly string[];
  readonly both: readonly string[];
  readonly unpacked: boolean;
}

for (const extension of ["zip", "tar.gz"])
  describe(`a .${extension} of a site with hostile names`, () => {
    let listing: Listing;

    beforeAll(async () => {
      const source = join(folder, `site-${extension}`);
      const archive = join(folder, `x.${extension}`);
      const unpacked = join(folder, `unpacked-${extension}`);
      for (const [path, text] of Object.entries(contents()))
        try {
          writeSite(source, { [path]: text });
        } catch (error) {
          // Some of the names exclude each other on the disk, as a file and a folder, or are too long for it.
          assert.match(String((error as NodeJS.ErrnoException).code), /^(?:EEXIST|EISDIR|ENOTDIR|ENAMETOOLONG)$/);
        }
      const result = await exportInProcess({ source, archive, baseUrl: "https://docs.example.com" });
      assert.equal(result.ok, true);
      writeSite(folder, { "read.py": reader });
      const printed = execFileSync("python3", [join(folder, "read.py"), archive, unpacked], {
        encoding: "utf8",
        env: { ...process.env, PYTHONUTF8: "1" },
        maxBuffer: 1e8,
      });
      listing = JSON.parse(printed) as Listing;
    });

    test("has only files, and many of them", () => {
      assert.equal(listing.kinds, true);
      assert.ok(listing.entries.length > 300);
    });

    test("has paths that every system can hold, and none that leads out", () => assert.deepEqual(listing.invalid, []));

    test("has no two paths that some system takes for one", () => {
      assert.deepEqual(listing.twins, []);
      assert.deepEqual(listing.both, []);
    });

    test("is sorted after its manifest", () => {
      const [first, ...rest] = listing.entries;
      assert.equal(first, "offprint.json");
      assert.deepEqual(rest, rest.toSorted());
    });

    test("unpacks to all of its files", () => assert.equal(listing.unpacked, true));
  });
