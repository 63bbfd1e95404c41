import type { Network } from "../../../lib/fetch/index.js";

/** The model that answers, and its limits. */
export interface ModelOptions {
  /** "openai": a server that speaks OpenAI's chat completions, such as Ollama, vLLM or llama.cpp. */
  readonly provider: "openai" | "anthropic";
  /**
   * Without the slash at the end: `http://localhost:11434/v1`. Private addresses are allowed, since the operator wrote
   * it.
   */
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  /** Longest answer, in tokens. */
  readonly maxAnswerTokens?: number;
  /** Longest prompt, in estimated tokens, with all that the model reads: older turns and then passages are left out. */
  readonly maxPromptTokens?: number;
  /** How long the model may take to begin, in milliseconds. */
  readonly firstTokenMs?: number;
  /** Longest pause between two pieces of an answer, in milliseconds. */
  readonly idleMs?: number;
  /**
   * Whether the model may search and read pages by itself. Default: yes, unless its server refuses requests with tools.
   */
  readonly tools?: boolean;
  readonly network?: Network;
}

export const modelDefaults = {
  maxAnswerTokens: 2000,
  maxPromptTokens: 8000,
  firstTokenMs: 30_000,
  idleMs: 60_000,
} as const satisfies Partial<ModelOptions>;
