import { all, create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import type { AssistantHost } from "./assistant-host.js";

const mostTopics = 2;

/** What a reader sees who has not asked anything yet. */
export function welcome({ texts, questions }: AssistantHost, askNow: (question: string) => void): HTMLElement {
  const offered = questions.length > 0 ? questions : questionsOfPage(texts);
  const button = (question: string): HTMLElement => {
    const text = create("span", { class: "starter-question-text" }, question);
    const element = create("button", { type: "button", class: "assistant-starter" }, text, drawing(outlines.chevron));
    element.addEventListener("click", () => askNow(question));
    return element;
  };
  return create(
    "div",
    { class: "assistant-welcome" },
    create("div", { class: "assistant-emblem" }, drawing(outlines.ask)),
    create("h2", {}, texts.welcome),
    create("p", {}, texts.welcomeText),
    create(
      "div",
      { class: "assistant-starters", role: "group", "aria-label": texts.suggestions },
      ...offered.map(button),
    ),
  );
}

/** About the page and its first sections. */
function questionsOfPage(texts: AssistantHost["texts"]): string[] {
  const title = document.getElementById("page-title")?.firstChild?.textContent?.trim();
  const topics = all(".mdx-content :is(h2, h3)[id]").map((heading) => heading.textContent!.trim());
  return [
    ...(title ? [texts.aboutPage.replace("%", () => title)] : []),
    ...topics
      .filter((topic) => topic !== "")
      .slice(0, mostTopics)
      .map((topic) => texts.aboutTopic.replace("%", () => topic)),
  ];
}
