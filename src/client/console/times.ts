const short = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const long = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Shows times in the reader's zone, with how long ago they are. */
export function showTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>("time[data-time]")) showTime(element);
}

export function showTime(element: HTMLTimeElement): void {
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const seconds = (at.getTime() - Date.now()) / 1000;
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  const near = Math.abs(seconds) < 7 * 86_400;
  if (element.dataset["time"] === "exact") element.textContent = exact.format(at);
  else element.textContent = near ? ago.format(Math.round(seconds / length), unit) : short.format(at);
  element.title = long.format(at);
}
