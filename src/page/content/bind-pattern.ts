/** Gives names to values by the patterns of parameters and declarations. */
import type { Node, Pattern } from "estree-jsx";
import { isRefusedKey } from "./frontmatter-lines.js";
import { type Frame, isJsxTree, Opaque, Stop, type Value } from "./values.js";

type Evaluate = (node: Node, frame: Frame) => Value;

/** A component receives its properties as the one argument. */
export function bindParameter(
  params: readonly Pattern[],
  props: { readonly [key: string]: Value },
  frame: Frame,
  evaluate: Evaluate,
): void {
  params.forEach((param, index) => {
    bindPattern(param, index === 0 ? props : undefined, frame, evaluate);
  });
}

/** @throws {Stop} for a pattern or a default value that needs JavaScript. */
export function bindPattern(pattern: Pattern, value: Value, frame: Frame, evaluate: Evaluate): void {
  switch (pattern.type) {
    case "Identifier":
      frame.define(pattern.name, value);
      return;
    case "AssignmentPattern":
      bindPattern(pattern.left, value === undefined ? evaluate(pattern.right, frame) : value, frame, evaluate);
      return;
    case "ArrayPattern": {
      if (!Array.isArray(value)) throw new Stop("javascript", "pattern", pattern);
      const items = value as readonly Value[];
      pattern.elements.forEach((element, index) => {
        if (element?.type === "RestElement") bindPattern(element.argument, items.slice(index), frame, evaluate);
        else if (element !== null) bindPattern(element, items[index], frame, evaluate);
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
          bindPattern(property.argument, rest, frame, evaluate);
          continue;
        }
        const { key } = property;
        if (property.computed || (key.type !== "Identifier" && key.type !== "Literal"))
          throw new Stop("javascript", "pattern", pattern);
        const name = key.type === "Identifier" ? key.name : String(key.value);
        taken.add(name);
        const own = Object.hasOwn(object, name) && !isRefusedKey(name) ? object[name] : undefined;
        bindPattern(property.value, own, frame, evaluate);
      }
      return;
    }
    default:
      throw new Stop("javascript", "pattern", pattern);
  }
}
