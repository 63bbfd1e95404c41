const pageLength = 5;

/** The options below a field that keeps the focus, of which one is selected. */
export function createListbox(field: HTMLElement, list: HTMLElement) {
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
