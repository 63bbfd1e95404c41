/**
 * In:  a request, and the name of a language in a setting or a specification.
 * Out: the program that sends it. Values of the request cannot break out of their string literals.
 *
 * One file for each language or family. Existing generators were tried and do not escape values: a quote in a header
 * ends the string, a shell runs a backtick in a body.
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
import type { SampleLanguage, SampleRequest } from "./sample-request.js";
import { swift } from "./swift.js";

export type { SampleBody, SampleRequest } from "./sample-request.js";

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

interface Language extends Client {
  readonly name: string;
  /** Other names of the language, which settings and specifications may use in place of its id. */
  readonly aliases?: readonly string[];
}

/** What the usual library of a language cannot do. */
interface Client {
  /** The marker that begins a comment. */
  readonly comment: string;
  /** Methods that it refuses to send. */
  readonly refused?: readonly string[];
  /** Methods with which it refuses to send a body. */
  readonly withoutBody?: readonly string[];
  /** The schemes of HTTP authentication whose challenges it answers. */
  readonly challenges?: readonly string[];
}

/** All languages. The code block of a language has its id as grammar. */
export const sampleLanguages: readonly SampleLanguage[] = Object.entries(writers).map(([id, write]) => {
  const { name, aliases = [], ...client }: Language = languages[id as keyof typeof languages];
  return { name, keys: [id, ...aliases], grammar: id, write: (request) => writeFor(client, write, request) };
});

/** A program that runs: comments name what its library refuses. Only a comment if it refuses the method. */
function writeFor(
  { comment, refused = [], withoutBody = [], challenges = [] }: Client,
  write: SampleLanguage["write"],
  request: SampleRequest,
): string {
  const { method, headers, body, challenge, ...rest } = request;
  if (refused.includes(method)) return `${comment} This client sends no ${method} request. Use another client.`;
  const refusesBody = body !== undefined && withoutBody.includes(method);
  const knowsChallenge = challenge === undefined || challenges.includes(challenge);
  const source = write({
    ...rest,
    method,
    headers: refusesBody ? headers.filter(([name]) => !/^content-type$/i.test(name)) : headers,
    ...(!refusesBody && { body }),
    ...(knowsChallenge && { challenge }),
  });
  const notes = [
    refusesBody && `This client sends no body with ${method}. The API describes one: use another client to send it.`,
    !knowsChallenge &&
      `This client has no ${challenge} authentication. Compute the Authorization header from the server's challenge.`,
  ].map((note) => (note === false ? "" : `${comment} ${note}\n`));
  // PHP would print text above its first tag.
  return source.replace(/^(?:<\?php\n\n)?/, (start) => start + notes.join(""));
}

const byKey = new Map(sampleLanguages.flatMap((language) => language.keys.map((key) => [key, language])));

export const sampleLanguage = (name: string): SampleLanguage | undefined => byKey.get(name.trim().toLowerCase());

/** The languages shown by default. */
export const usualLanguages = ["curl", "python", "javascript", "php", "go", "java", "ruby"].map(
  (key) => sampleLanguage(key)!,
);
