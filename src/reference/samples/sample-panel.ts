import type { RootContent } from "mdast";
import { isObject, type Json, type JsonObject, listAt, member, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { ApiConfig } from "../../site/config/index.js";
import { isJson, isXml, type MediaType } from "../operations/media-type.js";
import { isSuccess, type OperationResponse } from "../operations/operation.js";
import { component, fence, tab } from "../pages/nodes.js";
import { type BodyWriters, bodyFence } from "./body-text.js";
import { sampleLanguage, usualLanguages } from "./languages/index.js";
import type { SampleLanguage, SampleRequest } from "./languages/sample-request.js";
import { preferredMedia } from "./request-sample.js";

const maxWritten = 40;
const maxSourceLength = 50_000;

/** Longer samples have no colours: these would be most of the page, for languages that few readers choose. */
const maxColoredLength = 8_000;

/** A request for samples. One of several has the title of the example that is its body. */
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

/** Whether a label contains the name of the language: "Go client" does, "Category" does not. */
const says = (label: string, name: string): boolean => ` ${wordsOf(label)} `.includes(` ${wordsOf(name)} `);

/** Symbols that belong to a name count as letters: `C#`, `C++`, `.NET`, `Node.js`. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}.#+]+/gu) ?? []).join(" ");

const joined = (name: string, label: string | undefined): string => (label === undefined ? name : `${name} · ${label}`);

/** Limits of responses, and of examples of each, in the sample panel. */
const maxResponses = 20;
const maxNamed = 12;

/**
 * Code blocks titled by status and example name, and players for audio. Successes come first, because the first block
 * is the one that readers see. If there are others but none for a success, its block says what its body is.
 */
export function responseSamples(
  responses: readonly OperationResponse[],
  writers: BodyWriters,
  messages: Messages,
): RootContent[] {
  const samplesOf = ({ status, content }: OperationResponse): RootContent[] => {
    const preferred = preferredMedia(content);
    const inOrder = [...content].sort((a, b) => Number(b === preferred) - Number(a === preferred));
    return inOrder.flatMap((media) =>
      mediaSamples(media, media === preferred ? status : `${status} · ${media.type}`, writers),
    );
  };
  const shown = responses.slice(0, maxResponses);
  const [successes, others] = [shown.filter(isSuccess), shown.filter((response) => !isSuccess(response))];
  const ofSuccess = successes.flatMap(samplesOf);
  const ofOthers = others.flatMap(samplesOf);
  const [first] = successes;
  if (first === undefined || ofSuccess.length > 0 || ofOthers.length === 0) return [...ofSuccess, ...ofOthers];
  const types = first.content.map(({ type }) => type).join(", ");
  return [fence("text", types || messages.noBody, first.status), ...ofOthers];
}

export function mediaSamples(media: MediaType, title: string, writers: BodyWriters): RootContent[] {
  const { type, schema, examples, isStream } = media;
  const given = examples.filter(({ value }) => value !== undefined).slice(0, maxNamed);
  if (given.length > 0)
    return given.map(({ title: name, value }) => {
      const isRecording = /^audio\//.test(type) && typeof value === "string" && /^(?:https?:\/\/|\/)/.test(value);
      if (isRecording)
        return component("audio", { controls: true, preload: "none", src: value, "aria-label": name ?? title });
      const shown = given.length === 1 || name === undefined ? title : `${title} · ${name}`;
      return bodyFence(media, value!, shown, writers);
    });
  if (schema === undefined || !(isJson(type) || isStream || isXml(type) || /^text\/event-stream/.test(type))) return [];
  const value = writers.sampler.value(schema, { direction: "response", properties: "all" });
  return value === undefined ? [] : [bodyFence(media, value, title, writers)];
}

/** More tabs than this become a menu. */
export const maxTabs = 5;

export function responseExample(samples: readonly RootContent[]): RootContent[] {
  if (samples.length === 0) return [];
  const titles = samples.map((sample) => (sample.type === "code" ? (sample.meta?.length ?? 0) : 0));
  const dropdown = samples.length > maxTabs || titles.some((length) => length > 30);
  return [component("ResponseExample", { dropdown }, samples)];
}
