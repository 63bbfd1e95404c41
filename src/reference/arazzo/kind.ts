import { isObject, listAt, textAt } from "../../lib/json/index.js";
import type { ReferenceKind } from "../reference-kind.js";
import { workflowPage } from "./workflow-page.js";

export const arazzo: ReferenceKind = {
  name: "Arazzo",
  entriesTitle: "workflows",
  overviewListsEntries: true,

  subject(context, target) {
    if (target.kind !== "workflow") return undefined;
    const { pointer } = target;
    const written = context.spec.resolve(pointer);
    if (!isObject(written)) return undefined;
    return { description: textAt(written, "description"), pointer, write: workflowPage(context, target, written) };
  },

  published: (spec, targets, { sourceUrls }) => ({
    sourceDescriptions: listAt(spec.document, "sourceDescriptions").map((source) => {
      const url = sourceUrls[textAt(source, "name") ?? ""];
      return isObject(source) && url !== undefined ? { ...source, url } : source;
    }),
    workflows: targets.flatMap((target) => (target.kind === "workflow" ? (spec.resolve(target.pointer) ?? []) : [])),
  }),
};
