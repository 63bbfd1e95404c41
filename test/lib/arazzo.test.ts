import { describe, expect, test } from "vitest";
import { ConditionError, parseCondition, parseExpression, templateParts } from "../../src/lib/arazzo/expression.js";

describe("a runtime expression", () => {
  const cases = [
    ["$statusCode", { kind: "statusCode" }],
    ["$url", { kind: "url" }],
    ["$request.header.Accept", { kind: "request", part: "header", name: "Accept" }],
    ["$request.path.id", { kind: "request", part: "path", name: "id" }],
    ["$response.body", { kind: "response", part: "body" }],
    ["$response.body#/items/0/a~1b", { kind: "response", part: "body", pointer: "/items/0/a~1b" }],
    ["$response.body.items[0].id", { kind: "response", part: "body", path: ".items[0].id" }],
    ["$message.payload#/id", { kind: "message", part: "body", pointer: "/id" }],
    ["$inputs.x-api-key", { kind: "inputs", name: "x-api-key" }],
    ["$inputs.user.name", { kind: "inputs", name: "user.name" }],
    ["$outputs.token", { kind: "outputs", name: "token" }],
    ["$steps.log-in.outputs.pets#/0/id", { kind: "steps", step: "log-in", name: "pets", pointer: "/0/id" }],
    ["$steps.a.outputs.pets[0].id", { kind: "steps", step: "a", name: "pets", path: "[0].id" }],
    ["$workflows.foo.inputs.user", { kind: "workflows", workflow: "foo", field: "inputs", name: "user" }],
    ["$sourceDescriptions.shop.find pets", { kind: "sourceDescriptions", source: "shop", id: "find pets" }],
    ["$components.parameters.page", { kind: "components", list: "parameters", name: "page" }],
  ] as const;
  for (const [text, expression] of cases) test(text, () => expect(parseExpression(text)).toEqual(expression));

  test("a text with a dollar sign need not be a runtime expression", () => {
    const texts =
      "$;$5;$status;$inputs;$inputs.;$url.x;$steps.a.b;$response;$response.status;$response.body#x;statusCode";
    for (const text of [...texts.split(";"), "$inputs.{x}", `$inputs.${"a".repeat(3_000)}`, "$response.body[x]"])
      expect([text, parseExpression(text)]).toEqual([text, undefined]);
  });

  test("a runtime expression in a longer text is in braces", () => {
    expect(templateParts("Bearer {$steps.a.outputs.t} {x} {$nothing}")).toEqual([
      "Bearer ",
      { written: "$steps.a.outputs.t", expression: { kind: "steps", step: "a", name: "t" } },
      " {x} ",
      { written: "$nothing", expression: undefined },
    ]);
  });
});

describe("a condition", () => {
  const written = (text: string): string => {
    const print = (condition: ReturnType<typeof parseCondition>): string => {
      switch (condition.kind) {
        case "literal":
          return JSON.stringify(condition.value);
        case "expression":
          return `$${condition.expression.kind}`;
        case "not":
          return `!${print(condition.of)}`;
        case "compare":
          return `(${print(condition.left)} ${condition.operator} ${print(condition.right)})`;
        default:
          return `(${print(condition.left)} ${condition.kind} ${print(condition.right)})`;
      }
    };
    return print(parseCondition(text));
  };
  const cases = [
    ["$statusCode == 200", "($statusCode == 200)"],
    ["$statusCode>=200&&$statusCode<300", "(($statusCode >= 200) and ($statusCode < 300))"],
    ["$inputs.a == 'it''s' || $inputs.b", '(($inputs == "it\'s") or $inputs)'],
    ["!($response.body#/done == true)", "!($response == true)"],
    ["$url == null || $url != -1.5e3 && !$method", "(($url == null) or (($url != -1500) and !$method))"],
  ] as const;
  for (const [text, meaning] of cases) test(text, () => expect(written(text)).toBe(meaning));

  const faults = [
    ["", "it ends too early"],
    ["$statusCode == ", "it ends too early"],
    ["$statusCode = 200", '"= 200" is unexpected'],
    ["$statusCode == 200 300", "300 is unexpected"],
    ["($url == 'a'", 'a ")" is missing'],
    ["$url == ok", "ok is neither a value nor an expression; put strings in single quotes"],
    ["$nothing == 1", "$nothing is not a runtime expression"],
    ["$url == 'a", '"\'a" is unexpected'],
    ["(".repeat(1_000), "it is nested deeper than 50 levels"],
    ["!".repeat(1_000), "it is nested deeper than 50 levels"],
    ["a".repeat(5_000), "it is longer than 4000 characters"],
  ] as const;
  for (const [text, reason] of faults)
    test(`is invalid: ${text.slice(0, 30)}`, () => {
      expect(() => parseCondition(text)).toThrow(ConditionError);
      expect(() => parseCondition(text)).toThrow(reason);
    });
});
