/** The package's descriptions of components and settings, for hovers and completions. Read when first needed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lazy } from "../lib/memo.js";
import { schemasFolder } from "../lib/package-root.js";

interface ComponentText {
  readonly text: string;
  readonly props: Readonly<Record<string, readonly [kind: string, text: string]>>;
}

/** The part of JSON Schema that our schemas use. */
export interface Schema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const read = <T>(name: string) => lazy(() => JSON.parse(readFileSync(join(schemasFolder, name), "utf8")) as T);

export const componentTexts = read<Readonly<Record<string, ComponentText>>>("components.json");
export const pageKeys = read<Schema>("front-matter.json");
const settings = read<Schema>("docs.json");

/** The schemas of every form that the setting at a path may have. Example: `["navigation", "groups", 0, "icon"]`. */
export function settingsAt(path: readonly (string | number)[]): Schema[] {
  let schemas = formsOf(settings());
  for (const step of path)
    schemas = schemas.flatMap((schema) => {
      const further = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
      const next = typeof step === "number" ? schema.items : (schema.properties?.[step] ?? further);
      return next ? formsOf(next) : [];
    });
  return schemas;
}

/** A schema and its alternatives. A description at the place of use comes before that of a shared schema. */
function formsOf(schema: Schema, depth = 0): Schema[] {
  if (depth > maxDepth) return [];
  const shared = schema.$ref === undefined ? undefined : settings().definitions?.[schema.$ref.replace(/^.*\//, "")];
  return [schema, ...(schema.anyOf ?? []), ...(shared ? [shared] : [])].flatMap((form) =>
    form === schema ? [form] : formsOf(form, depth + 1),
  );
}

const maxDepth = 8;
