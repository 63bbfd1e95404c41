import { hash } from "node:crypto";
import type { ApiConfig } from "../../../site/config/index.js";
import type { PlaygroundForm } from "./playground-form.js";

/** Scripts and style sheets of the playground, as output paths; words by the tag of their language. */
export interface PlaygroundAssets {
  readonly script: string;
  readonly stylesheet: string;
  readonly words: string;
}

export interface ReferenceFile {
  readonly outputPath: string;
  readonly text: string;
}

/** What a page offers beside its text. */
export interface Playground {
  /** The address can be copied, whether or not it can be called. */
  readonly isNamed: boolean;
  /**
   * Has the form written beside the page.
   * @returns what the page loads when a reader opens it; undefined where there is none.
   */
  offer(form: () => PlaygroundForm | undefined): readonly string[] | undefined;
  /** What was offered. */
  readonly files: readonly ReferenceFile[];
}

type Display = ApiConfig["playground"]["display"];

/** What a page's front matter says, else the site. Nobody can sign in to plain files, so `auth` shows nothing. */
export function displayOf(ofPage: unknown, { playground }: Pick<ApiConfig, "playground">): Display {
  const known = ["interactive", "simple", "none", "auth"].find((each) => each === ofPage);
  return (known as Display | undefined) ?? playground.display;
}

/** One for each page. @param assets absent: nothing can be opened. */
export function createPlayground(display: Display, assets: PlaygroundAssets | undefined): Playground {
  const files: ReferenceFile[] = [];
  return {
    files,
    isNamed: display === "interactive" || display === "simple",
    offer(form) {
      if (display !== "interactive" || assets === undefined) return undefined;
      const made = form();
      if (made === undefined) return undefined;
      const file = formFile(made);
      files.push(file);
      return [assets.script, assets.stylesheet, assets.words, file.outputPath];
    },
  };
}

/**
 * `offprintPlayground('form', '<JSON>')`: a classic script, since pages opened from disk may read no other file. The JSON
 * is text in it, since a script would take a member `__proto__` for something else. The name holds a hash of the text.
 */
function formFile(form: PlaygroundForm): ReferenceFile {
  const json = JSON.stringify(form).replace(/[\\']/g, "\\$&");
  const text = `offprintPlayground('form','${json}');\n`;
  return { outputPath: `_offprint/playground/${hash("sha256", text).slice(0, 16)}.js`, text };
}
