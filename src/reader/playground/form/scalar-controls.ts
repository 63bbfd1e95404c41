import { isContainer, type Json, numberOf, stringify } from "../../../lib/json/json.js";
import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { create, drawing } from "../../dom.js";
import * as outlines from "../../icon-outlines.js";
import { say, sayWith } from "../messages.js";
import {
  type Control,
  type FieldFacts,
  type FormContext,
  type Missing,
  parseJson,
  printJson,
  type Value,
} from "./control.js";
import { codeArea } from "./elements.js";
import { box, button, createField, typeLabel } from "./field.js";
import { faultOf } from "./validate.js";

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Reading {
  readonly value: Value | undefined;
  /** Why the typed text is invalid. */
  readonly fault?: string;
}

/** A control with one input. @param read parses the input. */
function inputControl(
  form: FormContext,
  schema: FormSchema,
  facts: FieldFacts,
  input: Input,
  read: () => Reading,
  show: (value: Value | undefined) => void,
  ...additions: HTMLElement[]
): Control {
  const field = createField(form, facts, typeLabel(schema, form.schemas), input, ...additions);
  let wasVisited = false;
  const findFault = (missing: Missing): string | undefined => {
    const { value, fault } = read();
    if (fault !== undefined) return fault;
    if (value === undefined) return facts.required && wasVisited && missing !== "none" ? say("fillIn") : undefined;
    return faultOf(schema, value);
  };
  input.addEventListener("input", () => form.changed());
  input.addEventListener("change", () => {
    wasVisited = true;
    form.changed();
  });
  return {
    element: field.element,
    read: () => read().value,
    write(value) {
      show(value);
      field.showFault(findFault("none"));
    },
    check(missing) {
      if (missing === "all") wasVisited = true;
      const fault = findFault(missing);
      field.showFault(fault);
      return fault === undefined ? [] : [input];
    },
  };
}

const placeholderText = ({ default: fallback, example }: FormSchema): string => {
  const value = fallback ?? example;
  if (value === undefined || value === null || isContainer(value)) return "";
  return (typeof value === "string" ? value : stringify(value)).replace(/\s+/g, " ").slice(0, 80);
};

/** A text or number: one line, or several for long texts. */
export function textControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const { types = [], format, pattern, limits = {} } = schema;
  const isNumber = types.some((type) => type === "integer" || type === "number");
  const isLong =
    !isNumber && !facts.isParameter && format === undefined && pattern === undefined && (limits.maxLength ?? 999) > 120;
  const common = { class: "playground-input", placeholder: placeholderText(schema), spellcheck: "false", dir: "auto" };
  const input: HTMLInputElement | HTMLTextAreaElement = isLong
    ? create("textarea", { ...common, rows: "1" })
    : create("input", {
        ...common,
        type: format === "password" ? "password" : "text",
        autocomplete: "off",
        autocapitalize: "none",
        ...(isNumber ? { inputmode: "decimal" } : {}),
      });
  const calendar = input instanceof HTMLInputElement ? datePicker(input, format) : undefined;
  const additions = [
    ...(schema.encoding === undefined ? [] : [fileChooser(input, schema.encoding)]),
    ...(calendar === undefined ? [] : [calendar]),
  ];
  // An empty text is not sent, unless it was set explicitly.
  let isEmptyText = false;
  input.addEventListener("input", () => {
    isEmptyText = false;
  });
  const read = (): Reading => {
    const text = input.value;
    if (text === "") return { value: isEmptyText ? "" : undefined };
    return isNumber ? parseNumber(text, schema, facts) : { value: text };
  };
  const show = (value: Value | undefined): void => {
    isEmptyText = value === "";
    input.value = value === undefined || value === null ? "" : typeof value === "string" ? value : printJson(value);
  };
  return inputControl(form, schema, facts, input, read, show, ...additions);
}

/** Numbers that JavaScript cannot represent exactly are sent as typed. */
function parseNumber(text: string, { types = [] }: FormSchema, { isParameter }: FieldFacts): Reading {
  const trimmed = text.trim();
  const number = Number(trimmed);
  if (!/^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) || !Number.isFinite(number))
    return { value: text, fault: sayWith("wrongType", types[0]!) };
  // `.5` and `1.` are not JSON.
  const exact = /^-?\d+(?:\.\d+)?$/.test(trimmed) ? numberOf(trimmed) : number;
  return { value: isParameter && typeof exact === "object" ? trimmed : exact };
}

/** Chooses a file whose encoded bytes become the value of the input. */
function fileChooser(input: HTMLInputElement | HTMLTextAreaElement, encoding: string): HTMLElement {
  const chooser = create("input", { type: "file", class: "playground-input", "aria-label": say("chooseFile") });
  chooser.addEventListener("change", () => {
    const [file] = chooser.files ?? [];
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => {
      const base64 = String(reader.result).replace(/^[^,]*,/, "");
      input.value =
        encoding === "base64url" ? base64.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "") : base64;
      input.dispatchEvent(new Event("input"));
    };
    reader.readAsDataURL(file);
  });
  return chooser;
}

