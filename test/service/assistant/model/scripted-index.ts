import type { AnswerEvent, Certainty, Passage, Question, SiteIndex } from "../../../../src/service/assistant/answer.js";

export const base = "https://docs.acme.example";

export const passage = (path: string, anchor: string, text: string, heading = "Heading"): Passage => ({
  path,
  anchor,
  url: `${base}${path}${anchor === "" ? "" : `#${anchor}`}`,
  title: "Page",
  heading,
  trail: ["Guides"],
  text,
  score: 1,
});

export const question = (text: string, more: Partial<Question> = {}): Question => ({
  text,
  turns: [],
  quoted: [],
  context: [],
  passageCount: 5,
  ...more,
});

export const indexOf = (passages: readonly Passage[], certainty: Certainty = "unsure"): SiteIndex => ({
  siteName: "Acme",
  baseUrl: base,
  versions: [],
  languages: [],
  pages: [],
  sections: async () => [],
  search: async () => ({ passages, certainty, coverage: 1 }),
  page: async () => undefined,
  readSections: async (path) => {
    const sections = passages.filter((passage) => passage.path === path);
    return sections.length === 0 ? undefined : sections;
  },
});

export async function collected(events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const all: AnswerEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const textOf = (events: readonly AnswerEvent[]): string =>
  events.map((event) => (event.kind === "text" ? event.text : "")).join("");
