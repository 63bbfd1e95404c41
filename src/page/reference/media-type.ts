import type { Json, JsonObject } from "../../lib/json/index.js";
import { entriesAt, isObject, listAt, member, textAt } from "../../lib/json/index.js";
import type { References } from "./references.js";

/** One media type of a body. */
export interface MediaType {
  /** `application/json`, as written. */
  readonly type: string;
  readonly schema?: Json;
  readonly examples: readonly NamedExample[];
  /** How fields of a form are encoded. */
  readonly encoding: JsonObject;
}

export interface NamedExample {
  /** Summary, else its name in the document; undefined for a single example. */
  readonly title?: string;
  readonly description?: string;
  /** Undefined if it is an external file. */
  readonly value?: Json;
  /** URL of an external example. */
  readonly address?: string;
}

const maxTypes = 20;
const maxExamples = 30;

export function readContent(holder: JsonObject, references: References): MediaType[] {
  return entriesAt(holder, "content")
    .slice(0, maxTypes)
    .map(([type, each]) => {
      const media = references.followObject(each);
      const schema = member(media, "schema");
      const encoding = member(media, "encoding");
      return {
        type,
        ...(schema === undefined ? {} : { schema }),
        examples: readExamples(media, references),
        encoding: isObject(encoding) ? encoding : {},
      };
    });
}

/** Reads `example` or `examples`, which is a map in OpenAPI and a list in JSON Schema. */
export function readExamples(holder: JsonObject | undefined, references: References): NamedExample[] {
  const named = entriesAt(holder, "examples")
    .slice(0, maxExamples)
    .flatMap(([name, each]): NamedExample[] => {
      const example = references.followObject(each);
      // Some documents have the value itself in place of an example object.
      if (example === undefined) return each === undefined ? [] : [{ title: name, value: each }];
      const value = member(example, "value");
      const address = textAt(example, "externalValue");
      if (value === undefined && address === undefined)
        return "$ref" in example || "summary" in example ? [] : [{ title: name, value: example }];
      return [
        {
          title: textAt(example, "summary") ?? name,
          description: textAt(example, "description"),
          ...(value === undefined ? {} : { value }),
          ...(address === undefined ? {} : { address }),
        },
      ];
    });
  if (named.length > 0) return named;
  const one = member(holder, "example");
  if (one !== undefined) return [{ value: one }];
  return listAt(holder, "examples")
    .slice(0, maxExamples)
    .map((value) => ({ value }));
}

/** The first example that is written in the document. */
export const firstValue = (examples: readonly NamedExample[]): Json | undefined =>
  examples.find(({ value }) => value !== undefined)?.value;

export const isJson = (type: string): boolean => /^[^;]*\b(?:json|ndjson|jsonl)\b/i.test(type) || type === "*/*";
export const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded/i.test(type);
export const isMultipart = (type: string): boolean => /^multipart\//i.test(type);
