import type { Log } from "../../../lib/log.js";
import type { JobStore, Project } from "../../jobs/index.js";
import { indexKey, type ObjectStore } from "../../store/index.js";
import type { SiteIndex } from "../answer.js";
import { createEmbeddings, type EmbeddingsOptions } from "./embeddings.js";
import { indexLimits } from "./index-object.js";
import { type OpenedIndex, openSiteIndex } from "./open-site-index.js";

export interface SiteIndexesDeps {
  readonly store: { readonly jobs: Pick<JobStore, "newestExport">; readonly objects: Pick<ObjectStore, "read"> };
  readonly log: Log;
  readonly now: () => number;
  /** Orders what the search finds by meaning, too. Default: none. */
  readonly embeddings?: EmbeddingsOptions;
  /** Memory for all indexes; the one used last is kept in any case. Default: 512 MB. */
  readonly maxBytes?: number;
}

/** How often a newer export of a project is looked up. */
const pollMs = 3000;
const partBytes = 4 * 1024 ** 2;
const maxBytesDefault = 512 * 1024 ** 2;

/** A key may have many audiences, so entries without an index are bounded, too. */
const maxEntries = 2000;

interface Check {
  /** Looks up the newest export, so that a withdrawn one answers no question. */
  readonly asked: Promise<void>;
  /** Its index is loaded. */
  readonly loaded: Promise<void>;
}

/** The index of one project and audience. */
interface SiteEntry {
  checkedAt: number;
  checking?: Check;
  /** Key of the object that was loaded last. */
  objectKey?: string;
  opened?: OpenedIndex;
  /** There is an export, but no index of it. */
  isMissing?: boolean;
}

export type SiteIndexes = ReturnType<typeof createSiteIndexes>;

/** The indexes of the newest exports by audience, each loaded once. Meanwhile the older one answers. */
export function createSiteIndexes(deps: SiteIndexesDeps) {
  const { store, log, now, maxBytes = maxBytesDefault } = deps;
  const byMeaning = deps.embeddings && createEmbeddings(deps.embeddings, log, now);
  /** The one used last comes last. */
  const sites = new Map<string, SiteEntry>();
  let isClosed = false;

  /** Removes the indexes that nobody has used for longest. */
  const evict = (): void => {
    let bytes = 0;
    for (const { opened } of sites.values()) bytes += opened?.bytes ?? 0;
    for (const [name, entry] of sites) {
      if ((bytes <= maxBytes && sites.size <= maxEntries) || sites.size === 1) return;
      if (entry.checking) continue;
      sites.delete(name);
      bytes -= entry.opened?.bytes ?? 0;
    }
  };

  /** Resolves with the key of an index that is to be loaded. */
  const ask = async ({ projectId }: Project, audience: readonly string[], entry: SiteEntry) => {
    const job = await store.jobs.newestExport(projectId, audience);
    const objectKey = job?.bundle && indexKey(job.jobId, job.attempt);
    if (objectKey === entry.objectKey) return undefined;
    if (objectKey !== undefined) return objectKey;
    // The export was withdrawn.
    entry.isMissing = false;
    entry.opened = undefined;
    entry.objectKey = undefined;
    return undefined;
  };

  const load = async (project: Project, entry: SiteEntry, objectKey: string | undefined): Promise<void> => {
    if (objectKey === undefined) return;
    const facts = { domain: project.domain, objectKey };
    const object = await readObject(store.objects, objectKey);
    entry.isMissing = object === undefined;
    if (object === undefined) {
      log("warn", "the index of an export is missing; export the site again", facts);
      entry.opened = undefined;
    } else {
      const startedAt = now();
      const { index, bytes } = await openSiteIndex(object, `https://${project.domain}`);
      entry.opened = { index: byMeaning?.(index) ?? index, bytes };
      log("info", "index loaded", { ...facts, bytes: entry.opened.bytes, ms: now() - startedAt });
    }
    entry.objectKey = objectKey;
    evict();
  };

  const check = (project: Project, audience: readonly string[], entry: SiteEntry): Check => {
    const asking = ask(project, audience, entry);
    const loaded = asking
      .then((objectKey) => load(project, entry, objectKey))
      .catch((error: unknown) =>
        log("error", "the index of an export could not be loaded", { domain: project.domain, error: String(error) }),
      )
      .finally(() => {
        entry.checkedAt = now();
        entry.checking = undefined;
      });
    return {
      loaded,
      asked: asking.then(
        () => {},
        () => {},
      ),
    };
  };

  return {
    /** Undefined without an export or its bundle. @param audience groups, sorted. Default: everyone. */
    async of(project: Project, audience: readonly string[] = []): Promise<SiteIndex | undefined> {
      if (isClosed) return undefined;
      const name = nameOf(project, audience);
      const entry = sites.get(name) ?? { checkedAt: Number.NEGATIVE_INFINITY };
      sites.delete(name);
      sites.set(name, entry);
      if (sites.size > maxEntries) evict();
      if (Math.abs(now() - entry.checkedAt) >= pollMs) {
        entry.checking ??= check(project, audience, entry);
        const { asked, loaded } = entry.checking;
        await asked;
        if (entry.opened === undefined) await loaded;
      }
      return entry.opened?.index;
    },
    /** After `of` returned undefined: whether there is an export, but without an index, or its index is gone. */
    isMissing: (project: Project): boolean => sites.get(nameOf(project, []))?.isMissing === true,
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...sites.values()].map(({ checking }) => checking?.loaded));
      sites.clear();
    },
  };
}

const nameOf = ({ projectId }: Project, audience: readonly string[]): string =>
  audience.length === 0 ? projectId : JSON.stringify([projectId, audience]);

/** Undefined if there is no such object. */
async function readObject(objects: Pick<ObjectStore, "read">, objectKey: string): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const part = await objects.read(objectKey, bytes, partBytes);
    if (part === undefined) return undefined;
    if (part.size > indexLimits.maxBytes + 1024 ** 2) throw new Error("The index is too large.");
    parts.push(part.bytes);
    bytes += part.bytes.length;
    if (part.bytes.length === 0 || bytes >= part.size) return Buffer.concat(parts);
  }
}
