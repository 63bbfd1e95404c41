import { all, create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import type { AssistantHost } from "./assistant-host.js";
import { iconButton } from "./turn-view.js";

interface PanelActions {
  readonly restart: () => void;
  readonly widen: () => void;
  readonly onClose: () => void;
}

/** On these screens the panel covers the page. */
const narrowScreen = "(width < 48rem)";

/** Within this distance of the end, in pixels, the button that scrolls there is hidden. */
const nearEnd = 48;

/** Space above a question, in pixels. */
const gap = 16;

/** Creates the panel: next to the page, which stays usable; on a phone, over the page. */
export function createPanel({ texts }: AssistantHost, composer: HTMLElement, actions: PanelActions) {
  const expand = iconButton(outlines.expand, texts.expand, actions.widen);
  expand.classList.add("assistant-expand");
  const head = create(
    "div",
    "assistant-head",
    create("div", { class: "assistant-title", id: "chat-assistant-title" }, drawing(outlines.ask), texts.assistant),
    iconButton(outlines.compose, texts.newConversation, actions.restart),
    expand,
    iconButton(outlines.close, texts.close, () => close()),
  );
  /** The scrolling box with the welcome or the turns. */
  const log = create("div", { class: "assistant-log", tabindex: "0", role: "region", "aria-label": texts.assistant });
  const latest = iconButton(outlines.arrowDown, texts.latest, () => {
    log.scrollTop = log.scrollHeight;
  });
  latest.classList.add("assistant-latest");
  latest.hidden = true;
  const note = create("p", "assistant-note", texts.mayBeWrong);
  const status = create("div", { class: "visually-hidden", role: "status" });
  // `copy` announces its results here.
  const copied = create("div", { class: "dialog-status visually-hidden", role: "status" });
  const foot = create("div", "assistant-foot", latest, composer, note);
  const dialog = create("dialog", {
    id: "chat-assistant-sheet",
    class: "assistant-panel",
    "aria-labelledby": "chat-assistant-title",
  });
  dialog.append(head, log, foot, status, copied);
  // The wrapper keeps the dialog out of the style rule that stops the page from scrolling below an open dialog.
  document.body.append(create("div", "assistant-root", dialog));

  const root = document.documentElement;
  const narrow = matchMedia(narrowScreen);
  const show = (): void => {
    if (dialog.open) dialog.close();
    if (narrow.matches) dialog.showModal();
    else dialog.show();
    root.toggleAttribute("data-assistant-open", true);
  };
  const close = (): void => {
    if (!dialog.open) return;
    dialog.close();
    root.removeAttribute("data-assistant-open");
    actions.onClose();
  };
  narrow.addEventListener("change", () => dialog.open && show());
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && dialog.open && !event.defaultPrevented && !document.querySelector("dialog:modal"))
      close();
  });

  const update = (): void => {
    latest.hidden = log.scrollHeight - log.scrollTop - log.clientHeight < nearEnd;
  };
  let isFollowing = true;
  /** Scrolls along as the answer grows, while its question stays in view, until the reader scrolls. `restart` resumes it. */
  const follow = (restart = false): void => {
    if (restart) isFollowing = true;
    const turn = log.lastElementChild;
    if (!isFollowing || !turn) return;
    const top = turn.getBoundingClientRect().top - log.getBoundingClientRect().top + log.scrollTop;
    log.scrollTop = Math.min(top - gap, log.scrollHeight);
    update();
  };
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"])
    log.addEventListener(
      kind,
      () => {
        isFollowing = false;
      },
      { passive: true },
    );
  log.addEventListener("scroll", update);
  return {
    dialog,
    log,
    /** Announces a text to screen readers. */
    announce: (text: string): void => {
      status.textContent = text;
    },
    setWide: (isWide: boolean): void => {
      dialog.toggleAttribute("data-wide", isWide);
      root.toggleAttribute("data-assistant-wide", isWide);
      expand.ariaLabel = expand.title = isWide ? texts.shrink : texts.expand;
      expand.replaceChildren(drawing(isWide ? outlines.shrink : outlines.expand));
    },
    open: show,
    close,
    /** Shows a note on the reliability of answers below the field. */
    setNote: (text: string): void => {
      note.textContent = text;
    },
    follow,
  };
}

const maxTopics = 2;

/** Shown until the reader asks the first question. */
export function welcome({ texts, questions }: AssistantHost, askNow: (question: string) => void): HTMLElement {
  const suggestions = questions.length > 0 ? questions : questionsAboutPage(texts);
  const button = (question: string): HTMLElement => {
    const text = create("span", "starter-question-text", question);
    const element = create("button", { type: "button", class: "assistant-starter" }, text, drawing(outlines.chevron));
    element.addEventListener("click", () => askNow(question));
    return element;
  };
  return create(
    "div",
    "assistant-welcome",
    create("div", "assistant-emblem", drawing(outlines.ask)),
    create("h2", {}, texts.welcome),
    create("p", {}, texts.welcomeText),
    create(
      "div",
      { class: "assistant-starters", role: "group", "aria-label": texts.suggestions },
      ...suggestions.map(button),
    ),
  );
}

function questionsAboutPage(texts: AssistantHost["texts"]): string[] {
  const title = document.querySelector(".page-title")?.firstChild?.textContent?.trim();
  const topics = all(".mdx-content :is(h2, h3)[id]").map((heading) => heading.textContent!.trim());
  return [
    ...(title ? [texts.aboutPage.replace("%", () => title)] : []),
    ...topics
      .filter((topic) => topic !== "")
      .slice(0, maxTopics)
      .map((topic) => texts.aboutTopic.replace("%", () => topic)),
  ];
}
