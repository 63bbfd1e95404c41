import type { WriteBundleFile } from "../../bundle/archive/index.js";
import { type StyleTexts, settingsUses } from "../../bundle/assets/index.js";
import { intoSite, type RemoteFailure, type RemoteFiles } from "../../bundle/remote/index.js";
import { openFolderCache } from "../../lib/cache/index.js";
import { type Diagnostic, quoted } from "../../lib/diagnostic/index.js";
import { locationOfKey } from "../../page/content/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import { navigationIcons, pictureOfIcon } from "../../page/theme/index.js";
import { type Addresses, embeddedKey, isLoadedAs } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { EmbeddedEntries, PageRecord } from "../pages/thread-messages.js";
import type { TrackedFiles } from "../store/source-files.js";
import type { ExportRun } from "./start-run.js";

/** Copies of what the site loads from other hosts. */
export interface RemoteStage extends RemoteFiles {
  /** Text of the new lock file; undefined if there is nothing to write. */
  lockText(): string | undefined;
}

/** Undefined unless the export embeds; nothing is loaded then. */
export async function openRemoteStage(
  run: ExportRun,
  files: TrackedFiles,
  write: WriteBundleFile,
): Promise<RemoteStage | undefined> {
  const { settings, fetchBytes } = run;
  if (!run.embedsRemote) return undefined;
  const { createRemoteFiles, emptyLock, lockName, parseLock, printLock } = await import("../../bundle/remote/index.js");
  const { cacheFolder, signal, paths } = settings;
  const text = files.has(lockName) ? files.readText(lockName) : undefined;
  const lock = text === undefined ? emptyLock : parseLock(text);
  const cache = cacheFolder === undefined ? undefined : openFolderCache(cacheFolder);
  const remote = await createRemoteFiles({ fetchBytes, lock: lock ?? emptyLock, cache, write, signal });
  return {
    ...remote,
    get diagnostics() {
      return lock ? remote.diagnostics : [invalidLock(lockName), ...remote.diagnostics];
    },
    lockText() {
      // A file that cannot be read stays as it is.
      if (!lock) return undefined;
      const next = remote.newLock(paths !== undefined);
      return next.size === 0 && text === undefined ? undefined : printLock(next);
    },
  };
}

const invalidLock = (sourcePath: string): Diagnostic => ({
  code: "LOCK_INVALID",
  severity: "error",
  what: "This file is not a lock that an export has written, so it is ignored.",
  location: { sourcePath },
  fix: "restore it, or remove it to accept all files of other hosts as they are now.",
});

/** Fetches what the settings, the site's style sheets and the icons of the navigation load, before any page is made. */
export async function embedSettings(
  { progress }: ExportRun,
  remote: RemoteFiles,
  site: Site,
  addresses: Addresses,
  files: TrackedFiles,
  styles: StyleTexts,
): Promise<void> {
  const ofSettings = { sourcePath: site.config.sourcePath };
  const icons = navigationIcons(site).flatMap((choice): ExternalUse[] => {
    const picture = pictureOfIcon(choice);
    const location = choice.location ?? ofSettings;
    return picture && "url" in picture ? [{ kind: "image", url: picture.url, location }] : [];
  });
  for (const { icon, sourcePath, generated } of site.pages) {
    const picture = icon && pictureOfIcon(icon);
    if (!picture || !("url" in picture)) continue;
    const location = locationOfKey(generated?.text ?? files.readText(sourcePath), sourcePath, "icon");
    icons.push({ kind: "image", url: picture.url, location });
  }
  const resolved = icons.flatMap((use): ExternalUse[] => {
    const target = addresses.resolve(use.url, ofSettings);
    return target.kind === "external" ? [{ ...use, url: target.url }] : [];
  });
  const uses = [...(await settingsUses(site, addresses, styles)), ...resolved];
  return remote.embed(uses, (done, total) => progress("assets", done, total));
}

/** Fetches what the pages load. Gives the copies that each page can use. */
export async function embedPages(
  { progress }: ExportRun,
  remote: RemoteFiles,
  records: readonly PageRecord[],
): Promise<readonly EmbeddedEntries[]> {
  const uses = records.flatMap((record) => record.external);
  await remote.embed(uses, (done, total) => progress("embed", done, total));
  return records.map(({ external }) => {
    const copies = new Map(
      external.flatMap(({ kind, url }) => {
        const key = embeddedKey(url);
        const file = remote.embedded.get(key);
        return file && isLoadedAs(kind, file) ? [[key, file] as const] : [];
      }),
    );
    return [...copies];
  });
}

/** A warning for each use that is not embedded. */
export const remoteFailures = (failures: readonly { readonly use: ExternalUse; readonly failure: RemoteFailure }[]) =>
  failures.map(
    ({ use, failure: { code, reason, fix } }): Diagnostic => ({
      code,
      severity: "warning",
      what: `${kindNames[use.kind]} ${quoted(use.url, 200)} is not embedded, because ${reason}; ${use.isOptional ? "it is left out" : "readers load it from its host"}.`,
      location: use.location,
      fix,
    }),
  );

/**
 * Reports what an air-gapped reader cannot load: everything that the site's own content loads from another host. Inline
 * scripts and the site's own scripts are in `external`, but are not requests.
 *
 * @param failureOf why the export has no copy of a file, if it tried
 */
export function outsideRequests(
  external: readonly ExternalUse[],
  failureOf: (use: ExternalUse) => RemoteFailure | undefined,
): Diagnostic[] {
  return external
    .filter(({ url }) => /^(?:https?:)?\/\//i.test(url))
    .map((use) => {
      const { kind, url, location } = use;
      const failure = failureOf(use);
      const tried = failure ? ` It is not embedded, because ${failure.reason}.` : "";
      return {
        code: "OUTSIDE_REQUEST",
        severity: "error",
        what: `${kindNames[kind]} ${quoted(url, 200)} comes from another host, which an air-gapped reader cannot reach.${tried}`,
        location,
        fix: failure?.fix ?? fixes[kind] ?? intoSite(url),
      };
    });
}

const fixes: Readonly<Partial<Record<ExternalUse["kind"], string>>> = {
  embed: "link to it, or put an image or a video of it into the site.",
};

/** At the beginning of a sentence. */
const kindNames: Readonly<Record<ExternalUse["kind"], string>> = {
  image: "The image",
  media: "The video or audio file",
  embed: "The embedded page",
  script: "The script",
  style: "The style sheet or font",
};
