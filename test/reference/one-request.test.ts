/** The playground and Postman collections send what the samples send: the rows of the table, without a browser. */
import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject, listAt, member } from "../../src/lib/json/index.js";
import { buildRequest } from "../../src/reader/playground/build-request.js";
import type { FormParameter } from "../../src/reference/forms/playground-form.js";
import { postmanCollection } from "../../src/reference/openapi/postman-collection.js";
import type { RequestCase } from "./request-cases.js";
import { tableCases } from "./request-table.js";
import { apiDefaults, documentOf, specOf, targetsOf } from "./spec-of.js";

/** Rows about an address; the playground has no examples that are a text in place of a structure. */
const ofAddress = tableCases.filter(({ about, operation, wanted }) => {
  const parameters = listAt(documentOf(operation), "parameters");
  const areGiven = parameters.every((each) => member(each, "example") !== undefined);
  return (
    wanted.body === undefined &&
    parameters.length > 0 &&
    areGiven &&
    !about.includes("a text") &&
    !about.includes("alone")
  );
});
const formBody = ({ operation }: RequestCase): JsonObject | undefined => {
  const content = member(member(documentOf(operation), "requestBody"), "content");
  const media = member(content, "application/x-www-form-urlencoded");
  return isObject(media) && isObject(member(media, "example")) ? media : undefined;
};

/** Without the address of the server. */
const addressOf = (url: string): string => url.slice("https://api.example.com".length);
const wantedAddress = ({ path = "/things", wanted }: RequestCase): string | undefined => {
  const search = wanted.rawQuery ? `?${wanted.rawQuery}` : "";
  const plainPath = path.includes("{") || /[?#]/.test(path) ? undefined : path;
  const wantedPath = wanted.path ?? plainPath;
  return wantedPath === undefined ? undefined : wantedPath + search;
};

describe("the playground sends", () => {
  for (const each of ofAddress)
    test(each.about, () => {
      const parameters = listAt(documentOf(each.operation), "parameters").flatMap((written) => {
        const value = member(written, "example");
        const { in: place, ...rest } = written as JsonObject;
        const parameter = { ...rest, place, schema: 0 } as unknown as FormParameter;
        return value === undefined ? [] : [{ parameter, value }];
      });
      const draft = { baseUrl: "https://api.example.com", credentials: [], parameters };
      const { sample } = buildRequest({ method: "POST", path: each.path ?? "/things" }, draft);
      const address = wantedAddress(each);
      if (address !== undefined) expect(addressOf(sample.url)).toBe(address);
      const headers = Object.fromEntries(sample.headers.map(([name, value]) => [name.toLowerCase(), value]));
      for (const [name, value] of Object.entries(each.wanted.headers ?? {})) expect(headers[name]).toBe(value);
    });
  for (const each of tableCases.filter(formBody))
    test(each.about, () => {
      const media = formBody(each)!;
      const fields = Object.entries(media["example"] as JsonObject);
      const encoding = (media["encoding"] ?? {}) as never;
      const type = "application/x-www-form-urlencoded";
      const draft = {
        baseUrl: "",
        credentials: [],
        parameters: [],
        body: { kind: "fields", media: { type, schema: 0, encoding }, fields, isList: false },
      } as const;
      const { sample, body } = buildRequest({ method: "POST", path: "/" }, draft);
      const { form } = each.wanted.body as { form: Json };
      expect(sample.body).toEqual({ kind: "form", fields: form });
      expect([...new URLSearchParams(body as string)]).toEqual(form);
    });
});

describe("a Postman collection sends", () => {
  for (const each of tableCases.filter(({ wanted }) => wanted.rawQuery !== undefined || "form" in (wanted.body ?? {})))
    test(each.about, () => {
      const spec = specOf({
        openapi: "3.1.0",
        paths: { [each.path ?? "/things"]: { [each.method ?? "post"]: documentOf(each.operation) as Json } },
      });
      const api = { examples: { ...apiDefaults.examples, defaults: "examples" } } as const;
      const request = member(listAt(postmanCollection(spec, targetsOf(spec), api), "item")[0], "request");
      const query = listAt(member(request, "url"), "query").filter((pair) => member(pair, "disabled") !== true);
      // Postman encodes characters that are not allowed in a URL and leaves the others.
      const sent = query
        .map((pair) => [member(pair, "key"), member(pair, "value")].filter((part) => part !== null).join("="))
        .join("&");
      const { rawQuery, body } = each.wanted;
      if (rawQuery !== undefined) expect(decodeURIComponent(sent)).toBe(decodeURIComponent(rawQuery));
      const pairs = listAt(member(request, "body"), "urlencoded").map((pair) => [
        member(pair, "key"),
        member(pair, "value"),
      ]);
      if (body !== undefined && "form" in body) expect(pairs).toEqual(body.form);
    });
});
