import type { OutputPaths, SpecDownloads } from "../../bundle/outputs/index.js";
import type { PixelSize } from "../../lib/pixel-size.js";
import { shortHash } from "../../lib/short-hash.js";
import type { ImageMeter } from "../../page/render/index.js";
import type { Addresses, LoadedKind, Origin, Target } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { SpecPlan } from "../../site/specs/index.js";

/** Questions that a page asks about its site while it is made, each with a short text of the answer. */
export type Reads = ReadonlyMap<string, string>;

/** Notes the reads of one page after the other. */
export interface ReadLog {
  note(question: string, answer: string): void;
  /** What was noted since the last call. */
  take(): Reads;
}

export function createReadLog(): ReadLog {
  let reads = new Map<string, string>();
  return {
    note: (question, answer) => void reads.set(question, answer),
    take() {
      const taken = reads;
      reads = new Map();
      return taken;
    },
  };
}

/** For threads whose pages are not stored. */
export const noReadLog: ReadLog = { note() {}, take: () => new Map() };

/** Whether the plan of the site does not answer the question. */
export const isOfFiles = (question: string): boolean => /^(?:text|size|has|paths)(?: |$)/.test(question);

export const existenceAnswer = (exists: boolean): string => (exists ? "yes" : "no");
export const textAnswer = (text: string): string => shortHash(text);
export const sizeAnswer = (size: PixelSize | undefined): string => (size ? `${size.width} ${size.height}` : "none");
export const pathsAnswer = (paths: readonly string[]): string => shortHash(paths.join("\n"));
/** Of a specification in a file of the site, its text is another question. */
export function specAnswer(spec: SpecPlan | undefined): string {
  if (spec === undefined) return "none";
  const known = specAnswers.get(spec) ?? shortHash(JSON.stringify(spec));
  specAnswers.set(spec, known);
  return known;
}
const specAnswers = new WeakMap<SpecPlan, string>();
export const downloadsAnswer = (downloads: SpecDownloads | undefined): string => JSON.stringify(downloads ?? null);
/** The title is a question of its own: few links need it. */
export const targetAnswer = (target: Target): string => {
  if (target.kind !== "page") return JSON.stringify(target);
  const { page, ...rest } = target;
  return JSON.stringify([page.urlPath, rest]);
};

export const addressQuestion = (written: string, { sourcePath, writtenIn }: Origin, kind?: LoadedKind): string =>
  `address ${JSON.stringify([written, sourcePath, writtenIn, kind])}`;

/** The files of a site whose reads are noted. @param log gets the answer that the reader has got. */
export function noteFileReads(files: SiteFiles, log: ReadLog): SiteFiles {
  const answers = new Map<string, string>();
  let last: string | undefined;
  const unnoted = (): never => {
    throw new Error("A page reads a file in a way that is not noted. This is a bug of Offprint; please report it.");
  };
  return {
    root: files.root,
    get paths() {
      log.note("paths", pathsAnswer(files.paths));
      return files.paths;
    },
    has(sourcePath) {
      const exists = files.has(sourcePath);
      log.note(`has ${sourcePath}`, existenceAnswer(exists));
      return exists;
    },
    readText(sourcePath) {
      const text = files.readText(sourcePath);
      // Several stages read the page, one after the other.
      if (last !== text || !answers.has(sourcePath)) answers.set(sourcePath, textAnswer(text));
      last = text;
      log.note(`text ${sourcePath}`, answers.get(sourcePath)!);
      return text;
    },
    again(sourcePath) {
      const answer = answers.get(sourcePath);
      if (answer !== undefined) log.note(`text ${sourcePath}`, answer);
    },
    readBytes: unnoted,
    sizeOf: unnoted,
    absolutePath: unnoted,
  };
}

export const noteSizes =
  (measure: ImageMeter, log: ReadLog): ImageMeter =>
  (sourcePath) => {
    const size = measure(sourcePath);
    log.note(`size ${sourcePath}`, sizeAnswer(size));
    return size;
  };

export function notePaths(paths: OutputPaths, log: ReadLog): OutputPaths {
  return {
    isOwn(path) {
      const isOwn = paths.isOwn(path);
      log.note(`own ${path}`, existenceAnswer(isOwn));
      return isOwn;
    },
    ownerOf(path) {
      const owner = paths.ownerOf(path);
      log.note(`owner ${path}`, owner ?? "");
      return owner;
    },
  };
}

/** What the meaning of an address says about its page. */
type KnownPage = Pick<PagePlan, "urlPath" | "outputPath" | "title">;

/** Addresses whose meanings are noted. */
export function noteAddresses(
  addresses: Addresses,
  log: ReadLog,
): Pick<Addresses, "resolve" | "resolveFile" | "nearest"> {
  const noted = (question: string, target: Target): Target => {
    if (target.kind === "self" || target.kind === "unsafe") return target;
    log.note(question, targetAnswer(target));
    if (target.kind !== "page") return target;
    const { urlPath, outputPath, title } = target.page;
    const page: KnownPage = {
      urlPath,
      outputPath,
      get title() {
        log.note(`title ${urlPath}`, title);
        return title;
      },
    };
    return { ...target, page: page as PagePlan };
  };
  return {
    resolve: (written, from) => noted(addressQuestion(written, from), addresses.resolve(written, from)),
    resolveFile: (written, from, kind) =>
      noted(addressQuestion(written, from, kind), addresses.resolveFile(written, from, kind)),
    nearest(missing) {
      const nearest = addresses.nearest(missing);
      log.note(`nearest ${JSON.stringify(missing.candidates)}`, nearest ? JSON.stringify(nearest) : "");
      return nearest;
    },
  };
}
