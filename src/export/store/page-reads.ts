import { type OutputPaths, outputPathsOf } from "../../bundle/outputs/page-outputs.js";
import { type SpecDownloads, specDownloads } from "../../bundle/outputs/spec-downloads.js";
import { lazy, rememberedFor } from "../../lib/memo.js";
import { shortHash } from "../../lib/short-hash.js";
import { createImageMeter, type ImageMeter } from "../../page/render/index.js";
import { type Addresses, createAddresses, type LoadedKind, type Origin, type Target } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import { longestKeptText, openListedFolder, type SiteFiles } from "../../site/source/index.js";
import type { SpecPlan } from "../../site/specs/index.js";
import { createApiPages, createModelPages } from "../pages/api-pages.js";
import type { PageThreadData } from "../pages/thread-messages.js";
import { factsHash, type SiteHashes } from "./plan-hashes.js";

/**
 * What a page asks about its site while it is made: each question, such as `has images/a.svg`, with a short text of its
 * answer. A stored page can be reused while all of its questions have the same answers.
 */
export type Reads = ReadonlyMap<string, string>;

const yesOrNo = (answer: boolean): string => (answer ? "yes" : "no");
const asIs = (answer: string): string => answer;

/** Each kind of question, with the text of its answer. */
const answerTexts = {
  /** Of a source path: the hash of the file's text. */
  text: asIs,
  size: (image: ReturnType<ImageMeter>) =>
    image ? `${image.width} ${image.height} ${image.fault?.what ?? ""}` : "none",
  has: yesOrNo,
  paths: (paths: readonly string[]) => shortHash(paths.join("\n")),
  /** The title of a target is a question of its own: few links need it. */
  address(target: Target) {
    if (target.kind !== "page") return JSON.stringify(target);
    const { page, ...rest } = target;
    return JSON.stringify([page.urlPath, rest]);
  },
  /** Of an address: the title of the page there. */
  title: asIs,
  nearest: (nearest: ReturnType<Addresses["nearest"]>) => (nearest ? JSON.stringify(nearest) : ""),
  own: yesOrNo,
  owner: (sourcePath: string | undefined) => sourcePath ?? "",
  models: asIs,
  downloads: (downloads: SpecDownloads | undefined) => JSON.stringify(downloads ?? null),
  about: (page: PagePlan | undefined) => (page ? `${page.urlPath} ${page.outputPath}` : ""),
  /** If the specification is a file of the site, its text is another question. */
  spec: (spec: SpecPlan | undefined) => (spec ? specHash(spec) : "none"),
  /** Of the output path of the page itself. */
  facts: asIs,
  settings: asIs,
};
type Kind = keyof typeof answerTexts;
type Answer<K extends Kind> = Parameters<(typeof answerTexts)[K]>[0];

const specHash = rememberedFor((spec: SpecPlan) => shortHash(JSON.stringify(spec)));

/** Whether a question is about the site's files, and not about its plan. */
export const isOfFiles = (question: string): boolean => /^(?:text|size|has|paths)(?: |$)/.test(question);

/** Whether the answer to a question can change while nothing in the plan changes but the texts of other pages. */
export const isChangeable = (question: string): boolean => isOfFiles(question) || question.startsWith("title ");

/** Records what pages read, one page after the other. */
export interface ReadLog {
  /** @param subject what the question is about: a string, or another value of JSON; undefined for a question without parameters */
  note<K extends Kind>(kind: K, subject: unknown, answer: Answer<K>): void;
  noteAll(reads: Reads): void;
  /** Returns what was recorded since the last call. */
  take(): Reads;
}

export function createReadLog(): ReadLog {
  let reads = new Map<string, string>();
  return {
    note(kind, subject, answer) {
      const question =
        subject === undefined ? kind : `${kind} ${typeof subject === "string" ? subject : JSON.stringify(subject)}`;
      reads.set(question, (answerTexts[kind] as (answer: unknown) => string)(answer));
    },
    noteAll(noted) {
      for (const [question, answer] of noted) reads.set(question, answer);
    },
    take() {
      const taken = reads;
      reads = new Map();
      return taken;
    },
  };
}

/** For threads whose pages are not stored. */
export const noReadLog: ReadLog = { note() {}, noteAll() {}, take: () => new Map() };

/** The files of a site. What is read of them is recorded. */
export function noteFileReads(files: SiteFiles, log: ReadLog): SiteFiles {
  const hashes = new Map<string, string>();
  let last: string | undefined;
  const refuse = (): never => {
    throw new Error("A page reads a file in a way that is not noted. This is a bug of Offprint; please report it.");
  };
  return {
    root: files.root,
    get paths() {
      log.note("paths", undefined, files.paths);
      return files.paths;
    },
    has(sourcePath) {
      const exists = files.has(sourcePath);
      log.note("has", sourcePath, exists);
      return exists;
    },
    readText(sourcePath) {
      const text = files.readText(sourcePath);
      // Several stages read the page one after the other.
      if (last !== text || !hashes.has(sourcePath)) hashes.set(sourcePath, shortHash(text));
      last = text.length <= longestKeptText ? text : undefined;
      log.note("text", sourcePath, hashes.get(sourcePath)!);
      return text;
    },
    again(sourcePath) {
      const hash = hashes.get(sourcePath);
      if (hash !== undefined) log.note("text", sourcePath, hash);
    },
    readBytes: refuse,
    sizeOf: refuse,
    absolutePath: refuse,
  };
}

