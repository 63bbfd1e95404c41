import { describe, expect, test } from "vitest";
import { isStorable, portablePath } from "../../../src/lib/portable-name.js";
import { outputPathOf, urlPathOf } from "../../../src/site/discover/output-paths.js";

describe("urlPathOf and outputPathOf", () => {
  const cases = [
    // rule                                        sourcePath                  urlPath                outputPath
    ["drop the extension", "quickstart.mdx", "/quickstart", "quickstart.html"],
    ["take .md as .mdx", "notes.md", "/notes", "notes.html"],
    ["keep the root page at /", "index.mdx", "/", "index.html"],
    ["give an index page its folder's path", "guides/index.mdx", "/guides", "guides.html"],
    ["keep a name that only ends in index", "guides/reindex.mdx", "/guides/reindex", "guides/reindex.html"],
    ["keep the case", "API/Users.mdx", "/API/Users", "API/Users.html"],
    ["keep dots", "v1.2/node-20.x.mdx", "/v1.2/node-20.x", "v1.2/node-20.x.html"],
    ["keep a name that looks like a script", "snapshot.js.mdx", "/snapshot.js", "snapshot.js.html"],
    ["keep blanks and brackets", "a (b) [c].mdx", "/a (b) [c]", "a (b) [c].html"],
    ["keep letters of other scripts", "ガイド/é.mdx", "/ガイド/é", "ガイド/é.html"],
    ["encode in the file name only", "what?.mdx", "/what?", "what~3F.html"],
  ] as const;
  for (const [rule, sourcePath, urlPath, outputPath] of cases)
    test(rule, () => {
      expect(urlPathOf(sourcePath)).toBe(urlPath);
      expect(outputPathOf(urlPath)).toBe(outputPath);
    });
});

describe("portablePath", () => {
  const cases = [
    ["leaves an ordinary path alone", "guides/install-v1.2+x", "guides/install-v1.2+x"],
    ["marks what Windows refuses", '<a>:b"c|d?e*f\\g', "~3Ca~3E~3Ab~22c~7Cd~3Fe~2Af~5Cg"],
    ["marks control characters", "a\u0000b\u001fc\u007fd\u0085e", "a~00b~1Fc~7Fd~85e"],
    ["marks a dot at the end of any name", "etc./b", "etc~2E/b"],
    ["marks a blank at the end of any name", "a /b ", "a~20/b~20"],
    ["marks device names", "con/aux.x/Nul/com1", "~63on/~61ux.x/~4Eul/~63om1"],
    ["leaves names that only start like a device", "console/auxiliary/com10", "console/auxiliary/com10"],
    ["marks what could be decoded twice", "a%2Fb", "a~252Fb"],
    ["leaves a lone percent sign", "100%", "100%"],
    ["marks what looks marked", "what~3F", "what~7E3F"],
    ["marks two dots within a name", "a..b/...c", "a~2E.b/~2E~2E.c"],
    ["leaves a lone tilde", "~home", "~home"],
  ] as const;
  for (const [rule, path, portable] of cases) test(rule, () => expect(portablePath(path)).toBe(portable));

  test("never maps two paths to one", () => {
    const parts = ["?", "~3F", "~7E3F", "con", "~63on", ".", "a.", "a~2E", "%2F", "~252F", "a", "~"];
    const paths = parts.flatMap((one) => parts.map((other) => one + other));
    expect(new Set(paths.map(portablePath)).size).toBe(new Set(paths).size);
  });

  test("cuts a long name, and long names stay different", () => {
    const [one, other] = [portablePath(`${"é".repeat(300)}1`), portablePath(`${"é".repeat(300)}2`)];
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(200);
    expect(one).not.toBe(other);
    expect(portablePath("x".repeat(200))).toBe("x".repeat(200));
  });

  test("returns paths that every system can store", () => {
    for (const path of ["con", "a?b/c.", "x".repeat(400), "a\nb"]) {
      expect(isStorable(path)).toBe(false);
      expect(isStorable(portablePath(path))).toBe(true);
    }
    expect(isStorable("a%20b/~3F.png")).toBe(true);
  });
});
