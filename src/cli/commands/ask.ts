import { setTimeout as sleep } from "node:timers/promises";
import { styleText } from "node:util";
import { EnvironmentError } from "../../lib/system-error.js";
import { type Input, stoppableCommand } from "../command.js";
import { type Environment, UsageError } from "../environment.js";
import { parseDomain, serviceUrl } from "../options.js";
import { printable as withSubstitute } from "../print/terminal.js";
import { readAssistantKey, storeSettings } from "../settings/store.js";
import type texts from "./texts/ask.json";

export const commands = { ask: stoppableCommand(parse, run) };

async function parse({ argument, rest, values }: Input<typeof texts, "ask">, env: NodeJS.ProcessEnv) {
  return {
    domain: await parseDomain(argument),
    question: rest.join(" "),
    service: serviceUrl(values.service, env),
    /** Default: the key that the service has written to its data folder. */
    key: values.key ?? (env["OFFPRINT_ASSISTANT_KEY"]?.trim() || undefined),
    data: values.data,
    json: values.json ?? false,
  };
}
type AskArguments = Awaited<ReturnType<typeof parse>>;

/** How long to wait for the first export of the site. */
const exportMs = 5 * 60_000;

/** Prints the answer of the assistant while it arrives, then its sources. */
async function run(args: AskArguments, environment: Environment, controller: AbortController): Promise<number> {
  // The reader of a pipe has left: `offprint ask … | head`.
  environment.stdout.on("error", () => controller.abort());
  try {
    const response = await request(args, environment, controller.signal);
    const parts = readAnswer(response.body!);
    return await (args.json ? printJson(parts, environment) : print(parts, environment));
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    environment.stdout.write("\n");
    return 130;
  }
}

/** The response with the stream. Waits for the first export of the site. */
async function request(args: AskArguments, environment: Environment, signal: AbortSignal): Promise<Response> {
  const { domain, question, service } = args;
  const key = args.key ?? readAssistantKey(storeSettings(args.data, environment).dataFolder);
  if (key === undefined)
    throw new UsageError(
      "An assistant key is missing. Create one with offprint key create --kind assistant, and pass it with --key.",
    );
  const url = `${service}/discovery/v2/assistant/${encodeURIComponent(domain)}/message`;
  const parts = [{ type: "text", text: question }];
  const init = {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ fp: "anonymous", messages: [{ id: "1", role: "user", parts }] }),
    signal,
  };
  for (let waitedMs = 0; ; ) {
    const response = await fetch(url, init).catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      throw new EnvironmentError(`Nothing answers at ${service}. Start the service: offprint service`, { cause });
    });
    if (response.ok) return response;
    const message = await errorText(response);
    const retrySeconds = Number(response.headers.get("Retry-After"));
    if (response.status !== 503 || !(retrySeconds > 0) || waitedMs >= exportMs)
      throw new EnvironmentError(`The service rejected the question (${response.status}): ${message}`);
    if (waitedMs === 0) environment.stderr.write(`${message} Waiting.\n`);
    const waitMs = Math.min(retrySeconds, 2) * 1000;
    await sleep(waitMs, undefined, { signal });
    waitedMs += waitMs;
  }
}

async function errorText(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return printable(String((JSON.parse(text) as { readonly error?: unknown }).error ?? text));
  } catch {
    return printable(text.slice(0, 500));
  }
}

async function printJson(parts: AsyncIterable<AnswerPart>, { stdout }: Environment): Promise<number> {
  let failed = false;
  for await (const part of parts) {
    stdout.write(`${JSON.stringify(part)}\n`);
    failed ||= part.type === "error";
  }
  return failed ? 3 : 0;
}

async function print(parts: AsyncIterable<AnswerPart>, { stdout, stderr }: Environment): Promise<number> {
  const citations = createCitationFilter();
  const escapes = createEscapeFilter();
  const rest = (): string => printable(escapes.add(citations.end()) + escapes.end());
  const sources: string[] = [];
  let isComplete = false;
  for await (const part of parts) {
    if (part.type === "text-delta") stdout.write(printable(escapes.add(citations.add(part.delta))));
    else if (part.type === "source-url") sources.push(`  [${part.sourceId}] ${part.title}  ${part.url}\n`);
    else if (part.type === "error") {
      stdout.write(`${rest()}\n`);
      stderr.write(`offprint: ${printable(part.errorText)}\n`);
      return 3;
    } else if (part.type === "finish") isComplete = true;
  }
  stdout.write(`${rest()}\n`);
  if (sources.length > 0) {
    const list = printable(`\nSources\n${sources.join("")}`);
    stdout.write(stdout.isTTY ? styleText("dim", list) : list);
  }
  if (isComplete) return 0;
  stderr.write("offprint: the answer is incomplete: the connection was closed.\n");
  return 3;
}

/** The parts of an answer, in version 2 of the assistant's API, that the command prints. */
type AnswerPart =
  | { readonly type: "text-delta"; readonly delta: string }
  | { readonly type: "source-url"; readonly sourceId: string; readonly url: string; readonly title: string }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "finish" }
  | { readonly type: "start" };

/** Reads server-sent events until the stream ends, even if the answer is incomplete. */
async function* readAnswer(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPart> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
    const events = (rest + text).split("\n\n");
    rest = events.pop()!;
    for (const event of events)
      if (event.startsWith("data: {")) yield JSON.parse(event.slice("data: ".length)) as AnswerPart;
  }
}

/** Without control characters: text of a site must not control the terminal. */
const printable = (text: string): string => withSubstitute(text, "");

/** `[1](https://…)`: the source is listed below the answer. */
const citation = /\[(\d{1,3})\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g;

/** The end of a text that may still become a citation. */
const beginning = /\[(?:\d{0,3}|\d{1,3}\](?:\([^\s]{0,2000})?)$/;

/** Shortens citations to their numbers, in a text that arrives in parts. */
export function createCitationFilter() {
  let held = "";
  return {
    add(text: string): string {
      const all = (held + text).replace(citation, "[$1]");
      held = beginning.exec(all)?.[0] ?? "";
      // A citation that has just been shortened is complete only when the next character is no parenthesis.
      return all.slice(0, all.length - held.length);
    },
    /** The rest of the text. */
    end(): string {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** An escaped mark, what may begin or end code, and the end of a paragraph. */
const token = /\\([!-/:-@[-`{-~])|`+|(?<=\n {0,3})~{3,}|\n[ \t]*\n/g;

/** The end of a text that may be the beginning of a token. */
const escapeFilterBeginning = /(?:[\\`~]+|\n[ \t\n]*)$/;

/** Removes the backslashes of Markdown escapes, which code does not have, in a text that arrives in parts. */
export function createEscapeFilter() {
  let held = "";
  /** The marks that end the code. */
  let open: string | undefined;
  const plain = (text: string): string =>
    text.replace(token, (whole: string, escaped: string | undefined) => {
      if (open === undefined && escaped !== undefined) return escaped;
      if (whole.startsWith("\n")) {
        // Code within a sentence ends with its paragraph.
        if (open !== undefined && open.length < 3) open = undefined;
      } else if (escaped === undefined) {
        if (open === undefined) open = whole;
        else if (whole === open || (open.length > 2 && whole.startsWith(open))) open = undefined;
      }
      return whole;
    });
  return {
    add(text: string): string {
      const all = held + text;
      held = escapeFilterBeginning.exec(all)?.[0] ?? "";
      return plain(all.slice(0, all.length - held.length));
    },
    /** The rest of the text. */
    end(): string {
      const rest = plain(held);
      held = "";
      return rest;
    },
  };
}
