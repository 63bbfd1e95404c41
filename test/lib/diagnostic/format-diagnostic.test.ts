import { describe, expect, test } from "vitest";
import { type Diagnostic, formatDiagnostic } from "../../../src/lib/diagnostic/index.js";

const missingPage: Diagnostic = {
  code: "PAGE_NOT_FOUND",
  severity: "error",
  what: 'The navigation lists "guides/instal", but the site has no guides/instal.mdx.',
  location: { sourcePath: "docs.json", line: 2, column: 13, length: 15 },
  fix: 'write "guides/install" (guides/install.mdx exists) or remove the entry.',
};
const docs = '{\n            "guides/instal",\r\n}\n';

describe("formatDiagnostic", () => {
  test("prints location, message, the line with carets, and the fix", () => {
    expect(formatDiagnostic(missingPage, () => docs)).toBe(
      [
        "error PAGE_NOT_FOUND docs.json:2:13",
        '  The navigation lists "guides/instal", but the site has no guides/instal.mdx.',
        '  2 |             "guides/instal",',
        "    |             ^^^^^^^^^^^^^^^",
        '  fix: write "guides/install" (guides/install.mdx exists) or remove the entry.',
      ].join("\n"),
    );
  });

  const withoutFrame = formatDiagnostic(missingPage);
  const unreadable: [string, () => string | undefined][] = [
    ["the file cannot be read", () => undefined],
    [
      "reading throws",
      () => {
        throw new Error("gone");
      },
    ],
    ["the file has fewer lines", () => "{}"],
    ["the line is blank", () => "{\n   \n}"],
  ];
  for (const [rule, readText] of unreadable) {
    test(`leaves out the source line if ${rule}`, () =>
      expect(formatDiagnostic(missingPage, readText)).toBe(withoutFrame));
  }

  test("prints an error of a whole file without a line, and one of no file without a file", () => {
    expect(formatDiagnostic({ ...missingPage, location: { sourcePath: "a.mdx" } }, () => docs)).toMatch(
      /^error PAGE_NOT_FOUND a\.mdx\n.*\n {2}fix: .*$/,
    );
    expect(formatDiagnostic({ ...missingPage, location: undefined })).toMatch(
      /^error PAGE_NOT_FOUND\n.*\n {2}fix: .*$/,
    );
  });

  test("marks only the line if the column is unknown", () => {
    expect(formatDiagnostic({ ...missingPage, location: { sourcePath: "docs.json", line: 2 } }, () => docs)).toBe(
      [
        "error PAGE_NOT_FOUND docs.json:2",
        '  The navigation lists "guides/instal", but the site has no guides/instal.mdx.',
        '  2 |             "guides/instal",',
        '  fix: write "guides/install" (guides/install.mdx exists) or remove the entry.',
      ].join("\n"),
    );
  });

  test("cuts a long line around the error", () => {
    const text = `${"a".repeat(1000)}FAULT${"b".repeat(1000)}`;
    const location = { sourcePath: "a.json", line: 1, column: 1001, length: 5 };
    const [, , line, carets] = formatDiagnostic({ ...missingPage, location }, () => text).split("\n");
    expect(line).toBe(`  1 | …${"a".repeat(40)}FAULT${"b".repeat(75)}…`);
    expect(carets).toBe(`    | ${" ".repeat(41)}^^^^^`);
  });

  test("keeps carets below the error after tabs, and within the line", () => {
    const location = { sourcePath: "a.json", line: 1, column: 3, length: 500 };
    const [, , line, carets] = formatDiagnostic({ ...missingPage, location }, () => "\t\tabc").split("\n");
    expect(line).toBe("  1 |     abc");
    expect(carets).toBe("    |     ^^^");
  });

  describe("with a second place", () => {
    const tag = "<Card>\n\ntext\n</Crad> and <b>bold</i>\n";
    const fault = (related: Diagnostic["related"], line = 4, column = 1): Diagnostic => ({
      ...missingPage,
      location: { sourcePath: "a.mdx", line, column, length: 7 },
      ...(related && { related }),
    });
    const frameOf = (diagnostic: Diagnostic, texts: Readonly<Record<string, string>> = { "a.mdx": tag }): string[] =>
      formatDiagnostic(diagnostic, (path) => texts[path])
        .split("\n")
        .slice(2, -1);
    const at = (line: number, column: number, length: number, sourcePath = "a.mdx") => ({
      location: { sourcePath, line, column, length },
      what: "<Card> opens here",
    });

    test("shows both lines in file order, and that lines between them are left out", () => {
      expect(frameOf(fault(at(1, 1, 6)))).toEqual([
        "  1 | <Card>",
        "    | ------ <Card> opens here",
        "  ...",
        "  4 | </Crad> and <b>bold</i>",
        "    | ^^^^^^^",
      ]);
    });

    test("shows a line that has both once", () => {
      expect(frameOf(fault(at(4, 13, 3), 4, 20))).toEqual([
        "  4 | </Crad> and <b>bold</i>",
        "    |                    ^^^^",
        "    |             --- <Card> opens here",
      ]);
    });

    test("shows a line of another file below its name", () => {
      const texts = { "a.mdx": tag, "b.mdx": "<Card>\n" };
      expect(frameOf(fault(at(1, 1, 6, "b.mdx")), texts).slice(2)).toEqual([
        "   ::: b.mdx:1:1",
        "  1 | <Card>",
        "    | ------ <Card> opens here",
      ]);
    });

    test("names the location if its line cannot be read", () => {
      expect(frameOf(fault(at(1, 1, 6, "gone.mdx"))).at(-1)).toBe("  gone.mdx:1:1: <Card> opens here");
    });
  });

  test("removes control characters of the site's text", () => {
    const location = { sourcePath: "\u001b[2Ja.mdx", line: 1, column: 1 };
    const printed = formatDiagnostic(
      { ...missingPage, what: "a\u001b]0;x\u0007b\u202e", location },
      () => "\u001b[31m\u009b",
    );
    expect(printed.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  test("indents the further lines of a fix", () => {
    expect(formatDiagnostic({ code: "X", severity: "warning", what: "Fact.", fix: "write\n{\n}" })).toBe(
      "warning X\n  Fact.\n  fix: write\n       {\n       }",
    );
  });
});
