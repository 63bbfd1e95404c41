import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isMap, isSeq, parseDocument, Scalar, type YAMLMap } from "yaml";
import type { Json, JsonObject } from "../../src/lib/json/index.js";
import type { ApiSpec } from "../../src/site/api-spec.js";
import type { ApiConfig } from "../../src/site/config/site-config.js";
import type { ApiTarget } from "../../src/site/specs/api-target.js";
import { pointerOfTarget } from "../../src/site/specs/api-target.js";
import { contentOf, markdownOf, operationTarget, sectionOf, specOf } from "./spec-of.js";

/**
 * Rules of what pages show: each file of `fixtures/reference/` is a list of small specifications, each with the
 * Markdown of its page or of one section. `UPDATE_GOLDEN=1` rewrites the expected Markdown; read the diff before
 * committing it.
 */
interface Case {
  readonly rule: string;
  /** Schema of the property `x` of a request body; `response` is the same for a response body. */
  readonly schema?: Json;
  readonly response?: Json;
  readonly parameter?: JsonObject;
  readonly operation?: JsonObject;
  /** Whole document without its version; `target` names one of its pages, else it is the page of its only operation. */
  readonly document?: JsonObject;
  readonly target?: ApiTarget;
  /** Rest of the document besides the operation. */
  readonly beside?: JsonObject;
  readonly version?: string;
  /** Settings in the form of the configuration. */
  readonly api?: Partial<ApiConfig>;
  readonly description?: string;
  /** Include the excerpt of the specification. */
  readonly excerpts?: boolean;
  /** Heading of the expected section; the whole page without it. */
  readonly section?: string;
  readonly shows?: string;
}

const folder = fileURLToPath(new URL("../../fixtures/reference/", import.meta.url));

for (const file of readdirSync(folder).sort()) {
  const text = readFileSync(folder + file, "utf8");
  const table = parseDocument(text);
  const cases = table.toJS() as Case[];
  describe(file.replace(/\.yaml$/, "").replaceAll("-", " "), () => {
    if (process.env["UPDATE_GOLDEN"]) {
      test("is rewritten", () => {
        cases.forEach((each, i) => {
          const item = isSeq(table.contents) ? table.contents.items[i] : undefined;
          if (!isMap(item)) throw new Error(`${file} is no list.`);
          const shows = new Scalar(shownBy(each));
          if (shows.value.includes("\n") || shows.value.length > 100) {
            shows.type = "BLOCK_LITERAL";
            // Text of several lines is hard to read inside braces.
            item.flow = false;
          }
          (item as unknown as YAMLMap).set("shows", shows);
        });
        writeFileSync(folder + file, table.toString({ lineWidth: 0, flowCollectionPadding: false }));
      });
      return;
    }
    for (const each of cases) test(each.rule, () => expect(shownBy(each)).toBe(each.shows?.trim()));
  });
}

function shownBy(each: Case): string {
  const spec = specFor(each);
  const target = each.target ?? operationTarget(spec);
  const pageOf = (about: ApiTarget): string => `/about/${about.kind}${pointerOfTarget(about).slice(1)}`;
  const { tree, diagnostics } = contentOf(spec, { ...target, spec: spec.source }, { ...each, pageOf });
  expect(diagnostics).toEqual([]);
  const whole = markdownOf(tree);
  const section = each.section ?? sectionFor(each);
  return section === undefined ? whole : sectionOf(whole, section);
}

function specFor({ document, operation, version = "3.1.0", beside = {}, ...each }: Case): ApiSpec {
  if (document !== undefined) return specOf(document);
  const made = operation ?? operationFor(each);
  return specOf({
    openapi: version,
    info: { title: "T", version: "1" },
    paths: { "/things": { post: made } },
    ...beside,
  });
}

function operationFor({ schema, response, parameter }: Pick<Case, "schema" | "response" | "parameter">): JsonObject {
  const content = (x: Json): JsonObject => ({
    content: { "application/json": { schema: { type: "object", properties: { x } } } },
  });
  if (schema !== undefined) return { requestBody: content(schema) };
  if (response !== undefined) return { responses: { "200": { description: "", ...content(response) } } };
  return { parameters: [parameter!] };
}

const sections: Readonly<Record<string, string>> = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
  cookie: "Cookies",
};

function sectionFor({ schema, response, parameter }: Case): string | undefined {
  if (schema !== undefined) return "Body: application/json";
  if (response !== undefined) return "Response: 200 · application/json";
  return parameter && sections[String(parameter["in"])];
}
