/** Icons of the components: 24-unit outlines in the colour of the text around them. */
import { type Raw, raw } from "../../../lib/jsx/raw.js";
import icons from "../icons.json" with { type: "json" };

export type CalloutKind = keyof typeof icons.callouts;
export type ControlIcon = keyof typeof icons.controls;

/** @param size width and height in CSS pixels. */
const outline = (paths: string, size: number, attributes = ""): Raw =>
  raw(
    `<svg${attributes} width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

export const calloutIcon = (kind: CalloutKind): Raw => outline(icons.callouts[kind], 20);

export const controlIcon = (name: ControlIcon, size = 16): Raw =>
  outline(icons.controls[name], size, ' class="control-icon"');
