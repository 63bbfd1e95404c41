import { expect, test } from "vitest";
import { InvalidOption } from "../../../src/export/index.js";
import { resolveAnalytics, resolveAssistant } from "../../../src/export/run/reader-services.js";

const options = { url: "https://api.example.com/", key: "svc_dsc_0123" };

test("a site without the option has no assistant", () =>
  expect(resolveAssistant(undefined, "https://docs.example.com")).toBeUndefined());

test("the host of the site is its name in the service", () =>
  expect(resolveAssistant({ ...options, questions: [" How? ", ""] }, "https://docs.example.com/guide")).toEqual({
    url: "https://api.example.com",
    key: "svc_dsc_0123",
    domain: "docs.example.com",
    questions: ["How?"],
  }));

const refused: readonly (readonly [what: string, more: object, says: RegExp])[] = [
  ["another scheme", { url: "javascript:alert(1)" }, /assistant\.url/],
  ["a password in the address", { url: "https://u:p@api.example.com" }, /assistant\.url/],
  ["a query in the address", { url: "https://api.example.com?a" }, /assistant\.url/],
  ["the key of an administrator", { key: "svc_0123" }, /svc_dsc_/],
  ["no name where the site has no address", {}, /assistant\.domain/],
  ["a name with a path", { domain: "docs/../x" }, /assistant\.domain/],
  ["seven questions", { domain: "docs", questions: Array(7).fill("How?") }, /6 questions/],
];
test.each(refused)("the option with %s is refused", (_what, more, says) => {
  const resolve = () => resolveAssistant({ ...options, ...more }, undefined);
  expect(resolve).toThrow(InvalidOption);
  expect(resolve).toThrow(says);
});

test("a site sends its views nowhere, or to the given address", () => {
  expect(resolveAnalytics(undefined, "https://docs.example.com")).toBeUndefined();
  expect(resolveAnalytics({ url: "https://api.example.com/" }, "https://docs.example.com/guide")).toEqual({
    url: "https://api.example.com",
    domain: "docs.example.com",
    searches: false,
  });
  for (const [more, says] of [
    [{ url: "javascript:alert(1)" }, /analytics\.url/],
    [{}, /analytics\.domain/],
    [{ domain: 'docs"x' }, /analytics\.domain/],
  ] as const)
    expect(() => resolveAnalytics({ url: "https://api.example.com", ...more }, undefined)).toThrow(says);
});
