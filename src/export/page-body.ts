import type { PageOutputs } from "../bundle/outputs/index.js";
import type { PageContent } from "../page/content/index.js";
import type { RenderedPage } from "../page/render/index.js";

/** A page without the document around it: it does not depend on the navigation. */
export interface PageBody {
  readonly content: Pick<PageContent, "diagnostics" | "files" | "models" | "islands">;
  readonly rendered: RenderedPage;
  readonly outputs: PageOutputs;
}

/** The text of the page's sections is left out: its record for the search is stored separately. */
export function writeBody({ content, rendered, outputs }: PageBody): Buffer {
  const { diagnostics, files, models } = content;
  const bytes = rendered.files.map(({ outputPath, bytes }) => [outputPath, Buffer.from(bytes).toString("base64")]);
  const kept = { ...rendered, sections: [], highlightMs: 0, files: bytes };
  return Buffer.from(JSON.stringify([{ diagnostics, files, models }, kept, outputs]));
}

export function readBody(bytes: Buffer): PageBody {
  const [content, rendered, outputs] = JSON.parse(bytes.toString("utf8"));
  const files = (rendered.files as [string, string][]).map(([outputPath, base64]) => ({
    outputPath,
    bytes: Buffer.from(base64, "base64"),
  }));
  return { content, rendered: { ...rendered, files }, outputs };
}
