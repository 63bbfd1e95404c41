import type { RootContent } from "mdast";
import type { Messages } from "../../lib/language/index.js";
import { type BodyWriters, bodyFence } from "./body-text.js";
import { isJson, isXml, type MediaType } from "./media-type.js";
import { component, fence } from "./nodes.js";
import { isSuccess, type OperationResponse } from "./operation.js";
import { preferredMedia } from "./request-sample.js";

/** Limits of responses and examples in the sample panel. */
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
