import type { ModelOptions } from "../../assistant/index.js";
import type { ChangeLimits } from "./site-files.js";

/** What a model is to do in the process of an agent job, which does not get its key. */
export interface ModelTask extends Pick<ModelOptions, "provider" | "url" | "model"> {
  readonly prompt: string;
  /** The conversation before, oldest first. */
  readonly earlier: readonly { readonly prompt: string; readonly reply?: string }[];
  /** What the site's owners say about its texts. */
  readonly instructions?: string;
  readonly limits: ChangeLimits;
}

/** Why the model's work ended before it was done. */
export const endings = ["requests", "tokens", "time", "length", "files", "lines", "bytes", "calls"] as const;
export type Ending = (typeof endings)[number];

/** What the worker says to a request to the model. */
export type ModelAnswer = { readonly body: string } | { readonly ended: Ending };
