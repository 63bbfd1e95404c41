/** The conversation of this tab, kept while the reader moves from page to page. */
import type { Subject } from "./assistant-host.js";

const nameOf = (root: string): string => `offprint-assistant ${new URL(root || ".", location.href).pathname}`;

export interface Source {
  /** The number in the text. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
}

export interface Turn {
  readonly question: string;
  readonly about?: Subject | undefined;
  /** Markdown. */
  answer: string;
  sources: readonly Source[];
  /** `open` until the answer is complete. */
  state: "open" | "done" | "stopped" | "failed";
  messageId?: string | undefined;
  helpful?: boolean;
  /** Where the service found something: path and address of each section. */
  found: readonly { readonly path: string; readonly url: string }[];
}

export interface Session {
  isOpen: boolean;
  isWide: boolean;
  /** A random name for this conversation, which says nothing about the reader. */
  fp: string;
  threadId?: string | undefined;
  /** Passages in their own words, without a language model. */
  isVerbatim?: boolean;
  turns: Turn[];
  draft: string;
}

/** Most turns that are kept. */
const mostTurns = 20;

export function readSession(root: string): Session {
  const fresh: Session = { isOpen: false, isWide: false, fp: randomName(), turns: [], draft: "" };
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(root)) ?? "null") as Session | null;
    return Array.isArray(kept?.turns) ? { ...fresh, ...kept } : fresh;
  } catch {
    return fresh;
  }
}

export function writeSession(root: string, session: Session): void {
  try {
    sessionStorage.setItem(nameOf(root), JSON.stringify({ ...session, turns: session.turns.slice(-mostTurns) }));
  } catch {
    // A private window or a full store: the conversation then lasts as long as the page.
  }
}

export function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether the panel was open on the page before. A phone has no room for both. */
export function isOpenInSession(root: string): boolean {
  try {
    const isOpen = /^\{"isOpen":true/.test(sessionStorage.getItem(nameOf(root)) ?? "");
    return isOpen && matchMedia("(width >= 64rem)").matches;
  } catch {
    return false;
  }
}
