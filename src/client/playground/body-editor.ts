import type { Json } from "../../lib/json/json.js";
import { isLines } from "../../page/reference/media-type.js";
import type { FormBody, FormExample, FormMedia } from "../../page/reference/playground/playground-form.js";
import { create } from "../dom.js";
import { type DraftBody, isFileBody } from "./build-request.js";
import type { Control, FormContext } from "./control.js";
import { createControl } from "./create-control.js";
import { box, button, createField } from "./field.js";
import type { PastRequest } from "./history.js";
import { codeArea, createSwitch, indexSelect } from "./inputs.js";
import { say, sayWith } from "./say.js";
import { isValueObject, parseJson, printJson, type Value } from "./value.js";

/** The editor of one media type. */
interface Editor extends Pick<Control, "element" | "check"> {
  draft(): DraftBody | undefined;
  /** Absent if the body can be written in one way only. */
  readonly switch?: HTMLElement;
  readonly fill?: (value: Json) => void;
}

export function createBodyEditor(form: FormContext, body: FormBody) {
  const editors = new Map<number, Editor>();
  const content = box("playground-items");
  /** Next to the heading: the media types, and the switch between form and JSON. */
  const tools = box("playground-tools");
  let chosen = 0;
  const editor = (): Editor => {
    const known = editors.get(chosen);
    if (known) return known;
    const made = editorFor(form, body.media[chosen]!, body.required);
    editors.set(chosen, made);
    const [first] = body.media[chosen]!.examples ?? [];
    if (form.prefill && first) made.fill?.(first.value);
    return made;
  };
  const show = (): void => {
    const { element, switch: toggle, fill } = editor();
    const { examples = [] } = body.media[chosen]!;
    const use = fill && examples.length > 0 ? [exampleChoice(examples, fill)] : [];
    content.replaceChildren(element);
    tools.replaceChildren(...use, ...(toggle ? [toggle] : []), ...types);
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
  const types = [body.media.length > 1 ? select : create("span", { class: "playground-type" }, body.media[0]!.type)];
  show();
  return {
    element: content,
    tools,
    draft: () => editor().draft(),
    check: (isSent: boolean) => editor().check(isSent),
    /** Fills in a body as it was sent. */
    restore({ type, text }: NonNullable<PastRequest["body"]>): void {
      chosen = Math.max(0, titles.indexOf(type));
      select.value = String(chosen);
      show();
      const parsed = isTextEditor(form, body.media[chosen]!) ? { value: text } : parseJson(text);
      if ("value" in parsed) editor().fill?.(parsed.value);
    },
  };
}

function editorFor(form: FormContext, media: FormMedia, required: boolean): Editor {
  const schema = form.schemas[media.schema];
  if (isJsonForm(media)) return jsonEditor(form, media, required);
  if (isFields(media)) return fieldsEditor(form, media, required);
  return isFileBody(media, schema) ? fileEditor(form, media, required) : textEditor(form, media, required);
}

const isFields = ({ type }: FormMedia): boolean => /^multipart\/|x-www-form-urlencoded/i.test(type);
const isJsonForm = ({ type }: FormMedia): boolean => /json/i.test(type) && !isLines(type);
const isTextEditor = (form: FormContext, media: FormMedia): boolean =>
  !isJsonForm(media) && !isFields(media) && !isFileBody(media, form.schemas[media.schema]);

const bodyFacts = (required: boolean) => ({ required, depth: 0 });

/** A form and its JSON: switching carries the value over. */
export function jsonEditor(form: FormContext, media: FormMedia, required: boolean): Editor {
  const control = createControl(form, form.schemas[media.schema]!, bodyFacts(required));
  const area = codeArea(8);
  const text = createField(form, { required, depth: 0 }, "JSON", area);
  const element = box("playground-items", control.element);
  let isText = false;

  const textFault = (): string | undefined => {
    if (area.value.trim() === "") return required ? say("fillIn") : undefined;
    const parsed = parseJson(area.value);
    return "reason" in parsed ? sayWith("badJson", parsed.reason) : undefined;
  };
  area.addEventListener("input", () => {
    text.showFault(textFault());
    form.changed();
  });
  const showText = (): boolean => {
    const value = control.read();
    area.value = value === undefined ? "" : printJson(value);
    isText = true;
    text.showFault(undefined);
    element.replaceChildren(text.element);
    return true;
  };
  const showForm = (): boolean => {
    const fault = area.value.trim() === "" ? undefined : textFault();
    text.showFault(fault);
    if (fault !== undefined) return false;
    const parsed = parseJson(area.value);
    control.write("value" in parsed ? parsed.value : undefined);
    isText = false;
    element.replaceChildren(control.element);
    return true;
  };
  const toggle = createSwitch(say("body"), [say("form"), "JSON"], (index) => {
    const isShown = index === 1 ? showText() : showForm();
    if (isShown) form.changed();
    return isShown;
  });
  onPastedObject(control, () => form.changed());
  return {
    element,
    switch: toggle,
    fill(value) {
      control.write(value);
      if (isText) {
        area.value = printJson(value);
        text.showFault(undefined);
      }
    },
    draft() {
      const value = isText ? undefined : control.read();
      const written = isText ? area.value : value === undefined ? "" : printJson(value);
      return written.trim() === "" ? undefined : { kind: "json", type: media.type, text: written };
    },
    check(isSent) {
      if (!isText) return control.check(isSent && (required || control.read() !== undefined));
      const fault = textFault();
      text.showFault(fault);
      return fault === undefined ? [] : [area];
    },
  };
}

/** An object pasted into any field fills the whole form. */
function onPastedObject(control: Control, onFilled: () => void): void {
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
  const whole =
    schema.types === undefined && schema.properties === undefined && !schema.unions
      ? { ...schema, types: ["object"], additional: schema.additional ?? 0 }
      : schema;
  const control = createControl(form, whole, bodyFacts(true));
  onPastedObject(control, () => form.changed());
  return {
    element: control.element,
    fill: (value) => control.write(value),
    draft() {
      const value = control.read();
      const fields = isValueObject(value) ? (Object.entries(value) as [string, Value][]) : [];
      return fields.length > 0 ? { kind: "fields", media, fields } : undefined;
    },
    check: (isSent) => control.check(isSent && (required || Object.keys((control.read() as object) ?? {}).length > 0)),
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
  input.addEventListener("input", () => {
    field.showFault(undefined);
    form.changed();
  });
  return {
    element: field.element,
    draft,
    check(isSent) {
      const isMissing = isSent && required && draft() === undefined;
      field.showFault(isMissing ? say("fillIn") : undefined);
      return isMissing ? [input] : [];
    },
  };
}
