import { isObject, listAt, pointerTo, textAt } from "../../../lib/json/index.js";
import type { EntryReader, SpecEntry } from "../entry-reader.js";
import type { SpecKind } from "../spec-kind.js";

export const arazzo: SpecKind = {
  key: "arazzo",
  format: "arazzo",
  name: "Arazzo",
  accepted: /^1\.[01](?:\.|-|$)/,
  fix: 'write "arazzo": "1.0.1" or "1.1.0".',
  listEntries: listWorkflows,
};

function listWorkflows({ spec, key, facts, reportInvalid }: EntryReader): SpecEntry[] {
  const names = new Set<string>();
  return listAt(spec.document, "workflows").flatMap((workflow, i): SpecEntry[] => {
    const pointer = pointerTo("workflows", i);
    const name = textAt(workflow, "workflowId")?.trim();
    if (!isObject(workflow) || name === undefined) {
      reportInvalid(pointer, 'A workflow is not an object with a "workflowId", so it gets no page.');
      return [];
    }
    if (names.has(name)) {
      reportInvalid(`${pointer}/workflowId`, `Two workflows are called "${name}"; the second one gets no page.`);
      return [];
    }
    names.add(name);
    const target = { kind: "workflow", spec: key, name, pointer } as const;
    return [{ ...facts(workflow, undefined, pointer), kind: "workflow", target, name, pointer }];
  });
}
