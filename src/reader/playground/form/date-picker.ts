import { create, drawing } from "../../dom.js";
import * as outlines from "../../icon-outlines.js";
import { say } from "../messages.js";
import { box, button } from "./field.js";

interface DateFormat {
  /** Of the browser's own control. */
  readonly type: "date" | "datetime-local";
  /** The text that is sent for the control's value, such as `2026-05-01T09:30` in the reader's time zone. */
  print(value: string): string;
  /** The value of the control; empty or invalid if the text has another form. */
  parse(text: string): string;
}

/** Of formats of OpenAPI, and `unix-time`: seconds since 1970. */
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
 * A button that opens the browser's calendar for a text input. The input stays a text, since an API may want a form of date
 * that the browser's control cannot hold. Undefined if the format is no date, or the browser cannot open its calendar.
 */
export function datePicker(input: HTMLInputElement, format: string | undefined): HTMLElement | undefined {
  const known = format !== undefined && Object.hasOwn(dateFormats, format) ? dateFormats[format] : undefined;
  if (known === undefined || !("showPicker" in HTMLInputElement.prototype)) return undefined;
  const { type, print, parse } = known;
  // Below the button, where the browser shows the calendar.
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
