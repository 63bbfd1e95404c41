import { shownPassages, streamHeaders, toolCall, type Wire } from "./wire.js";

/**
 * The UI message stream of `ai` 5 to 7: server-sent events. The first releases of 5 and 6 refuse keys that they do not
 * know, so the thread is only in `messageMetadata` and in a transient data part.
 */
export const v2Wire: Wire = {
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
    const endOfText = (): string => {
      const end = hasText ? part({ type: "text-end", id }) : "";
      hasText = false;
      return end;
    };
    return {
      start: part({ type: "start", messageId, messageMetadata }) + part({ type: "start-step" }),
      textOf(event) {
        if (event.kind === "search") {
          const { toolCallId } = toolCall;
          const byServer = { providerExecuted: true };
          return (
            part({ type: "tool-input-available", ...toolCall, input: { query: event.query }, ...byServer }) +
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
          const { id: sourceId, url, title } = event;
          return endOfText() + part({ type: "source-url", sourceId, url, title });
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
