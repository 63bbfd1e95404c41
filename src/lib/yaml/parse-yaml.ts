import { createRequire } from "node:module";
import type { Document, DocumentOptions, ParseOptions } from "yaml";

type Yaml = typeof import("yaml");
let loaded: Yaml | undefined;
/** Loads the parser lazily, since that takes 40 ms and few files need it. */
export const yaml = (): Yaml => (loaded ??= createRequire(import.meta.url)("yaml") as Yaml);

/** Parses YAML 1.2 into nodes. If the parser overflows the stack, the document has an error at the end of the text. */
export function parseYamlDocument(text: string, options: ParseOptions & DocumentOptions = {}): Document.Parsed {
  const lib = yaml();
  try {
    return lib.parseDocument(text, {
      version: "1.2",
      schema: "core",
      prettyErrors: false,
      logLevel: "silent",
      ...options,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const document = new lib.Document() as Document.Parsed;
    document.errors.push(new lib.YAMLParseError([text.length, text.length], "IMPOSSIBLE", error.message));
    return document;
  }
}
