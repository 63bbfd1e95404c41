import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { LimitCounter, Refusal, TurnWriter, Usage } from "../../assistant/index.js";
import type { AccountStore, ApiKey, Project, ThreadStore, TurnOutcome } from "../../jobs/index.js";
import { type ApiError, tryLater } from "../api-error.js";
import type { Assistant } from "../public-types.js";
import texts from "./texts.json" with { type: "json" };

/** Of a request. */
export const maxBodyBytes = 256 * 1024;

export interface AssistantDeps extends Assistant {
  readonly accounts: AssistantAccounts;
  readonly threads: ThreadStore;
  readonly counter: LimitCounter;
  readonly writer: TurnWriter;
  readonly metrics?: AssistantMetrics;
  readonly now: () => number;
  /** Called with an unexpected error while an answer is sent. */
  readonly onFault: (requestId: string, error: unknown) => void;
  readonly keepAliveMs?: number;
}

type AssistantAccounts = Pick<AccountStore, "findKey" | "markKeyUsed" | "projectByName">;

/** Reads a key or site once a turn of the event loop, so that revoking a key takes effect at once. */
export function shareReads(accounts: AssistantAccounts): AssistantAccounts {
  const keys = createShareTurn<ApiKey | undefined>();
  const projects = createShareTurn<Project | undefined>();
  const marks = createShareTurn<void>();
  return {
    findKey: (secret) => keys(secret, () => accounts.findKey(secret)),
    markKeyUsed: (key) => marks(key.keyId, () => accounts.markKeyUsed(key)),
    projectByName: (organizationId, name) =>
      projects(`${organizationId} ${name}`, () => accounts.projectByName(organizationId, name)),
  };
}

/** Resolves with the value of a key. Reads it only if it has not been read within this turn of the event loop. */
type ShareTurn<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/** Of many requests that arrive together, one reads for all. Nothing is cached for the next turn. */
function createShareTurn<Value>(): ShareTurn<Value> {
  const reads = new Map<string, Promise<Value>>();
  return (key, read) => {
    const pending = reads.get(key);
    if (pending !== undefined) return pending;
    if (reads.size === 0) setImmediate(() => reads.clear());
    const value = read();
    reads.set(key, value);
    return value;
  };
}

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
  return tryLater(429, `${texts.limits[limit]} Try again in ${retrySeconds} seconds.`, retrySeconds, headers);
}