export const noteSizes =
  (measure: ImageMeter, log: ReadLog): ImageMeter =>
  (sourcePath) => {
    const size = measure(sourcePath);
    log.note("size", sourcePath, size);
    return size;
  };

export const notePaths = (paths: OutputPaths, log: ReadLog): OutputPaths => ({
  isOwn(path) {
    const isOwn = paths.isOwn(path);
    log.note("own", path, isOwn);
    return isOwn;
  },
  ownerOf(path) {
    const owner = paths.ownerOf(path);
    log.note("owner", path, owner);
    return owner;
  },
});

/** Addresses of a site. What they lead to is recorded, and a stage sees only the recorded parts of a page. */
export function noteAddresses(
  addresses: Addresses,
  log: ReadLog,
): Pick<Addresses, "resolve" | "resolveFile" | "nearest"> {
  const noted = (written: string, { sourcePath, writtenIn }: Origin, kind: LoadedKind | undefined, target: Target) => {
    if (target.kind === "self" || target.kind === "unsafe") return target;
    log.note("address", [written, sourcePath, writtenIn, kind], target);
    if (target.kind !== "page") return target;
    const { urlPath, outputPath, title } = target.page;
    const page: Pick<PagePlan, "urlPath" | "outputPath" | "title"> = {
      urlPath,
      outputPath,
      get title() {
        log.note("title", urlPath, title);
        return title;
      },
    };
    return { ...target, page: page as PagePlan };
  };
  return {
    resolve: (written, from) => noted(written, from, undefined, addresses.resolve(written, from)),
    resolveFile: (written, from, kind) => noted(written, from, kind, addresses.resolveFile(written, from, kind)),
    nearest(missing) {
      const nearest = addresses.nearest(missing);
      log.note("nearest", missing.candidates, nearest);
      return nearest;
    },
  };
}

/** Answers an earlier export's questions from the site now. @param textHashes of files read already. */
export async function createAnswers(
  data: PageThreadData,
  settings: SiteHashes["settings"],
  textHashes: ReadonlyMap<string, string>,
) {
  const { site } = data;
  const files = openListedFolder(data.root, data.sourcePaths);
  const measure = await createImageMeter(files);
  const addresses = createAddresses(site, data.embedded && new Map(data.embedded));
  const paths = lazy(() => outputPathsOf(site));
  const models = lazy(() => createModelPages(site));
  const downloads = lazy(() => specDownloads(site));
  const pageAbout = lazy(() => createApiPages(site));

  /** Undefined if the question has no answer any more, since its file or page is gone. */
  const askers: { readonly [K in Kind]: (subject: string, plan?: PagePlan) => Answer<K> | undefined } = {
    text: (path) => (files.has(path) ? (textHashes.get(path) ?? shortHash(files.readText(path))) : undefined),
    size: measure,
    has: files.has,
    paths: () => files.paths,
    address(subject) {
      const [written, sourcePath, writtenIn, kind] = JSON.parse(subject);
      const from = { sourcePath, ...(writtenIn === null ? {} : { writtenIn }) };
      return kind === null ? addresses.resolve(written, from) : addresses.resolveFile(written, from, kind);
    },
    title: (urlPath) => addresses.pageAt(urlPath)?.title,
    nearest: (subject) => addresses.nearest({ candidates: JSON.parse(subject) }),
    own: (path) => paths().isOwn(path),
    owner: (path) => paths().ownerOf(path),
    models(subject) {
      const [spec, language] = JSON.parse(subject);
      return models().folder(spec, language ?? undefined);
    },
    downloads: (spec) => downloads().get(spec),
    about: (subject) => pageAbout()(JSON.parse(subject)),
    spec: (subject) => site.specs.find(({ key }) => key === subject),
    facts: (outputPath, plan) => (plan?.outputPath === outputPath ? factsHash(site, plan) : undefined),
    settings: () => settings,
  };
  const mayBeUndefined = new Set<string>(["size", "nearest", "owner", "downloads", "about", "spec"] satisfies Kind[]);
  const ofFiles = new Map<string, string>();
  const answer = (question: string, plan: PagePlan | undefined): string | undefined => {
    const before = ofFiles.get(question);
    if (before !== undefined) return before;
    const space = question.indexOf(" ");
    const kind = (space < 0 ? question : question.slice(0, space)) as Kind;
    if (!Object.hasOwn(askers, kind)) return undefined;
    const value = askers[kind](question.slice(space + 1), plan);
    if (value === undefined && !mayBeUndefined.has(kind)) return undefined;
    const text = (answerTexts[kind] as (answer: unknown) => string)(value);
    if (isOfFiles(question)) ofFiles.set(question, text);
    return text;
  };

  /** Whether the questions still have these answers. The list has each question before its answer. */
  return (reads: readonly string[], isAsked: (question: string) => boolean, plan?: PagePlan): boolean => {
    for (let at = 0; at < reads.length; at += 2)
      if (isAsked(reads[at]!) && answer(reads[at]!, plan) !== reads[at + 1]) return false;
    return true;
  };
}
