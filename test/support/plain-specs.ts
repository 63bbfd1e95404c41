import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** The operations and channels of a specification: `get /users`, or the name of a channel. */
export type Described = ReadonlySet<string>;

const methods = /^(?:get|put|post|delete|options|head|patch|trace)$/;

/** Every OpenAPI and AsyncAPI document in a folder, by path, read without the code under test. */
export function plainSpecs(folder: string): ReadonlyMap<string, Described> {
  const specs = new Map<string, Described>();
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!/\.(?:json|ya?ml)$/.test(path)) continue;
    const document = parsed(readFileSync(join(folder, path), "utf8"));
    if (typeof document !== "object" || document === null) continue;
    if ("openapi" in document && !("navigation" in document)) specs.set(path, operationsOf(document));
    if ("asyncapi" in document)
      specs.set(path, new Set(Object.keys((document as { channels?: object }).channels ?? {})));
  }
  return specs;
}

/** JSON is YAML, too, but a parser of YAML takes many times as long for it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parse(text, { uniqueKeys: false });
  }
}

function operationsOf(document: object): Described {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Record<string, unknown>>> };
  return new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        methods.test(method) && operation["x-excluded"] !== true ? [`${method} ${path}`] : [],
      ),
    ),
  );
}
