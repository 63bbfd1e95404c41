import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/lib/json/index.js";
import { createApiSpec } from "../../../../src/site/specs/create-api-spec.js";
import { checkWorkflows, findCall, listEntries, readWorkflow, type Sources } from "../../../../src/site/specs/index.js";
import { documentOf } from "../../../reference/spec-of.js";

function sourceOf(document: Json, source: string) {
  const spec = createApiSpec(source, document, (pointer) => ({ sourcePath: pointer }));
  if ("code" in spec) throw new Error(spec.what);
  return { spec, ...listEntries(spec, source) };
}
const shop = sourceOf(
  documentOf(`
openapi: 3.1.0
paths:
  /orders: { post: { operationId: order }, get: { summary: All } }
`),
  "shop.yaml",
);
const news = sourceOf(
  documentOf(`
asyncapi: 3.0.0
channels: { orders: { address: orders } }
operations: { onOrder: { action: receive, channel: { $ref: "#/channels/orders" } } }
`),
  "news.yaml",
);
const flows = (workflows: Json, rest: JsonObject = {}) =>
  sourceOf(
    { arazzo: "1.0.1", sourceDescriptions: [{ name: "shop", url: "shop.yaml" }], workflows, ...rest },
    "flows.yaml",
  );
const sourcesOf = (own: ReturnType<typeof flows>): Sources =>
  new Map([
    ["", own],
    ["shop", shop],
    ["news", news],
  ]);
const faultsOf = (workflows: Json, rest?: JsonObject, missing: readonly string[] = []): string[] => {
  const own = flows(workflows, rest);
  return checkWorkflows(own.spec, own.entries, sourcesOf(own), new Set(missing)).map(
    ({ code, what }) => `${code} ${what}`,
  );
};
const step = (stepId: string, rest: JsonObject = {}): JsonObject => ({ stepId, operationId: "order", ...rest });

describe("a workflow", () => {
  test("is an entry of its document", () => {
    const { entries, diagnostics } = flows([
      { workflowId: "a", summary: "An *order*", steps: [] },
      { workflowId: "b" },
    ]);
    expect(diagnostics).toEqual([]);
    expect(entries.map(({ kind, name, title, pointer }) => [kind, name, title, pointer])).toEqual([
      ["workflow", "a", "An order", "#/workflows/0"],
      ["workflow", "b", undefined, "#/workflows/1"],
    ]);
  });

  test("gives its parameters and actions to each step, which may replace them", () => {
    const { spec } = flows(
      documentOf(`
all:
  - workflowId: a
    parameters: [{ name: page, in: query, value: 1 }, { reference: $components.parameters.token, value: own }]
    failureActions: [{ name: busy, type: retry, retryAfter: 2, retryLimit: 3 }, { name: late, type: end }]
    steps:
      - stepId: one
        operationId: order
        parameters: [{ name: page, in: query, value: 2 }]
        onFailure: [{ name: busy, type: end }]
      - { stepId: two, workflowId: b, parameters: [{ name: user, value: $inputs.user }] }
`)["all"]!,
      { components: { parameters: { token: { name: "token", in: "header", value: "usual" } } } },
    );
    const { steps } = readWorkflow(spec.document, "#/workflows/0", spec.resolve("#/workflows/0") as JsonObject);
    const [one, two] = steps.map(({ parameters, onFailure }) => [
      parameters.map(({ name, place, value }) => `${name} ${place} ${value}`),
      onFailure.map(({ kind, after, limit }) => [kind, after, limit]),
    ]);
    expect(one).toEqual([
      ["token header own", "page query 2"],
      [
        ["end", undefined, undefined],
        ["end", undefined, undefined],
      ],
    ]);
    // Parameters of requests are not inputs of a workflow.
    expect(two).toEqual([
      ["user undefined $inputs.user"],
      [
        ["retry", 2, 3],
        ["end", undefined, undefined],
      ],
    ]);
  });

  const calls = [
    [{ operationId: "order" }, "shop #/paths/~1orders/post"],
    [{ operationId: "$sourceDescriptions.shop.order" }, "shop #/paths/~1orders/post"],
    [{ operationId: "$sourceDescriptions.news.onOrder" }, "news #/channels/orders"],
    [{ operationPath: "{$sourceDescriptions.shop.url}#/paths/~1orders/get" }, "shop #/paths/~1orders/get"],
    [{ channelPath: "$sourceDescriptions.news.url#/channels/orders" }, "news #/channels/orders"],
    [{ workflowId: "a" }, " #/workflows/0"],
    [{ workflowId: "$sourceDescriptions.shop.a" }, undefined],
    [{ operationId: "$sourceDescriptions.news.order" }, undefined],
    [{ operationPath: "shop.yaml#/paths/~1orders/get" }, undefined],
    [{ operationId: "$inputs.order" }, undefined],
    [{}, undefined],
  ] as const;
  for (const [written, called] of calls)
    test(`calls ${Object.values(written)[0] ?? "nothing"}`, () => {
      const found = findCall(written, sourcesOf(flows([{ workflowId: "a" }])));
      expect(found && `${found.source} ${found.entry.pointer}`).toBe(called);
    });

  test("has steps that wait for steps, of its own or of other workflows", () => {
    const waiting = (dependsOn: readonly string[]) =>
      faultsOf([
        { workflowId: "a", steps: [step("one"), step("two", { dependsOn })] },
        { workflowId: "b", steps: [step("three")] },
      ]);
    expect(waiting(["one", "$workflows.b.steps.three"])).toEqual([]);
    expect(waiting(["ones", "three", "$workflows.b.steps.one", "$workflows.c.steps.one"])).toEqual([
      'WORKFLOW_REFERENCE There is no step "ones".',
      'WORKFLOW_REFERENCE There is no step "three".',
      'WORKFLOW_REFERENCE There is no step "$workflows.b.steps.one".',
      'WORKFLOW_REFERENCE There is no workflow "c".',
    ]);
    expect(waiting(["two"])).toEqual(['WORKFLOW_LOOP Steps depend on each other in a cycle: "two", "two".']);
  });

  test("has no faults if its parts fit together", () => {
    const steps = [
      step("one", { outputs: { id: "$response.body#/id", "a.b": "$response.header.X" } }),
      step("two", {
        parameters: [{ name: "x", in: "query", value: "$steps.one.outputs.a.b" }],
        requestBody: { payload: { id: "{$steps.one.outputs.id}", price: "$5", at: "$response.body" } },
        successCriteria: [{ condition: "$statusCode == 200 && $inputs.user != null" }],
        onFailure: [{ name: "again", type: "retry", stepId: "one" }],
      }),
    ];
    const inputs = { type: "object", properties: { user: {} } };
    expect(faultsOf([{ workflowId: "a", inputs, steps, outputs: { id: "$steps.one.outputs.id" } }])).toEqual([]);
  });

  test("may name what is in a source that could not be read", () => {
    const steps = [step("one", { operationId: "$sourceDescriptions.lost.x" }), step("two", { operationId: "unknown" })];
    expect(faultsOf([{ workflowId: "a", steps }], {}, ["lost"])).toEqual([]);
  });

  test("names the source of an operation that several sources have", () => {
    const own = flows([{ workflowId: "a", steps: [step("one")] }]);
    const sources = new Map([...sourcesOf(own), ["copy", shop] as const]);
    const [fault] = checkWorkflows(own.spec, own.entries, sources, new Set());
    expect(fault).toMatchObject({ code: "WORKFLOW_REFERENCE", fix: 'write "$sourceDescriptions.shop.order".' });
  });
});

