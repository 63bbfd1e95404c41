import { decodePercent } from "../../lib/url/paths.js";
import { copy } from "../copy.js";
import { all, create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import type { FindSections } from "../search/search-host.js";
import type { AssistantHost } from "./assistant-host.js";
import { renderBlock, splitBlocks } from "./markdown.js";
import type { Source, Turn } from "./session.js";

interface TurnActions {
  readonly rate: (helpful: boolean) => void;
  readonly retry: () => void;
}

export interface TurnView {
  readonly element: HTMLElement;
  /** Shows the current state of the turn. `note` describes the progress until the answer begins. */
  readonly update: (note?: string) => void;
  /** Shows search results instead of an answer. */
  readonly showResults: (message: string, results: Node) => void;
}

export function createTurnView(host: AssistantHost, turn: Turn, { rate, retry }: TurnActions): TurnView {
  const { texts } = host;
  const hidden = (text: string): HTMLElement => create("span", "visually-hidden", text);
  const question = create("div", "assistant-question", hidden(`${texts.question}: `), turn.question);
  if (turn.about)
    question.prepend(create("div", "assistant-subject", drawing(outlines.quote), create("span", {}, turn.about.text)));
  const answer = create("div", "assistant-answer");
  const sources = create("div", "assistant-sources");
  const progress = create("div", "assistant-progress");
  const foot = create("div", "assistant-actions");
  const reply = create("div", "assistant-reply", hidden(`${texts.answer}: `), progress, answer, sources, foot);
  const element = create("div", "assistant-turn", question, reply);

  let blocks: string[] = [];
  const showAnswer = (): void => {
    const isOpen = turn.state === "open";
    const newBlocks = splitBlocks(isOpen ? withoutUnfinishedLink(turn.answer) : turn.answer);
    newBlocks.forEach((block, at) => {
      const isLast = at === newBlocks.length - 1;
      // Keep finished blocks. The last one may still grow, and once the answer is complete, citations get their titles.
      if (block === blocks[at] && isOpen && !isLast) return;
      const node = renderBlock(block, {
        isIncomplete: isOpen && isLast,
        link: (href, label) => answerLink(host, turn, href, label),
        codeActions: (code) => iconButton(outlines.copy, texts.copy, (button) => copy(code, button)),
      });
      const previous = answer.children[at];
      if (previous) previous.replaceWith(node);
      else answer.append(node);
    });
    for (const leftOver of [...answer.children].slice(newBlocks.length)) leftOver.remove();
    blocks = newBlocks;
  };

  const showFoot = (): void => {
    const copyButton = iconButton(outlines.copy, texts.copyAnswer, (button) => copy(plainAnswer(turn), button));
    const vote = (helpful: boolean): HTMLElement => {
      const [outline, label] = helpful
        ? ([outlines.thumbUp, texts.helpful] as const)
        : ([outlines.thumbDown, texts.notHelpful] as const);
      const button = iconButton(outline, label, () => {
        rate(helpful);
        for (const other of all("[aria-pressed]", foot)) other.ariaPressed = String(other === button);
      });
      button.ariaPressed = String(turn.helpful === helpful);
      return button;
    };
    const canRate = turn.state === "done" && turn.messageId !== undefined;
    foot.replaceChildren(
      ...(turn.answer === "" ? [] : [copyButton]),
      ...(canRate ? [vote(true), vote(false)] : []),
      ...(turn.state === "done" ? [] : [retryButton()]),
    );
  };
  const retryButton = (): HTMLElement => {
    const button = create(
      "button",
      { type: "button", class: "assistant-retry" },
      drawing(outlines.recent),
      texts.retry,
    );
    button.addEventListener("click", retry);
    return button;
  };

  return {
    element,
    update(note) {
      const isOpen = turn.state === "open";
      reply.toggleAttribute("data-open", isOpen);
      const message = isOpen ? (turn.answer === "" ? note : undefined) : endMessage(turn, host);
      progress.replaceChildren(...(message ? [message] : []));
      progress.toggleAttribute("data-busy", isOpen);
      showAnswer();
      if (isOpen) return foot.replaceChildren();
      sources.replaceChildren(...(turn.sources.length > 0 ? sourceList(host, turn) : []));
      showFoot();
    },
    showResults(message, results) {
      progress.replaceChildren(message);
      progress.removeAttribute("data-busy");
      sources.replaceChildren(results);
      showFoot();
    },
  };
}

const endMessage = ({ state }: Turn, { texts }: AssistantHost): string | undefined =>
  state === "failed" ? texts.failed : state === "stopped" ? texts.stopped : undefined;

/** Removes an incomplete link at the end. */
const withoutUnfinishedLink = (text: string): string =>
  text.replace(/\[{1,2}[^[\]\n]{0,200}(?:\]\]?(?:\([^()\s]{0,500})?)?$/, "");

/** The answer with its sources, as Markdown. */
const plainAnswer = ({ answer, sources }: Turn): string =>
  [answer.trim(), sources.map(({ id, url, title }) => `[${id}] ${title}: ${url}`).join("\n")]
    .filter(Boolean)
    .join("\n\n");

function sourceList(host: AssistantHost, { sources, found }: Turn): Node[] {
  const list = sources.map((source) => sourceCard(source, localAddress(host.root, source.url, found)));
  return [
    create("div", "assistant-sources-title", host.texts.sources),
    create("ol", "assistant-cards", ...list.map((card) => create("li", {}, card))),
  ];
}

function sourceCard({ id, url, title, quote }: Source, href: string | undefined): HTMLElement {
  const { host = "", pathname = "" } = URL.canParse(url) ? new URL(url) : {};
  const place = pathname === "/" ? host : pathname.replace(/\.html$/, "");
  const element = card(id, title, place, href ?? "", href === url);
  if (quote) element.append(create("q", "assistant-card-quote", quote));
  return element;
}

/** A section as a card: its number, title and place. */
const card = (number: string, title: string, place: string, href: string, isOutside = false): HTMLElement =>
  create(
    "a",
    { class: "assistant-card", href, ...(isOutside && { target: "_blank", rel: "noopener noreferrer" }) },
    create("span", { class: "assistant-mark", "aria-hidden": "true" }, number),
    create("span", "assistant-card-title", title),
    create("span", "assistant-card-place", create("bdi", {}, decodePercent(place))),
  );

export function iconButton(outline: string, label: string, act: (button: HTMLElement) => void): HTMLElement {
  const attributes = { type: "button", class: "assistant-icon", "aria-label": label, title: label };
  const button = create("button", attributes, drawing(outline));
  button.addEventListener("click", () => act(button));
  return button;
}

/** The relative URL of a section in this bundle; other web addresses as they are; undefined for unsafe ones. */
function localAddress(root: string, url: string, found: Turn["found"]): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const [target = "", anchor] = url.split("#");
  for (const section of found) {
    const [address, place] = [section.url, section.path].map((text) => text.split("#")[0]!.replace(/\/$/, "")) as [
      string,
      string,
    ];
    const base = address.slice(0, address.length - place.length);
    if (!address.endsWith(place) || !`${target}/`.startsWith(`${base}/`)) continue;
    const file = target.slice(base.length).replace(/^\/|\/$/g, "") || "index";
    return `${root}${file}.html${anchor ? `#${anchor}` : ""}`;
  }
  return url;
}

