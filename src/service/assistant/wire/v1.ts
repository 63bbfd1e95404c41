import { shownPassages, streamHeaders, toolCall, type Wire } from "./wire.js";

/**
 * The data stream of `ai` 4: a line for each part, `code:JSON`. That client drops unknown keys of `d`, so `2` and `8`
 * carry the thread; it takes a stream that ends without `d` for a complete one, so a failure is sent as `3`.
 */
export const v1Wire: Wire = {
  headers: { ...streamHeaders, "Content-Type": "text/plain; charset=utf-8", "X-Vercel-AI-Data-Stream": "v1" },
  keepAlive: "\n",
  encode({ threadId, messageId }) {
    const step = line("f", { messageId });
    return {
      start: step,
      textOf(event) {
        if (event.kind === "search") {
          const { toolCallId } = toolCall;
          return (
            line("9", { ...toolCall, args: { query: event.query } }) +
            line("a", { toolCallId, result: shownPassages(event.passages) }) +
            line("e", { finishReason: "tool-calls", usage: noTokens, isContinued: false }) +
            step
          );
        }
        if (event.kind === "text") return line("0", event.text);
        if (event.kind === "source") {
          const { id, url, title } = event;
          return line("h", { sourceType: "url", id, url, title });
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

const noTokens = { promptTokens: 0, completionTokens: 0 };

const line = (code: string, value: unknown): string => `${code}:${JSON.stringify(value)}\n`;
