import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import type { AssistantHost, Subject } from "./assistant-host.js";

interface ComposerActions {
  readonly send: (text: string, subject: Subject | undefined) => void;
  readonly stop: () => void;
  readonly lastQuestion: () => string | undefined;
}

/** The service's limit, in characters. */
const maxQuestionLength = 8000;

export function createComposer({ texts }: AssistantHost, { send, stop, lastQuestion }: ComposerActions) {
  const field = create("textarea", {
    id: "chat-assistant-textarea",
    class: "assistant-field",
    rows: "1",
    maxlength: String(maxQuestionLength),
    placeholder: texts.placeholder,
    "aria-label": texts.placeholder,
    enterkeyhint: "send",
  });
  const chip = create("div", "assistant-chip");
  chip.hidden = true;
  const icons = [drawing(outlines.arrowUp), drawing(outlines.stop)];
  const button = create("button", { type: "button", class: "assistant-send" });
  const element = create("div", "assistant-composer", chip, field, button);
  let subject: Subject | undefined;
  let isBusy = false;

  const resize = (): void => {
    field.style.height = "auto";
    // `scrollHeight` is 0 until the panel opens.
    if (field.scrollHeight > 0) field.style.height = `${field.scrollHeight}px`;
    button.disabled = !isBusy && field.value.trim() === "";
  };
  /** Shows the subject of the next question. */
  const setSubject = (next: Subject | undefined): void => {
    subject = next;
    chip.hidden = next === undefined;
    if (!next) return;
    const label = { page: texts.thisPage, selection: texts.selection, code: texts.code }[next.kind];
    const icon = { page: outlines.page, selection: outlines.quote, code: outlines.code }[next.kind];
    const remove = create(
      "button",
      { type: "button", "aria-label": texts.remove.replace("%", label) },
      drawing(outlines.close),
    );
    remove.addEventListener("click", () => {
      setSubject(undefined);
      field.focus();
    });
    chip.replaceChildren(
      drawing(icon),
      create("span", "assistant-chip-label", label),
      create("span", "assistant-chip-text", next.text.slice(0, 200)),
      remove,
    );
  };
  /** While an answer arrives, the button stops it. */
  const setBusy = (busy: boolean): void => {
    isBusy = busy;
    button.replaceChildren(icons[Number(busy)]!);
    button.ariaLabel = button.title = busy ? texts.stop : texts.send;
    button.toggleAttribute("data-busy", busy);
    resize();
  };
  const submit = (): void => {
    const text = field.value.trim();
    if (text === "" || isBusy) return;
    const currentSubject = subject;
    field.value = "";
    setSubject(undefined);
    send(text, currentSubject);
    resize();
  };

  button.addEventListener("click", () => (isBusy ? stop() : submit()));
  field.addEventListener("input", resize);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "ArrowUp" && field.value === "") {
      const question = lastQuestion();
      if (question === undefined) return;
      event.preventDefault();
      field.value = question;
      resize();
    }
  });
  element.addEventListener("click", (event) => event.target === element && field.focus());
  setBusy(false);
  return { element, field, setSubject, setBusy };
}
