import { isObject, type Json, listAt, pointerTo, textAt, textsAt } from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import type { SpecEntry } from "../entry-reader.js";
import { below } from "../resolve-pointer.js";
import { findCall, findWorkflow, parseStepReference, type SourceSpec, type Sources } from "./sources.js";

/**
 * Finds the parts of an Arazzo document that refer to operations, channels and workflows for other readers.
 *
 * @param isClosed whether an entry of a source is for other readers.
 * @returns pointers of steps, actions, and items of `dependsOn`, in the order of the document.
 */
export function restrictedSteps(
  spec: ApiSpec,
  sources: Sources,
  isClosed: (source: SourceSpec, entry: SpecEntry) => boolean,
): string[] {
  const pointers: string[] = [];
  const workflows = sources.get("")?.entries ?? [];
  const isClosedCall = (call: ReturnType<typeof findCall>): boolean =>
    call !== undefined && isClosed(sources.get(call.source)!, call.entry);
  /** The starts of expressions that refer to content for other readers. */
  const expressions = [...sources].flatMap(([name, source]) =>
    source.entries
      .filter((entry) => isClosed(source, entry))
      .map((entry) =>
        name === "" ? `$workflows.${entry.name}.` : `$sourceDescriptions.${name}.${entry.operationId ?? entry.name}`,
      ),
  );
  const namesClosed = (part: Json): boolean => {
    if (isObject(part) && isClosedCall(findCall(part, sources))) return true;
    const text = JSON.stringify(part);
    return expressions.some((expression) => text.includes(expression));
  };
  const closedItems = (holder: Json, list: string, at: string): void => {
    for (const [i, item] of listAt(holder, list).entries()) {
      const workflow = typeof item === "string" ? (parseStepReference(item).workflow ?? item) : undefined;
      const isNamed = workflow === undefined ? namesClosed(item) : isClosedCall(findWorkflow(workflow, sources));
      if (isNamed) pointers.push(`${at}/${list}/${i}`);
    }
  };
  for (const { pointer } of workflows) {
    const workflow = spec.resolve(pointer);
    if (!isObject(workflow)) continue;
    closedItems(workflow, "dependsOn", pointer);
    for (const list of ["parameters", "successActions", "failureActions"]) closedItems(workflow, list, pointer);
    for (const [i, step] of listAt(workflow, "steps").entries()) {
      const at = `${pointer}/steps/${i}`;
      if (textAt(step, "stepId") !== undefined && namesClosed({ ...(step as object), ...withoutActions }))
        pointers.push(at);
      else {
        if (textsAt(step, "dependsOn").length > 0) closedItems(step, "dependsOn", at);
        for (const list of ["onSuccess", "onFailure"]) closedItems(step, list, at);
      }
    }
    for (const [name, value] of Object.entries(isObject(workflow["outputs"]) ? workflow["outputs"] : {}))
      if (namesClosed(value)) pointers.push(below(pointer, "outputs", name));
  }
  for (const list of ["parameters", "successActions", "failureActions"])
    for (const [name, part] of Object.entries((spec.resolve(`#/components/${list}`) ?? {}) as object))
      if (namesClosed(part as Json)) pointers.push(pointerTo("components", list, name));
  return pointers;
}

/** Removes the lists of a step whose items are checked one by one. */
const withoutActions = { dependsOn: null, onSuccess: null, onFailure: null };
