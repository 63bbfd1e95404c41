import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { component } from "./definition.js";
import { classes, Part } from "./shared/markup.js";
import { hasContent } from "./shared/nodes.js";
import { colorForms, isCssColor } from "./shared/tint.js";

/** A palette: `compact` is a list of swatches, `table` has titled rows of them. */
export const color = component({
  stylesheet: "color",
  props: { variant: "text" },
  choices: { variant: "compact table" },
  contains: ["Color.Item", "Color.Row"],
  render: (props) => (
    <div
      class={classes("color", props.className)}
      id={props.id}
      data-variant={props.variant === "table" ? "table" : "compact"}
    >
      {props.children}
    </div>
  ),
});

export const colorRow = component({
  props: { title: "label" },
  contains: ["Color.Item"],
  render: (props) => (
    <div class={classes("color-row", props.className)} id={props.id}>
      {hasContent(props.title) && <Part name="color-row-title">{props.title}</Part>}
      <div class="color-row-items">{props.children}</div>
    </div>
  ),
});

/** One colour. A click copies `data-copy`, or `data-copy-dark` in dark mode; then `data-copied` is set for 2 s. */
export const colorItem = component({
  props: {
    name: "text",
    /** A CSS colour, or one per mode: `{light, dark}`. */
    value: "value",
  },
  forms: { value: { test: colorForms, wanted: "a CSS color, such as #0D9373" } },
  render(props) {
    const { light, dark } = valuesOf(props.value);
    return (
      <button
        type="button"
        class={classes("color-item", props.className)}
        id={props.id}
        data-copy={light}
        data-copy-dark={dark === light ? undefined : dark}
      >
        <Part as="span" name="color-swatch">
          {swatchOf(light, dark === light ? undefined : "color-light")}
          {dark !== light && swatchOf(dark, "color-dark")}
        </Part>
        <span class="color-text">
          {props.name !== undefined && (
            <Part as="span" name="color-name">
              {props.name}
            </Part>
          )}{" "}
          <span class={classes("color-value", dark !== light && "color-light")} data-component-part="color-value">
            {light}
          </span>{" "}
          {dark !== light && (
            <span class="color-value color-dark" data-component-part="color-value">
              {dark}
            </span>
          )}
        </span>
      </button>
    );
  },
});

function valuesOf(value: unknown): { readonly light: string; readonly dark: string } {
  if (typeof value === "string") return { light: value, dark: value };
  const { light, dark } = (value ?? {}) as { readonly light?: unknown; readonly dark?: unknown };
  const first = [light, dark].find((color) => typeof color === "string") ?? "none";
  return { light: first, dark: typeof dark === "string" ? dark : first };
}

function swatchOf(value: string, className: string | undefined): JsxNode {
  return (
    <svg class={className} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="1" height="1" fill={isCssColor(value) ? value.trim() : "none"} />
    </svg>
  );
}
