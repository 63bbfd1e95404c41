import type { RootContent } from "mdast";
import { isObject, type Json, type JsonObject, listAt, member, stringify, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { ApiConfig } from "../../site/config/index.js";
import { titleText } from "../../site/specs/index.js";
import { isForm, isJson, isXml, type MediaType, type NamedExample, preferredMedia } from "../operations/media-type.js";
import { isSuccess, type OperationResponse } from "../operations/operation.js";
import { type Cuts, component, componentWith, fence, fenceTitle, tab } from "../pages/nodes.js";
import type { Direction } from "../schema/schema-inside.js";
import { type BodyWriters, bodyFence, maxColoredLength } from "./body-text.js";
import { sampleLanguage, usualLanguages } from "./languages/index.js";
import type { SampleLanguage, SampleRequest } from "./languages/sample-request.js";

/** A request for samples. One of several has the title of the example that is its body. */
export interface SampledRequest {
  readonly title?: string;
  readonly request: () => SampleRequest;
}

/**
 * Request samples: those in the specification, then generated ones in the site's languages, except for languages that
 * the specification covers. Without any in the specification, a menu offers all requests.
 *
 * @param writtenOnes see `writtenSamples`.
 * @param requests at least one; the first is the usual one.
 */
export function requestExample(
  writtenOnes: readonly WrittenSample[],
  requests: readonly [SampledRequest, ...SampledRequest[]],
  { examples }: Pick<ApiConfig, "examples">,
): RootContent[] {
  const generated = otherLanguages(writtenOnes, examples);
  const fencesOf = (sample: SampleRequest): RootContent[] =>
    generated.map((language) => fence(language.grammar, language.write(sample), language.name));
  if (writtenOnes.length === 0 && generated.length > 0 && requests.length > 1) {
    const tabs = requests.map(({ title = "", request }) =>
      tab(title, [
        component("CodeGroup", { dropdown: generated.length > 1 }, inColors(fencesOf(request()), requests.length)),
      ]),
    );
    return [
      component("RequestExample", { telling: 1 }, [
        component("Tabs", { className: "api-named", dropdown: true }, tabs),
      ]),
    ];
  }
  const fences = [
    ...writtenOnes.map(({ grammar, title, source }) => fence(grammar, source, title)),
    ...(generated.length > 0 ? fencesOf(requests[0].request()) : []),
  ];
  const props = { dropdown: fences.length > 1, telling: writtenOnes.length || 1 };
  return componentWith("RequestExample", props, inColors(fences));
}

/** Whether the panel has a sample that is generated. */
export const hasGeneratedSample = (
  writtenOnes: readonly WrittenSample[],
  { examples }: Pick<ApiConfig, "examples">,
): boolean => otherLanguages(writtenOnes, examples).length > 0;

/** The languages of the site, without those in which the specification has samples. */
function otherLanguages(
  writtenOnes: readonly WrittenSample[],
  { autogenerate, languages }: ApiConfig["examples"],
): SampleLanguage[] {
  if (!autogenerate) return [];
  const covered = new Set(writtenOnes.map(({ language }) => language));
  const asked = languages.length > 0 ? distinct(languages.map(sampleLanguage)) : usualLanguages;
  return asked.filter((language) => !covered.has(language));
}

const distinct = (languages: readonly (SampleLanguage | undefined)[]): SampleLanguage[] => [
  ...new Set(languages.filter((language) => language !== undefined)),
];

export interface WrittenSample {
  readonly language: SampleLanguage | undefined;
  readonly grammar: string | undefined;
  readonly title: string;
  readonly source: string;
}

/** `x-codeSamples`, also with the names of ReadMe and Fern. Labels distinguish several in one language. */
export function writtenSamples(written: JsonObject): WrittenSample[] {
  const holders = [
    listAt(written, "x-codeSamples"),
    listAt(written, "x-code-samples"),
    listAt(member(written, "x-readme"), "code-samples"),
    listAt(written, "x-readme.code-samples"),
    listAt(written, "x-fern-examples").flatMap((example) => listAt(example, "code-samples")),
  ];
  return holders.flat().flatMap((sample: Json): WrittenSample[] => {
    const source = textAt(sample, "source") ?? textAt(sample, "code");
    const lang = (textAt(sample, "lang") ?? textAt(sample, "language") ?? textAt(sample, "sdk"))?.trim();
    if (!isObject(sample) || source === undefined) return [];
    const language = lang === undefined ? undefined : sampleLanguage(lang);
    const name = language?.name ?? lang;
    const label = (textAt(sample, "label") ?? textAt(sample, "name"))?.trim();
    const title = name === undefined || (label !== undefined && says(label, name)) ? label : joined(name, label);
    return [
      {
        language,
        grammar: language?.grammar ?? lang?.toLowerCase(),
        title: title ?? "",
        source: source.replace(/\n+$/, ""),
      },
    ];
  });
}

/** Whether a label contains the name of the language: "Go client" does, "Category" does not. */
const says = (label: string, name: string): boolean => ` ${wordsOf(label)} `.includes(` ${wordsOf(name)} `);

/** Symbols that belong to a name count as letters: `C#`, `C++`, `.NET`, `Node.js`. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}.#+]+/gu) ?? []).join(" ");

const joined = (name: string, label: string | undefined): string => (label === undefined ? name : `${name} · ${label}`);

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
  const [successes, others] = [responses.filter(isSuccess), responses.filter((response) => !isSuccess(response))];
  const ofSuccess = successes.flatMap(samplesOf);
  const ofOthers = others.flatMap(samplesOf);
  const [first] = successes;
  if (first === undefined || ofSuccess.length > 0 || ofOthers.length === 0) return [...ofSuccess, ...ofOthers];
  const types = first.content.map(({ type }) => type).join(", ");
  return [fence("text", types || messages.noBody, first.status), ...ofOthers];
}

export function mediaSamples(media: MediaType, title: string, writers: BodyWriters): RootContent[] {
  const { type, examples } = media;
  const written = distinctExamples(examples);
  if (written.length > 0)
    return written.map(({ title: named, summary, value }) => {
      // A single example needs no name.
      const name = titleText(written.length === 1 ? summary : named);
      const isRecording = /^audio\//.test(type) && typeof value === "string" && /^(?:https?:\/\/|\/)/.test(value);
      if (isRecording)
        return component("audio", { controls: true, preload: "none", src: value, "aria-label": name ?? title });
      const shown = name === undefined ? title : `${title} · ${name}`;
      return bodyFence(media, value!, shown, writers);
    });
  const value = generatedBody(media, writers, "response");
  return value === undefined ? [] : [bodyFence(media, value, title, writers)];
}

/** A body made from its schema; undefined for media types whose bodies are shown only if an author wrote them. */
export function generatedBody(
  { type, schema, isStream }: MediaType,
  { sampler, reader }: BodyWriters,
  direction: Direction,
): Json | undefined {
  if (schema === undefined) return undefined;
  const isShown = isJson(type) || isXml(type) || isForm(type) || isStream || /^text\/event-stream/.test(type);
  const hasText = reader.flatten(schema).examples.some((example) => typeof example === "string");
  return isShown || hasText ? sampler.value(schema, { direction, properties: "all" }) : undefined;
}

/** The examples with a value in the document; of several that are equal, the first. */
export function distinctExamples(examples: readonly NamedExample[]): NamedExample[] {
  const keys = new Set<string>();
  return examples.filter(({ value }) => {
    const key = value === undefined ? undefined : stringify(value);
    if (key === undefined || keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}

/** Limit of highlighted code in a panel: its markup would be most of the elements of a page. */
const maxColoredTotal = 12_000;

/** Highlights the first block, and others up to the limit. @param share divides the limit: 2 is half of it. */
function inColors(samples: readonly RootContent[], share = 1): RootContent[] {
  let length = 0;
  return samples.map((sample, i) => {
    if (sample.type !== "code") return sample;
    length += sample.value.length;
    const isShort = sample.value.length <= maxColoredLength && length * share <= maxColoredTotal;
    return i === 0 || isShort ? sample : { ...sample, lang: "text" };
  });
}

/** Limit of the code of a page's examples, in UTF-16 code units. */
const maxExamplesLength = 150_000;

/** As many blocks of code as a page has room for, at least one, and a block that names the others. */
export function withinRoom(samples: readonly RootContent[], cuts: Cuts): RootContent[] {
  const shown: RootContent[] = [];
  const omitted: string[] = [];
  let length = 0;
  for (const sample of samples) {
    const size = sample.type === "code" ? sample.value.length : 0;
    if (sample.type !== "code" || length + size <= maxExamplesLength || shown.length === 0) {
      shown.push(sample);
      length += size;
    } else omitted.push(fenceTitle(sample));
  }
  if (omitted.length === 0) return inColors(shown);
  cuts.add(`its examples have more than ${maxExamplesLength} characters (maxExamplesLength)`);
  return [...inColors(shown), fence("text", omitted.join("\n"), `… ${omitted.length}`)];
}

/** More tabs than this become a menu. */
export const maxTabs = 5;

export function responseExample(written: readonly RootContent[], cuts: Cuts): RootContent[] {
  const samples = withinRoom(written, cuts);
  const titles = samples.map((sample) => (sample.type === "code" ? (sample.meta?.length ?? 0) : 0));
  // A menu of a single sample would show its language in place of its title.
  const dropdown = samples.length > maxTabs || (samples.length > 1 && titles.some((length) => length > 30));
  return componentWith("ResponseExample", { dropdown }, samples);
}
