import { all, create, idIn, onClick, scrollToMiddle } from "../dom.js";

/** Marks the current heading and its parents in the table of contents. Without a column, a button opens it. */
export function wireOutline(): void {
  const entries = all(".toc-item").flatMap((item) => {
    const heading = document.getElementById(idIn(item.querySelector("a")?.hash ?? ""));
    return heading ? [{ item, heading, depth: Number(item.dataset.depth) }] : [];
  });
  if (entries.length === 0) return;
  const column = document.querySelector<HTMLElement>(".side-column")!;
  const title = column.querySelector<HTMLElement>(".toc-nav > .toc-title")!;
  addOutlineButton(title);
  let isScheduled = false;
  let shown: HTMLElement | undefined;

  const update = (): void => {
    isScheduled = false;
    for (const { item, heading } of entries)
      item.toggleAttribute("data-folded", heading.closest(".tab-panel:not([data-active])") !== null);
    const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8;
    const visible = entries.filter(({ item, heading }) => !item.hidden && heading.getClientRects().length > 0);
    const passed = visible.findLastIndex(({ heading }) => heading.getBoundingClientRect().top <= line);
    const isEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    let at = isEnd ? visible.length - 1 : Math.max(passed, 0);
    const active = visible[at];
    if (active?.item === shown) return;
    shown = active?.item;
    title.dataset.current = shown?.textContent ?? "";
    for (const { item } of entries) {
      item.removeAttribute("data-active");
      item.removeAttribute("data-active-deepest");
    }
    if (!active) return;
    active.item.dataset.activeDeepest = "true";
    for (let depth = Number.POSITIVE_INFINITY; at >= 0; at--)
      if (visible[at]!.depth < depth) {
        depth = visible[at]!.depth;
        visible[at]!.item.dataset.active = "true";
      }
    scrollToMiddle(column, active.item);
  };
  const schedule = (): void => {
    if (!isScheduled) requestAnimationFrame(update);
    isScheduled = true;
  };
  addEventListener("scroll", schedule, { passive: true });
  addEventListener("resize", schedule, { passive: true });
  for (const type of ["click", "change"]) document.addEventListener(type, schedule);
  update();
}

/** Adds a button over the title. Style sheets show it where the outline is above the page. */
function addOutlineButton(title: HTMLElement): void {
  const outline = title.parentElement!;
  const button = create("button", { type: "button", "aria-labelledby": title.id });
  const setOpen = (open: boolean): void => {
    outline.toggleAttribute("data-open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  setOpen(false);
  title.append(button);
  button.addEventListener("click", () => setOpen(!outline.hasAttribute("data-open")));
  onClick(".toc-nav a", () => setOpen(false));
  document.addEventListener("click", (event) => {
    if (!outline.contains(event.target as Node)) setOpen(false);
  });
  outline.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !outline.hasAttribute("data-open")) return;
    setOpen(false);
    button.focus();
  });
}
