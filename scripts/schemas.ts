/** The JSON schemas that the package ships, made from the tables that read docs.json and front matter. */
import { frontmatterKeys } from "../src/page/content/frontmatter/keys.js";
import { rootFields } from "../src/site/config/load-config.js";
import { entrySchema } from "../src/site/config/read-navigation.js";
import type { JsonSchema } from "../src/site/config/readers.js";
import texts from "./setting-texts.json" with { type: "json" };

/** By the path of a setting, without list positions: a description and an example. */
type Texts = Readonly<Record<string, readonly [description: string, example?: unknown]>>;

export interface DescribedSchema {
  readonly schema: JsonSchema;
  /** Paths of settings without a text. */
  readonly missing: readonly string[];
  /** Texts without a setting. */
  readonly unused: readonly string[];
}

const draft = "http://json-schema.org/draft-07/schema#";

export function docsSchema(): DescribedSchema {
  const file = {
    type: "object",
    properties: { $ref: { type: "string", pattern: "\\.json$" } },
    required: ["$ref"],
  };
  const { describe, missing, unused } = describer(texts.docs as unknown as Texts);
  const schema = {
    $schema: draft,
    title: "docs.json",
    description: "Settings and navigation of a documentation site.",
    ...describe(rootFields.schema(), ""),
    definitions: { file, entry: describe(entrySchema(), "entry") },
  };
  return { schema, missing, unused: unused() };
}

export function frontMatterSchema(): DescribedSchema {
  const { describe, missing, unused } = describer(texts.frontMatter as unknown as Texts);
  const types = texts.frontMatterTypes as Readonly<Record<string, unknown>>;
  const properties = Object.fromEntries(
    frontmatterKeys.map((key) => [key, types[key] ?? { type: ["string", "number"] }]),
  );
  const schema = {
    $schema: draft,
    title: "Front matter of a page",
    description: "Keys of a page, between two --- lines at its top. Further keys are the site's own data.",
    ...describe({ type: "object", properties }, ""),
  };
  return { schema, missing, unused: unused() };
}

/** Settings of one name and kind share a text: `*.icon.name`, `*.light`. */
const endings = (path: string): string[] => {
  const parts = path.split(".");
  return [3, 2, 1]
    .filter((count) => count < parts.length)
    .map((count) => `*.${parts.slice(-count).join(".")}`)
    .concat(path.startsWith("fonts.") ? [`fonts.${parts.at(-1)}`] : []);
};

function describer(table: Texts) {
  const used = new Set<string>();
  const missing: string[] = [];
  const describe = (schema: JsonSchema, path: string): JsonSchema => {
    const { properties, items, anyOf, ...rest } = schema;
    const branches = Array.isArray(anyOf) ? (anyOf as JsonSchema[]).map((each) => describe(each, path)) : undefined;
    return {
      ...rest,
      ...(properties !== undefined && { properties: describeAll(properties as Record<string, JsonSchema>, path) }),
      ...(items !== undefined && { items: describe(items as JsonSchema, path) }),
      ...(branches && { anyOf: branches }),
    };
  };
  const describeAll = (properties: Readonly<Record<string, JsonSchema>>, path: string) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        if (name.startsWith("$")) return [name, schema];
        const own = path === "" ? name : `${path}.${name}`;
        // Parts that an entry may have in place of the site's are described once.
        const key = own.replace(/^entry\.(banner|footer|navbar)\b/, "$1");
        const entry = [key, ...endings(key)].find((each) => Object.hasOwn(table, each));
        const [text, example] = entry === undefined ? [] : table[entry]!;
        const description = /^entry\.(?:banner|footer|navbar)$/.test(own) ? `${text}, in place of the site's` : text;
        if (entry !== undefined) used.add(entry);
        if (description === undefined && !missing.includes(key)) missing.push(key);
        return [name, { description, ...(example !== undefined && { examples: [example] }), ...describe(schema, key) }];
      }),
    );
  const unused = (): string[] => Object.keys(table).filter((key) => !used.has(key));
  return { describe, missing, unused };
}
