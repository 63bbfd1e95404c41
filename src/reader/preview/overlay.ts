import type { PreviewProblem, PreviewState } from "../../lib/preview-state.js";
import { create } from "../dom.js";
import { overlayCss } from "./styles.js";

/** The overlay of the preview: a button in the corner, and a panel with what is wrong. */
export interface Overlay {
  show(state: PreviewState): void;
  /** Whether the preview answers. */
  setLost(isLost: boolean): void;
}

/** What the reader has closed does not open again by itself. */
const closedKey = "offprint-preview-closed";

/** @param isAlone whether there is no page to lie over */
export function createOverlay(isAlone: boolean): Overlay {
  const host = document.createElement("offprint-preview");
  if (isAlone) host.classList.add("alone");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(overlayCss);
  root.adoptedStyleSheets = [sheet];
  followColours(host);

  let state: PreviewState = { problems: [], others: [], hidden: [] };
  let isOpen = false;
  let isLost = false;

  const setOpen = (opens: boolean, byReader: boolean): void => {
    isOpen = opens;
    if (byReader) sessionStorage.setItem(closedKey, opens ? "" : signatureOf(state));
    draw();
    if (byReader && opens) root.querySelector<HTMLElement>(".close")?.focus();
    if (byReader && !opens) root.querySelector<HTMLElement>(".pill")?.focus();
  };
  const draw = (): void => {
    const top = root.querySelector(".body")?.scrollTop ?? 0;
    const unfolded = [...root.querySelectorAll("details")].map(({ open }) => open);
    root.replaceChildren(...(isOpen ? [panelOf(state, () => setOpen(false, true))] : []), pillOf());
    for (const [at, details] of [...root.querySelectorAll("details")].entries()) details.open = unfolded[at] ?? false;
    root.querySelector(".body")?.scrollTo(0, top);
  };
  const pillOf = (): HTMLElement => {
    const pill = create("button", { type: "button", class: `pill ${isLost ? "lost" : levelOf(state.problems)}` });
    pill.setAttribute("aria-expanded", String(isOpen));
    pill.append(create("span", { class: "dot" }), isLost ? "Preview has ended" : "Preview");
    if (!isLost && state.problems.length > 0) pill.append(create("span", { class: "count" }, countOf(state.problems)));
    if (state.mark) pill.append(create("span", { class: "mark", title: state.mark.reason }, state.mark.label));
    pill.addEventListener("click", () => setOpen(!isOpen, true));
    return pill;
  };
  host.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen) setOpen(false, true);
  });
  document.documentElement.append(host);
  draw();
  return {
    show(next) {
      state = next;
      const isSerious = levelOf(next.problems) === "error";
      const signature = signatureOf(next);
      const wasClosed = sessionStorage.getItem(closedKey) === signature && signature !== "";
      // It opens for errors, and closes once they are gone.
      setOpen(isAlone || (isSerious ? !wasClosed : isOpen && next.problems.length > 0), false);
    },
    setLost(lost) {
      if (lost === isLost) return;
      isLost = lost;
      draw();
    },
  };
}

function panelOf(state: PreviewState, close: () => void): HTMLElement {
  const { problems, others, hidden, mark, outdated } = state;
  const button = create("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  button.addEventListener("click", close);
  const title = problems.length > 0 ? countOf(problems) : "No findings about this page";
  const body = create("div", { class: "body" });
  if (outdated)
    body.append(
      create(
        "p",
        { class: "note" },
        create("strong", {}, outdated === "page" ? "The page is shown as it was. " : "The site is shown as it was. "),
        "It changes once the error is mended.",
      ),
    );
  if (mark) body.append(create("p", { class: "note" }, create("strong", {}, `${mark.label}. `), mark.reason));
  body.append(...problems.map(problemOf));
  if (others.length > 0)
    body.append(
      create(
        "details",
        {},
        create("summary", {}, `Elsewhere in the site: ${countOf(others)}`),
        ...others.map(problemOf),
      ),
    );
  if (hidden.length > 0) {
    const entries = hidden.map((page) =>
      create("li", {}, create("a", { href: page.href }, page.title), create("span", { class: "mark" }, page.label)),
    );
    const summary = `Hidden pages and drafts: ${hidden.length}`;
    body.append(create("details", {}, create("summary", {}, summary), create("ul", {}, ...entries)));
  }
  const header = create("header", {}, create("h2", {}, title), button);
  return create("section", { class: `panel ${levelOf(problems)}`, "aria-label": "Preview" }, header, body);
}

function problemOf({ severity, code, what, where, frame, fix }: PreviewProblem): HTMLElement {
  const head = create(
    "div",
    { class: "head" },
    create("span", { class: "badge" }, severity === "error" ? "Error" : "Warning"),
  );
  if (where !== undefined) {
    const copy = create("button", { type: "button", class: "where", title: "Copy" }, where);
    copy.addEventListener("click", () => void navigator.clipboard?.writeText(where));
    head.append(copy);
  }
  head.append(create("span", { class: "code" }, code));
  const problem = create("div", { class: `problem ${severity}` }, head, create("p", {}, what));
  if (frame.length > 0) problem.append(create("pre", {}, ...frame.flatMap(frameLine)));
  problem.append(create("p", { class: "fix" }, create("b", {}, "Fix: "), fix));
  return problem;
}

/** `  3 | text`, or carets in its place. */
function frameLine(line: string, at: number): (Node | string)[] {
  const start = line.indexOf("|") + 2;
  const text = line.slice(start);
  const gutter = create("span", { class: "gutter" }, line.slice(2, start));
  return at === 0 ? [gutter, text] : ["\n", gutter, create("span", { class: "caret" }, text)];
}

const levelOf = (problems: readonly PreviewProblem[]): "error" | "warning" | "good" =>
  problems.length === 0 ? "good" : problems.some(({ severity }) => severity === "error") ? "error" : "warning";

/** `1 error, 2 warnings` */
function countOf(problems: readonly PreviewProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const parts = [
    [errors, "error"],
    [problems.length - errors, "warning"],
  ] as const;
  return parts.flatMap(([count, name]) => (count === 0 ? [] : `${count} ${name}${count === 1 ? "" : "s"}`)).join(", ");
}

const signatureOf = ({ problems }: PreviewState): string =>
  problems.map(({ code, where = "", what }) => `${code} ${where.replace(/:.*/, "")} ${what}`).join("\n");

/** The mode that the reader has chosen for the page, or else that of the system. */
function followColours(host: HTMLElement): void {
  const { documentElement: page } = document;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = (): void => {
    const chosen = page.classList.contains("dark") || page.classList.contains("light");
    host.classList.toggle("dark", chosen ? page.classList.contains("dark") : system.matches && !page.dataset.words);
  };
  new MutationObserver(follow).observe(page, { attributeFilter: ["class"] });
  system.addEventListener("change", follow);
  follow();
}
