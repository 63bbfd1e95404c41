/** Binds the patterns of parameters and declarations to values. */
import type { Pattern } from "estree-jsx";
import { isRefusedKey } from "./frontmatter-lines.js";
import { type Environment, type Evaluate, isJsxTree, Opaque, Stop, type Value } from "./values.js";

/** A component receives its properties as the one argument. */
export function bindParameter(
  params: readonly Pattern[],
  props: { readonly [key: string]: Value },
  env: Environment,
  evaluate: Evaluate,
): void {
  params.forEach((param, index) => {
    bindPattern(param, index === 0 ? props : undefined, env, evaluate);
  });
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
      if (
        typeof value !== "object" ||
        value === null ||
        Array.isArray(value) ||
        value instanceof Opaque ||
        isJsxTree(value)
      )
        throw new Stop("javascript", "pattern", pattern);
      const object = value as { readonly [key: string]: Value };
      const taken = new Set<string>();
      for (const property of pattern.properties) {
        if (property.type === "RestElement") {
          const rest: { [key: string]: Value } = {};
          for (const key of Object.keys(object)) if (!taken.has(key) && !isRefusedKey(key)) rest[key] = object[key];
          bindPattern(property.argument, rest, env, evaluate);
          continue;
        }
        const { key } = property;
        if (property.computed || (key.type !== "Identifier" && key.type !== "Literal"))
          throw new Stop("javascript", "pattern", pattern);
        const name = key.type === "Identifier" ? key.name : String(key.value);
        taken.add(name);
        const own = Object.hasOwn(object, name) && !isRefusedKey(name) ? object[name] : undefined;
        bindPattern(property.value, own, env, evaluate);
      }
      return;
    }
    default:
      throw new Stop("javascript", "pattern", pattern);
  }
}
