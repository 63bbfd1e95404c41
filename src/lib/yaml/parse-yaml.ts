import { createRequire } from "node:module";
import type { Document, DocumentOptions, ParseOptions } from "yaml";

type Yaml = typeof import("yaml");
let loaded: Yaml | undefined;
/** Loaded when needed: it takes 40 ms, and few files need it. */
export const yaml = (): Yaml => (loaded ??= createRequire(import.meta.url)("yaml") as Yaml);

/** YAML 1.2 as nodes. A text on which the parser overflows the stack has that as its error, at its end. */
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
