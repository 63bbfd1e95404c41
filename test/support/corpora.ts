import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const given = process.env["OFFPRINT_CORPORA"];

/** The folder of real sites. It may not exist. */
export const corporaFolder = given ? resolve(given) : inProject("../shared/corpora");

export interface Corpus {
  readonly name: string;
  readonly folder: string;
  /** A fixture of the project, not a real site. */
  readonly isOwn: boolean;
}

const ownSites = ["gallery", "handbook"].map((name) => ({ name, folder: inProject(`fixtures/${name}`), isOwn: true }));

export const realSites: readonly Corpus[] = (existsSync(corporaFolder) ? readdirSync(corporaFolder) : [])
  .toSorted()
  .map((name) => ({ name, folder: join(corporaFolder, name), isOwn: false }))
  .filter(({ folder }) => ["docs.json", "mint.json"].some((name) => existsSync(join(folder, name))));

/** The sites that are tested as a whole: our own two, then the real ones. */
export const findCorpora = (): Corpus[] => [...ownSites, ...realSites];

/** Says why there are no real sites; undefined if there are some. */
export const whyNoRealSites =
  realSites.length > 0
    ? undefined
    : `Skipped what needs real sites: ${corporaFolder} has none. Set OFFPRINT_CORPORA to a folder of sites to run it.`;

/** Before the first test. Continuous integration that names a folder must not skip its sites without notice. */
export function requireRealSites(): void {
  if (process.env["CI"] && given && whyNoRealSites)
    throw new Error(
      `OFFPRINT_CORPORA is ${given}, which ${existsSync(corporaFolder) ? "holds no site" : "does not exist"}.`,
    );
}
