import { recallInTab } from "../../storage.js";

/** Names in the storage of the tab: a sign-in that left the page, and what came back. */
export const keptName = "sign-in";
export const answerName = "signed-in";

export interface KeptSignIn {
  /** Name of the scheme. */
  readonly scheme: string;
  /** The page to return to. */
  readonly returnTo: string;
}

export const keptSignIn = (): KeptSignIn | null => recallInTab(keptName) as KeptSignIn | null;
