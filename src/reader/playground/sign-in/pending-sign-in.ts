import { recallInTab } from "../../storage.js";

/** Names in the tab's storage: of a sign-in that left the page, and of the query with which the reader came back. */
export const pendingName = "sign-in";
export const answerName = "signed-in";

export interface PendingSignIn {
  /** Name of the security scheme. */
  readonly scheme: string;
  /** The page to return to. */
  readonly returnTo: string;
}

export const pendingSignIn = (): PendingSignIn | null => recallInTab(pendingName) as PendingSignIn | null;
