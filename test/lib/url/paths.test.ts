import { expect, test } from "vitest";
import { folderOf, joinPath, nameOf } from "../../../src/lib/url/index.js";

test("folderOf gives the folder, empty at the top", () =>
  expect(["a/b/c.mdx", "a.mdx", ""].map(folderOf)).toEqual(["a/b", "", ""]));

test("nameOf gives the last part", () =>
  expect(["a/b/c.mdx", "a.mdx", ""].map(nameOf)).toEqual(["c.mdx", "a.mdx", ""]));

const joined = [
  // joinPath …                       folder    path            from the root
  ["counts from the folder", "guides", "install", "guides/install"],
  ["counts from the root", "", "/guides/install/", "guides/install"],
  ["takes out dots and empty names", "a/b", ".././/c/.", "a/c"],
  ["leads no higher than the root", "a", "../../../b", "b"],
  ["gives the root itself", "a", "..", ""],
] as const;
for (const [rule, folder, path, result] of joined)
  test(`joinPath ${rule}`, () => expect(joinPath(folder, path)).toBe(result));
