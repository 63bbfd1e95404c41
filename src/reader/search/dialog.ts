import { type Answer, search } from "../../bundle/search/engine/engine.js";
import type { Marks } from "../../bundle/search/engine/expand-term.js";
import type { IndexFiles } from "../../bundle/search/engine/index-files.js";
import type { Hit } from "../../bundle/search/engine/order-hits.js";
import type { SearchChoices } from "../../bundle/search/index-format.js";
import { fill } from "../../lib/language/reader-texts.js";
import { closeOnOutsidePress, create, drawing, pageMessage } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { leaveMarks } from "./excerpt.js";
import { nextPages } from "./near-pages.js";
import { hitOption, pageOption, recentOption, recentSearches } from "./result-elements.js";
import { createOpener, type SearchHost } from "./search-host.js";

/** Screen readers announce the number of results when the reader pauses. */
const pauseMs = 600;

/** A search starts when the reader pauses for 1.5 times the usual time between two keys, within these limits. */
const minRestMs = 90;
const maxRestMs = 250;

/** The search dialog: an ARIA combobox. The field keeps the focus, arrow keys select, Enter opens. */
export function createDialog(host: SearchHost) {
  const recent = recentSearches(host.root);
  const { dialog, bar, field, clear, close, list, heading, forget, message, status } = createElements(host.prompt);
  const listbox = createListbox(field, list);
  const open = createOpener(host);
  let filters: ReturnType<typeof createFilters> | undefined;
  let marks: Marks | undefined;
  let indexes: Promise<IndexFiles[]> | undefined;
  let announcement: ReturnType<typeof setTimeout> | undefined;
  /** The query that is running, and the one whose results are shown, each with its filters. */
  let running: string | undefined;
  let shown: string | undefined;
  /** Enter was pressed before the results arrived. */
  let isEnterPending = false;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let lastKeyMs = 0;
  /** Mean time between two keys of the reader. */
  let usualGapMs = minRestMs;

  const load = (): Promise<IndexFiles[]> => {
    indexes ??= Promise.all((filters?.indexes() ?? host.indexes).map(open));
    return indexes;
  };
  const showFilters = async (): Promise<void> => {
    const choices = await open.choices();
    if (choices === undefined || filters !== undefined) return;
    filters = createFilters(choices, host, () => {
      indexes = undefined;
      void update();
    });
    bar.after(filters.element);
  };
  const asked = (): string =>
    [field.value.trim(), filters?.product() ?? 0, ...(filters?.indexes() ?? host.indexes)].join(" ");
  const announce = (text: string): void => {
    clearTimeout(announcement);
    announcement = setTimeout(() => {
      status.textContent = text;
    }, pauseMs);
  };
  const note = (text: string): void => {
    message.textContent = text;
    message.hidden = text === "";
  };

  const showRecent = (): void => {
    const queries = recent.all().map((query, at) => recentOption(query, `search-hit-${at}`));
    const pages = queries.length > 0 ? [] : nextPages(host.root).map((page, at) => pageOption(page, host.root, at));
    listbox.show([...queries, ...pages], -1);
    heading.firstChild!.textContent = pageMessage(queries.length > 0 ? "recentSearches" : "pages");
    heading.hidden = queries.length + pages.length === 0;
    forget.hidden = queries.length === 0;
    marks = undefined;
    note("");
    announce("");
  };
  const showAnswer = ({ hits, marks: words }: Answer, query: string): void => {
    const optionOf = (hit: Hit, at: number) => hitOption(hit, words, host.root + hit.href, `search-hit-${at}`);
    const options = hits.map(optionOf);
    listbox.show(options, 0);
    for (const [at, { read }] of hits.entries())
      if (read)
        whenSeen(options[at]!, async () => {
          const { href, childNodes } = optionOf(await read(), at);
          options[at]!.href = href;
          options[at]!.replaceChildren(...childNodes);
        });
    marks = words;
    heading.hidden = true;
    const nothingFound = hits.length === 0 ? `${fill(pageMessage("noResults"), query)} ${pageMessage("tryOther")}` : "";
    note(nothingFound);
    announce(nothingFound || fill(pageMessage("resultCount"), hits.length));
  };
  const showFailure = (): void => {
    listbox.show([], -1);
    heading.hidden = true;
    note(pageMessage("searchFailed"));
    announce(pageMessage("searchFailed"));
  };

  /** Searches for what is typed, one query at a time: of those typed meanwhile, only the last one runs. */
  const update = async (): Promise<void> => {
    clearTimeout(rest);
    rest = undefined;
    const query = field.value.trim();
    clear.hidden = field.value === "";
    if (running !== undefined) return;
    if (asked() === shown) return list.removeAttribute("aria-busy");
    running = asked();
    let isStale = false;
    const becameStale = (): boolean => (isStale ||= asked() !== running);
    list.setAttribute("aria-busy", "true");
    try {
      if (query === "") showRecent();
      else {
        const product = filters?.product();
        const opened = await load();
        const text = field.value.trimStart();
        const answer = await search(opened, text, product || host.product, !!product, becameStale);
        if (!isStale) showAnswer(answer, query);
      }
    } catch {
      // The bundle may have been replaced: the next query loads the indexes again.
      indexes = undefined;
      showFailure();
    }
    shown = isStale ? undefined : running;
    running = undefined;
    // Who is still typing has a later search at rest.
    if (asked() !== shown) return rest === undefined ? update() : undefined;
    list.removeAttribute("aria-busy");
    if (isEnterPending && listbox.selected) openOption(listbox.selected, false);
    isEnterPending = false;
  };

  const openOption = (option: HTMLElement, inNewTab: boolean): void => {
    const { query } = option.dataset;
    if (query !== undefined) {
      field.value = query;
      field.focus();
      return void update();
    }
    const { href } = option as HTMLAnchorElement;
    if (marks !== undefined) {
      recent.add(field.value.trim());
      leaveMarks(marks, href);
    }
    if (inNewTab) return void window.open(href, "_blank", "noopener");
    dialog.close();
    location.assign(href);
  };

  /** Waits for a pause: most readers finish a word before results for its beginning could be useful. */
  const updateAtRest = (): void => {
    const gapMs = performance.now() - lastKeyMs;
    lastKeyMs += gapMs;
    if (gapMs < 2 * maxRestMs) usualGapMs += (gapMs - usualGapMs) / 3;
    clearTimeout(rest);
    rest = setTimeout(() => void update(), Math.min(maxRestMs, Math.max(minRestMs, 1.5 * usualGapMs)));
    clear.hidden = field.value === "";
    list.setAttribute("aria-busy", "true");
  };

  field.addEventListener("input", () => {
    isEnterPending = false;
    if (field.value.trim() === "") void update();
    else updateAtRest();
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (asked() !== shown) {
        isEnterPending = true;
        void update();
      } else if (listbox.selected) openOption(listbox.selected, event.metaKey || event.ctrlKey);
    } else if (listbox.move(event.key)) event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
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
  closeOnOutsidePress(dialog);
  // A closed dialog must not receive keys.
  dialog.addEventListener("close", () => field.blur());
  document.body.append(dialog);

  return {
    open(query?: string): void {
      if (!dialog.open) dialog.showModal();
      load().then(showFilters, () => {});
      if (query !== undefined) field.value = query;
      field.focus();
      // Typing replaces an earlier query, but continues one that was passed in.
      field.setSelectionRange(query === undefined ? 0 : field.value.length, field.value.length);
      shown = undefined;
      void update();
    },
  };
}

/** Creates the elements of the dialog, empty and closed. */
function createElements(prompt: string) {
  const label = pageMessage("search");
  const field = create("input", {
    id: document.getElementById("search-input") ? "search-field" : "search-input",
    class: "search-field",
    type: "text",
    role: "combobox",
    "aria-label": label,
    "aria-autocomplete": "list",
    "aria-controls": "search-list",
    "aria-expanded": "false",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    enterkeyhint: "search",
    placeholder: prompt,
    autofocus: "",
  });
  const clear = create(
    "button",
    { type: "button", class: "search-clear", "aria-label": pageMessage("clear") },
    drawing(outlines.close),
  );
  const close = create("button", { type: "button", class: "search-close", "aria-label": pageMessage("close") });
  close.append(create("span", {}, "Esc"), create("span", {}, pageMessage("close")));
  const bar = create("div", "search-bar", drawing(outlines.search), field, clear, close);
  const forget = create("button", { type: "button", class: "search-forget" }, pageMessage("clear"));
  const heading = create("div", "search-heading", create("span", {}, pageMessage("recentSearches")), forget);
  const list = create("div", { id: "search-list", class: "search-list", role: "listbox", "aria-label": label });
  const message = create("p", "search-message");
  const status = create("div", { class: "visually-hidden", role: "status" });
  const hint = (keys: string, text: string): HTMLElement => create("span", {}, create("kbd", {}, keys), ` ${text}`);
  const hints = create("div", { class: "search-hints", "aria-hidden": "true" });
  hints.append(
    hint("↑ ↓", pageMessage("toMove")),
    hint("↵", pageMessage("toOpen")),
    hint("Esc", pageMessage("toClose")),
  );
  clear.hidden = heading.hidden = list.hidden = message.hidden = true;
  const dialog = create("dialog", { id: "search-dialog", class: "search-dialog", "aria-label": label });
  dialog.append(create("div", "search-box", bar, heading, list, message, hints, status));
  return { dialog, bar, field, clear, close, list, heading, forget, message, status };
}

/**
 * Choices of the language, version and product to search, if the site has several. Initially those of the page are chosen, with
 * all products.
 *
 * @param onChange called when the reader chooses.
 */
function createFilters({ scopes, products }: SearchChoices, host: SearchHost, onChange: () => void) {
  const pageScopes = host.indexes.map((index) => scopes[Number(index)] ?? ["", ""]);
  const namesAt = (at: 0 | 1): string[] => [...new Set(scopes.map((scope) => scope[at]))].filter((name) => name !== "");
  const select = (names: readonly string[], chosen: string): HTMLSelectElement => {
    const element = create("select", {}, ...names.map((name) => new Option(name)));
    element.value = chosen;
    element.addEventListener("change", () => {
      isChanged = true;
      onChange();
    });
    return element;
  };
  const firstAt = (at: 0 | 1): string => pageScopes.map((scope) => scope[at]).find((name) => name !== "") ?? "";
  let isChanged = false;
  const language = select(namesAt(0), firstAt(0));
  const version = select(namesAt(1), firstAt(1));
  const allProducts = products.join(", ");
  const product = select([allProducts, ...products], allProducts);
  const labelled = [
    [pageMessage("product"), product, products],
    [pageMessage("version"), version, namesAt(1)],
    [pageMessage("language"), language, namesAt(0)],
  ] as const;
  const element = create(
    "div",
    "search-filters",
    ...labelled.flatMap(([label, choice, names]) =>
      names.length < 2 ? [] : [create("label", "search-filter", label, " ", choice)],
    ),
  );
  element.hidden = element.childElementCount === 0;
  const fits = (name: string, chosen: string): boolean => name === "" || name === chosen;
  return {
    element,
    /** Names of the indexes to search, nearest first. */
    indexes(): readonly string[] {
      if (!isChanged) return host.indexes;
      const named = scopes.map(([ofLanguage, ofVersion], at) => ({ ofLanguage, ofVersion, name: String(at) }));
      const inLanguage = named.filter(({ ofLanguage }) => fits(ofLanguage, language.value));
      const inBoth = inLanguage.filter(({ ofVersion }) => fits(ofVersion, version.value));
      const rest = (scope: (typeof named)[number]): number =>
        Number(scope.ofLanguage === "") + Number(scope.ofVersion === "");
      // A translation may have other versions.
      return (inBoth.length > 0 ? inBoth : inLanguage).sort((a, b) => rest(a) - rest(b)).map(({ name }) => name);
    },
    /** Number of the only product that is searched; 0 for all. */
    product: (): number => products.indexOf(product.value) + 1,
  };
}

/** Runs once, when a reader sees the option and has stopped typing. A failure leaves the option with what it shows. */
function whenSeen(option: HTMLElement, run: () => Promise<void>): void {
  new IntersectionObserver((seen, observer) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    setTimeout(() => option.isConnected && run().catch(() => {}), maxRestMs);
  }).observe(option);
}

