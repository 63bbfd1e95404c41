import { outputPathsOf, specDownloads } from "../../bundle/outputs/index.js";
import { lazy } from "../../lib/memo.js";
import { createImageMeter } from "../../page/render/index.js";
import { type Addresses, createAddresses } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import { openListedFolder } from "../../site/source/index.js";
import { createApiPages, createModelPages, linkAnswer } from "../pages/api-pages.js";
import type { PageThreadData } from "../pages/thread-messages.js";
import { factsAnswer, settingsAnswer } from "./page-facts.js";
import * as answers from "./page-reads.js";

/**
 * Answers the questions that pages asked in an earlier export from the site as it is now.
 *
 * @param textAnswers of files that have been read already.
 */
export async function createAnswers(data: PageThreadData, textAnswers: ReadonlyMap<string, string>) {
  const { site } = data;
  const files = openListedFolder(data.root, data.sourcePaths);
  const measure = await createImageMeter(files);
  const addresses: Addresses = createAddresses(site, data.embedded && new Map(data.embedded));
  const paths = lazy(() => outputPathsOf(site));
  const models = lazy(() => createModelPages(site));
  const downloads = lazy(() => specDownloads(site));
  const apiPages = lazy(() => createApiPages(site));
  const settings = lazy(() => settingsAnswer(data));
  const allPaths = lazy(() => answers.pathsAnswer(files.paths));
  const ofFiles = new Map<string, string>();

  const answerOf = (kind: string, asked: string, plan: PagePlan | undefined): string | undefined => {
    switch (kind) {
      case "text":
        return files.has(asked) ? (textAnswers.get(asked) ?? answers.textAnswer(files.readText(asked))) : undefined;
      case "size":
        return answers.sizeAnswer(measure(asked));
      case "has":
        return answers.existenceAnswer(files.has(asked));
      case "paths":
        return allPaths();
      case "address": {
        const [written, sourcePath, writtenIn, loaded] = JSON.parse(asked);
        const from = { sourcePath, ...(writtenIn === null ? {} : { writtenIn }) };
        return answers.targetAnswer(
          loaded === null ? addresses.resolve(written, from) : addresses.resolveFile(written, from, loaded),
        );
      }
      case "title":
        return addresses.pageAt(asked)?.title;
      case "nearest": {
        const nearest = addresses.nearest({ candidates: JSON.parse(asked) });
        return nearest ? JSON.stringify(nearest) : "";
      }
      case "own":
        return answers.existenceAnswer(paths().isOwn(asked));
      case "owner":
        return paths().ownerOf(asked) ?? "";
      case "models": {
        const [spec, language] = JSON.parse(asked);
        return models().folder(spec, language ?? undefined);
      }
      case "downloads":
        return answers.downloadsAnswer(downloads().get(asked));
      case "about":
        return linkAnswer(apiPages()(JSON.parse(asked)));
      case "spec":
        return answers.specAnswer(site.specs.find(({ key }) => key === asked));
      case "facts":
        return plan?.outputPath === asked ? factsAnswer(site, plan) : undefined;
      case "settings":
        return settings();
      default:
        return undefined;
    }
  };
  const answer = (question: string, plan: PagePlan | undefined): string | undefined => {
    const known = ofFiles.get(question);
    if (known !== undefined) return known;
    const space = question.indexOf(" ");
    const kind = space < 0 ? question : question.slice(0, space);
    const found = answerOf(kind, question.slice(space + 1), plan);
    if (found !== undefined && answers.isOfFiles(question)) ofFiles.set(question, found);
    return found;
  };

  /** Whether these questions, each before its answer, still have these answers. */
  return (reads: readonly string[], asks: (question: string) => boolean, plan?: PagePlan): boolean => {
    for (let at = 0; at < reads.length; at += 2)
      if (asks(reads[at]!) && answer(reads[at]!, plan) !== reads[at + 1]) return false;
    return true;
  };
}
