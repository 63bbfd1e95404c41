import type { Diagnostic } from "../lib/diagnostic/index.js";

/** What a preview reports, for terminals and editors. */
export type PreviewEvent =
  | { readonly type: "ready"; readonly url: string; readonly port: number; readonly pages: number; readonly ms: number }
  /** Files of the site have changed. `files` is absent if any may have. */
  | {
      readonly type: "changed";
      readonly files?: readonly string[] | undefined;
      readonly isPlan: boolean;
      readonly ms: number;
    }
  /** A page has been made. */
  | { readonly type: "page"; readonly path: string; readonly source: string; readonly ms: number }
  /** All findings about a page, or about the site if there is no `path`. Sent when they change. */
  | { readonly type: "diagnostics"; readonly path?: string; readonly diagnostics: readonly Diagnostic[] }
  /** Something outside of the site fails; the preview goes on. */
  | { readonly type: "error"; readonly message: string };
