// Workflows of an Arazzo document, compared with their pages.
import type { OperationCheck } from "./check-operation.ts";
import { holdsText } from "./find-text.ts";
import { listOf, type Record_, recordOf, type Source, textOf } from "./source-files.ts";
import { wordsIn } from "./words.ts";
import type { WrittenPage } from "./written-page.ts";

export const readWorkflows = ({ root, resolve }: Source): Record_[] =>
  listOf(root["workflows"]).map((each) => recordOf(resolve(each)));

export function checkWorkflow(workflow: Record_, page: WrittenPage, options: OperationCheck): void {
  const { tally, walk, limits, pages, source } = options;
  const place = textOf(workflow["workflowId"]);
  const check = (kind: string, isThere: boolean, what: string): void =>
    tally.check(kind, isThere, place, () => what.slice(0, 160), page.path);
  const checkWords = (kind: string, text: string): void => check(kind, page.words.includes(wordsIn(text).trim()), text);
  const checkText = (kind: string, text: string): void => {
    if (text === "") return;
    const missing = holdsText(page.root, text, pages);
    check(kind, missing === undefined, missing ?? "");
  };
  checkText("summary", textOf(workflow["summary"]));
  checkText("description", textOf(workflow["description"]));
  const inputs = workflow["inputs"];
  if (limits && inputs !== undefined)
    tally.addWalk(place, walk([inputs], [page.byId.get("inputs") ?? page.root], "request", limits), page.path);
  for (const name of Object.keys(recordOf(workflow["outputs"]))) checkWords("output", name);
  for (const each of listOf(workflow["steps"])) {
    const step = recordOf(source.resolve(each));
    checkWords("step", textOf(step["stepId"]));
    checkText("step description", textOf(step["description"]));
    for (const parameter of listOf(step["parameters"])) {
      const { name, value } = recordOf(source.resolve(parameter));
      checkWords("step parameter", textOf(name));
      if (typeof value === "string") checkWords("step parameter", value);
    }
    for (const criterion of listOf(step["successCriteria"]))
      checkWords("step criterion", textOf(recordOf(criterion)["condition"]));
    for (const [name, value] of Object.entries(recordOf(step["outputs"]))) {
      checkWords("output", name);
      if (typeof value === "string") checkWords("output", value);
    }
  }
}
