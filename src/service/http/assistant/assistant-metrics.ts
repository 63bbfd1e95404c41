import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Refusal, Usage } from "../../assistant/index.js";
import type { TurnOutcome } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import texts from "./texts.json" with { type: "json" };

export type AssistantMetrics = ReturnType<typeof createAssistantMetrics>;

export function createAssistantMetrics(register: Registry, streams: () => number) {
  const registers = [register];
  const answers = new Counter({
    name: "offprint_assistant_answers_total",
    help: "Answers of the assistant, by how they ended.",
    labelNames: ["version", "outcome"],
    registers,
  });
  const firstText = new Histogram({
    name: "offprint_assistant_first_text_seconds",
    help: "Time from a question to the first text of its answer.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const tokens = new Counter({
    name: "offprint_assistant_tokens_total",
    help: "Tokens of the model.",
    labelNames: ["kind"],
    registers,
  });
  const refusals = new Counter({
    name: "offprint_assistant_refusals_total",
    help: "Requests above a limit.",
    labelNames: ["limit"],
    registers,
  });
  new Gauge({
    name: "offprint_assistant_streams",
    help: "Answers that are being sent.",
    registers,
    collect() {
      this.set(streams());
    },
  });
  return {
    firstText: (seconds: number) => firstText.observe(seconds),
    end(version: string, outcome: TurnOutcome, { promptTokens, completionTokens }: Usage) {
      answers.inc({ version, outcome });
      tokens.inc({ kind: "prompt" }, promptTokens);
      tokens.inc({ kind: "completion" }, completionTokens);
    },
    refused: (limit: string) => refusals.inc({ limit }),
  };
}

export function tooMany(
  { limit, retrySeconds }: Refusal,
  metrics: AssistantMetrics | undefined,
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  metrics?.refused(limit);
  return new ApiError(429, `${texts.limits[limit]} Try again in ${retrySeconds} seconds.`, {
    ...headers,
    "Retry-After": String(retrySeconds),
  });
}
