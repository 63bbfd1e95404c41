/** The script of the assistant's panel, loaded when a reader first opens it. */
import type { AssistantHost, Subject } from "./assistant-host.js";
import { createComposer } from "./composer.js";
import { createPanel, welcome } from "./panel.js";
import { randomName, readSession, type Turn, writeSession } from "./session.js";
import { createTurnView, searchResults, type TurnView } from "./turn-view.js";

let conversation: ReturnType<typeof createConversation> | undefined;

window.offprintOpenAssistant = (host, { question, subject, toggle = false, isReopened = false }) => {
  conversation ??= createConversation(host);
  if (toggle && conversation.isOpen()) return conversation.close();
  conversation.open(!isReopened);
  if (subject) conversation.setSubject(subject);
  if (question) conversation.ask(question);
};

/** The service's limit, in characters. */
const maxPathLength = 200;

/** The panel with the conversation of this tab. */
function createConversation(host: AssistantHost) {
  const { root, texts } = host;
  const session = readSession(root);
  const save = (): void => writeSession(root, session);
  let running: AbortController | undefined;

  const composer = createComposer(host, {
    send: (text, subject) => void askNow(text, subject),
    stop: () => running?.abort(),
    lastQuestion: () => session.turns.at(-1)?.question,
  });
  const panel = createPanel(host, composer.element, {
    restart: () => {
      running?.abort();
      Object.assign(session, { turns: [], threadId: undefined, fp: randomName() });
      save();
      showAll();
      composer.field.focus();
    },
    widen: () => {
      session.isWide = !session.isWide;
      panel.setWide(session.isWide);
      save();
    },
    onClose: () => {
      session.isOpen = false;
      save();
      host.opener.focus();
    },
  });

  const createView = (turn: Turn): TurnView =>
    createTurnView(host, turn, {
      rate: (helpful) => {
        turn.helpful = helpful;
        save();
        panel.announce(texts.thanks);
        const { threadId } = session;
        send(host, "feedback", { threadId, messageId: turn.messageId, helpful }).catch(() => {});
      },
      retry: () => {
        if (running) return;
        session.turns = session.turns.filter((other) => other !== turn);
        showAll();
        void askNow(turn.question, turn.about);
      },
    });
  const showAll = (): void => {
    const views = session.turns.map(createView);
    for (const view of views) view.update();
    panel.log.replaceChildren(...(views.length > 0 ? views.map(({ element }) => element) : [start()]));
    panel.setNote(session.isVerbatim ? texts.verbatim : texts.mayBeWrong);
  };
  const start = (): HTMLElement => welcome(host, (question) => void askNow(question));

  const askNow = async (question: string, subject?: Subject): Promise<void> => {
    running?.abort();
    const stop = new AbortController();
    running = stop;
    const turn: Turn = { question, about: subject, answer: "", sources: [], state: "open", found: [] };
    session.turns.push(turn);
    const view = createView(turn);
    if (session.turns.length === 1) panel.log.replaceChildren();
    panel.log.append(view.element);
    composer.setBusy(true);
    view.update(texts.searching);
    panel.announce(texts.searching);
    panel.follow(true);
    let isScheduled = false;
    const show = (note?: string): void => {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(() => {
        isScheduled = false;
        if (turn.state !== "open") return;
        view.update(note);
        panel.follow();
      });
    };
    let reason: unknown;
    try {
      await receive(turn, stop.signal, show);
      turn.state = "done";
    } catch (error) {
      reason = error;
      turn.state = stop.signal.aborted ? "stopped" : "failed";
    }
    // Do this before `update` shows the retry button, which does nothing while an answer is running.
    if (running === stop) {
      running = undefined;
      composer.setBusy(false);
    }
    view.update();
    if (turn.state === "failed" && turn.answer === "") {
      // The service answers with 503 before its first export, and while its database is unavailable.
      const byStatus: Readonly<Record<number, string>> = { 429: texts.tooMany, 503: texts.notReady };
      const message = (reason instanceof Refusal && byStatus[reason.status]) || texts.unreachable;
      const results = await searchResults(host, question);
      if (!session.turns.includes(turn)) return;
      if (results) view.showResults(`${message} ${texts.instead}`, results);
      else view.showResults(message, document.createTextNode(""));
      panel.announce(message);
    } else panel.announce(view.element.querySelector(".assistant-answer")!.textContent!);
    panel.setNote(session.isVerbatim ? texts.verbatim : texts.mayBeWrong);
    panel.follow();
    save();
  };

  const receive = async (turn: Turn, signal: AbortSignal, show: (note?: string) => void): Promise<void> => {
    const sources = new Map<string, Turn["sources"][number]>();
    const read = async (body: QuestionBody): Promise<void> => {
      const onHead = (head: Headers): void => {
        session.threadId = head.get("X-Thread-Id") ?? session.threadId;
      };
      for await (const part of ask(host, body, signal, onHead)) {
        session.threadId = part.messageMetadata?.threadId ?? session.threadId;
        if (part.messageMetadata?.model !== undefined) session.isVerbatim = part.messageMetadata.model === "none";
        if (part.type === "start") turn.messageId = part.messageId;
        else if (part.type === "tool-output-available") {
          // A language model may search several times.
          const sections = [...turn.found, ...(part.output ?? [])];
          turn.found = [...new Map(sections.map(({ path, url }) => [url, { path, url }])).values()];
          show(texts.reading.replace("%", String(turn.found.length)));
        } else if (part.type === "text-delta") {
          turn.answer += part.delta ?? "";
          show();
        } else if (part.type === "source-url" && part.sourceId && part.url)
          sources.set(part.sourceId, {
            id: part.sourceId,
            url: part.url,
            title: part.title ?? part.url,
            quote: part.providerMetadata?.offprint?.quote,
          });
        else if (part.type === "error") throw new Error(part.errorText);
        turn.sources = [...sources.values()];
      }
    };
    const body = questionBody(turn);
    try {
      await read(body);
    } catch (error) {
      // The service may have another export without this version or language, or have deleted the thread: ask without them.
      if (!(error instanceof Refusal) || ![400, 404].includes(error.status)) throw error;
      if (!body.filter && !body.threadId) throw error;
      session.threadId = undefined;
      await read({ ...body, filter: undefined, threadId: undefined });
    }
  };

  const questionBody = ({ question, about }: Turn): QuestionBody => {
    const { threadId, fp } = session;
    const path = document.documentElement.dataset.currentPath;
    const currentPath = path && path.length <= maxPathLength ? path : undefined;
    const type = about?.kind === "code" ? "code" : "textSelection";
    return {
      fp,
      messages: [{ id: randomName(), role: "user", parts: [{ type: "text", text: question }] }],
      threadId,
      currentPath,
      ...(about && { context: [{ type, value: about.text, path: currentPath }] }),
      ...(Object.keys(host.filter).length > 0 && { filter: host.filter }),
    };
  };

  for (const turn of session.turns) if (turn.state === "open") turn.state = "stopped";
  // The next page shows the draft and an unfinished answer.
  addEventListener("pagehide", () => {
    if (!running && session.draft === composer.field.value) return;
    session.draft = composer.field.value;
    save();
  });
  composer.field.value = session.draft;
  panel.setWide(session.isWide);
  showAll();

  return {
    isOpen: () => panel.dialog.open,
    open: (takesFocus: boolean) => {
      session.isOpen = true;
      save();
      if (!panel.dialog.open) panel.open();
      panel.follow(true);
      if (takesFocus) composer.field.focus();
    },
    close: panel.close,
    setSubject: composer.setSubject,
    ask: (question: string) => void askNow(question),
  };
}

