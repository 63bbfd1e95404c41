import { expect, test } from "vitest";
import { parseJson, stringify } from "../../../src/lib/json/index.js";

const long = "12345678901234567890";

test.each([long, `-${long}`, `${long}.5`, `1.${long}`, `${long}e+3`, `${long}E3`])("%s keeps its digits", (number) => {
  for (const text of [
    number,
    `[${number}]`,
    `[1,${number},2]`,
    `{"a":${number}}`,
    `{"a":[0,${number}],"b":"${long}"}`,
    `{ "a" :\n ${number}\t}`,
  ])
    expect(stringify(parseJson(text))).toBe(text.replace(/\s/g, ""));
});

test("a text whose long numbers are all in strings is read by the fast parser", () => {
  const text = `{"id":"${long}","about":"from -${long} to ${long}, or 1.${long}E+308"}`;
  const parse = JSON.parse;
  let revived = false;
  JSON.parse = (source, reviver) => {
    revived ||= reviver !== undefined;
    return parse(source, reviver);
  };
  try {
    expect(parseJson(text)).toEqual(parse(text));
  } finally {
    JSON.parse = parse;
  }
  expect(revived).toBe(false);
});