/** A link in an answer. The number of a source becomes a mark. */
function answerLink({ root, texts }: AssistantHost, turn: Turn, url: string, label: string) {
  const href = localAddress(root, url, turn.found);
  if (href === undefined) return undefined;
  const link = create("a", { href });
  if (href === url) Object.assign(link, { target: "_blank", rel: "noopener noreferrer" });
  const number = /^\[?(\d{1,3})\]?$/.exec(label)?.[1];
  if (number === undefined) return link;
  const title = turn.sources.find(({ id }) => id === number)?.title;
  link.className = "assistant-mark";
  link.append(number);
  link.ariaLabel = `${texts.source.replace("%", number)}${title ? `: ${title}` : ""}`;
  if (title) link.title = title;
  return link;
}

declare global {
  interface Window {
    /** The search script sets it. */
    offprintFind?: FindSections;
  }
}

const maxResults = 5;

/** Search results for a question as cards; undefined if there are none. */
export async function searchResults(
  { root, search }: AssistantHost,
  question: string,
): Promise<HTMLElement | undefined> {
  try {
    const host = await search?.();
    const hits = host ? await window.offprintFind!(host, question) : [];
    if (hits.length === 0) return undefined;
    const cards = hits
      .slice(0, maxResults)
      .map(({ title, trail, href }, at) =>
        create("li", {}, card(String(at + 1), title, trail.join(" › "), root + href)),
      );
    return create("ol", "assistant-cards", ...cards);
  } catch {
    return undefined;
  }
}
