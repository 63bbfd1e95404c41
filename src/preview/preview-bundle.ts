import { hash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BundleFile, bundlePath } from "../bundle/archive/index.js";
import { writeParts } from "../bundle/assets/build-assets.js";
import type { ModelTask, PageResult, PageTask, SessionPlan, SiteChange, SiteSession } from "../export/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import { checkAnchors, isBroken } from "../page/check/check-anchors.js";
import { chromeIds } from "../page/theme/chrome/hooks.js";
import { type HeaderRules, type HostRules, readHeaderRules, readHostRules } from "../serve/host-rules.js";
import {
  hasSiteScripts,
  loadsFromHosts,
  policyOf,
  type Route,
  routesOf,
  type ServedFile,
  servedFile,
} from "../serve/served-bundle.js";
import type { PagePlan } from "../site/site.js";

interface PreviewBundleOptions {
  readonly session: SiteSession;
  /** The element that loads the script of the preview. */
  readonly scriptTag: (version: string) => string;
  /** Called for each page that has been rendered. */
  readonly onPage: (page: MadePage, ms: number) => void;
}

export type PreviewBundle = ReturnType<typeof createPreviewBundle>;

/** The most pages that are rendered to check the links of another one. */
const maxTargets = 20;

/** A bundle whose files are created when they are requested. */
export function createPreviewBundle({ session, scriptTag, onPage }: PreviewBundleOptions) {
  const files = new Map<string, ServedFile>();
  const pages = new Map<string, MadePage>();
  const making = new Map<string, Promise<MadePage>>();
  const models = new Map<string, ModelTask>();
  /** Output paths of files other than pages that match the site as it is now. */
  const fresh = new Set<string>();
  /** Copies of the pages with the script of the preview. */
  const pagesFolder = join(dirname(session.folder), "preview");
  const moves = createMoves();
  let shape: BundleShape | undefined;
  let generation = 0;

  const serve = (file: BundleFile, policy?: string, folder = session.folder): void => {
    // Within one machine, compressing takes longer than sending.
    files.set(file.path, { ...servedFile(file, folder, shape!.headers, policy, undefined), isCompressible: false });
  };

  const taskOf = (outputPath: string): PageTask => {
    const model = models.get(outputPath);
    if (model) return { kind: "model", model };
    const index = shape!.pages.get(outputPath);
    return index === undefined ? { kind: "shared", root: "/" } : { kind: "page", index };
  };
  const makePage = async (outputPath: string): Promise<MadePage> => {
    const begun = generation;
    const startedAt = performance.now();
    const task = taskOf(outputPath);
    const before = pages.get(outputPath);
    let result: PageResult;
    try {
      result = await session.make(task);
    } catch (error) {
      // The file was deleted, and the next plan has failed.
      if (before === undefined) throw error;
      before.isStale = generation !== begun;
      return before;
    }
    for (const file of result.record.files) if (file.path !== outputPath) serve(file);
    for (const model of result.models) models.set(model.outputPath, model);
    const broken = isBroken(result.record.diagnostics);
    const showsEarlier = broken && before?.wasGood === true;
    const html = showsEarlier ? before.html : readFileSync(bundlePath(session.folder, outputPath), "utf8");
    const version = hash("sha256", html, "hex").slice(0, 16);
    const { pages: plans } = session.plan()!.site;
    const plan = plans[task.kind === "page" ? task.index : task.kind === "model" ? task.model.sibling : 0];
    const page: MadePage = {
      outputPath,
      sourcePath: task.kind === "shared" ? "" : (plan?.sourcePath ?? ""),
      record: result.record,
      html,
      version,
      isBroken: broken,
      wasGood: showsEarlier || !broken,
      isStale: generation !== begun,
    };
    pages.set(outputPath, page);
    publish(page);
    onPage(page, performance.now() - startedAt);
    return page;
  };
  /** Writes the page with the script of the preview. */
  const publish = ({ outputPath, html, version }: MadePage): void => {
    const end = html.indexOf("</head>");
    const text = end < 0 ? html : html.slice(0, end) + scriptTag(version) + html.slice(end);
    const path = bundlePath(pagesFolder, outputPath);
    const bytes = Buffer.from(text);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    const file = { path: outputPath, bytes: bytes.length, sha256: hash("sha256", bytes, "hex") };
    serve(file, shape!.mayBeStrict ? policyOf(text) : undefined, pagesFolder);
  };
  const ensurePage = async (outputPath: string): Promise<MadePage> => {
    for (;;) {
      const page = pages.get(outputPath);
      if (page && !page.isStale) return page;
      if (!making.has(outputPath))
        making.set(
          outputPath,
          makePage(outputPath).finally(() => making.delete(outputPath)),
        );
      await making.get(outputPath);
    }
  };
  const ensureFile = async (path: string): Promise<void> => {
    const origin = shape?.origins.get(path);
    if (origin === undefined || fresh.has(path)) return;
    if (origin.kind === "page") return void (await ensurePage(origin.outputPath));
    const begun = generation;
    for (const file of await makeFiles(path, origin)) {
      // Pages are served with the script of the preview.
      if (!pages.has(file.path)) serve(file);
      if (begun === generation) fresh.add(file.path);
    }
  };
  const makeFiles = async (path: string, origin: Exclude<Origin, { kind: "page" }>): Promise<readonly BundleFile[]> => {
    const { write } = session.plan()!.bundle;
    if (origin.kind === "static") return [(await session.copy(path)) ?? []].flat();
    if (origin.kind === "part") return writeParts([origin.name], (at, bytes) => void write(at, bytes));
    if (origin.kind === "text") return [write(path, origin.text)];
    return session.complete();
  };
  const routeAt = (path: string): Route<string> | undefined => {
    const model = [path, `${path}.html`].find((outputPath) => models.has(outputPath));
    return shape?.routes.get(path) ?? (model === undefined ? undefined : { kind: "file", file: model });
  };
  const served = (path: string): ServedFile | undefined => files.get(path);

  return {
    routes: {
      get(path: string): Route | undefined {
        const route = routeAt(path);
        if (route?.kind === "moved") return route;
        const file = served(route?.file ?? path);
        if (file === undefined) return undefined;
        return { kind: "file", file, markdown: route?.markdown === undefined ? undefined : served(route.markdown) };
      },
    },
    get rules(): HostRules {
      return shape!.redirects;
    },
    get notFound(): ServedFile {
      return served(notFoundPath)!;
    },
    /** Output path of the page at a decoded path without a slash in front; of the 404 page if there is none. */
    pageAt(path: string): string {
      const route = routeAt(path);
      const isPage = route?.kind === "file" && (shape?.pages.has(route.file) || models.has(route.file));
      return isPage ? route.file : notFoundPath;
    },
    /** The new address of the page at a path whose file was renamed. */
    movedTo: moves.get,
    /** Whether the bundle contains an unchanged copy of a file of the site. */
    isStatic: (sourcePath: string): boolean => shape?.origins.get(sourcePath)?.kind === "static",
    /** Creates the files that a response for this path needs. */
    async prepare(path: string): Promise<void> {
      if (shape === undefined) return;
      const route = routeAt(path);
      if (route?.kind === "moved") return;
      if (route && models.has(route.file)) return void (await ensurePage(route.file));
      if (route) return ensureFile(route.file);
      // The file may belong to a page, such as a feed.
      const parent = `${path.slice(0, Math.max(0, path.lastIndexOf("/")))}.html`;
      if (shape.pages.has(parent)) await ensurePage(parent);
      // The shared files are the 404 page and the scripts of large sidebars.
      if (!files.has(path) || path === notFoundPath) await ensurePage(notFoundPath);
    },
    /** The current version of a page, which is rendered if it has changed. */
    page: ensurePage,
    /** The version of a page that was rendered last. */
    lastMade: (outputPath: string) => pages.get(outputPath),
    /** Finds links to anchors that do not exist on other pages, which are rendered for this check. */
    async linkFaults({ outputPath, record }: MadePage): Promise<readonly Diagnostic[]> {
      const targets = new Set(record.anchorsWanted.map((anchor) => anchor.outputPath));
      const checked = [{ outputPath, ids: record.ids, anchorsWanted: record.anchorsWanted }];
      for (const target of [...targets].slice(0, maxTargets))
        if (target !== outputPath && shape?.pages.has(target))
          checked.push({ outputPath: target, ids: (await ensurePage(target)).record.ids, anchorsWanted: [] });
      const { sourcePath } = session.plan()!.site.config;
      return checkAnchors(checked, chromeIds, { sourcePath }).diagnostics;
    },
    /** Call it after each update of the session. */
    changed(change: SiteChange): void {
      if (change.kind === "none") return;
      generation++;
      // The search and other files of the whole site may have changed, too.
      fresh.clear();
      if (change.kind !== "plan") {
        for (const page of pages.values()) if (change.sourcePaths.has(page.sourcePath)) page.isStale = true;
        return;
      }
      const plan = session.plan()!;
      shape = bundleShape(plan, session.folder);
      moves.note(plan.site.pages);
      for (const file of plan.bundle.files) serve(file);
      models.clear();
      for (const [path, page] of pages) {
        page.isStale = true;
        if (shape.pages.has(path) || path === notFoundPath) continue;
        pages.delete(path);
        files.delete(path);
        files.delete(path.replace(/\.html$/, ".md"));
      }
      for (const [path, origin] of shape.origins) if (origin.kind === "static") files.delete(path);
    },
  };
}

