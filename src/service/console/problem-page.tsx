import { FormError } from "./browser-request.js";
import * as ui from "./components/index.js";
import { TooManyAttemptsError } from "./login/attempts.js";
import type { ConsoleAnswer } from "./route.js";

const problems = {
  unknown: [404, "Not found", "This page does not exist, or you do not have access to it."],
  method: [405, "Not possible", "This URL does not support that."],
  origin: [403, "Refused", "This request does not come from the console. Open the console and try again."],
  token: [403, "Please check again", "You have logged in again since this form was opened. Nothing has changed yet."],
  form: [422, "The form cannot be read", ""],
  attempts: [429, "Please wait", ""],
  busy: [503, "Busy", "Too many people are logging in. Try again in a few seconds."],
  away: [503, "The database is not reachable", "The console needs it. Try again in a few seconds."],
  fault: [500, "Something went wrong", "Internal server error. The service's log has the details."],
  closed: [
    404,
    "The console is closed",
    "No one has been invited yet. To invite the first owner, the operator of the service runs:",
  ],
  insecure: [
    403,
    "The console needs HTTPS",
    "Passwords would be sent over the network unencrypted. Open the console over https://, or on the machine itself. If a proxy terminates TLS, start the service with its public URL:",
  ],
} as const;

const commands: Partial<Record<keyof typeof problems, string>> = {
  closed: "offprint console invite you@example.com --role owner",
  insecure: "offprint service --public-url https://docs.example.com",
  attempts: "offprint console unlock you@example.com",
};

interface SentForm {
  readonly action: string;
  readonly form: URLSearchParams;
  readonly csrf: string;
}

/** The page that explains why a request was refused, and what to do. */
export function problemPage(
  kind: keyof typeof problems,
  allow: readonly string[] = [],
  sent?: SentForm,
  error?: FormError | TooManyAttemptsError,
): ConsoleAnswer {
  const [kindStatus, title, text] = problems[kind];
  const status = error instanceof FormError ? error.status : kindStatus;
  const command = commands[kind];
  return {
    title,
    status,
    ...(error instanceof TooManyAttemptsError && { retryAfterSeconds: error.waitSeconds }),
    page: (
      <div class="problem">
        <p class="problem-code">{status}</p>
        <h1>{title}</h1>
        <p>{error?.message ?? (allow.length > 0 ? `${text} It takes ${allow.join(", ")}.` : text)}</p>
        {kind === "attempts" && <p>The operator of the service can unlock an account:</p>}
        {command !== undefined && <ui.Command text={command} />}
        {sent ? (
          <SendAgain {...sent} />
        ) : (
          kind !== "closed" && kind !== "insecure" && <ui.LinkButton href="/console" label="To the overview" />
        )}
      </div>
    ),
  };
}

/** A form that had an old token, with its values, so that nobody has to type them again. Secrets are left out. */
const SendAgain = ({ action, form, csrf }: SentForm) => (
  <form class="form" method="post" action={action}>
    <input type="hidden" name="csrf" value={csrf} />
    {[...form].map(
      ([name, value]) =>
        !/csrf|password|code|secret/i.test(name) && (
          <div class="field">
            <label>
              {name}
              <input name={name} value={value} readonly />
            </label>
          </div>
        ),
    )}
    <ui.Notice>Submit it again if this is what you want.</ui.Notice>
    <ui.Button label="Send again" />
  </form>
);
