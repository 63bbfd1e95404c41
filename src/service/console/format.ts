const units = ["B", "kB", "MB", "GB", "TB"];

/** `1.4 MB`: three digits, in steps of 1000. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** `1 h 4 min`, `12 s`, `0.4 s`. */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

export const formatCount = (count: number): string => count.toLocaleString("en");

/** `3 pages`, `1 page`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Whether it may be an address: its domain is not looked up. */
export const isEmailAddress = (text: string): boolean => /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(text);

export const hourMs = 60 * 60_000;
export const dayMs = 24 * hourMs;

/** `2026-06-30`, in UTC. @param day days since 1970. */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** The days since 1970 of a date such as `2026-06-30`; undefined if there is no such date. */
export function dayOf(date: string | null): number | undefined {
  if (date === null || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const day = Date.parse(date) / dayMs;
  return Number.isNaN(day) || dateOf(day) !== date ? undefined : day;
}