/** Addresses of renamed pages: the only page that appears while one disappears, or one with the same title. */
function createMoves() {
  const moved = new Map<string, string>();
  const gone = new Map<string, PagePlan>();
  let before: readonly PagePlan[] = [];
  const addressOf = ({ urlPath }: PagePlan): string => urlPath.slice(1);
  return {
    get: (path: string) => moved.get(path.replace(/\.html$/, "")),
    note(pages: readonly PagePlan[]): void {
      const paths = new Set(pages.map(addressOf));
      const pathsBefore = new Set(before.map(addressOf));
      const removed = before.filter((page) => !paths.has(addressOf(page)));
      const added = before.length === 0 ? [] : pages.filter((page) => !pathsBefore.has(addressOf(page)));
      for (const page of removed) gone.set(addressOf(page), page);
      for (const page of added) {
        gone.delete(addressOf(page));
        moved.delete(addressOf(page));
        const same = [...gone.values()].filter(({ title }) => title === page.title);
        const old = removed.length === 1 && added.length === 1 ? removed[0] : same.length === 1 ? same[0] : undefined;
        if (!old) continue;
        moved.set(addressOf(old), encodeURI(page.urlPath));
        gone.delete(addressOf(old));
      }
      before = pages;
    },
  };
}

export interface MadePage {
  readonly outputPath: string;
  readonly sourcePath: string;
  readonly record: PageResult["record"];
  /** The page as an export writes it, without the script of the preview. */
  readonly html: string;
  /** Hash of `html`. */
  readonly version: string;
  /** Whether the source cannot be parsed. Then `html` is from the last source that could, if there was one. */
  readonly isBroken: boolean;
  /** Whether `html` is from a source that could be parsed. */
  readonly wasGood: boolean;
  /** Whether the page may have changed since it was rendered. */
  isStale: boolean;
}

