import { type Comparison, type Condition, parseCondition } from "../../../lib/arazzo/condition.js";
import type { Json } from "../../../lib/json/json.js";
import { isRawNumber, stringify } from "../../../lib/json/json.js";
import type { FormCriterion } from "../../../reference/arazzo/form-data.js";
import { errorMessage } from "../form/control.js";
import { matchesPattern } from "../form/match-pattern.js";
import { evaluate, evaluateValue, fillTemplate, type Scope, selectPath, selectXml, valueText } from "./evaluate.js";

export interface Verdict {
  readonly criterion: FormCriterion;
  readonly passed: boolean;
  /** Why it could not be evaluated. */
  readonly reason?: string;
}

/** Evaluates a criterion. No part of it is run as code. */
export function checkCriterion(criterion: FormCriterion, scope: Scope): Verdict {
  try {
    return { criterion, passed: holds(criterion, scope) };
  } catch (error) {
    return { criterion, passed: false, reason: errorMessage(error) };
  }
}

export const allPass = (criteria: readonly FormCriterion[], scope: Scope): boolean =>
  criteria.every((criterion) => checkCriterion(criterion, scope).passed);

function holds({ condition, kind, context }: FormCriterion, scope: Scope): boolean {
  if (kind === "simple") return isTrue(conditionValue(parseCondition(condition), scope));
  const value = context === undefined ? undefined : evaluateValue(context, scope);
  if (value === undefined || value === null) return false;
  const expanded = fillTemplate(condition, scope);
  if (kind === "jsonpath") return selectPath(value, expanded).length > 0;
  if (kind === "xpath") return isMatch(selectXml(valueText(value), expanded));
  const matches = matchesPattern(expanded, valueText(value));
  if (matches === undefined) throw new Error(expanded);
  return matches;
}

const isMatch = (value: ReturnType<typeof selectXml>): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

const isTrue = (value: Json | undefined): boolean => Boolean(value);

function conditionValue(condition: Condition, scope: Scope): Json | undefined {
  switch (condition.kind) {
    case "literal":
      return condition.value;
    case "expression":
      return evaluate(condition.expression, scope);
    case "not":
      return !isTrue(conditionValue(condition.of, scope));
    case "and":
      return isTrue(conditionValue(condition.left, scope)) && isTrue(conditionValue(condition.right, scope));
    case "or":
      return isTrue(conditionValue(condition.left, scope)) || isTrue(conditionValue(condition.right, scope));
    case "compare":
      return compare(conditionValue(condition.left, scope), condition.operator, conditionValue(condition.right, scope));
  }
}

/** Compares loosely: text ignoring case, numeric text as numbers, missing values as null. */
function compare(left: Json | undefined, operator: Comparison, right: Json | undefined): boolean {
  if (operator === "==" || operator === "!=") return isEqual(left ?? null, right ?? null) === (operator === "==");
  const [a, b] = [asNumber(left), asNumber(right)];
  const order =
    a !== undefined && b !== undefined
      ? a - b
      : typeof left === "string" && typeof right === "string"
        ? Number(left.toLowerCase() > right.toLowerCase()) - Number(left.toLowerCase() < right.toLowerCase())
        : Number.NaN;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function isEqual(left: Json, right: Json): boolean {
  if (left === null || right === null) return left === right;
  if (typeof left === "string" && typeof right === "string") return left.toLowerCase() === right.toLowerCase();
  // Long numbers may differ only in their last digits, which `Number` drops.
  if (isRawNumber(left) || isRawNumber(right)) return valueText(left) === valueText(right);
  const [a, b] = [asNumber(left), asNumber(right)];
  if (a !== undefined && b !== undefined) return a === b;
  return valueText(left).toLowerCase() === valueText(right).toLowerCase();
}

function asNumber(value: Json | undefined): number | undefined {
  const text = isRawNumber(value) ? stringify(value) : value;
  if (typeof text === "number") return text;
  return typeof text === "string" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}
