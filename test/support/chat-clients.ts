import { JSDOM } from "jsdom";

/** A chat of one of the published client packages, as a page would use it. */
export interface ChatClient {
  /** Resolves when the answer has ended in some way. */
  send(text: string): Promise<void>;
  stop(): void;
  readonly status: () => string;
  readonly error: () => string | undefined;
  /** Of the last message. */
  readonly text: () => string;
  readonly sources: () => readonly { readonly url: string; readonly title: string }[];
  readonly threadId: () => string | undefined;
  readonly messageCount: () => number;
  /** Ends the requests that the client has begun. */
  close(): Promise<void>;
}

export interface ChatSettings {
  /** Of the service, without a path. */
  readonly url: string;
  readonly key: string;
}

/** The packages whose clients read the second version. */
export const laterClients = ["ai5-first", "ai5", "ai6-first", "ai6", "ai7"] as const;

// The packages' types differ from release to release, and those of React are not installed.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;
const load = (name: string): Promise<Any> => import(name);

const body = { fp: "anonymous", retrievalPageSize: 5 };

/** `Chat` of `ai` 5 to 7 with its default transport. */
export async function openLaterClient(name: string, { url, key }: ChatSettings): Promise<ChatClient> {
  const { AbstractChat, DefaultChatTransport } = await load(name);
  let finishedThread: string | undefined;
  const state = {
    status: "ready",
    error: undefined as Error | undefined,
    messages: [] as Any[],
    pushMessage: (message: Any) => void state.messages.push(message),
    popMessage: () => void state.messages.pop(),
    replaceMessage: (index: number, message: Any) => {
      state.messages[index] = message;
    },
    snapshot: <T>(value: T): T => structuredClone(value),
  };
  class Chat extends AbstractChat {}
  const chat: Any = new (Chat as Any)({
    state,
    transport: new DefaultChatTransport({
      api: `${url}/discovery/v2/assistant/docs/message`,
      headers: { Authorization: `Bearer ${key}` },
      body: () => ({ ...body, ...(finishedThread ? { threadId: finishedThread } : {}) }),
    }),
    onData(part: Any) {
      if (part.type === "data-finish" && part.data.type === "finish") finishedThread = part.data.threadId;
    },
  });
  const last = (): Any => state.messages.at(-1);
  const partsOf = (type: string): Any[] => last().parts.filter((part: Any) => part.type === type);
  return {
    send: (text) => chat.sendMessage({ text }),
    stop: () => void chat.stop(),
    status: () => state.status,
    error: () => state.error?.message,
    text: () =>
      partsOf("text")
        .map(({ text }) => text)
        .join(""),
    sources: () => partsOf("source-url").map(({ url: address, title }) => ({ url: address, title })),
    threadId: () => (finishedThread === last().metadata?.threadId ? finishedThread : undefined),
    messageCount: () => state.messages.length,
    close: async () => {},
  };
}

const globals = ["window", "document", "IS_REACT_ACT_ENVIRONMENT"] as const;

/** `useChat` of `@ai-sdk/react` 1, the client of `ai` 4, set up as the published interface says. */
export async function openUseChat({ url, key }: ChatSettings): Promise<ChatClient> {
  const { window } = new JSDOM("<main></main>", { url: "https://docs.acme.com" });
  const before = globals.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: false });
  const [{ createElement }, { createRoot }, { useChat }] = await Promise.all(
    ["react", "react-dom/client", "@ai-sdk/react"].map(load),
  );
  let chat: Any;
  const render = () => {
    chat = useChat({
      api: `${url}/discovery/v1/assistant/docs/message`,
      headers: { Authorization: `Bearer ${key}` },
      streamProtocol: "data",
      sendExtraMessageFields: true,
      body,
      fetch,
    });
    return null;
  };
  const root = createRoot(window.document.querySelector("main"));
  root.render(createElement(render));
  const settled = () => new Promise((resolve) => setTimeout(resolve, 30));
  await settled();
  const last = (): Any => chat.messages.at(-1);
  const finish = (): Any => chat.data?.findLast((item: Any) => item.type === "finish");
  return {
    async send(text) {
      const threadId = finish()?.threadId;
      await chat.append({ role: "user", content: text }, threadId ? { body: { threadId } } : {});
      await settled();
    },
    stop: () => chat.stop(),
    status: () => chat.status,
    error: () => chat.error?.message,
    text: () => last().content,
    sources: () =>
      last().parts.flatMap(({ source }: Any) => (source ? [{ url: source.url, title: source.title }] : [])),
    threadId: () => (finish()?.threadId === last().annotations?.[0]?.threadId ? finish()?.threadId : undefined),
    messageCount: () => chat.messages.length,
    async close() {
      root.unmount();
      await settled();
      window.close();
      for (const [name, descriptor] of before)
        if (descriptor) Object.defineProperty(globalThis, name, descriptor);
        else Reflect.deleteProperty(globalThis, name);
    },
  };
}
