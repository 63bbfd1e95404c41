import { expect, test } from "vitest";
import { createReading } from "../../../../src/service/assistant/model/reading.js";
import { indexOf, passage } from "./scripted-index.js";

const paragraph = (topic: string): string => `${topic} `.repeat(70).trim();
const long = ["apples", "pears", "plums", "grapes"].map(paragraph).join("\n\n");
const found = [1, 2, 3, 4, 5].map((at) => passage(`/page-${at}`, "", long));
const weight = (text: string): number => (text.includes("plums") ? 1 : 0);

test("the best sections are shown completely, and of the others the most relevant block", async () => {
  const reading = createReading(indexOf(found), "mark", 8000);
  const shown = await reading.showFound(found, weight);
  expect(shown).toHaveLength(5);
  for (const whole of shown.slice(0, 3)) expect(whole).toContain(long);
  for (const part of shown.slice(3)) {
    expect(part).toMatch(/ number="\d" part="true"/);
    expect(part).toContain(paragraph("plums"));
    expect(part).not.toContain(paragraph("grapes"));
  }
});

test("a section that was shown in part may be read completely", async () => {
  const reading = createReading(indexOf(found), "mark", 8000);
  await reading.showFound(found, weight);
  expect(reading.showPage([found[4]!], "", 2000).join("")).toContain(long);
});
