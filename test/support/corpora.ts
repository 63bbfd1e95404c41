import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../shared/corpora", import.meta.url));

export interface Corpus {
  readonly name: string;
  readonly folder: string;
}

/** The real sites that stand beside the project where they are available; says so when they are not. */
export function findCorpora(): Corpus[] {
  if (!existsSync(folder)) {
    console.warn("There are no corpora beside the project, so their tests are left out.");
    return [];
  }
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, folder: join(folder, name) }))
    .filter((each) => ["docs.json", "mint.json"].some((name) => existsSync(join(each.folder, name))));
}
