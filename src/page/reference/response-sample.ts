import type { RootContent } from "mdast";
import { grammarOf } from "./body-parts.js";
import { isJson, type MediaType } from "./media-type.js";
import { component, fence } from "./nodes.js";
import type { OperationResponse } from "./operation.js";
import { preferredMedia } from "./request-sample.js";
import type { Sampler } from "./sampler.js";

/** Limits of responses and examples in the sample panel. */
const maxResponses = 20;
const maxNamed = 12;
const maxTextLength = 20_000;

/** Code blocks titled by status and example name, and players for audio. */
export function responseSamples(responses: readonly OperationResponse[], sampler: Sampler): RootContent[] {
  return responses.slice(0, maxResponses).flatMap(({ status, content }) => {
    const media = preferredMedia(content);
    return media === undefined ? [] : mediaSamples(media, status, sampler);
  });
}

export function mediaSamples(media: MediaType, title: string, sampler: Sampler): RootContent[] {
  const { type, schema, examples } = media;
  const given = examples.filter(({ value }) => value !== undefined).slice(0, maxNamed);
  if (given.length > 0)
    return given.map(({ title: name, value }) => {
      const isRecording = /^audio\//.test(type) && typeof value === "string" && /^(?:https?:\/\/|\/)/.test(value);
      if (isRecording)
        return component("audio", { controls: true, preload: "none", src: value, "aria-label": name ?? title });
      const shown = given.length === 1 || name === undefined ? title : `${title} · ${name}`;
      return typeof value === "string" && !isJson(type)
        ? fence(grammarOf(type), value.slice(0, maxTextLength), shown)
        : fence("json", sampler.text(value!), shown);
    });
  if (schema === undefined || !(isJson(type) || /^text\/event-stream/.test(type))) return [];
  const value = sampler.value(schema, { direction: "response", properties: "all" });
  return value === undefined ? [] : [fence("json", sampler.text(value), title)];
}
