/** Kinds of changes that a person must review before the merge, with the text that the pull request shows for each. */
export const flagTexts = {
  script: "adds a script",
  embed: "embeds another page or program",
  element: "adds an element that acts on the whole page or sends data",
  handler: "adds an event handler",
  code: "adds code",
  style: "changes a style sheet that every page loads",
  integration: "adds or changes an integration",
  redirect: "adds a redirect",
  address: "adds an address, or a file, of an API or of its specification",
  link: "adds an address of another host",
  scheme: "adds an address that is neither a web page nor a file",
  visibility: "changes who sees or finds pages",
  metadata: "changes what search engines read",
  drawing: "contains a drawing with code",
  unreadable: "cannot be read by a parser, so look at all of it",
} as const;
export type FlagKind = keyof typeof flagTexts;

export interface Flag {
  readonly kind: FlagKind;
  readonly path: string;
  /** Counts from 1. */
  readonly line: number;
  /** What was added or removed; long texts are cut. */
  readonly text: string;
  /** Host of a `link`, in lower case: the link is ignored if the site or the prompt names the host. */
  readonly host?: string;
}

/** A part of a file that a person must know about if it is new. */
export interface Feature extends Omit<Flag, "path"> {
  /** Whether its removal is to be reported as well. */
  readonly isSetting?: boolean;
}

export interface Review {
  /** Files that may not be changed, each with the reason as a sentence. */
  readonly refused: readonly { readonly path: string; readonly why: string }[];
  readonly flags: readonly Flag[];
}
