// What clients of the hosted service use, as its public documents say: see vendor-interface.json. Each endpoint is called,
// and compared with this service's own document. The table of the differences is in the handbook; UPDATE_GOLDEN=1 writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { calls, openService } from "../../support/all-operations.js";
import endpoints from "./vendor-interface.json" with { type: "json" };
import reasons from "./vendor-reasons.json" with { type: "json" };

interface Shape {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
}
interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly number[];
  readonly query?: object;
  readonly body?: { readonly fields: readonly string[] };
  readonly success: { readonly status: number; readonly schema?: Shape; readonly headers?: readonly string[] };
}
interface OwnOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, { schema?: Shape }>> }>
  >;
}

const page = "fixtures/handbook/service/drop-in.mdx";
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Dotted names of all fields of a schema. */
function fieldsOf(shape: Shape | undefined, components: Readonly<Record<string, object>>, prefix = ""): Set<string> {
  if (!shape) return new Set();
  const { $ref, properties = {}, items, anyOf = [], allOf = [] } = shape;
  const parts = [...anyOf, ...allOf, ...($ref ? [components[$ref.split("/").at(-1)!] as Shape] : [])];
  const names = parts.flatMap((part) => [...fieldsOf(part, components, prefix)]);
  if (items) names.push(...fieldsOf(items, components, prefix === "" ? "[]." : `${prefix.slice(0, -1)}[].`));
  for (const [name, value] of Object.entries(properties))
    names.push(prefix + name, ...fieldsOf(value, components, `${prefix}${name}.`));
  return new Set(names);
}

const missingIn = (one: Iterable<string>, other: Iterable<string>): string[] => {
  const names = new Set(other);
  // A field that is not there has no fields either.
  const missing = [...one].filter((name) => !names.has(name));
  return missing.filter(
    (name) => !missing.some((outer) => name.startsWith(`${outer}.`) || name.startsWith(`${outer}[]`)),
  );
};

/** The differences of the two documents for an endpoint: fields and parameters that only one of them has. */
function compare(endpoint: Endpoint, operation: OwnOperation, components: Readonly<Record<string, object>>) {
  const { body, query = {}, success } = endpoint;
  const ownBody = fieldsOf(operation.requestBody?.content["application/json"]?.schema, components);
  const ownFields = [...ownBody].filter((name) => !/[.[]/.test(name));
  const ownQuery = (operation.parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name);
  const response = operation.responses[success.status];
  const own = fieldsOf(response?.content?.["application/json"]?.schema, components);
  const theirs = fieldsOf(success.schema, {});
  const named = (kind: string, names: readonly string[]): string[] => names.map((name) => `${kind} \`${name}\``);
  const wantedStatuses = endpoint.statuses.filter((status) => operation.responses[status] === undefined);
  return {
    more: [
      ...named("field", missingIn(ownFields, body?.fields ?? ownFields)),
      ...named("parameter", missingIn(ownQuery, Object.keys(query))),
      ...(theirs.size > 0 ? named("response", missingIn(own, theirs)) : []),
    ],
    less: [
      ...named("field", missingIn(body?.fields ?? [], ownFields)),
      ...named("parameter", missingIn(Object.keys(query), ownQuery)),
      ...named("response", missingIn(theirs, own)),
      ...named("header", missingIn(success.headers ?? [], Object.keys(response?.headers ?? {}))),
      ...wantedStatuses.map((status) => `status ${status}`),
    ],
  };
}

test("each endpoint of the vendor answers as documented or with 501, and the handbook explains every difference", async () => {
  const service = await openService();
  const { paths, components } = service.specification;
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  const rows: string[] = [];
  const unexplained: string[] = [];
  expect(Object.keys(reasons).toSorted()).toEqual((endpoints as readonly Endpoint[]).map(nameOf).toSorted());
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const name = nameOf(endpoint);
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()] as unknown as OwnOperation;
    expect(operation, name).toBeDefined();
    const { status, text, headers } = await service.send(
      operation.operationId,
      await calls[operation.operationId]!(service),
    );
    const reason = (reasons as Readonly<Record<string, { readonly verdict: string; readonly why: string }>>)[name]!;
    if (reason.verdict === "501") expect([name, status, JSON.parse(text).error.length > 0]).toEqual([name, 501, true]);
    else {
      expect([name, status]).toEqual([name, endpoint.success.status]);
      for (const header of endpoint.success.headers ?? []) expect(headers[header.toLowerCase()]).toBeDefined();
      const { schema } = endpoint.success;
      const isStream = /stream|text\/plain/.test(String(headers["content-type"]));
      if (schema && !isStream)
        expect(ajv.validate(schema, JSON.parse(text)), `${name}: ${ajv.errorsText()}`).toBe(true);
    }
    const { more, less } =
      reason.verdict === "501" ? { more: [], less: [] } : compare(endpoint, operation, components.schemas);
    const verdict =
      reason.verdict === "501"
        ? "501"
        : [less.length > 0 && "less", more.length > 0 && "more"].filter(Boolean).join(", ") || "same";
    if (reason.verdict !== verdict)
      unexplained.push(`${name} is "${verdict}": more ${more.join(", ")}; less ${less.join(", ")}`);
    if (verdict !== "same" && reason.why === "") unexplained.push(`${name} has no reason.`);
    const cells = [`\`${name}\``, verdict, more.join(", ") || "–", less.join(", ") || "–", reason.why || "–"];
    rows.push(`| ${cells.join(" | ")} |`);
  }
  expect(unexplained).toEqual([]);
  const table = ["| Endpoint | Verdict | More | Less | Why |", "| --- | --- | --- | --- | --- |", ...rows].join("\n");
  const [before = "", , after = ""] = readFileSync(page, "utf8").split(/\{\/\* (?:begin|end): endpoints \*\/\}\n/);
  const text = `${before}{/* begin: endpoints */}\n\n${table}\n\n{/* end: endpoints */}\n${after}`;
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(page, text);
  expect(readFileSync(page, "utf8"), "UPDATE_GOLDEN=1 writes the table.").toBe(text);
});
