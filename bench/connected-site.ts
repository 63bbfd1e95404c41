import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../src/lib/json/index.js";

const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/**
 * Resources that refer to each other, like those of a large service: a few steps lead from each of them to all others.
 * Each operation takes one and answers with another.
 */
export function connectedSpec(operations: number, models: number): JsonObject {
  const schemas: Record<string, Json> = {};
  for (let i = 0; i < models; i++) {
    const properties: Record<string, Json> = {};
    for (let k = 0; k < 14; k++) {
      const name = `m${i}_${k}`;
      const next = `Model${(i * 7 + k * 13 + 1) % models}`;
      if (k % 5 === 0)
        properties[name] = k % 2 ? ref(next) : { $ref: `#/components/schemas/${next}`, description: "Another." };
      else if (k % 5 === 1) properties[name] = { type: "array", items: ref(next) };
      else if (k % 5 === 2) properties[name] = object({ [`${name}_inner`]: object({ [`${name}_leaf`]: {} }) });
      else properties[name] = { type: "string" };
    }
    schemas[`Model${i}`] = object(properties);
  }
  const json = (model: number): Json => ({ "application/json": { schema: ref(`Model${model % models}`) } });
  const paths: Record<string, Json> = {};
  for (let i = 0; i < operations; i++)
    paths[`/r${i}`] = {
      post: { requestBody: { content: json(i) }, responses: { "200": { description: "Done", content: json(i * 3) } } },
    };
  return { openapi: "3.1.0", info: { title: "Connected", version: "1" }, paths, components: { schemas } };
}

/** Writes a site with this specification. */
export function writeConnectedSite(folder: string, operations: number, models: number): void {
  mkdirSync(folder, { recursive: true });
  const navigation = { groups: [{ group: "Interface", openapi: "openapi.json" }] };
  const config = { theme: "mint", name: "Connected", colors: { primary: "#0f766e" }, navigation };
  writeFileSync(join(folder, "docs.json"), JSON.stringify(config));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(connectedSpec(operations, models)));
}
