/**
 * In:  a request, and the name of a language in a setting or a specification.
 * Out: the program that sends it. Values of the request cannot break out of their string literals.
 *
 * One file for each language or family. Existing generators were tried and do not escape values: a quote in a header ends
 * the string, a shell runs a backtick in a body.
 */
import { c } from "./c.js";
import { cpp } from "./cpp.js";
import { csharp, dotnet } from "./csharp.js";
import { curl } from "./curl.js";
import { dart } from "./dart.js";
import { go } from "./go.js";
import { java } from "./java.js";
import { javascript, node, typescript } from "./javascript.js";
import { kotlin } from "./kotlin.js";
import languages from "./languages.json" with { type: "json" };
import { php } from "./php.js";
import { powershell } from "./powershell.js";
import { python } from "./python.js";
import { ruby } from "./ruby.js";
import { rust } from "./rust.js";
import type { SampleLanguage } from "./sample-request.js";
import { swift } from "./swift.js";

export type { SampleBody, SampleLanguage, SamplePart, SampleRequest } from "./sample-request.js";

const writers = {
  curl,
  python,
  javascript,
  node,
  typescript,
  php,
  go,
  java,
  kotlin,
  ruby,
  csharp,
  dotnet,
  powershell,
  swift,
  rust,
  dart,
  c,
  cpp,
} satisfies Readonly<Record<keyof typeof languages, SampleLanguage["write"]>>;

/** All languages. The code block of a language has its id as grammar. */
export const sampleLanguages: readonly SampleLanguage[] = Object.entries(writers).map(([id, write]) => ({
  ...languages[id as keyof typeof languages],
  grammar: id,
  write,
}));

const byKey = new Map(sampleLanguages.flatMap((language) => language.keys.map((key) => [key, language])));

export const sampleLanguage = (name: string): SampleLanguage | undefined => byKey.get(name.trim().toLowerCase());

/** The languages shown by default. */
export const usualLanguages = ["curl", "python", "javascript", "php", "go", "java", "ruby"].map(
  (key) => sampleLanguage(key)!,
);
