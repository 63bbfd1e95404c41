import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getLocation } from "jsonc-parser";
import { lazy } from "../lib/memo.js";
import { schemasFolder } from "../lib/package-root.js";
import { propNamesOf } from "../page/components/index.js";
import { type Cursor, cursorAt } from "./cursor.js";
import type { OpenSite } from "./open-site.js";
import { targetAt } from "./targets.js";

export interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The description of the name at an offset of a file. */
export function hoverAt(site: OpenSite, sourcePath: string, offset: number): Hover | undefined {
  const source = site.readText(sourcePath) ?? "";
  if (sourcePath.endsWith(".json")) {
    const { path, previousNode } = getLocation(source, offset);
    const text = settingText(settingsAt(path));
    if (!previousNode || text === "") return undefined;
    return { text, start: previousNode.offset, end: previousNode.offset + previousNode.length };
  }
  const cursor = cursorAt(source, offset);
  const text = cursor && aboutCursor(site, sourcePath, cursor, offset);
  return text ? { text, start: cursor.start, end: cursor.end } : undefined;
}

function aboutCursor(site: OpenSite, sourcePath: string, cursor: Cursor, offset: number): string | undefined {
  const { kind, text } = cursor;
  if (kind === "tag") return componentText(text);
  if (kind === "property") return propertyText(cursor.component, text);
  if (kind === "key") return settingText([pageKeys().properties?.[text] ?? {}]);
  if (kind === "variable") {
    const { variables = {} } = site.plan()?.site.config ?? {};
    return Object.hasOwn(variables, text) ? `\`${variables[text]}\`` : undefined;
  }
  const page = targetAt(site, sourcePath, offset)?.page;
  return page && `**${page.title}**\n\n${page.description ?? ""}\n\n\`${page.sourcePath}\``;
}

/** The purpose of a component and its properties, as Markdown. */
export function componentText(name: string): string | undefined {
  const about = Object.hasOwn(componentTexts(), name) ? componentTexts()[name] : undefined;
  if (!about) return undefined;
  const rows = Object.entries(about.props).map(([property, [kind, text]]) => `- \`${property}\` (${kind}): ${text}`);
  return [`**<${name}>** ${about.text}`, rows.join("\n")].filter((part) => part !== "").join("\n\n");
}

export function propertyText(component: string, property: string): string | undefined {
  const texts = componentTexts();
  const about = Object.hasOwn(texts, component) ? texts[component]!.props[property] : undefined;
  if (about) return `\`${property}\` (${about[0]}): ${about[1]}`;
  return propNamesOf(component)?.has(property) ? `\`${property}\` of <${component}>` : undefined;
}

/** The description of a setting with its values and an example; empty if there is none. */
export function settingText(schemas: readonly Schema[]): string {
  const description = schemas.find((schema) => schema.description !== undefined)?.description;
  if (description === undefined) return "";
  const values = schemas.flatMap((schema) => schema.enum ?? []).map((value) => `\`${String(value)}\``);
  const [example] = schemas.flatMap((schema) => schema.examples ?? []);
  return [
    description,
    ...(values.length > 0 ? [`Values: ${values.join(", ")}`] : []),
    ...(example === undefined ? [] : [`Example: \`${JSON.stringify(example)}\``]),
  ].join("\n\n");
}

/** The package's descriptions of components and settings, for hovers and completions. Read when first needed. */
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
