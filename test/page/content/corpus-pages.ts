import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findCorpora } from "../../support/corpora.js";

export interface CorpusPage {
  readonly corpus: string;
  readonly sourcePath: string;
  readonly source: string;
}

/** The pages of the real sites in a fixed order; empty if the sites are absent. */
export function corpusPages(): CorpusPage[] {
  return findCorpora().flatMap(({ name, folder }) =>
    (readdirSync(folder, { recursive: true }) as string[])
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => /\.mdx?$/.test(path) && !/(?:^|\/)(?:\.|node_modules\/)/.test(path))
      .toSorted()
      .map((sourcePath) => ({ corpus: name, sourcePath, source: readFileSync(join(folder, sourcePath), "utf8") })),
  );
}