/** A choice of one of a few values. */
export function choiceControl(
  form: FormContext,
  schema: FormSchema,
  facts: FieldFacts,
  values: readonly Json[],
): Control {
  const select = create("select", "playground-input");
  const options: Value[] = [];
  const add = (value: Value): number => {
    options.push(value);
    const label = typeof value === "string" && value.trim() !== "" ? value : stringify(value);
    select.append(create("option", { value: String(options.length - 1) }, label));
    return options.length - 1;
  };
  const isOnly = values.length === 1 && facts.required;
  const fallback = schema.default === undefined ? "" : ` (${say("defaultValue")} ${stringify(schema.default)})`;
  if (!isOnly) select.append(create("option", { value: "" }, `–${fallback}`));
  for (const value of values) add(value);
  const read = (): Reading => ({ value: select.value === "" ? undefined : options[Number(select.value)] });
  const show = (value: Value | undefined): void => {
    if (value === undefined) {
      select.value = isOnly ? "0" : "";
      return;
    }
    const key = JSON.stringify(value);
    const at = options.findIndex((option) => JSON.stringify(option) === key);
    select.value = String(at >= 0 ? at : add(value));
  };
  // Listed values need not be checked against pattern and limits.
  const { pattern: _, limits: __, ...rest } = schema;
  return inputControl(form, rest, facts, select, read, show);
}

/** Any value: JSON, or else plain text. */
export function jsonControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const area = codeArea(1);
  area.autocapitalize = "none";
  const isText = schema.cut === undefined && (schema.types === undefined || schema.types.includes("string"));
  const read = (): Reading => {
    const text = area.value.trim();
    if (text === "") return { value: undefined };
    const parsed = parseJson(text);
    if ("value" in parsed) return { value: parsed.value };
    return isText && !/^[[{"]/.test(text) ? { value: text } : { value: text, fault: sayWith("badJson", parsed.reason) };
  };
  const show = (value: Value | undefined): void => {
    const isPlain = isText && typeof value === "string" && "reason" in parseJson(value) && !/^[[{"]/.test(value);
    area.value = value === undefined ? "" : isPlain ? value : printJson(value);
  };
  return inputControl(form, schema.label === undefined ? {} : { label: schema.label }, facts, area, read, show);
}

/** A file, sent as it is. */
export function fileControl(form: FormContext, schema: FormSchema, facts: FieldFacts): Control {
  const input = create("input", { type: "file", class: "playground-input" });
  const read = (): Reading => ({ value: input.files?.[0] });
  const show = (value: Value | undefined): void => {
    if (!(value instanceof File)) input.value = "";
  };
  return inputControl(form, { file: true, ...(schema.nullable ? { nullable: true } : {}) }, facts, input, read, show);
}

interface DateFormat {
  /** The type of the browser's own control. */
  readonly type: "date" | "datetime-local";
  /** The text that is sent for the control's value, such as `2026-05-01T09:30` in the reader's time zone. */
  print(value: string): string;
  /** The value of the control; empty or invalid if the text has another form. */
  parse(text: string): string;
}

/** The date formats of OpenAPI, and `unix-time`: seconds since 1970. */
const dateFormats: Readonly<Record<string, DateFormat>> = {
  date: { type: "date", print: (value) => value, parse: (text) => text },
  "date-time": {
    type: "datetime-local",
    print: (value) => new Date(value).toISOString().replace(".000", ""),
    parse: (text) => localTime(Date.parse(text)),
  },
  "unix-time": {
    type: "datetime-local",
    print: (value) => String(Date.parse(value) / 1000),
    parse: (text) => localTime(text.trim() === "" ? Number.NaN : Number(text) * 1000),
  },
};

/** @param timeMs since 1970; NaN, or out of range, if there is no time. */
function localTime(timeMs: number): string {
  const local = new Date(timeMs - new Date(timeMs).getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? "" : local.toISOString().slice(0, 19);
}

/**
 * A button that opens the browser's calendar for a text input. The input itself stays text, since an API may want a date format
 * that the browser's control does not support. Undefined if the format is not a date, or the browser cannot open its calendar.
 */
function datePicker(input: HTMLInputElement, format: string | undefined): HTMLElement | undefined {
  const dateFormat = format !== undefined && Object.hasOwn(dateFormats, format) ? dateFormats[format] : undefined;
  if (dateFormat === undefined || !("showPicker" in HTMLInputElement.prototype)) return undefined;
  const { type, print, parse } = dateFormat;
  // The browser shows the calendar at the position of this input, below the button.
  const picker = create("input", {
    type,
    tabindex: "-1",
    "aria-hidden": "true",
    ...(type === "date" ? {} : { step: "1" }),
  });
  picker.addEventListener("input", () => {
    if (picker.value === "") return;
    input.value = print(picker.value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const open = button(
    "playground-icon",
    say("pickDate"),
    () => {
      picker.value = parse(input.value);
      picker.showPicker();
    },
    drawing(outlines.calendar),
  );
  return box("playground-date", picker, open);
}
