/** A runtime expression of Arazzo: where a value of a run comes from. */
export type Expression =
  | { readonly kind: "url" | "method" | "statusCode" | "self" }
  | {
      readonly kind: "request" | "response" | "message";
      readonly part: "header" | "query" | "path";
      readonly name: string;
    }
  | ({ readonly kind: "request" | "response" | "message"; readonly part: "body" } & Inside)
  | ({ readonly kind: "inputs" | "outputs"; readonly name: string } & Inside)
  | ({ readonly kind: "steps"; readonly step: string; readonly name: string } & Inside)
  | ({
      readonly kind: "workflows";
      readonly workflow: string;
      readonly field: "inputs" | "outputs";
      readonly name: string;
    } & Inside)
  /** An operation, a workflow or a field of a source; `id` is not interpreted. */
  | { readonly kind: "sourceDescriptions"; readonly source: string; readonly id: string }
  | { readonly kind: "components"; readonly list: string; readonly name: string };

/** Selects a part of the value: by a JSON pointer, or by a path such as `.items[0].id`. */
interface Inside {
  readonly pointer?: string;
  readonly path?: string;
}

const maxLength = 2_000;

/** Reads a whole text as one expression; undefined if it is not one. */
export function parseExpression(text: string): Expression | undefined {
  if (text.length > maxLength) return undefined;
  const [, root = "", rest] = /^\$([A-Za-z]+)(?:\.([\s\S]+))?$/.exec(text) ?? [];
  switch (root) {
    case "url":
    case "method":
    case "statusCode":
    case "self":
      return rest === undefined ? { kind: root } : undefined;
    case "request":
    case "response":
    case "message":
      return rest === undefined ? undefined : messagePart(root, rest);
    case "inputs":
    case "outputs": {
      const part = namedPart(rest);
      return part && { kind: root, ...part };
    }
    case "steps": {
      const [, step, inner] = /^([\w-]+)\.outputs\.([\s\S]+)$/.exec(rest ?? "") ?? [];
      const part = namedPart(inner);
      return step === undefined || !part ? undefined : { kind: root, step, ...part };
    }
    case "workflows": {
      const [, workflow, field, inner] = /^([\w-]+)\.(inputs|outputs)\.([\s\S]+)$/.exec(rest ?? "") ?? [];
      const part = namedPart(inner);
      return workflow === undefined || !part
        ? undefined
        : { kind: root, workflow, field: field as "inputs" | "outputs", ...part };
    }
    case "sourceDescriptions": {
      const [, source, id] = /^([\w-]+)\.([^{}]+)$/.exec(rest ?? "") ?? [];
      return source === undefined || id === undefined ? undefined : { kind: root, source, id };
    }
    case "components": {
      const [, list, name] = /^(inputs|parameters|successActions|failureActions)\.([\w.-]+)$/.exec(rest ?? "") ?? [];
      return list === undefined || name === undefined ? undefined : { kind: root, list, name };
    }
    default:
      return undefined;
  }
}

function messagePart(kind: "request" | "response" | "message", text: string): Expression | undefined {
  const [, part, name] = /^(header|query|path)\.([^{}]+)$/.exec(text) ?? [];
  if (part !== undefined && name !== undefined) return { kind, part: part as "header", name };
  const [, inside] = /^(?:body|payload)((?:[#.[][^{}]*)?)$/.exec(text) ?? [];
  return inside === undefined ? undefined : withInside({ kind, part: "body" as const }, inside);
}

/** A name, which may have dots, and the selected part of its value. */
function namedPart(text: string | undefined) {
  const [, name, inside = ""] = /^([\w.-]+)((?:[#[][^{}]*)?)$/.exec(text ?? "") ?? [];
  return name === undefined ? undefined : withInside({ name }, inside);
}

function withInside<T extends object>(part: T, inside: string): (T & Inside) | undefined {
  if (inside === "") return part;
  if (inside.startsWith("#")) return /^#(?:\/|$)/.test(inside) ? { ...part, pointer: inside.slice(1) } : undefined;
  return /^(?:\.[\w-]+|\[\d{1,9}\])+$/.test(inside) ? { ...part, path: inside } : undefined;
}

/** A text with expressions in braces: `Bearer {$steps.login.outputs.token}`. */
export type TemplatePart = string | { readonly written: string; readonly expression: Expression | undefined };

/** The literal parts and the expressions of a text; one that cannot be read has no `expression`. */
export function templateParts(text: string): TemplatePart[] {
  return text.split(/(\{\$[^{}]*\})/).flatMap((part, i): TemplatePart[] => {
    if (i % 2 === 0) return part === "" ? [] : [part];
    const written = part.slice(1, -1);
    return [{ written, expression: parseExpression(written) }];
  });
}
