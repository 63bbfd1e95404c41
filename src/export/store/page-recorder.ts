import type { PageOutputs } from "../../bundle/outputs/page-outputs.js";
import { attempt } from "../../lib/attempt.js";
import { createPackReader, createPackWriter, type PackPlace } from "../../lib/cache/index.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { PageContent } from "../../page/content/index.js";
import type { RenderedPage } from "../../page/render/index.js";
import type { PagePlan } from "../../site/site.js";
import type { PageThread } from "../pages/open-page-thread.js";
import type { BodyToStore, PageResult, PageToStore } from "../pages/thread-messages.js";
import { isOfMachine } from "./page-index.js";
import { isOfFiles, type Reads } from "./page-reads.js";
import { factsHash, settingsHash } from "./plan-hashes.js";

/** A page without the document around it: it does not depend on the navigation. */
export interface PageBody {
  readonly content: Pick<PageContent, "diagnostics" | "files" | "models" | "islands">;
  readonly rendered: RenderedPage;
  readonly outputs: PageOutputs;
}

/** The page store in a thread: puts bodies and search records into a pack, with what was read for them. */
export function createPageRecorder(thread: PageThread) {
  const { site, log, packs, shown } = thread;
  if (packs === undefined)
    return {
      begin() {},
      readBody: () => undefined,
      writeBody() {},
      finish: () => undefined,
      finishShared: (result: PageResult) => result,
    };

  const writer = createPackWriter(packs);
  const reader = createPackReader(packs);
  log.note("settings", undefined, settingsHash(thread));
  /** What the stages read while they were set up. Every page depends on it. */
  const readByAll = log.take();
  /** Sizes of images: frames are made once for many pages. */
  const readByFrames = new Map<string, string>();
  let body: BodyToStore | undefined;
  /** The body of the page cannot be stored. */
  let isLeftOut = false;
  let showsOthers = false;

  const noteFrames = (reads: Reads): void => {
    for (const [question, answer] of reads) if (question.startsWith("size ")) readByFrames.set(question, answer);
  };
  /** What the document has read besides its body. */
  const documentReads = (): Pick<PageToStore, "reads" | "showsOthers"> => {
    const all = log.take();
    // A frame that is used again may show a text that an earlier document read.
    showsOthers ||=
      (shown?.showsOthers() ?? false) || [...all.keys()].some((question) => question.startsWith("title "));
    const ofFiles = new Map([...all].filter(([question]) => isOfFiles(question)));
    noteFrames(ofFiles);
    return { reads: [...new Map([...ofFiles, ...readByFrames])].flat(), ...(showsOthers && { showsOthers }) };
  };

  return {
    begin(plan: PagePlan): void {
      // Remains of a page that was not stored.
      noteFrames(log.take());
      log.noteAll(readByAll);
      log.note("facts", plan.outputPath, factsHash(site, plan));
      shown?.begin(plan);
      body = undefined;
      isLeftOut = false;
    },
    /** Undefined if there is none, or it is damaged. */
    readBody(place: PackPlace | undefined): PageBody | undefined {
      const bytes = place && reader.read(place);
      return bytes && attempt(() => parseBody(bytes));
    },
    writeBody(page: PageBody): void {
      // What live components show depends on modules that the main thread reads.
      const at = page.content.islands === undefined ? writer.put(printBody(page)) : undefined;
      if (at) body = { at, reads: [...log.take()].flat() };
      else isLeftOut = true;
    },
    /** @param searchRecord of the page, if it was made now */
    finish(diagnostics: readonly Diagnostic[], searchRecord: Uint8Array | undefined): PageToStore | undefined {
      if (isLeftOut || diagnostics.some(isOfMachine)) return undefined;
      const document = documentReads();
      if (!body || !searchRecord) return { ...document, ...(body && { body }) };
      const record = writer.put(searchRecord);
      return record && { ...document, body: { ...body, record } };
    },
    finishShared(result: PageResult): PageResult {
      log.noteAll(readByAll);
      const { reads } = documentReads();
      if (result.record.diagnostics.some(isOfMachine)) return result;
      return { ...result, toStore: { reads, showsOthers: true } };
    },
  };
}

/** The text of the page's sections is left out: its search record is stored separately. */
function printBody({ content, rendered, outputs }: PageBody): Buffer {
  const { diagnostics, files, models } = content;
  const bytes = rendered.files.map(({ outputPath, bytes }) => [outputPath, Buffer.from(bytes).toString("base64")]);
  const stored = { ...rendered, sections: [], highlightMs: 0, files: bytes };
  return Buffer.from(JSON.stringify([{ diagnostics, files, models }, stored, outputs]));
}

function parseBody(bytes: Buffer): PageBody {
  const [content, rendered, outputs] = JSON.parse(bytes.toString("utf8"));
  const files = (rendered.files as [string, string][]).map(([outputPath, base64]) => ({
    outputPath,
    bytes: Buffer.from(base64, "base64"),
  }));
  return { content, rendered: { ...rendered, files }, outputs };
}
