import { hash } from "node:crypto";
import type { ApiConfig } from "../../site/config/index.js";
import type { PlaygroundForm } from "./playground-form.js";

/** Script and style sheet of the playground, as output paths; `words` are the messages in one language. */
export interface PlaygroundAssets extends PlaygroundParts {
  readonly script: string;
  readonly stylesheet: string;
  readonly words: string;
}

/** Files that only some requests need. */
export interface PlaygroundParts {
  /** To sign in for a token: first the script, then the page that it opens. */
  readonly signIn: readonly ReferenceFile[];
  /** The script of the editor of GraphQL. */
  readonly graph: ReferenceFile;
  /** The script that connects to channels. */
  readonly socket: ReferenceFile;
  /** The script that runs workflows. */
  readonly workflow: ReferenceFile;
  /** The script that finds values by JSONPath. */
  readonly jsonPath: ReferenceFile;
  /** The script that writes and reads XML. */
  readonly xml: ReferenceFile;
}

export interface ReferenceFile {
  readonly outputPath: string;
  readonly text: string;
}

export type Playground = ReturnType<typeof createPlayground>;

type Display = ApiConfig["playground"]["display"];

/** The page's front matter decides, else the site. Static files have no sign-in, so `auth` shows nothing. */
export function displayOf(ofPage: unknown, { playground }: Pick<ApiConfig, "playground">): Display {
  const display = ["interactive", "simple", "none", "auth"].find((mode) => mode === ofPage);
  return (display as Display | undefined) ?? playground.display;
}

/** What a form needs besides the files that all playgrounds need. */
interface FormNeeds {
  /** Replaces the usual script. */
  readonly script?: ReferenceFile;
  /** Output paths of further data. */
  readonly data?: readonly string[];
  readonly scripts?: readonly ReferenceFile[];
}

/** The members of a form that decide which files a page loads. */
interface FormData {
  readonly ways?: PlaygroundForm["ways"];
  readonly apis?: readonly Pick<PlaygroundForm, "ways">[];
  readonly body?: PlaygroundForm["body"];
}

/** Create one for each page. @param assets absent: readers cannot open a playground. */
export function createPlayground(display: Display, assets: PlaygroundAssets | undefined) {
  const files: ReferenceFile[] = [];
  return {
    /** Files of the forms offered so far. */
    files: files as readonly ReferenceFile[],
    /** Whether readers can copy the address, even if they cannot call it. */
    canCopyAddress: display === "interactive" || display === "simple",
    /** Writes the form to a file. @returns the files to load with it; undefined without a playground. */
    offer<Form extends FormData>(
      makeForm: () => Form | undefined,
      needsOf: (assets: PlaygroundAssets, form: Form) => FormNeeds = () => ({}),
    ): readonly string[] | undefined {
      const form = display === "interactive" && assets ? makeForm() : undefined;
      if (form === undefined || assets === undefined) return undefined;
      const { script, data = [], scripts = [] } = needsOf(assets, form);
      const formFile = dataFile("form", form);
      const hasSignIn = [form, ...(form.apis ?? [])].some(({ ways }) => ways?.flat().some(({ signIn }) => signIn));
      const signIn = hasSignIn ? assets.signIn : [];
      const xml = form.body?.media.some(({ root }) => root !== undefined) ? [assets.xml] : [];
      const added = [...scripts, ...xml];
      files.push(formFile, ...signIn, ...added, ...(script ? [script] : []));
      const pathsOf = (some: readonly ReferenceFile[]): string[] => some.map(({ outputPath }) => outputPath);
      return [
        script?.outputPath ?? assets.script,
        assets.stylesheet,
        assets.words,
        formFile.outputPath,
        ...pathsOf(signIn.slice(0, 1)),
        ...data,
        ...pathsOf(added),
      ];
    },
  };
}

/**
 * A call with JSON, such as `offprintPlayground('form','{…}')`, as a classic script: pages opened from disk can load
 * nothing else. The JSON is a string literal, because a script would read a member `__proto__` differently. The file
 * name holds a hash of the text.
 */
export function dataFile(name: "form" | "types", content: object): ReferenceFile {
  const json = JSON.stringify(content).replace(/[\\']/g, "\\$&");
  const text = `offprintPlayground('${name}','${json}');\n`;
  return { outputPath: `_offprint/playground/${hash("sha256", text).slice(0, 16)}.js`, text };
}
