/** Binds the patterns of parameters and declarations to values. */
import type { Pattern } from "estree-jsx";
import { isRefusedKey } from "./frontmatter-lines.js";
import { type Environment, type Evaluate, isPlainObject, Stop, type Value } from "./values.js";

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
      const taken = new Set<string>();
      for (const property of pattern.properties) {
        if (property.type === "RestElement") {
          const rest: { [key: string]: Value } = {};
          for (const key of Object.keys(value)) if (!taken.has(key) && !isRefusedKey(key)) rest[key] = value[key];
          bindPattern(property.argument, rest, env, evaluate);
          continue;
        }
        const { key } = property;
        if (property.computed || (key.type !== "Identifier" && key.type !== "Literal"))
          throw new Stop("javascript", "pattern", pattern);
        const name = key.type === "Identifier" ? key.name : String(key.value);
        taken.add(name);
        const own = Object.hasOwn(value, name) && !isRefusedKey(name) ? value[name] : undefined;
        bindPattern(property.value, own, env, evaluate);
      }
      return;
    }
    default:
      throw new Stop("javascript", "pattern", pattern);
  }
}
