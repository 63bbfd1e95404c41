import type { FrameLine } from "../../lib/diagnostic/index.js";
import type { PreviewProblem, PreviewState } from "../../lib/preview-state.js";
import { create } from "../dom.js";
import overlayCss from "./overlay.css";

/** A panel that the author has closed does not open again for the same findings. */
const closedKey = "offprint-preview-closed";

/**
 * The overlay of the preview: a button in the corner, and a panel with errors, warnings and hints.
 *
 * @param isAlone whether there is no page below the overlay.
 */
export function createOverlay(isAlone: boolean) {
  const host = document.createElement("offprint-preview");
  if (isAlone) host.classList.add("alone");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(overlayCss);
  root.adoptedStyleSheets = [sheet];
  followColourMode(host);

  let state: PreviewState = { problems: [], others: [], hidden: [] };
  let isOpen = false;
  let isLost = false;

  const setOpen = (opens: boolean, byAuthor: boolean): void => {
    isOpen = opens;
    if (byAuthor) sessionStorage.setItem(closedKey, opens ? "" : signature(state));
    draw();
    if (byAuthor && opens) root.querySelector<HTMLElement>(".close")?.focus();
    if (byAuthor && !opens) root.querySelector<HTMLElement>(".pill")?.focus();
  };
  const draw = (): void => {
    const top = root.querySelector(".body")?.scrollTop ?? 0;
    const wereOpen = [...root.querySelectorAll("details")].map(({ open }) => open);
    root.replaceChildren(...(isOpen ? [createPanel(state, () => setOpen(false, true))] : []), createPill());
    for (const [at, details] of [...root.querySelectorAll("details")].entries()) details.open = wereOpen[at] ?? false;
    root.querySelector(".body")?.scrollTo(0, top);
  };
  const createPill = (): HTMLElement => {
    const pill = create("button", { type: "button", class: `pill ${isLost ? "lost" : severityOf(state.problems)}` });
    pill.setAttribute("aria-expanded", String(isOpen));
    pill.append(create("span", "dot"), isLost ? "Preview has ended" : "Preview");
    if (!isLost && state.problems.length > 0) pill.append(create("span", "count", countProblems(state.problems)));
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
    show(next: PreviewState): void {
      state = next;
      const isSerious = severityOf(next.problems) === "error";
      const current = signature(next);
      const wasClosed = sessionStorage.getItem(closedKey) === current && current !== "";
      // Open for errors, and close when no finding is left.
      setOpen(isAlone || (isSerious ? !wasClosed : isOpen && next.problems.length > 0), false);
    },
    /** Shows whether the preview is still running. */
    setLost(lost: boolean): void {
      if (lost === isLost) return;
      isLost = lost;
      draw();
    },
  };
}

function createPanel(state: PreviewState, close: () => void): HTMLElement {
  const { problems, others, hidden, mark, outdated } = state;
  const button = create("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  button.addEventListener("click", close);
  const title = problems.length > 0 ? countProblems(problems) : "No findings on this page";
  const body = create("div", "body");
  if (outdated)
    body.append(
      create(
        "p",
        "note",
        create(
          "strong",
          {},
          outdated === "page" ? "This is the last version of the page. " : "This is the last version of the site. ",
        ),
        "It updates once you fix the error.",
      ),
    );
  if (mark) body.append(create("p", "note", create("strong", {}, `${mark.label}. `), mark.reason));
  body.append(...problems.map(problemView));
  if (others.length > 0)
    body.append(
      create(
        "details",
        {},
        create("summary", {}, `Elsewhere in the site: ${countProblems(others)}`),
        ...others.map(problemView),
      ),
    );
  if (hidden.length > 0) {
    const entries = hidden.map((page) =>
      create("li", {}, create("a", { href: page.href }, page.title), create("span", "mark", page.label)),
    );
    const summary = `Hidden pages and drafts: ${hidden.length}`;
    body.append(create("details", {}, create("summary", {}, summary), create("ul", {}, ...entries)));
  }
  const header = create("header", {}, create("h2", {}, title), button);
  return create("section", { class: `panel ${severityOf(problems)}`, "aria-label": "Preview" }, header, body);
}

function problemView({ severity, code, what, where, frame, fix }: PreviewProblem): HTMLElement {
  const head = create("div", "head", create("span", "badge", `${severity[0]!.toUpperCase()}${severity.slice(1)}`));
  if (where !== undefined) {
    const copy = create("button", { type: "button", class: "where", title: "Copy" }, where);
    copy.addEventListener("click", () => void navigator.clipboard?.writeText(where));
    head.append(copy);
  }
  head.append(create("span", "code", code));
  const problem = create("div", `problem ${severity}`, head, create("p", {}, what));
  if (frame.length > 0) problem.append(create("pre", {}, ...frame.flatMap(frameLine)));
  problem.append(create("p", "fix", create("b", {}, "Fix: "), fix));
  return problem;
}

const frameLine = ({ kind, gutter, text }: FrameLine, at: number): (Node | string)[] => [
  ...(at === 0 ? [] : ["\n"]),
  create("span", "gutter", gutter),
  kind === "source" ? text : create("span", kind, text),
];

/** `good` if the page has only hints. */
const severityOf = (problems: readonly PreviewProblem[]): "error" | "warning" | "good" =>
  (["error", "warning"] as const).find((level) => problems.some(({ severity }) => severity === level)) ?? "good";

/** `1 error, 2 warnings, 1 hint` */
const countProblems = (problems: readonly PreviewProblem[]): string =>
  ["error", "warning", "hint"]
    .flatMap((name) => {
      const { length } = problems.filter(({ severity }) => severity === name);
      return length === 0 ? [] : `${length} ${name}${length === 1 ? "" : "s"}`;
    })
    .join(", ");

const signature = ({ problems }: PreviewState): string =>
  problems.map(({ code, where = "", what }) => `${code} ${where.replace(/:.*/, "")} ${what}`).join("\n");

/** Follows the colour mode chosen on the page, or else that of the system. */
function followColourMode(host: HTMLElement): void {
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