/** How to create a file of the bundle when it is requested. */
export type Origin =
  | { readonly kind: "page"; readonly outputPath: string }
  | { readonly kind: "static" }
  | { readonly kind: "part"; readonly name: string }
  | { readonly kind: "text"; readonly text: string }
  /** Needs all pages. */
  | { readonly kind: "late" };

/** The bundle that an export would write, as far as the plan determines it. */
export interface BundleShape {
  readonly routes: ReadonlyMap<string, Route<string>>;
  /** By output path. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Index of each page of the plan, by output path. */
  readonly pages: ReadonlyMap<string, number>;
  readonly headers: HeaderRules;
  readonly redirects: HostRules;
  /** Whether pages work under the strict policy. */
  readonly mayBeStrict: boolean;
}

export const notFoundPath = "404.html";
const searchHead = "offprint-search.js";

export function bundleShape({ site, bundle }: SessionPlan, folder: string): BundleShape {
  const origins = new Map<string, Origin>();
  const pages = new Map(site.pages.map(({ outputPath, index }) => [outputPath, index]));
  for (const outputPath of [...pages.keys(), notFoundPath]) origins.set(outputPath, { kind: "page", outputPath });
  for (const outputPath of pages.keys())
    origins.set(outputPath.replace(/\.html$/, ".md"), { kind: "page", outputPath });
  for (const path of site.staticFiles) origins.set(path, { kind: "static" });
  for (const [name, path] of Object.entries(bundle.assets.parts)) origins.set(path, { kind: "part", name });
  for (const { path, text } of bundle.outputs)
    if (!origins.has(path)) origins.set(path, typeof text === "string" ? { kind: "text", text } : { kind: "late" });
  for (const { outputPath } of bundle.printed) origins.set(outputPath, { kind: "late" });
  if (bundle.scopes.length > 0) origins.set(searchHead, { kind: "late" });

  const plannedText = (path: string): string => {
    const origin = origins.get(path);
    return origin?.kind === "text" ? origin.text : "";
  };
  const headers = readHeaderRules(plannedText("_headers"));
  const redirects = readHostRules(plannedText("_redirects"));
  // Files for the host, not for readers.
  for (const path of ["_headers", "_redirects"]) origins.delete(path);
  const sheets = bundle.files.filter(({ path }) => path.endsWith(".css"));
  const writtenPaths = bundle.files.map(({ path }) => path);
  const paths = new Map(
    [...origins.keys(), ...writtenPaths].filter((path) => path !== notFoundPath).map((path) => [path, path]),
  );
  return {
    routes: routesOf(paths),
    origins,
    pages,
    headers,
    redirects,
    mayBeStrict:
      !hasSiteScripts(writtenPaths) &&
      !sheets.some(({ path }) => loadsFromHosts(readFileSync(bundlePath(folder, path), "utf8"))),
  };
}
