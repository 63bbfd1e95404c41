import type { Json } from "../../lib/json/json.js";
import { createMemo } from "../../lib/memo.js";
import type { FormBody, FormExample, FormMedia } from "../../reference/forms/playground-form.js";
import { isLines } from "../../reference/operations/media-type.js";
import { create } from "../dom.js";
import { type DraftBody, isFileBody } from "./build-request.js";
import {
  type Control,
  type FormContext,
  isValueObject,
  type Missing,
  parseJson,
  printJson,
  type Value,
  xmlTools,
} from "./form/control.js";
import { createControl } from "./form/create-control.js";
import { codeArea, createSwitch, indexSelect } from "./form/elements.js";
import { box, button, createField } from "./form/field.js";
import type { PastRequest } from "./history.js";
import { say, sayWith } from "./messages.js";

/** The editor of one media type. */
interface Editor extends Pick<Control, "element" | "check"> {
  draft(): DraftBody | undefined;
  /** Switches between form and text; absent if there is only one of them. */
  readonly switch?: HTMLElement;
  readonly fill?: (value: Json) => void;
}

export function createBodyEditor(form: FormContext, body: FormBody) {
  const editors = createMemo<Editor>();
  const content = box("playground-items");
  /** Next to the heading: examples, the switch between form and text, and the media types. */
  const tools = box("playground-tools");
  let chosen = 0;
  const editor = (): Editor =>
    editors(chosen, () => {
      const created = editorFor(form, body.media[chosen]!, body.required);
      const [first] = body.media[chosen]!.examples ?? [];
      if (form.prefill && first) created.fill?.(first.value);
      return created;
    });
  const show = (): void => {
    const { element, switch: toggle, fill } = editor();
    const { examples = [] } = body.media[chosen]!;
    const exampleTools = fill && examples.length > 0 ? [exampleChoice(examples, fill)] : [];
    content.replaceChildren(element);
    tools.replaceChildren(...exampleTools, ...(toggle ? [toggle] : []), ...types);
  };
  /** A button, or a menu if there are several. */
  const exampleChoice = (examples: readonly FormExample[], fill: (value: Json) => void): HTMLElement => {
    const use = (at: number): void => {
      fill(examples[at]!.value);
      form.changed();
    };
    if (examples.length === 1) return button("playground-quiet", say("useExample"), () => use(0));
    const titles = [say("useExample"), ...examples.map(({ title }, i) => title ?? `${i + 1}`)];
    const attributes = { class: "playground-choice", "aria-label": say("useExample") };
    return indexSelect(attributes, titles, 0, (index) => index > 0 && use(index - 1));
  };
  const titles = body.media.map(({ type }) => type);
  const attributes = { class: "playground-choice", "aria-label": "Content-Type" };
  const select = indexSelect(attributes, titles, chosen, (index) => {
    chosen = index;
    show();
    form.changed();
  });
  const types = [body.media.length > 1 ? select : create("span", "playground-type", body.media[0]!.type)];
  show();
  return {
    element: content,
    tools,
    draft: () => editor().draft(),
    check: (missing: Missing) => editor().check(missing),
    /** Fills in a body that was sent before. */
    restore({ type, text }: NonNullable<PastRequest["body"]>): void {
      chosen = Math.max(0, titles.indexOf(type));
      select.value = String(chosen);
      show();
      const media = body.media[chosen]!;
      const parsed = media.root !== undefined || isTextEditor(form, media) ? { value: text } : parseJson(text);
      if ("value" in parsed) editor().fill?.(parsed.value);
    },
  };
}

function editorFor(form: FormContext, media: FormMedia, required: boolean): Editor {
  const schema = form.schemas[media.schema];
  if (isJsonForm(media)) return valueEditor(form, media, required);
  if (media.root !== undefined)
    return valueEditor(form, media, required, {
      name: "XML",
      kind: "text",
      ...window.offprintXml!(xmlTools, form.schemas, media),
    });
  if (isFields(media)) return fieldsEditor(form, media, required);
  return isFileBody(media, schema) ? fileEditor(form, media, required) : textEditor(form, media, required);
}

const isFields = ({ type }: FormMedia): boolean => /^multipart\/|x-www-form-urlencoded/i.test(type);
const isJsonForm = ({ type }: FormMedia): boolean => /json/i.test(type) && !isLines(type);
const isTextEditor = (form: FormContext, media: FormMedia): boolean =>
  !isJsonForm(media) && !isFields(media) && !isFileBody(media, form.schemas[media.schema]);

const bodyFacts = (required: boolean) => ({ required, depth: 0 });

/** A text format for the value of a form. */
interface Notation {
  readonly name: string;
  readonly kind: "json" | "text";
  print(value: Value): string;
  /** Why a text is invalid. */
  faultOf(text: string): string | undefined;
  read(text: string): { readonly value: Value } | { readonly fault: string };
}

const json: Notation = {
  name: "JSON",
  kind: "json",
  print: printJson,
  faultOf(text) {
    const parsed = parseJson(text);
    return "reason" in parsed ? sayWith("badJson", parsed.reason) : undefined;
  },
  read(text) {
    const parsed = parseJson(text);
    return "reason" in parsed ? { fault: sayWith("badJson", parsed.reason) } : parsed;
  },
};

