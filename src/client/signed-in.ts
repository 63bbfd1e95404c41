/**
 * The script of the page to which a sign-in returns. Passes the answer to the page that waits for it: in another window
 * through a channel, which only pages of this origin hear, or in the same tab through its storage.
 */
const answer = location.search;
history.replaceState(null, "", location.pathname);
const pending = sessionStorage.getItem("offprint-sign-in");
if (pending === null) {
  new BroadcastChannel("offprint-sign-in").postMessage(answer);
  close();
} else {
  const { returnTo } = JSON.parse(pending) as { readonly returnTo: string };
  sessionStorage.setItem("offprint-signed-in", answer);
  if (new URL(returnTo).origin === location.origin) location.replace(returnTo);
}

export {};
