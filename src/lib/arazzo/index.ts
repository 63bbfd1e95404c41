/** The expressions and conditions of Arazzo, for checks, for pages, and for runs in the browser. */
export { type Comparison, type Condition, ConditionError, expressionsIn, parseCondition } from "./condition.js";
export { type Expression, parseExpression, type TemplatePart, templateParts } from "./expression.js";
