/** The conversation of this tab, stored while the reader moves from page to page. */
import { recallInTab, rememberInTab } from "../storage.js";
import type { Subject } from "./assistant-host.js";

const storageKey = (root: string): string => `assistant ${new URL(root || ".", location.href).pathname}`;

export interface Source {
  /** The number by which the answer cites the source. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** The sentence that the answer relies on. */
  readonly quote?: string | undefined;
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
  /** The sections that the service found. */
  found: readonly { readonly path: string; readonly url: string }[];
}

export interface Session {
  isOpen: boolean;
  isWide: boolean;
  /** A random name of the conversation, which reveals nothing about the reader. */
  fp: string;
  threadId?: string | undefined;
  /** Answers quote passages of the site: the service has no language model. */
  isVerbatim?: boolean;
  turns: Turn[];
  draft: string;
}

const maxTurns = 20;

export function readSession(root: string): Session {
  const fresh: Session = { isOpen: false, isWide: false, fp: randomName(), turns: [], draft: "" };
  const stored = recallInTab(storageKey(root)) as Session | null;
  return Array.isArray(stored?.turns) ? { ...fresh, ...stored } : fresh;
}

export function writeSession(root: string, session: Session): void {
  rememberInTab(storageKey(root), { ...session, turns: session.turns.slice(-maxTurns) });
}

export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Whether the panel was open on the previous page and there is room for both. */
export const isOpenInSession = (root: string): boolean =>
  (recallInTab(storageKey(root)) as Session | null)?.isOpen === true && matchMedia("(width >= 64rem)").matches;
