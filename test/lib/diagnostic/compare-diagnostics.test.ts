import { expect, test } from "vitest";
import { compareDiagnostics, type Diagnostic } from "../../../src/lib/diagnostic/index.js";

const at = (code: string, sourcePath?: string, line?: number, column?: number): Diagnostic => ({
  code,
  severity: "error",
  what: "",
  fix: "",
  location: sourcePath === undefined ? undefined : { sourcePath, line, column },
});

test("compareDiagnostics sorts by file, line, column and code, by code unit and not by language", () => {
  const sorted = [
    at("Z"),
    at("Z", "B.mdx"),
    at("A", "a.mdx"),
    at("Z", "a.mdx", 2, 9),
    at("A", "a.mdx", 10, 1),
    at("B", "a.mdx", 10, 1),
    at("A", "a.mdx", 10, 2),
    at("A", "ä.mdx"),
  ];
  expect(sorted.toReversed().sort(compareDiagnostics)).toEqual(sorted);
});
