import { fill } from "../../language/strings.ts";
import { word } from "../words.ts";
import { createParts } from "./dialog-parts.ts";
import { type Answer, search } from "./engine.ts";
import { createIndexOpener, type IndexFiles } from "./index-files.ts";
import type { SearchHost } from "./main.ts";
import { hitOption, recentOption } from "./options.ts";
import { recentSearches } from "./recent.ts";

export interface SearchDialog {
  open(query?: string): void;
}

/** Screen readers hear how many results there are once a reader pauses. */
const pauseMs = 600;

/**
 * The dialog: a field that controls a list of options, as the combobox pattern has it. The field keeps the focus; arrow
 * keys move through the options, Enter opens the one that is selected.
 */
export function createDialog(host: SearchHost): SearchDialog {
  const recent = recentSearches(host.root);
  const { dialog, field, clear, close, list, heading, forget, message, status } = createParts(host.prompt);
  const openIndex = createIndexOpener(host.load);
  let indexes: Promise<IndexFiles[]> | undefined;
  let options: HTMLElement[] = [];
  let active = -1;
  let pause: ReturnType<typeof setTimeout> | undefined;
  /** What is being looked for, and what came in the meantime. */
  let running: string | undefined;
  let shown: string | undefined;

  const load = (): Promise<IndexFiles[]> => {
    indexes ??= Promise.all(host.indexes.map(openIndex));
    indexes.catch(() => {
      indexes = undefined;
    });
    return indexes;
  };

  const select = (at: number): void => {
    options[active]?.setAttribute("aria-selected", "false");
    active = at;
    const option = options[at];
    option?.setAttribute("aria-selected", "true");
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  };
  const show = (next: HTMLElement[], title: string, note: string): void => {
    options = next;
    list.replaceChildren(...options);
    list.hidden = options.length === 0;
    list.scrollTop = 0;
    heading.hidden = title === "";
    message.textContent = note;
    message.hidden = note === "";
    field.setAttribute("aria-expanded", String(options.length > 0));
    select(options.length > 0 && title === "" ? 0 : -1);
  };
  const announce = (text: string): void => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      status.textContent = text;
    }, pauseMs);
  };

  const showRecent = (): void => {
    const queries = recent.all();
    show(
      queries.map((query, at) => recentOption(query, `search-hit-${at}`)),
      queries.length > 0 ? word("recentSearches") : "",
      "",
    );
    announce("");
  };
  const showAnswer = ({ hits, marks }: Answer, query: string): void => {
    const none = hits.length === 0 ? `${fill(word("noResults"), query)} ${word("tryOther")}` : "";
    show(
      hits.map((hit, at) => hitOption(hit, marks, host.root + hit.href, `search-hit-${at}`)),
      "",
      none,
    );
    announce(none || fill(word("resultCount"), hits.length));
  };

  /** One search at a time: while it runs, only the last thing typed is kept. */
  const update = async (): Promise<void> => {
    const query = field.value.trim();
    clear.hidden = field.value === "";
    if (running !== undefined || query === shown) return;
    running = query;
    try {
      if (query === "") showRecent();
      else showAnswer(await search(await load(), field.value.trimStart()), query);
    } catch {
      show([], "", word("searchFailed"));
      announce(word("searchFailed"));
    }
    shown = running;
    running = undefined;
    if (field.value.trim() !== shown) await update();
  };

  const openOption = (option: HTMLElement, inNewTab: boolean): void => {
    const { query } = option.dataset;
    if (query !== undefined) {
      field.value = query;
      field.focus();
      return void update();
    }
    const { href } = option as HTMLAnchorElement;
    recent.add(field.value.trim());
    if (inNewTab) return void window.open(href, "_blank", "noopener");
    dialog.close();
    location.assign(href);
  };

  field.addEventListener("input", () => void update());
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const count = options.length;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };
    const step = steps[event.key];
    if (step !== undefined && count > 0) {
      event.preventDefault();
      const next =
        Math.abs(step) === 1 ? (active + step + count + (active < 0 && step < 0 ? 1 : 0)) % count : active + step;
      select(Math.min(count - 1, Math.max(0, next)));
      options[active]!.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      openOption(options[active]!, event.metaKey || event.ctrlKey);
    }
  });
  list.addEventListener("pointermove", (event) => {
    const option = (event.target as Element).closest<HTMLElement>(".search-hit");
    if (option && options[active] !== option) select(options.indexOf(option));
  });
  list.addEventListener("click", (event) => {
    const option = (event.target as Element).closest<HTMLElement>(".search-hit");
    if (!option) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey) return recent.add(field.value.trim());
    event.preventDefault();
    openOption(option, false);
  });
  clear.addEventListener("click", () => {
    field.value = "";
    field.focus();
    void update();
  });
  forget.addEventListener("click", () => {
    recent.clear();
    showRecent();
    field.focus();
  });
  close.addEventListener("click", () => dialog.close());
  // The pointer may leave the dialog while text is selected, so the press must have begun outside too.
  let pressedOutside = false;
  dialog.addEventListener("pointerdown", (event) => {
    pressedOutside = event.target === dialog;
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && pressedOutside) dialog.close();
  });
  document.body.append(dialog);

  return {
    open(query) {
      if (!dialog.open) dialog.showModal();
      load().catch(() => {});
      if (query !== undefined) field.value = query;
      field.select();
      shown = undefined;
      void update();
    },
  };
}
