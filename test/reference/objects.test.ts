/** The pages of objects: in the navigation, with their users, and with tools to find a field. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { actsAsReader, sharedBrowser } from "../support/shared-browser.js";
import {
  apiDefaults,
  contentOf,
  documentOf,
  htmlOf,
  markdownOf,
  operationMarkdown,
  operationTarget,
  sectionOf,
  specOf,
  withOperation,
} from "./spec-of.js";

const spec = documentOf(`
openapi: 3.1.0
info: {title: Harbour, version: "1"}
paths:
  /boats:
    get:
      tags: [Boats]
      summary: List boats
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Boat'}}}}}
        default: {$ref: '#/components/responses/Fault'}
    post:
      tags: [Boats]
      summary: Add a boat
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
      responses:
        '200': {description: new, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
        default: {$ref: '#/components/responses/Fault'}
  /crews:
    get:
      tags: [Crews]
      summary: List crews
      responses:
        '200': {description: all, content: {application/json: {schema: {$ref: '#/components/schemas/Crew'}}}}
        default: {$ref: '#/components/responses/Fault'}
components:
  responses:
    Fault: {description: fault, content: {application/json: {schema: {$ref: '#/components/schemas/Fault'}}}}
  schemas:
    Boat:
      title: A boat
      description: Something that floats.
      required: [id, hull]
      properties:
        colour: {type: string}
        hull:
          properties:
            plank: {properties: {nail: {properties: {metal: {type: string}}}}}
        id: {type: string}
        length: {type: number}
        name: {type: string}
        year: {type: integer}
    Crew: {properties: {boat: {$ref: '#/components/schemas/Boat'}, size: {type: integer}}}
    Fault: {properties: {message: {type: string}}}
`);

const chromium = findChromium();

describe("a site with the objects of an API", () => {
  let folder: string;
  const read = (path: string): string => readFileSync(join(folder, "out", path), "utf8");
  const boat = "api-reference/objects/boat.html";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
    const groups = [{ group: "API", openapi: "openapi.json" }];
    writeFileSync(
      join(folder, "docs.json"),
      JSON.stringify({ name: "Harbour", theme: "mint", colors: { primary: "#0f766e" }, navigation: { groups } }),
    );
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(spec));
    const { ok, diagnostics } = await exportInProcess({ source: folder, output: join(folder, "out") });
    expect({ ok, diagnostics }).toEqual({ ok: true, diagnostics: [] });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("lists the objects of a tag in its group, and those of several tags in a group of their own, both closed", () => {
    const html = read("api-reference/boats/list-boats.html");
    const title =
      /<summary class="sidebar-(?:link"><span>Objects<\/span>|fold" aria-label="Objects: [^"]*">)<\/summary>/;
    const groups = html.split(/(?=<details class="sidebar-nested")/).filter((part) => title.test(part));
    expect(groups.some((part) => /^<details[^>]*\bopen\b/.test(part))).toBe(false);
    const links = groups.map((part) =>
      [...part.split("</details>")[0]!.matchAll(/objects\/([a-z]+)\.html/g)].map(([, name]) => name),
    );
    expect(links).toEqual([["boat"], ["crew"], ["fault"]]);
  });

  test("an object's page is below its tag, describes it once, and links to its users and holders", () => {
    const html = read(boat);
    const markdown = read(boat.replace(".html", ".md"));
    expect(html).toMatch(/<span>Boats<\/span><\/summary><ul class="sidebar-group" data-active="true">/);
    expect(html).toContain('<div class="eyebrow">Boats › Objects</div>');
    expect(html.match(/<main.*<\/main>/s)?.[0].match(/Something that floats/g)).toHaveLength(1);
    expect(sectionOf(markdown, "Used by")).toContain("[List boats]");
    expect(sectionOf(markdown, "Used by")).toContain("[Add a boat]");
    expect(sectionOf(markdown, "Used by")).not.toContain("List crews");
    expect(sectionOf(markdown, "Part of")).toContain("[Crew]");
  });

  test("required fields come first, and all fields of an object's page are open", () => {
    const html = read(boat);
    const names = [...html.matchAll(/<code class="field-name"[^>]*>([^<]+)/g)].map(([, name]) => name);
    expect(names.slice(0, 2)).toEqual(["hull", "plank"]);
    expect(names.indexOf("id")).toBeLessThan(names.indexOf("colour"));
    expect(html).toContain('<details class="expandable" open');
    expect(html).not.toMatch(/<details class="expandable"(?![^>]*\bopen\b)/);
  });

  test("a page of an operation opens everything below two closed parts, and leads to the object", () => {
    const html = read("api-reference/boats/list-boats.html");
    expect(html).toMatch(/Object:<\/span> <a[^>]*objects\/boat\.html/);
    const folds = [...html.matchAll(/<details class="expandable"([^>]*)>/g)].map(([, attributes]) =>
      /\bopen\b/.test(attributes!),
    );
    expect(folds).toEqual([false, false, true]);
  });

  test("the list of all objects leads to each, with its first words", () => {
    const markdown = read("api-reference/objects.md");
    expect(markdown).toMatch(/\[A boat\]\([^)]*objects\/boat\.md\): Something that floats\./);
    expect(markdown).toContain("[Crew]");
    expect(markdown).toContain("[Fault]");
  });

  describe.skipIf(chromium === undefined)("opened from disk", actsAsReader, () => {
    const browser = sharedBrowser(chromium);
    const open = async (path: string): Promise<Page> => {
      const page = await browser().newPage();
      await page.goto(pathToFileURL(join(folder, "out", path)).href);
      return page;
    };
    const visibleNames = (page: Page): Promise<string[]> =>
      page.locator(".api-section[data-fields]").last().locator(".field-name:visible").allTextContents();

    test("the filter shows the fields with a name, together with those around and inside them, and closes them again", async () => {
      const page = await open("api-reference/boats/list-boats.html");
      const section = page.locator(".api-section[data-fields]").last();
      const filter = section.getByRole("searchbox");
      expect(await visibleNames(page)).toEqual(["hull", "id", "colour", "length", "name", "year"]);
      await filter.fill("nail");
      expect(await visibleNames(page)).toEqual(["hull", "plank", "nail", "metal"]);
      await filter.fill("plank.nail");
      expect(await visibleNames(page)).toEqual(["hull", "plank", "nail", "metal"]);
      await filter.fill("mast");
      expect(await visibleNames(page)).toEqual([]);
      await section.getByText("No field matches.").waitFor();
      await filter.fill("");
      expect(await visibleNames(page)).toEqual(["hull", "id", "colour", "length", "name", "year"]);
      await page.close();
    });

    test("an anchor of other tools for a model leads to the page of the object", async () => {
      const page = await open("api-reference/overview.html");
      await page.evaluate(() => location.assign("#model/Boat"));
      await page.waitForURL(/objects\/boat\.html$/);
      await page.close();
    });

    test("one button opens everything and closes it again", async () => {
      const page = await open("api-reference/boats/list-boats.html");
      const section = page.locator(".api-section[data-fields]").last();
      await section.getByRole("button", { name: "Expand all" }).click();
      expect(await visibleNames(page)).toContain("metal");
      await section.getByRole("button", { name: "Collapse all" }).click();
      expect(await visibleNames(page)).not.toContain("plank");
      await page.close();
    });
  });
});

test("the fields of an object are a script only while a page loads them, also in an export with a cache", async () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
  const output = join(folder, "out");
  const scriptsWith = async (fieldCount: number): Promise<string[]> => {
    const fields = Array.from({ length: fieldCount }, (_, index) => [`berth_${index}`, { type: "string" }]);
    const { components, paths } = spec as Record<string, Record<string, object>>;
    const port = { type: "object", properties: { ...Object.fromEntries(fields), note: { type: "string" } } };
    const crew = { properties: { home: { $ref: "#/components/schemas/Port" } } };
    const changed = {
      ...spec,
      paths: { ...paths, "/other": paths!["/crews"] },
      components: { ...components, schemas: { ...components!["schemas"], Port: port, Crew: crew } },
    };
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(changed));
    const { ok, diagnostics } = await exportInProcess({ source: folder, output, cacheFolder: join(folder, "cache") });
    expect({ ok, diagnostics }).toEqual({ ok: true, diagnostics: [] });
    return readdirSync(join(output, "api-reference/objects")).filter((name) => name.endsWith(".js"));
  };
  try {
    const groups = [{ group: "API", openapi: "openapi.json" }];
    writeFileSync(
      join(folder, "docs.json"),
      JSON.stringify({ name: "Harbour", theme: "mint", colors: { primary: "#0f766e" }, navigation: { groups } }),
    );
    expect(await scriptsWith(300)).toEqual(["port.js"]);
    const script = readFileSync(join(output, "api-reference/objects/port.js"), "utf8");
    expect(script).toContain("berth_299");
    expect(script).not.toContain("used-by");
    expect(await scriptsWith(3)).toEqual([]);
    expect(await scriptsWith(300)).toEqual(["port.js"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("operations that the navigation lists by hand have their objects, and a page file is the page of its object", async () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
  try {
    const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
    const groups = [{ group: "API", openapi: "openapi.json", pages: ["GET /boats", "POST /boats"] }];
    write(
      "docs.json",
      JSON.stringify({ name: "Harbour", theme: "mint", colors: { primary: "#0f766e" }, navigation: { groups } }),
    );
    write("openapi.json", JSON.stringify(spec));
    write("our-boat.mdx", "---\ntitle: Our boat\nopenapi-schema: Boat\n---\n\nWords of an author.\n");
    const { ok, diagnostics } = await exportInProcess({ source: folder, output: join(folder, "out") });
    expect({ ok, diagnostics }).toEqual({ ok: true, diagnostics: [] });
    const read = (path: string): string => readFileSync(join(folder, "out", path), "utf8");
    const html = read("api-reference/boats/list-boats.html");
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links).toContain("../objects/fault.html");
    expect(links).not.toContain("../objects/crew.html");
    expect(links).not.toContain("../objects/boat.html");
    expect(html).toMatch(/Object:<\/span> <a[^>]*our-boat\.html/);
    const markdown = read("our-boat.md");
    expect(markdown).toContain("Words of an author.");
    expect(sectionOf(markdown, "Used by")).toContain("[Add a boat]");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("fields keep the order of the specification if the site wants it", () => {
  const schema = "{required: [b], properties: {a: {type: string}, b: {type: string}}}";
  const target = withOperation(
    `responses: {'200': {description: d, content: {application/json: {schema: ${schema}}}}}`,
  );
  const order = (wanted: "required" | "source"): number[] => {
    const markdown = operationMarkdown(target, { api: { params: { ...apiDefaults.params, order: wanted } } });
    return ["a", "b"].map((name) => markdown.indexOf(`- \`${name}\``));
  };
  const [a, b] = order("required");
  expect(b).toBeLessThan(a!);
  const [first, second] = order("source");
  expect(first).toBeLessThan(second!);
});

const media = (fields: string): string => `{schema: {properties: {${fields}}}}`;

test("media types of one schema are shown once, and those with another one beside them", async () => {
  const shared = "id: {type: string}";
  const schemas = specOf(
    documentOf(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /a:
    post:
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/A'}}
          application/xml: {schema: {$ref: '#/components/schemas/A'}}
          text/csv: ${media(shared)}
      responses: {}
components: {schemas: {A: {properties: {name: {type: string}}}}}
`),
  );
  const { body: html } = await htmlOf(contentOf(schemas, operationTarget(schemas)).tree);
  expect(html.match(/>name</g)).toHaveLength(1);
  expect(html).toContain("application/json · application/xml");
  expect(html).toContain("text/csv");
});

test("a body with options says neither that it is an object nor what all options require", () => {
  const option = (kind: string, required: string): string =>
    `{title: ${kind}, type: object, required: [${required}], properties: {kind: {const: ${kind}}, size: {type: integer}}}`;
  const bodyOf = (required: string): string => {
    const schema = `{type: object, required: [kind], oneOf: [${option("Small", required)}, ${option("Big", required)}]}`;
    const content = `{application/json: {schema: ${schema}}}`;
    return sectionOf(operationMarkdown(withOperation(`requestBody: {content: ${content}}\nresponses: {}`)), "Body");
  };
  expect(bodyOf("kind")).not.toMatch(/`object`|required: `kind`/);
  expect(bodyOf("size")).toMatch(/required: `kind`/);
});

describe("ways to authorize", () => {
  const flows = "{implicit: {authorizationUrl: 'https://a.example', scopes: {read: Reads, write: Writes}}}";
  const schemes = `components: {securitySchemes: {A: {type: oauth2, flows: ${flows}}, B: {type: oauth2, flows: ${flows}}, K: {type: apiKey, in: header, name: key}}}`;
  const section = (security: string): string =>
    sectionOf(operationMarkdown(withOperation(`security: ${security}\nresponses: {}`, schemes)), "Authorizations");

  test("of two schemes that accept the same token become one, and those that differ in scopes become one with all scopes", () => {
    const markdown = section("[{A: [read], B: [read]}, {A: [write], B: [write]}]");
    expect(markdown.match(/OAuth 2\\?\.0/g)).toHaveLength(1);
    expect(markdown).toContain("One of the scopes");
    expect(markdown).toMatch(/`read`.*Reads/);
    expect(markdown).toMatch(/`write`.*Writes/);
  });

  test("with credentials come before none, since samples send them", () => {
    const markdown = section("[{}, {K: []}]");
    expect(markdown.indexOf("key")).toBeLessThan(markdown.indexOf("No authorization"));
    expect(markdown).toContain("No authorization");
  });

  test("that are different schemes of one kind have the names of these", () => {
    const markdown = section("[{A: []}, {B: []}, {K: []}]");
    expect(markdown).toMatch(/\bA\b.*\bB\b.*key/s);
    expect(markdown).not.toContain("OAuth 2.0 + OAuth 2.0");
  });
});

test("the page of an object names all of its users, in one paragraph if there are hundreds", () => {
  const paths = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [
      `/boats/${i}`,
      { get: { summary: `Boat ${i}`, responses: { default: { $ref: "#/components/responses/Fault" } } } },
    ]),
  );
  const many = specOf({ ...spec, paths });
  const target = {
    kind: "model",
    spec: many.source,
    name: "Fault",
    pointer: "#/components/schemas/Fault",
    skip: 0,
  } as const;
  const { tree, diagnostics } = contentOf(many, target, { pageOf: (part) => `${JSON.stringify(part).length}.html` });
  expect(diagnostics).toEqual([]);
  const users = sectionOf(markdownOf(tree), "Used by");
  expect(users).toContain("Boat 399");
  expect(users).not.toContain("/boats/399");
});

describe("generated names and titles of schemas", () => {
  const generated = specOf(
    documentOf(`
openapi: 3.1.0
info: {title: Cluster, version: "1"}
paths:
  /pods:
    get:
      responses:
        '200':
          description: all
          content:
            application/json:
              schema:
                type: object
                properties:
                  pod: {$ref: '#/components/schemas/io.k8s.core.v1.Pod', title: "The pod that was asked for in this call"}
                  event: {$ref: '#/components/schemas/io.k8s.core.v1.Event'}
                  other: {$ref: '#/components/schemas/io.k8s.events.v1.Event'}
components:
  schemas:
    io.k8s.core.v1.Pod:
      description: Scheduled together.
      title: "Pod is a group of containers\\n+optional"
      properties:
        phase: {type: string}
    io.k8s.core.v1.Event: {properties: {at: {type: string}}}
    io.k8s.events.v1.Event: {properties: {at: {type: string}}}
`),
  );

  test("a sentence in a title describes its schema, and a name is as short as no other name has it", () => {
    const target = { kind: "objects", spec: generated.source } as const;
    const { tree } = contentOf(generated, target, { pageOf: () => "object.html" });
    const markdown = markdownOf(tree);
    expect(markdown).toContain("[Pod](object.html): Pod is a group of containers");
    expect(markdown).toContain("[core.v1.Event]");
    expect(markdown).toContain("[events.v1.Event]");
    expect(markdown).not.toContain("io.k8s");
  });

  test("a description next to $ref is shown together with the description of the schema that $ref names", () => {
    const markdown = operationMarkdown(generated);
    expect(markdown).toContain("The pod that was asked for in this call");
    expect(markdown).toMatch(/Pod is a group of containers\s+\+optional\s+Scheduled together\./);
  });
});
