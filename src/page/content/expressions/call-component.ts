/** Calls a component of the page: a function whose body declares constants, branches and returns JSX. */
import type { IfStatement, Pattern, Statement } from "estree-jsx";
import { isRefusedKey } from "../frontmatter/plain-lines.js";
import { type Budget, type Closure, Environment, type Evaluate, isPlainObject, Stop, type Value } from "./values.js";

/** @throws {Stop} for statements that need a JavaScript engine. */
export function callComponent(
  closure: Closure,
  props: { readonly [key: string]: Value },
  budget: Budget,
  evaluate: Evaluate,
): Value {
  const { node } = closure;
  if (node.async === true || node.generator === true) throw new Stop("javascript", "function", node);
  const env = new Environment(closure.env.code, closure.env);
  // A component receives its properties as the one argument.
  for (const [index, param] of node.params.entries())
    bindPattern(param, index === 0 ? props : undefined, env, evaluate);
  if (node.body.type !== "BlockStatement") return evaluate(node.body, env);
  return runStatements(node.body.body, env, budget, evaluate)?.value;
}

/** Undefined if no `return` was reached. */
function runStatements(
  statements: readonly Statement[],
  env: Environment,
  budget: Budget,
  evaluate: Evaluate,
): { readonly value: Value } | undefined {
  for (const statement of statements) {
    if (--budget.steps < 0) throw new Stop("limit", "too many steps", statement);
    if (statement.type === "ReturnStatement") {
      // A line break ends `return`. Who compiles the component reports the element that it does not return.
      if (!statement.argument && statement !== statements.at(-1)) throw new Stop("javascript", "return", statement);
      return { value: statement.argument ? evaluate(statement.argument, env) : undefined };
    }
    if (statement.type === "VariableDeclaration" && statement.kind !== "var") {
      for (const { id, init } of statement.declarations) {
        // Parts of an object of the browser, of React or of the vendor.
        if (id.type === "ObjectPattern" && init?.type === "Identifier" && !env.has(init.name))
          throw new Stop("javascript", "pattern", id);
        bindPattern(id, init ? evaluate(init, env) : undefined, env, evaluate);
      }
    } else if (statement.type === "IfStatement" || statement.type === "BlockStatement") {
      const inner = statement.type === "BlockStatement" ? statement.body : branchOf(statement, env, evaluate);
      const result = runStatements(inner, new Environment(env.code, env), budget, evaluate);
      if (result !== undefined) return result;
    } else if (statement.type !== "EmptyStatement") throw new Stop("javascript", statement.type, statement);
  }
  return undefined;
}

function branchOf(statement: IfStatement, env: Environment, evaluate: Evaluate): readonly Statement[] {
  const branch = evaluate(statement.test, env) ? statement.consequent : statement.alternate;
  return branch ? [branch] : [];
}

/** @throws {Stop} for a pattern or a default value that needs JavaScript. */
export function bindPattern(pattern: Pattern, value: Value, env: Environment, evaluate: Evaluate): void {
  switch (pattern.type) {
    case "Identifier":
      env.define(pattern.name, value);
      return;
    case "AssignmentPattern":
      bindPattern(pattern.left, value === undefined ? evaluate(pattern.right, env) : value, env, evaluate);
      return;
    case "ArrayPattern": {
      if (!Array.isArray(value)) throw new Stop("javascript", "pattern", pattern);
      const items = value as readonly Value[];
      pattern.elements.forEach((element, index) => {
        if (element?.type === "RestElement") bindPattern(element.argument, items.slice(index), env, evaluate);
        else if (element !== null) bindPattern(element, items[index], env, evaluate);
      });
      return;
    }
    case "ObjectPattern": {
      if (!isPlainObject(value)) throw new Stop("javascript", "pattern", pattern);
      const boundNames = new Set<string>();
      for (const property of pattern.properties) {
        if (property.type === "RestElement") {
          const rest: { [key: string]: Value } = {};
          for (const key of Object.keys(value)) if (!boundNames.has(key) && !isRefusedKey(key)) rest[key] = value[key];
          bindPattern(property.argument, rest, env, evaluate);
          continue;
        }
        const { key } = property;
        if (property.computed || (key.type !== "Identifier" && key.type !== "Literal"))
          throw new Stop("javascript", "pattern", pattern);
        const name = key.type === "Identifier" ? key.name : String(key.value);
        boundNames.add(name);
        const propertyValue = Object.hasOwn(value, name) && !isRefusedKey(name) ? value[name] : undefined;
        bindPattern(property.value, propertyValue, env, evaluate);
      }
      return;
    }
    default:
      throw new Stop("javascript", "pattern", pattern);
  }
}
