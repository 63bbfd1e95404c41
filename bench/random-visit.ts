import type { Visit } from "../src/service/analytics/index.js";

export const pagePaths = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `/guides/chapter-${i % 50}/page-${i}`);

/** Readers open ten pages each; every fifth request is an agent's, every tenth a crawler's. */
export function randomVisit(i: number, paths: readonly string[]): Visit {
  const reader = Math.floor(i / 10);
  const userAgent =
    i % 10 === 0
      ? "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
      : i % 5 === 0
        ? "Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)"
        : `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (reader % 400)}.0.0.0 Safari/537.36`;
  return {
    method: "GET",
    path: `/docs${paths[Math.floor(Math.random() ** 3 * paths.length)]}.html`,
    status: 200,
    address: `203.0.${(reader >> 8) & 255}.${reader & 255}`,
    headers: { "user-agent": userAgent, accept: "text/html" },
  };
}
