import type { FetchText } from "../site/specs/index.js";

/** How long a text that could not be fetched is not asked for again. */
const retryMs = 60_000;

/** Fetches each text once: a site that is read again and again does not wait for the network. */
export function rememberTexts(fetchText: FetchText): FetchText {
  const known = new Map<string, { readonly answer: ReturnType<FetchText>; readonly at: number; failed: boolean }>();
  return (url, signal) => {
    const before = known.get(url);
    if (before && (!before.failed || performance.now() - before.at < retryMs)) return before.answer;
    const entry = { answer: fetchText(url, signal), at: performance.now(), failed: false };
    entry.answer.then(
      ({ ok }) => {
        entry.failed = !ok;
      },
      () => {
        entry.failed = true;
      },
    );
    known.set(url, entry);
    return entry.answer;
  };
}
