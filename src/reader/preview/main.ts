// The script that `offprint preview` adds to pages: reloads them on changes, and shows their errors and warnings.
import type { PreviewState, PreviewStyles } from "../../lib/preview-state.js";
import { decodePercent } from "../../lib/url/paths.js";
import { all } from "../dom.js";
import { createOverlay } from "./overlay.js";

const script = document.currentScript as HTMLScriptElement;
const { events = "" } = script.dataset;
let version = script.dataset["version"] ?? "";
const overlay = createOverlay(version === "");
let stream: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Time between checks whether an ended preview runs again. */
const checkMs = 1000;

function connect(): void {
  if (stream || events === "") return;
  clearTimeout(timer);
  const path = decodePercent(location.pathname.slice(1));
  stream = new EventSource(`${events}?path=${encodeURIComponent(path)}&version=${version}`);
  stream.onopen = () => overlay.setLost(false);
  stream.onerror = () => {
    if (stream?.readyState !== EventSource.CLOSED) {
      timer = setTimeout(() => overlay.setLost(true), checkMs);
      return;
    }
    disconnect();
    overlay.setLost(true);
    waitForPreview();
  };
  const on = <T>(name: string, handle: (data: T) => void): void =>
    stream!.addEventListener(name, (event) => {
      clearTimeout(timer);
      handle(JSON.parse((event as MessageEvent<string>).data) as T);
    });
  on("reload", () => location.reload());
  on<PreviewStyles>("styles", (change) => {
    version = change.version;
    for (const [before, now] of change.sheets) swapSheet(before, now);
  });
  on<PreviewState>("state", (state) => overlay.show(state));
}

function disconnect(): void {
  stream?.close();
  stream = undefined;
}

/** A new preview at the same address has another event stream, so the page must be loaded again. */
function waitForPreview(): void {
  timer = setTimeout(() => {
    fetch(location.href, { method: "HEAD" }).then(() => location.reload(), waitForPreview);
  }, checkMs);
}

/** The old sheet stays until the new one has loaded, so that the page does not flash. */
function swapSheet(before: string, now: string): void {
  for (const link of all<HTMLLinkElement>('link[rel="stylesheet"]')) {
    const href = link.getAttribute("href")!;
    if (!href.endsWith(before)) continue;
    const next = link.cloneNode() as HTMLLinkElement;
    next.href = href.slice(0, -before.length) + now;
    next.addEventListener("load", () => link.remove());
    link.after(next);
  }
}

// Browsers open few connections to one host, so background pages have none.
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
addEventListener("pagehide", disconnect);
addEventListener("pageshow", connect);
if (!document.hidden) connect();
