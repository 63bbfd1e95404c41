import { all, create, onClick, pageMessage } from "../dom.js";

/** Loads content of other hosts on a click; videos that start by themselves, when they come into view. */
export function wireEmbeds(): void {
  onClick(".embed-link", (link, event) => {
    const box = link.closest<HTMLElement>(".embed:not([data-loaded], [data-failed])");
    const isFromDisk = location.protocol === "file:" && box?.dataset.needsHost !== undefined;
    if (!box || isFromDisk || !navigator.onLine || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    load(box);
  });
  if (document.querySelector('script[src*="_offprint/site/"]')) hideDeadFrames();
  if (!navigator.onLine || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      load(target as HTMLElement);
    }
  });
  for (const box of all(".embed[data-auto]")) observer.observe(box);
}

/** Hides frames of the site's own scripts that cannot be loaded: browsers would show a grey box on every page. */
function hideDeadFrames(): void {
  let canAsk = true;
  const hide = (frame: HTMLIFrameElement): void => frame.style.setProperty("visibility", "hidden");
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    if (effectiveDirective === "connect-src") canAsk = false;
    if (isAboutFrames(effectiveDirective))
      for (const frame of all<HTMLIFrameElement>("iframe")) if (frame.src.startsWith(blockedURI)) hide(frame);
  });
  const check = (frame: HTMLIFrameElement): void => {
    if (!/^https?:/.test(frame.src) || frame.src.startsWith(location.origin) || frame.closest(".embed")) return;
    fetch(frame.src, { mode: "no-cors" }).catch(() => setTimeout(() => canAsk && hide(frame)));
  };
  all<HTMLIFrameElement>("iframe").forEach(check);
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof HTMLIFrameElement) check(node);
      else if (node instanceof Element) node.querySelectorAll("iframe").forEach(check);
  }).observe(document.body, { childList: true, subtree: true });
}

const isAboutFrames = (directive: string): boolean => /^(?:frame|child|default)-src/.test(directive);

/** Milliseconds in which a host must answer. */
const timeout = 15_000;

function load(box: HTMLElement): void {
  // A video that belongs to the template's inert document would never load.
  const content = document.importNode(box.querySelector("template")!.content.firstElementChild!, true);
  box.dataset.loading = "";
  if (content instanceof HTMLMediaElement) loadMedia(box, content);
  else void loadFrame(box, content as HTMLIFrameElement);
}

/** The video or audio replaces the link once its first data is there. */
function loadMedia(box: HTMLElement, media: HTMLMediaElement): void {
  // Browsers start only muted videos by themselves.
  if (box.dataset.auto !== undefined) media.muted = true;
  else media.controls = true;
  media.preload = "auto";
  // The error of a `source` does not bubble.
  media.addEventListener("error", () => fail(box), true);
  media.addEventListener("loadeddata", () => {
    box.replaceWith(media);
    media.play().catch(() => {});
  });
  media.load();
}

/** Browsers do not report whether a frame has failed, so a request shows first whether the host answers. */
async function loadFrame(box: HTMLElement, frame: HTMLIFrameElement): Promise<void> {
  try {
    await fetch(frame.src, { mode: "no-cors", signal: AbortSignal.timeout(timeout) });
  } catch {
    fail(box);
    return;
  }
  const refuse = (event: SecurityPolicyViolationEvent): void => {
    if (!isAboutFrames(event.effectiveDirective)) return;
    frame.remove();
    delete box.dataset.loaded;
    fail(box);
  };
  document.addEventListener("securitypolicyviolation", refuse);
  frame.addEventListener("load", () => document.removeEventListener("securitypolicyviolation", refuse));
  delete box.dataset.loading;
  box.dataset.loaded = "";
  box.prepend(frame);
}

function fail(box: HTMLElement): void {
  if (box.dataset.failed !== undefined) return;
  delete box.dataset.loading;
  // The reader did not click, so an error message about a video that starts by itself would only disturb.
  if (box.dataset.auto !== undefined) {
    delete box.dataset.auto;
    return;
  }
  box.dataset.failed = "";
  const note = create("span", { class: "embed-note", role: "status" }, pageMessage("notLoaded"));
  box.querySelector(".embed-link")!.append(note);
}