describe("a hostile document", () => {
  test("of ten thousand steps is shown in part", () => {
    const steps = Array.from({ length: 10_000 }, (_, i) => step(`s${i}`, { outputs: { id: "$response.body" } }));
    expect(faultsOf([{ workflowId: "a", steps }])).toEqual([
      'WORKFLOW_TOO_LARGE The workflow "a" has 10000 steps; its page shows the first 200.',
    ]);
  });

  test("of workflows that need each other is reported once", () => {
    const ring = Array.from({ length: 5_000 }, (_, i) => ({
      workflowId: `w${i}`,
      dependsOn: [`w${(i + 1) % 5_000}`],
      steps: [step("one")],
    }));
    expect(faultsOf(ring)).toEqual([
      'WORKFLOW_LOOP Workflows depend on each other in a cycle: "w0", "w1", "w2", "w3", "w4", "w5", ….',
    ]);
  });

  test("with a chain of workflows has no loop", () => {
    const chain = Array.from({ length: 5_000 }, (_, i) => ({
      workflowId: `w${i}`,
      ...(i < 4_999 && { dependsOn: [`w${i + 1}`, "w4999"] }),
      steps: [step("one")],
    }));
    expect(faultsOf(chain)).toEqual([]);
  });

  test("whose steps always go back is reported, one that may end is not", () => {
    const back = (criteria: Json): JsonObject =>
      step("two", { onSuccess: [{ name: "b", type: "goto", stepId: "one", criteria }] });
    const faults = (criteria: Json) => faultsOf([{ workflowId: "a", steps: [step("one"), back(criteria)] }]);
    expect(faults([])).toEqual(['WORKFLOW_LOOP The workflow "a" never ends: it always returns to the step "one".']);
    expect(faults([{ condition: "$statusCode == 202" }])).toEqual([]);
  });

  test("of any form is read", () => {
    const odd = [null, 1, "x", [], {}, { workflowId: 5 }] as const;
    for (const each of odd) {
      const workflow = {
        workflowId: "a",
        steps: [each, step("s", { parameters: each, requestBody: each, outputs: each })],
      };
      const lists = {
        parameters: [each],
        successActions: [each],
        failureActions: each,
        dependsOn: [each],
        outputs: each,
      };
      expect(
        faultsOf([each, { ...workflow, ...lists }], { components: each, sourceDescriptions: [each] }).length,
      ).toBeGreaterThan(0);
    }
  });

  test("has at most twenty faults and their number", () => {
    const faults = faultsOf([{ workflowId: "a", steps: Array.from({ length: 50 }, (_, i) => ({ stepId: `s${i}` })) }]);
    expect(faults.length).toBe(21);
    expect(faults.at(-1)).toBe("WORKFLOW_INVALID flows.yaml has 30 more faults in its workflows.");
  });
});
