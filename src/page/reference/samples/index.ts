/**
 * In:  a request, and the name of a language as a setting or a specification writes it.
 * Out: the program that sends it. Nothing that a request holds can leave the strings it is written into.
 *
 * One file a language (or a family of it). Generators that others keep were tried and write values as they come: a quote
 * in a header ends the string, a backtick in a body is run by the shell.
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
import { php } from "./php.js";
import { powershell } from "./powershell.js";
import { python } from "./python.js";
import { ruby } from "./ruby.js";
import { rust } from "./rust.js";
import type { SampleLanguage } from "./sample-request.js";
import { swift } from "./swift.js";

export type { SampleBody, SampleLanguage, SamplePart, SampleRequest } from "./sample-request.js";

const languages: readonly SampleLanguage[] = [
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
];

const byKey = new Map(languages.flatMap((language) => language.keys.map((key) => [key, language])));

/** Every language there is. */
export const sampleLanguages: readonly SampleLanguage[] = languages;

/** Those that pages show where the site asks for none. */
export const usualLanguages: readonly SampleLanguage[] = [curl, python, javascript, php, go, java, ruby];

export const sampleLanguage = (name: string): SampleLanguage | undefined => byKey.get(name.trim().toLowerCase());