/** The body of a request with a question. */
interface QuestionBody {
  readonly fp: string;
  readonly messages: readonly object[];
  readonly threadId?: string | undefined;
  readonly currentPath?: string | undefined;
  readonly context?: readonly object[];
  readonly filter?: object | undefined;
}

/** A part of the stream, with the fields of its type only. */
interface AnswerPart {
  readonly type: string;
  readonly messageId?: string;
  readonly messageMetadata?: { readonly threadId?: string; readonly model?: string };
  readonly output?: readonly { readonly path: string; readonly url: string }[];
  readonly delta?: string;
  readonly sourceId?: string;
  readonly url?: string;
  readonly title?: string;
  readonly providerMetadata?: { readonly offprint?: { readonly quote?: string } };
  readonly errorText?: string;
}

/** The service refused a request. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}

/** The service sends something at least every ten seconds. */
const maxSilenceMs = 45_000;

/**
 * Yields the parts of an answer until it is complete.
 *
 * @throws {Refusal} if the service refuses the question; another error if it cannot be reached or the answer breaks off.
 */
async function* ask(host: AssistantHost, body: QuestionBody, signal: AbortSignal, onHead: (head: Headers) => void) {
  const silence = new AbortController();
  const stop = (): void => silence.abort();
  signal.addEventListener("abort", stop);
  let timer = setTimeout(stop, maxSilenceMs);
  try {
    const response = await send(host, "message", body, silence.signal);
    onHead(response.headers);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    while (true) {
      const { done, value } = await reader.read();
      if (done) throw new Error("The answer is not complete.");
      clearTimeout(timer);
      timer = setTimeout(stop, maxSilenceMs);
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const data = /^data: ?(.*)$/.exec(line.replace(/\r$/, ""))?.[1];
        if (data === "[DONE]") return;
        if (data) yield JSON.parse(data) as AnswerPart;
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    stop();
  }
}

async function send(host: AssistantHost, route: string, body: object, signal?: AbortSignal): Promise<Response> {
  const { url, domain, key } = host;
  const response = await fetch(`${url}/discovery/v2/assistant/${encodeURIComponent(domain)}/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  });
  if (!response.ok) throw new Refusal(response.status);
  return response;
}
