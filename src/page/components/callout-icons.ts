/** The icon of each kind of callout: 24-unit outlines in the colour of the text around them. */
import { type Raw, raw } from "../../lib/jsx/raw.js";

export type CalloutKind = "note" | "warning" | "info" | "tip" | "check" | "danger";

const paths: Readonly<Record<CalloutKind, string>> = {
  note: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5"/><path d="M12 8h.01"/>',
  info: '<rect x="3.5" y="3.5" width="17" height="17" rx="4"/><path d="M12 11v5"/><path d="M12 8h.01"/>',
  warning:
    '<path d="M10.3 4.3 2.7 17.5A2 2 0 0 0 4.4 20.5h15.2a2 2 0 0 0 1.7-3L13.7 4.3a2 2 0 0 0-3.4 0z"/><path d="M12 9.5v4"/><path d="M12 17h.01"/>',
  tip: '<path d="M9 18h6"/><path d="M10 21.5h4"/><path d="M8.5 14.5A6.5 6.5 0 1 1 15.5 14.5c-.7.6-1 1.2-1 2v1.5h-5v-1.5c0-.8-.3-1.4-1-2z"/>',
  check: '<circle cx="12" cy="12" r="9"/><path d="m8 12.3 2.7 2.7L16 9.5"/>',
  danger: '<path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3z"/><path d="M12 7.5v5.5"/><path d="M12 16.5h.01"/>',
};

export const calloutIcon = (kind: CalloutKind): Raw =>
  raw(
    `<svg width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths[kind]}</svg>`,
  );
