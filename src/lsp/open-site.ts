import { openSiteSession, type PageResult, type SessionPlan } from "../export/index.js";
import { type Diagnostic, placedFaults } from "../lib/diagnostic/index.js";
import { lazy } from "../lib/memo.js";
import { checkAnchors } from "../page/check/check-anchors.js";
import { chromeIds } from "../page/theme/chrome/hooks.js";
import { createAddresses } from "../site/links/index.js";

/** A site whose files are open in an editor. */
export type OpenSite = Awaited<ReturnType<typeof openSite>>;

/** The most pages that are rendered to check the links to anchors of another one. */
const maxTargets = 20;

/** @param folder absolute @throws {Error} of the file system */
export async function openSite(folder: string, texts: Map<string, string>, cacheFolder?: string) {
  const session = await openSiteSession({ source: folder, cacheFolder, texts });
  /** By the index of the page. */
  const records = new Map<number, PageResult["record"]>();
  let tables = tablesOf(session.plan());
  /** Faults of what all pages show, such as the logo and the links and icons of the navigation. */
  let sharedFaults: readonly Diagnostic[] | undefined;

  const recordOf = async (index: number): Promise<PageResult["record"]> => {
    const cachedRecord = records.get(index);
    if (cachedRecord) return cachedRecord;
    const { record } = await session.make({ kind: "page", index });
    records.set(index, record);
    return record;
  };
  const readText = (sourcePath: string): string | undefined => {
    const { files } = session.plan() ?? {};
    return texts.get(sourcePath) ?? (files?.has(sourcePath) ? files.readText(sourcePath) : undefined);
  };
  /** The index of the page; for a snippet, of the first page that names it. */
  const pageOf = (sourcePath: string): number | undefined => {
    const { site } = session.plan()!;
    const index = tables.indexes().get(sourcePath);
    if (index !== undefined || !site.snippets.includes(sourcePath)) return index;
    const name = sourcePath.slice(sourcePath.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
    return site.pages.find((page) => !page.generated && readText(page.sourcePath)?.includes(name))?.index;
  };
  const pageFaults = async (index: number): Promise<readonly Diagnostic[]> => {
    const { site } = session.plan()!;
    const record = await recordOf(index);
    const targets = new Set(record.anchorsWanted.map(({ outputPath }) => outputPath));
    const checked = [{ outputPath: site.pages[index]!.outputPath, ...record }];
    for (const outputPath of [...targets].slice(0, maxTargets)) {
      const target = tables.byOutput().get(outputPath);
      if (target !== undefined && target !== index)
        checked.push({ outputPath, ...(await recordOf(target)), anchorsWanted: [] });
    }
    const { sourcePath } = site.config;
    return [...record.diagnostics, ...checkAnchors(checked, chromeIds, { sourcePath }).diagnostics];
  };

  return {
    folder,
    /** Texts of the editor by source path, in place of those on disk. Call `changed` after each change of them. */
    texts,
    /** A file of the site as the editor has it; undefined if there is none. */
    readText,
    /** Undefined while the site cannot be read. */
    plan: () => session.plan(),
    addresses: () => tables.addresses(),
    /** Reads the site again. Wait for each call to end. @param paths source paths of files that may have changed. */
    async changed(paths: Iterable<string>): Promise<void> {
      const change = await session.update(paths);
      if (change.kind === "none") return;
      if (change.kind === "pages") {
        for (const path of change.sourcePaths) records.delete(tables.indexes().get(path) ?? -1);
        return;
      }
      records.clear();
      sharedFaults = undefined;
      tables = tablesOf(session.plan());
    },
    /** All faults of the site's settings, of these pages, and of the snippets in them. */
    async faults(sourcePaths: Iterable<string>): Promise<readonly Diagnostic[]> {
      const all = [...session.diagnostics()];
      const isReadable = session.plan() !== undefined;
      if (isReadable) sharedFaults ??= (await session.make({ kind: "shared" })).record.diagnostics;
      all.push(...(sharedFaults ?? []));
      const indexes = isReadable ? [...sourcePaths].map(pageOf) : [];
      for (const index of new Set(indexes)) if (index !== undefined) all.push(...(await pageFaults(index)));
      return placedFaults(all, readText);
    },
    /** The anchors of a page, which is rendered if it has changed. Empty if there is no such page. */
    async anchors(sourcePath: string): Promise<readonly string[]> {
      const index = tables.indexes().get(sourcePath);
      return index === undefined ? [] : (await recordOf(index)).ids.split("\n").filter((id) => id !== "");
    },
    close: () => session.close(),
  };
}

const tablesOf = (plan: SessionPlan | undefined) => ({
  indexes: lazy(
    () => new Map(plan?.site.pages.flatMap((page) => (page.generated ? [] : [[page.sourcePath, page.index] as const]))),
  ),
  byOutput: lazy(() => new Map(plan?.site.pages.map(({ outputPath, index }) => [outputPath, index] as const))),
  addresses: lazy(() => plan && createAddresses(plan.site)),
});
