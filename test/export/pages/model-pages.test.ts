import { expect, test } from "vitest";
import { createPublishedModels, type ModelTask } from "../../../src/export/pages/api-pages.js";
import { makeSite } from "../../bundle/outputs/support/site.js";

test("texts for agents have only the models that published pages lead to, directly or through others", () => {
  const target = { kind: "model", spec: "x", name: "", pointer: "#", skip: 0 } as const;
  const model = (name: string): ModelTask => ({ outputPath: `models/${name}.html`, title: name, target, sibling: 0 });
  const site = makeSite([{ sourcePath: "a.md" }, { sourcePath: "hidden.md", indexed: false }, { sourcePath: "b.md" }]);
  const published = createPublishedModels(site);
  published.addPage(0, [model("team"), model("order")]);
  published.addPage(1, [model("secret"), model("team")]);
  published.addPage(2, []);
  published.addModel(model("order"), [model("item")]);
  published.addModel(model("item"), [model("order")]);
  published.addModel(model("secret"), [model("plan")]);
  expect(published.plans().map(({ title }) => title)).toEqual(["item", "order", "team"]);
});
