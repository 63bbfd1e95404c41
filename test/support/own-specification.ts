import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** The parts of an OpenAPI 3.1 document that answers are checked against. */
export interface Specification {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
  };
}
interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}
interface DocumentedResponse {
  /** Of a shared response. */
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** Returns a function that lists how an answer violates the service's own specification. */
export function specificationChecker(specification: Specification) {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  ajv.addSchema({ $id: "spec", components: specification.components });
  /** Compiled once. */
  const checks = new Map<object, ValidateFunction>();
  return (method: string, path: string, status: number, type: string, body: unknown): string[] => {
    const template = Object.keys(specification.paths).find((each) =>
      new RegExp(`^${each.replace(/\{\w+\}/g, "[^/]+")}$`).test(path.replace(/\?.*/, "")),
    );
    const operation = template && specification.paths[template]?.[method.toLowerCase()];
    if (!operation) return [];
    const place = `${method} ${template} ${status} ${type}`;
    const written = operation.responses[status];
    const name = written?.$ref?.split("/").at(-1);
    const response = name === undefined ? written : specification.components.responses[name];
    if (!response) return [`${place}: the specification does not have this status.`];
    if (body === undefined) return [];
    const schema = response.content?.[type.replace(/;.*/, "")]?.schema;
    if (!schema) return [`${place}: the specification does not have this type.`];
    const check = checks.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"spec#/')));
    checks.set(schema, check);
    return check(body) ? [] : [`${place}: ${ajv.errorsText(check.errors)}`];
  };
}
