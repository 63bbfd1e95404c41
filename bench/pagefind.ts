import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { close, createIndex } from "pagefind";
import { launchBrowser } from "../test/support/browser.ts";
import { serveFolder } from "../test/support/serve-folder.ts";

/** Asks Pagefind for the best pages; it needs a server and a browser. */
export interface Pagefind {
  ask(query: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

const maxResults = 10;

/** @param documents paths of the documents in `folder` that are searched together. Their main part is indexed. */
export async function openPagefind(chromium: string, folder: string, documents: readonly string[]): Promise<Pagefind> {
  const target = mkdtempSync(join(tmpdir(), "offprint-pagefind-"));
  const { index, errors } = await createIndex({ rootSelector: "main" });
  if (index === undefined) throw new Error(`Pagefind failed: ${errors.join(", ")}`);
  for (const path of documents) {
    const content = readFileSync(join(folder, decodeURIComponent(path)), "utf8");
    await index.addHTMLFile({ url: `/${path}`, content });
  }
  await index.writeFiles({ outputPath: join(target, "pagefind") });
  await close();
  writeFileSync(join(target, "index.html"), "<!doctype html>");
  const server = await serveFolder(target);
  const browser = await launchBrowser(chromium);
  const page = await browser.newPage();
  await page.goto(`${server.url}index.html`);
  await page.evaluate(async () => {
    // The path is known only to the browser.
    const path = "/pagefind/pagefind.js";
    const library = (await import(path)) as object;
    Object.assign(window, { library });
  });
  return {
    ask: (query) =>
      page.evaluate(
        async ([text, most]) => {
          interface Result {
            data(): Promise<{ readonly url: string }>;
          }
          const { library } = window as unknown as {
            library: { search(query: string): Promise<{ results: readonly Result[] }> };
          };
          const { results } = await library.search(text);
          return Promise.all(results.slice(0, most).map(async (result) => (await result.data()).url));
        },
        [query, maxResults] as const,
      ),
    async close() {
      await browser.close();
      await server.close();
      rmSync(target, { recursive: true, force: true });
    },
  };
}
