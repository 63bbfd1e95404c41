/**
 * The script of the page to which a sign-in returns. It passes the server's answer to the page that waits for it: in another
 * window through a channel, which only pages of this origin receive, or in the same tab through its storage.
 */
import { rememberInTab } from "../../storage.js";
import { answerName, pendingSignIn } from "../sign-in-tools.js";

const answer = location.search;
history.replaceState(null, "", location.pathname);
const pending = pendingSignIn();
if (pending === null) {
  new BroadcastChannel("offprint-sign-in").postMessage(answer);
  close();
} else {
  rememberInTab(answerName, answer);
  if (new URL(pending.returnTo).origin === location.origin) location.replace(pending.returnTo);
}
