import { type AnswerEvent, noUsage, type Passage } from "./answer.js";

/** The events of an answer, or its failure as the last one. */
export type ReplyEvent =
  | Exclude<AnswerEvent, SourceEvent>
  /** `quote`: the sentence of the source that the answer relies on. */
  | (SourceEvent & { readonly quote?: string | undefined })
  | { readonly kind: "failure"; readonly message: string };
type SourceEvent = Extract<AnswerEvent, { readonly kind: "source" }>;

export interface ReplyFacts {
  readonly threadId: string;
  /** Only of a new thread. */
  readonly threadKey?: string;
  readonly messageId: string;
  /** Whether a model writes the answer. Without one it consists of passages. */
  readonly hasModel: boolean;
}

/** How the events of a reply are written for a kind of client. */
export interface StreamFormat {
  readonly headers: Readonly<Record<string, string>>;
  /** What a client skips. */
  readonly keepAlive: string;
  /** Each text is complete: clients read a line or an event only once it has ended. */
  encode(reply: ReplyFacts): {
    /** What comes before all events. */
    readonly start: string;
    textOf(event: ReplyEvent): string;
  };
}

/** The headers of both formats: nothing between us and the client may hold back parts of the stream. */
const streamHeaders = { "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no" };

type LookUp = Extract<AnswerEvent, { readonly kind: "search" | "read" }>;

/** A search or a page that is read, as the call of a tool. @param number counts from 1. */
const toolCallOf = (event: LookUp, number: number) => ({
  call: { toolCallId: `s${number}`, toolName: event.kind === "search" ? "search" : "read_page" },
  input: event.kind === "search" ? { query: event.query } : { path: event.path },
});

/** The result of a search as clients show it. */
const shownPassages = (passages: readonly Passage[]) =>
  passages.map((passage) => {
    const { url, title, heading } = passage;
    return { path: shownPath(passage), url, metadata: heading === "" ? { title } : { title, heading } };
  });

/** Clients that know nothing of it pass it on, or drop it. */
const quoteOf = (quote: string | undefined) =>
  quote === undefined ? {} : { providerMetadata: { offprint: { quote } } };

/** `/guides/install#requirements` */
export const shownPath = ({ path, anchor }: Passage): string => (anchor === "" ? path : `${path}#${anchor}`);

/**
 * The data stream of `ai` 4: a line for each part, `code:JSON`. That client drops unknown keys of `d`, so `2` and `8`
 * carry the thread; it takes a stream that ends without `d` for a complete one, so a failure is sent as `3`.
 */
export const aiSdk4Format: StreamFormat = {
  headers: { ...streamHeaders, "Content-Type": "text/plain; charset=utf-8", "X-Vercel-AI-Data-Stream": "v1" },
  keepAlive: "\n",
  encode({ threadId, messageId }) {
    const step = line("f", { messageId });
    let calls = 0;
    return {
      start: step,
      textOf(event) {
        if (event.kind === "search" || event.kind === "read") {
          const { call, input } = toolCallOf(event, ++calls);
          return (
            line("9", { ...call, args: input }) +
            line("a", { toolCallId: call.toolCallId, result: shownPassages(event.passages) }) +
            line("e", { finishReason: "tool-calls", usage: noUsage, isContinued: false }) +
            step
          );
        }
        if (event.kind === "text") return line("0", event.text);
        if (event.kind === "source") {
          const { id, url, title, quote } = event;
          return line("h", { sourceType: "url", id, url, title, ...quoteOf(quote) });
        }
        if (event.kind === "failure") return line("3", event.message);
        const { usage } = event;
        const finish = { type: "finish", threadId };
        return (
          line("2", [finish]) +
          line("8", [finish]) +
          line("e", { finishReason: "stop", usage, isContinued: false }) +
          line("d", { finishReason: "stop", usage, ...finish })
        );
      },
    };
  },
};

const line = (code: string, value: unknown): string => `${code}:${JSON.stringify(value)}\n`;

/** The UI message stream of `ai` 5 to 7, whose first releases refuse unknown keys, so the thread is in metadata. */
export const aiSdk5Format: StreamFormat = {
  headers: {
    ...streamHeaders,
    "Content-Type": "text/event-stream",
    "X-Vercel-AI-UI-Message-Stream": "v1",
  },
  keepAlive: ": \n\n",
  encode({ threadId, messageId, hasModel }) {
    const messageMetadata = hasModel ? { threadId } : { threadId, model: "none" };
    const id = "t1";
    let hasText = false;
    let calls = 0;
    const endOfText = (): string => {
      const end = hasText ? part({ type: "text-end", id }) : "";
      hasText = false;
      return end;
    };
    return {
      start: part({ type: "start", messageId, messageMetadata }) + part({ type: "start-step" }),
      textOf(event) {
        if (event.kind === "search" || event.kind === "read") {
          const { call, input } = toolCallOf(event, ++calls);
          const { toolCallId } = call;
          const byServer = { providerExecuted: true };
          return (
            endOfText() +
            part({ type: "tool-input-available", ...call, input, ...byServer }) +
            part({ type: "tool-output-available", toolCallId, output: shownPassages(event.passages), ...byServer }) +
            part({ type: "finish-step" }) +
            part({ type: "start-step" })
          );
        }
        if (event.kind === "text") {
          const start = hasText ? "" : part({ type: "text-start", id });
          hasText = true;
          return start + part({ type: "text-delta", id, delta: event.text });
        }
        if (event.kind === "source") {
          const { id: sourceId, url, title, quote } = event;
          return endOfText() + part({ type: "source-url", sourceId, url, title, ...quoteOf(quote) });
        }
        if (event.kind === "failure") return part({ type: "error", errorText: event.message }) + done;
        return (
          endOfText() +
          part({ type: "data-finish", transient: true, data: { type: "finish", threadId } }) +
          part({ type: "finish-step" }) +
          part({ type: "finish", messageMetadata }) +
          done
        );
      },
    };
  },
};

const done = "data: [DONE]\n\n";

const part = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
