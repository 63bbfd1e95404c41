import type { MediaType, NamedExample } from "./media-type.js";
import type { Operation } from "./operation.js";
import type { PageContext } from "./page-context.js";
import type { Direction } from "./schema-inside.js";
import { layersOf } from "./schema-inside.js";

const maxOptions = 12;

/** The operation with an example for each value of a body's discriminator, where it has no examples of its own. */
export function withOptionExamples(
  { reader, sampler, api }: Pick<PageContext, "reader" | "sampler" | "api">,
  operation: Operation,
): Operation {
  const filled = (media: MediaType, direction: Direction): MediaType => {
    const { schema, examples } = media;
    if (schema === undefined || examples.length > 0) return media;
    const layers = layersOf(reader.flatten(schema), reader);
    const options = layers.at(-1)!.unions.find(({ discriminator }) => discriminator !== undefined)?.options ?? [];
    if (options.length < 2 || layers.some((layer) => layer.examples.length > 0 || layer.default)) return media;
    const properties = direction === "request" ? api.examples.defaults : "all";
    const made = options.slice(0, maxOptions).flatMap(({ schema: own, value: name }, option): NamedExample[] => {
      const { title, refName } = reader.flatten(own);
      const value = sampler.value(schema, { direction, properties, option });
      return value === undefined ? [] : [{ title: title?.trim() || refName || name || `${option + 1}`, value }];
    });
    return { ...media, examples: made };
  };
  const { body, responses } = operation;
  return {
    ...operation,
    ...(body && { body: { ...body, content: body.content.map((media) => filled(media, "request")) } }),
    responses: responses.map((each) => ({ ...each, content: each.content.map((media) => filled(media, "response")) })),
  };
}