/** An editor with a form and a text of the same value: switching keeps the value. */
export function valueEditor(form: FormContext, media: FormMedia, required: boolean, notation: Notation = json): Editor {
  const control = createControl(form, form.schemas[media.schema]!, bodyFacts(required));
  const area = codeArea(8);
  const text = createField(form, { required, depth: 0 }, notation.name, area);
  const element = box("playground-items", control.element);
  let isText = false;
  let wasSent = false;

  const textFault = (): string | undefined => {
    if (area.value.trim() === "") return required ? say("fillIn") : undefined;
    return notation.faultOf(area.value);
  };
  const formText = (): string => {
    const value = control.read();
    return value === undefined ? "" : notation.print(value);
  };
  area.addEventListener("input", () => form.changed());
  const show = (index: number): boolean => {
    const read = index === 1 || area.value.trim() === "" ? { value: undefined } : notation.read(area.value);
    text.showFault("fault" in read ? read.fault : undefined);
    if ("fault" in read) return false;
    isText = index === 1;
    if (isText) area.value = formText();
    else control.write(read.value);
    element.replaceChildren(isText ? text.element : control.element);
    form.changed();
    return true;
  };
  const toggle = createSwitch(say("body"), [say("form"), notation.name], show);
  fillFromPastedObject(control, () => form.changed());
  return {
    element,
    switch: toggle,
    fill(value) {
      // An example of XML may be the text itself.
      const isExampleText = notation.kind === "text" && typeof value === "string";
      const read = isExampleText ? notation.read(value) : { value };
      if ("value" in read) control.write(read.value);
      else if (!isText) toggle.querySelector<HTMLElement>("[aria-pressed=false]")!.click();
      if (!isText) return;
      area.value = isExampleText ? value : formText();
      text.showFault(undefined);
    },
    draft() {
      const bodyText = isText ? area.value : formText();
      return bodyText.trim() === "" ? undefined : { kind: notation.kind, type: media.type, text: bodyText };
    },
    check(missing) {
      if (!isText) return control.check(required || control.read() !== undefined ? missing : "none");
      if (missing === "all") wasSent = true;
      const fault = wasSent || area.value.trim() !== "" ? textFault() : undefined;
      text.showFault(fault);
      return fault === undefined ? [] : [area];
    },
  };
}

/** Fills the whole form when the reader pastes an object into any field. */
function fillFromPastedObject(control: Control, onFilled: () => void): void {
  control.element.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain").trim() ?? "";
    const target = event.target as Element;
    if (!pasted.startsWith("{") || target.matches(".playground-code")) return;
    const parsed = parseJson(pasted);
    if ("reason" in parsed || !isValueObject(parsed.value)) return;
    event.preventDefault();
    control.write(parsed.value);
    onFilled();
  });
}

/** The fields of a URL-encoded or multipart form. */
function fieldsEditor(form: FormContext, media: FormMedia, required: boolean): Editor {
  const schema = form.schemas[media.schema]!;
  const objectSchema =
    schema.types === undefined && schema.properties === undefined && !schema.unions
      ? { ...schema, types: ["object"], additional: schema.additional ?? 0 }
      : schema;
  const control = createControl(form, objectSchema, bodyFacts(true));
  fillFromPastedObject(control, () => form.changed());
  return {
    element: control.element,
    fill: (value) => control.write(value),
    draft() {
      const value = control.read();
      const isList = Array.isArray(value);
      const fields = isList || isValueObject(value) ? (Object.entries(value) as [string, Value][]) : [];
      return fields.length > 0 ? { kind: "fields", media, fields, isList } : undefined;
    },
    check: (missing) =>
      control.check(required || Object.keys((control.read() as object) ?? {}).length > 0 ? missing : "none"),
  };
}

function textEditor(form: FormContext, media: FormMedia, required: boolean): Editor {
  const area = codeArea(8);
  return {
    ...inputEditor(form, media.type, area, required, () =>
      area.value === "" ? undefined : { kind: "text", type: media.type, text: area.value },
    ),
    fill(value) {
      area.value = typeof value === "string" ? value : printJson(value);
    },
  };
}

function fileEditor(form: FormContext, media: FormMedia, required: boolean): Editor {
  const input = create("input", { type: "file", class: "playground-input" });
  if (!/octet-stream|^\*/.test(media.type)) input.accept = media.type;
  return inputEditor(form, "file", input, required, () => {
    const [file] = input.files ?? [];
    return file && { kind: "file", type: media.type, file };
  });
}

/** A body with one input. @param draft undefined while the input is empty. */
function inputEditor(
  form: FormContext,
  label: string,
  input: HTMLElement,
  required: boolean,
  draft: Editor["draft"],
): Editor {
  const field = createField(form, { required, depth: 0 }, label, input);
  let wasSent = false;
  input.addEventListener("input", () => form.changed());
  return {
    element: field.element,
    draft,
    check(missing) {
      if (missing === "all") wasSent = true;
      const isMissing = wasSent && required && draft() === undefined;
      field.showFault(isMissing ? say("fillIn") : undefined);
      return isMissing ? [input] : [];
    },
  };
}
