import { hash } from "node:crypto";
import type { ApiConfig } from "../../site/config/index.js";
import type { WorkflowForm } from "../arazzo/form-data.js";
import type { GraphTypes, PlaygroundForm } from "./playground-form.js";

/** Script and style sheet of the playground, as output paths; `words` are the messages in one language. */
export interface PlaygroundAssets extends PlaygroundParts {
  readonly script: string;
  readonly stylesheet: string;
  readonly words: string;
}

/** What only some requests need. */
export interface PlaygroundParts {
  /** Loaded or opened by pages whose requests need a token: its script comes first. */
  readonly signIn: readonly ReferenceFile[];
  /** The script of the editor of GraphQL. */
  readonly graph: ReferenceFile;
  /** The script that runs workflows. */
  readonly workflow: ReferenceFile;
  /** The script that writes and reads XML. */
  readonly xml: ReferenceFile;
}

export interface ReferenceFile {
  readonly outputPath: string;
  readonly text: string;
}

/** The playground of a page. */
export type Playground = ReturnType<typeof createPlayground>;

type Display = ApiConfig["playground"]["display"];

/** The page's front matter decides, else the site. Static files have no sign-in, so `auth` shows nothing. */
export function displayOf(ofPage: unknown, { playground }: Pick<ApiConfig, "playground">): Display {
  const known = ["interactive", "simple", "none", "auth"].find((each) => each === ofPage);
  return (known as Display | undefined) ?? playground.display;
}

/** One for each page. @param assets absent: nothing can be opened. */
export function createPlayground(display: Display, assets: PlaygroundAssets | undefined) {
  const files: ReferenceFile[] = [];
  const open = <Form extends PlaygroundForm | WorkflowForm>(
    form: () => Form | undefined,
    script: string | undefined,
    needsOf: (form: Form) => { readonly ways: PlaygroundForm["ways"]; readonly parts: readonly ReferenceFile[] },
    types: readonly string[] = [],
  ): readonly string[] | undefined => {
    if (display !== "interactive" || assets === undefined || script === undefined) return undefined;
    const made = form();
    if (made === undefined) return undefined;
    const file = dataFile("form", made);
    const { ways, parts } = needsOf(made);
    const signIn = ways.some((way) => way.some((each) => each.signIn)) ? assets.signIn : [];
    files.push(file, ...signIn, ...parts);
    const pathsOf = (scripts: readonly ReferenceFile[]): string[] => scripts.map(({ outputPath }) => outputPath);
    const data = [assets.stylesheet, assets.words, file.outputPath];
    return [script, ...data, ...pathsOf(signIn.slice(0, 1)), ...types, ...pathsOf(parts)];
  };
  return {
    /** Files of the forms offered so far. */
    files: files as readonly ReferenceFile[],
    /** Whether the address can be copied, even if it cannot be called. */
    isNamed: display === "interactive" || display === "simple",
    /**
     * Writes the form to a file of its own.
     * @param types path of a file with the types of a GraphQL schema.
     * @returns the files that the page loads when a reader opens it; undefined if there is no playground.
     */
    offer(form: () => PlaygroundForm | undefined, types?: string): readonly string[] | undefined {
      const needsOf = ({ ways, body }: PlaygroundForm) => {
        const isXml = body?.media.some(({ root }) => root !== undefined);
        const parts = assets ? [...(types === undefined ? [] : [assets.graph]), ...(isXml ? [assets.xml] : [])] : [];
        return { ways, parts };
      };
      return open(form, assets?.script, needsOf, types === undefined ? [] : [types]);
    },
    /** The same for a workflow, whose playground has a script of its own. */
    offerRun(form: () => WorkflowForm | undefined): readonly string[] | undefined {
      const workflow = assets?.workflow;
      const loaded = open(form, workflow?.outputPath, ({ apis }) => ({
        ways: apis.flatMap(({ ways }) => ways),
        parts: [],
      }));
      if (loaded && workflow) files.push(workflow);
      return loaded;
    },
  };
}

/**
 * `offprintPlayground('form', '<JSON>')`, with the name of the content, as a classic script, because pages opened from disk can load nothing else. The
 * JSON is a string literal, because a script would read a member `__proto__` differently. The file name holds a hash of
 * the text.
 */
export function dataFile(name: "form" | "types", content: PlaygroundForm | WorkflowForm | GraphTypes): ReferenceFile {
  const json = JSON.stringify(content).replace(/[\\']/g, "\\$&");
  const text = `offprintPlayground('${name}','${json}');\n`;
  return { outputPath: `_offprint/playground/${hash("sha256", text).slice(0, 16)}.js`, text };
}
