import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openPreview, type Preview, type PreviewEvent, type PreviewOptions } from "../../src/preview/open-preview.js";
import { temporaryFolder, writeSite } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";

export interface PreviewSite {
  readonly folder: string;
  readonly preview: Preview;
  readonly events: PreviewEvent[];
  write(path: string, text: string): void;
  remove(path: string): void;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** All events of a kind. */
  of<T extends PreviewEvent["type"]>(type: T): Extract<PreviewEvent, { readonly type: T }>[];
  /** Resolves with the next change of the site that the preview reports. */
  changes(count: number): Promise<void>;
}

/** A preview of a new site that ends with the test. */
export async function previewSite(
  files: Readonly<Record<string, string>>,
  options: Partial<PreviewOptions> = {},
): Promise<PreviewSite> {
  const folder = writeSite(temporaryFolder(), files);
  const events: PreviewEvent[] = [];
  const preview = await openPreview({
    source: folder,
    port: 0,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  onTestFinished(() => preview.close());
  const of = <T extends PreviewEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<PreviewEvent, { readonly type: T }> => event.type === type);
  return {
    folder,
    preview,
    events,
    of,
    write: (path, text) => writeFileSync(join(folder, path), text),
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    get: (path, headers = {}) =>
      fetch(`http://127.0.0.1:${preview.port}${path}`, {
        headers: { accept: "text/html", ...headers },
        redirect: "manual",
      }),
    changes: async (count) => {
      await waitUntil(`${count} changes`, () => of("changed").length >= count);
    },
  };
}