const pageLength = 5;

/** The options below a field that keeps the focus, of which one is selected. */
function createListbox(field: HTMLElement, list: HTMLElement) {
  let options: readonly HTMLElement[] = [];
  let at = -1;

  const select = (next: number): void => {
    options[at]?.setAttribute("aria-selected", "false");
    at = next;
    const option = options[at];
    option?.setAttribute("aria-selected", "true");
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  };
  const indexByKey = (key: string): number | undefined => {
    const last = options.length - 1;
    if (key === "ArrowDown") return at === last ? 0 : at + 1;
    if (key === "ArrowUp") return at <= 0 ? last : at - 1;
    if (key === "PageDown") return Math.min(last, at + pageLength);
    if (key === "PageUp") return Math.max(0, at - pageLength);
    return undefined;
  };
  list.addEventListener("pointermove", (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
    if (option && option !== options[at]) select(options.indexOf(option));
  });

  return {
    get selected(): HTMLElement | undefined {
      return options[at];
    },
    /** @param selected index of the option that Enter opens; -1 for none. */
    show(next: readonly HTMLElement[], selected: number): void {
      options = next;
      list.replaceChildren(...options);
      list.hidden = options.length === 0;
      list.scrollTop = 0;
      field.setAttribute("aria-expanded", String(options.length > 0));
      select(Math.min(selected, options.length - 1));
    },
    /** Moves the selection by an arrow or page key; false for other keys. */
    move(key: string): boolean {
      const next = options.length === 0 ? undefined : indexByKey(key);
      if (next === undefined) return false;
      select(next);
      options[next]!.scrollIntoView({ block: "nearest" });
      return true;
    },
  };
}
