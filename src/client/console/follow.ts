import { showTimes } from "./times.js";

/** At most one request a second for what is new. */
const gapMs = 1_000;

/**
 * Keeps the parts of a page up to date whose address of events is in `data-follow`, and leaves the rest, such as a message
 * that is being written. Once the stream has ended, the page's buttons change with it.
 */
export function followPage(): void {
  const followed = document.querySelector<HTMLElement>("[data-follow]");
  if (!followed) return;
  let timer: number | undefined;
  const refresh = async (): Promise<void> => {
    timer = undefined;
    const answer = await fetch(location.href).catch(() => undefined);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of page.querySelectorAll<HTMLElement>("[data-part]"))
      document.querySelector(`[data-part="${part.dataset["part"]}"]`)?.replaceWith(part);
    showTimes();
    if (!page.querySelector("[data-follow]")) stream.close();
  };
  const change = (): void => {
    if (timer === undefined) timer = window.setTimeout(() => void refresh(), gapMs);
  };
  const stream = new EventSource(followed.dataset["follow"]!);
  stream.addEventListener("log", change);
  stream.addEventListener("job", change);
}
