import type { PageOutputs } from "../../bundle/outputs/index.js";
import { createPackReader, createPackWriter } from "../../lib/cache/index.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { PageContent } from "../../page/content/index.js";
import type { RenderedPage } from "../../page/render/index.js";
import type { PagePlan } from "../../site/site.js";
import type { PageThread } from "../pages/open-page-thread.js";
import type { KeptBody, KeptPage, PageResult } from "../pages/thread-messages.js";
import { factsAnswer, settingsAnswer } from "./page-facts.js";
import { isOfFiles, type Reads } from "./page-reads.js";

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

/** A page without the document around it: it does not depend on the navigation. */
export interface PageBody {
  readonly content: Pick<PageContent, "diagnostics" | "files" | "models" | "islands">;
  readonly rendered: RenderedPage;
  readonly outputs: PageOutputs;
}

/** The text of the page's sections is left out: its record for the search is stored separately. */
function writeBody({ content, rendered, outputs }: PageBody): Buffer {
  const { diagnostics, files, models } = content;
  const bytes = rendered.files.map(({ outputPath, bytes }) => [outputPath, Buffer.from(bytes).toString("base64")]);
  const kept = { ...rendered, sections: [], highlightMs: 0, files: bytes };
  return Buffer.from(JSON.stringify([{ diagnostics, files, models }, kept, outputs]));
}

function readBody(bytes: Buffer): PageBody {
  const [content, rendered, outputs] = JSON.parse(bytes.toString("utf8"));
  const files = (rendered.files as [string, string][]).map(([outputPath, base64]) => ({
    outputPath,
    bytes: Buffer.from(base64, "base64"),
  }));
  return { content, rendered: { ...rendered, files }, outputs };
}

/** Whether a result may be another one the next time: the machine was busy, or could not start a process. */
export const isOfMachine = ({ code }: Diagnostic): boolean =>
  /^(?:PAGE_FAILED|PAGE_TOO_\w+|ISLAND_LIMIT|DIAGRAMS_NOT_DRAWN)$/.test(code);
