/**
 * The script of the page to which a sign-in returns. Passes the answer to the page that waits for it: in another window
 * through a channel, which only pages of this origin hear, or in the same tab through its storage.
 */
import { rememberInTab } from "../../storage.js";
import { answerName, keptSignIn } from "./pending-sign-in.js";

const answer = location.search;
history.replaceState(null, "", location.pathname);
const kept = keptSignIn();
if (kept === null) {
  new BroadcastChannel("offprint-sign-in").postMessage(answer);
  close();
} else {
  rememberInTab(answerName, answer);
  if (new URL(kept.returnTo).origin === location.origin) location.replace(kept.returnTo);
}
