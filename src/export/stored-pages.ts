import { createPackReader, createPackWriter } from "../lib/cache/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { PagePlan } from "../site/site.js";
import { isOfMachine } from "./machine-results.js";
import type { PageThread } from "./open-page-thread.js";
import { type PageBody, readBody, writeBody } from "./page-body.js";
import { factsAnswer, settingsAnswer } from "./page-facts.js";
import { isOfFiles, type Reads } from "./page-reads.js";
import type { KeptBody, KeptPage, PageResult } from "./page-result.js";

/** The thread's side of the page store: puts bodies and records into a pack, with what was read for them. */
export function createStoredPages(thread: PageThread) {
  const { site, log, packs, shown } = thread;
  if (packs === undefined)
    return {
      begin() {},
      read: () => undefined,
      putBody() {},
      keep: () => undefined,
      shared: (result: PageResult) => result,
    };

  const writer = createPackWriter(packs);
  const reader = createPackReader(packs);
  /** What the stages have read while they were prepared: every page depends on it. */
  const base = new Map([...log.take(), ["settings", settingsAnswer(thread)]]);
  /** The frame is made once for many pages. */
  const ofFrames = new Map<string, string>();
  let body: KeptBody | undefined;
  /** Of the page: its body cannot be kept. */
  let isLeftOut = false;

  const noteFrames = (reads: Reads): void => {
    for (const [question, answer] of reads) if (question.startsWith("size ")) ofFrames.set(question, answer);
  };
  const takeReads = (): string[] => {
    const all = log.take();
    for (const question of all.keys()) shown?.noteQuestion(question);
    const reads = filesIn(all);
    noteFrames(reads);
    for (const [question, answer] of ofFrames) reads.set(question, answer);
    return [...reads].flat();
  };

  return {
    begin(plan: PagePlan): void {
      // Of a page that is not stored.
      noteFrames(log.take());
      for (const [question, answer] of base) log.note(question, answer);
      log.note(`facts ${plan.outputPath}`, factsAnswer(site, plan));
      shown?.begin(plan);
      body = undefined;
      isLeftOut = false;
    },
    /** Undefined if there is none, or it is damaged. */
    read(place: Parameters<typeof reader.read>[0] | undefined): PageBody | undefined {
      const bytes = place && reader.read(place);
      try {
        return bytes && readBody(bytes);
      } catch {
        return undefined;
      }
    },
    putBody(made: PageBody): void {
      // What live components show depends on modules that the main thread reads.
      const at = made.content.islands === undefined ? writer.put(writeBody(made)) : undefined;
      if (at) body = { at, reads: [...log.take()].flat() };
      else isLeftOut = true;
    },
    /** @param record of the page for the search, if it was made now. */
    keep(diagnostics: readonly Diagnostic[], record: Uint8Array | undefined): KeptPage | undefined {
      if (isLeftOut || diagnostics.some(isOfMachine)) return undefined;
      const reads = takeReads();
      const ofDocument = { reads, ...(shown?.showsOthers() ? { showsOthers: true } : {}) };
      if (!body || !record) return { ...(body ? { body } : {}), ...ofDocument };
      const place = writer.put(record);
      return place && { body: { ...body, record: place }, ...ofDocument };
    },
    shared(result: PageResult): PageResult {
      for (const [question, answer] of base) log.note(question, answer);
      const reads = takeReads();
      return result.diagnostics.some(isOfMachine) ? result : { ...result, kept: { reads, showsOthers: true } };
    },
  };
}

const filesIn = (reads: Reads): Map<string, string> => new Map([...reads].filter(([question]) => isOfFiles(question)));
