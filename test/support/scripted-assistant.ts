import type {
  AnswerEvent,
  Answerer,
  Passage,
  Question,
  SearchOutcome,
  SearchRequest,
  SiteIndex,
  SiteIndexes,
} from "../../src/service/assistant/index.js";

/** The behaviour of the answerer of a scripted assistant. */
export type Script = (question: Question, signal: AbortSignal) => AsyncIterable<AnswerEvent>;

export const passage: Passage = {
  path: "/guides/install",
  anchor: "requirements",
  url: "https://docs.acme.com/guides/install#requirements",
  title: "Install",
  heading: "Requirements",
  trail: ["Guides"],
  text: "Acme needs Node 22.",
  score: 1,
};

/** The events of an answer with this text. */
export async function* answerWith(...texts: readonly string[]): AsyncGenerator<AnswerEvent> {
  yield { kind: "search", query: "node", passages: [passage] };
  for (const text of texts) yield { kind: "text", text };
  yield { kind: "source", id: "1", url: passage.url, title: passage.title };
  yield { kind: "end", outcome: "answered", usage: { promptTokens: 30, completionTokens: 4 } };
}

/** An assistant whose answers follow `settings.script`, for sites with one page, two versions and two languages. */
export function scriptedAssistant(initial: Script = () => answerWith("It needs ", "Node 22. [1]")) {
  const asked: Question[] = [];
  const searched: SearchRequest[] = [];
  const index: SiteIndex = {
    siteName: "Acme",
    baseUrl: "https://docs.acme.com",
    versions: ["v1", "v2"],
    languages: ["en", "de"],
    pages: [{ path: passage.path, title: passage.title, trail: passage.trail }],
    sections: async () => [passage],
    async search(request) {
      searched.push(request);
      return settings.found;
    },
    readSections: async (path) => (path === passage.path ? [passage] : undefined),
    page: async (path) => (path === passage.path ? { path, content: "# Install\n\nAcme needs Node 22." } : undefined),
  };
  const settings = {
    script: initial,
    /** Undefined: the site has no export. */
    index: index as SiteIndex | undefined,
    isMissing: false,
    found: { passages: [passage], certainty: "sure", coverage: 1 } as SearchOutcome,
    model: "scripted",
  };
  const answerer: Answerer = {
    get model() {
      return settings.model;
    },
    answer(question, _index, signal) {
      asked.push(question);
      return settings.script(question, signal);
    },
  };
  const indexes: SiteIndexes = {
    of: async () => settings.index,
    isMissing: () => settings.isMissing,
    close: async () => {},
  };
  return { settings, asked, searched, answerer, indexes };
}
