import type { RootContent } from "mdast";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { isObject, listAt, member, textAt } from "../../lib/json/index.js";
import type { ApiConfig } from "../../site/config/index.js";
import { component, fence, tab } from "./nodes.js";
import { sampleLanguage, usualLanguages } from "./samples/index.js";
import type { SampleLanguage, SampleRequest } from "./samples/sample-request.js";

const maxWritten = 40;
const maxSourceLength = 50_000;
/** Colours of longer samples would be most of the page, in languages that few readers choose. */
const maxColoredLength = 8_000;

/** A request that samples show, made from one of the named examples of its body if it has several. */
export interface SampledRequest {
  readonly title?: string;
  readonly request: () => SampleRequest;
}

/**
 * Request samples: those in the specification, then generated ones in the site's languages, except for languages that
 * the specification covers. Without any in the specification, a menu offers all requests.
 *
 * @param requests at least one; the first is the usual one.
 */
export function requestExample(
  written: JsonObject,
  requests: readonly [SampledRequest, ...SampledRequest[]],
  { examples }: Pick<ApiConfig, "examples">,
): RootContent[] {
  const own = writtenSamples(written);
  const covered = new Set(own.map(({ language }) => language));
  const asked = examples.languages.length > 0 ? distinct(examples.languages.map(sampleLanguage)) : usualLanguages;
  const made = examples.autogenerate ? asked.filter((language) => !covered.has(language)) : [];
  const fencesOf = (sample: SampleRequest): RootContent[] =>
    made.map((language, i) => {
      const source = language.write(sample);
      const isColored = own.length + i === 0 || source.length <= maxColoredLength;
      return fence(isColored ? language.grammar : "text", source, language.name);
    });
  if (own.length === 0 && made.length > 0 && requests.length > 1) {
    const tabs = requests.map(({ title = "", request }) =>
      tab(title, [component("CodeGroup", { dropdown: made.length > 1 }, fencesOf(request()))]),
    );
    return [
      component("RequestExample", { telling: 1 }, [
        component("Tabs", { className: "api-named", dropdown: true }, tabs),
      ]),
    ];
  }
  const fences = [
    ...own.map(({ grammar, title, source }) => fence(grammar, source, title)),
    ...(made.length > 0 ? fencesOf(requests[0].request()) : []),
  ];
  return fences.length === 0
    ? []
    : [component("RequestExample", { dropdown: fences.length > 1, telling: own.length || 1 }, fences)];
}

const distinct = (languages: readonly (SampleLanguage | undefined)[]): SampleLanguage[] => [
  ...new Set(languages.filter((language) => language !== undefined)),
];

interface WrittenSample {
  readonly language: SampleLanguage | undefined;
  readonly grammar: string | undefined;
  readonly title: string;
  readonly source: string;
}

/**
 * `x-codeSamples` with `lang`, `label` and `source`, and those of ReadMe with `language`, `name` and `code`. Labels
 * distinguish several in one language.
 */
function writtenSamples(written: JsonObject): WrittenSample[] {
  const holders = [
    listAt(written, "x-codeSamples"),
    listAt(written, "x-code-samples"),
    listAt(member(written, "x-readme"), "code-samples"),
    listAt(written, "x-readme.code-samples"),
  ];
  return holders
    .flat()
    .slice(0, maxWritten)
    .flatMap((each: Json): WrittenSample[] => {
      const source = textAt(each, "source") ?? textAt(each, "code");
      const lang = (textAt(each, "lang") ?? textAt(each, "language"))?.trim();
      if (!isObject(each) || source === undefined) return [];
      const language = lang === undefined ? undefined : sampleLanguage(lang);
      const name = language?.name ?? lang;
      const label = (textAt(each, "label") ?? textAt(each, "name"))?.trim();
      const title = name === undefined || (label !== undefined && says(label, name)) ? label : joined(name, label);
      return [
        {
          language,
          grammar: language?.grammar ?? lang?.toLowerCase(),
          title: title ?? "",
          source: source.slice(0, maxSourceLength).replace(/\n+$/, ""),
        },
      ];
    });
}

/** Whether a label names the language: "Go client" does, "Category" does not. */
const says = (label: string, name: string): boolean => ` ${wordsOf(label)} `.includes(` ${wordsOf(name)} `);

/** Symbols that belong to a name count as letters: `C#`, `C++`, `.NET`, `Node.js`. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}.#+]+/gu) ?? []).join(" ");

const joined = (name: string, label: string | undefined): string => (label === undefined ? name : `${name} · ${label}`);
