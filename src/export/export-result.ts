import type { ArchiveResult, Manifest } from "../bundle/archive/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { ExternalUse } from "../page/render/index.js";

/** What a run reports about the site, whether or not it succeeds. */
export interface SiteReport {
  /** `name` of docs.json; empty if there is no site. */
  readonly siteName: string;
  /** Pages in the bundle; 0 if `ok` is false. */
  readonly pageCount: number;
  /** Every error and warning, sorted by file, line and column. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the site's own content loads from other hosts, and its scripts, sorted by kind and URL. */
  readonly external: readonly ExternalUse[];
  /**
   * With `embedRemote`: the text of `offprint.lock.json` for the next export, which then embeds the same bytes. The
   * export writes it nowhere; its place is next to docs.json. Absent if the site loads nothing from other hosts.
   */
  readonly remoteLock?: string;
  /** Absolute paths of the site's files that the run read, sorted. The bundle changes only if one of them does, or a listing. */
  readonly inputs: readonly string[];
  /** Absolute paths of the folders with files of the site, sorted: a file added to one of them or removed is a change, too. */
  readonly inputFolders: readonly string[];
  /** Milliseconds by stage: wall time on the main thread; for the stages of pages, the sum over all threads. */
  readonly timings: Readonly<Record<string, number>>;
  /** Milliseconds that each page took in its thread, rounded, in no particular order. */
  readonly pageMs: readonly number[];
  /** Pages that were made now, those of models included. The others are those of an earlier export, perhaps with a new frame. */
  readonly pagesMade: number;
}

/** `ok` is false if the site could not be read, has no pages, or has an error and `strict` is set. */
export interface CheckResult extends SiteReport {
  readonly ok: boolean;
}

/** The bundle is complete. Each field is present if it was asked for. */
export interface ExportSuccess extends SiteReport {
  readonly ok: true;
  /**
   * Nothing has changed since an earlier export with the same `cacheFolder`: neither the site, nor the settings, nor the
   * bundle and its archive, which stay as they are. The report is that of the earlier export; `timings` are empty.
   */
  readonly unchanged?: true;
  /** Present unless the site was only checked. */
  readonly manifest?: Manifest;
  /** Absolute path of the bundle's folder, symbolic links resolved. */
  readonly output?: string;
  readonly archive?: ArchiveResult;
  /** With `output: "memory"`: the bytes of every file by output path, `offprint.json` first, then in the manifest's order. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
}

/** Nothing was written, and `diagnostics` say why. */
export interface ExportFailure extends SiteReport {
  readonly ok: false;
  readonly unchanged?: undefined;
  readonly manifest?: undefined;
  readonly output?: undefined;
  readonly archive?: undefined;
  readonly files?: undefined;
}

/** `ok` tells the two apart. */
export type ExportResult = ExportSuccess | ExportFailure;

/** The result of an export that was asked for these fields: they are present if `ok`. */
export type ExportResultWith<Field extends "output" | "archive" | "files"> =
  | (ExportSuccess & Required<Pick<ExportSuccess, "manifest" | Field>>)
  | ExportFailure;
