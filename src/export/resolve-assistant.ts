import type { AssistantSettings } from "../lib/assistant-settings.js";
import type { AssistantOptions } from "./export-options.js";

/** An option that only the caller can correct. */
export class InvalidOption extends RangeError {
  override readonly name = "InvalidOption";
}

/** Most questions that are offered to readers. */
const mostQuestions = 6;

/**
 * The settings that the pages get.
 *
 * @param baseUrl address of the site; its host is the domain by default.
 * @throws {InvalidOption} if an option does not have the form that `AssistantOptions` describes.
 */
export function resolveAssistant(
  options: AssistantOptions | undefined,
  baseUrl: string | undefined,
): AssistantSettings | undefined {
  if (options === undefined) return undefined;
  const { url, key, questions = [] } = options;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password || /[?#]/.test(url))
    throw new InvalidOption(`assistant.url is "${url}"; it must look like https://docs-api.example.com`);
  // Pages show it to everyone, so the key of an administrator must never get into one.
  if (!/^svc_dsc_[\w-]{1,200}$/.test(key))
    throw new InvalidOption("assistant.key must be the key of an assistant, which begins with svc_dsc_");
  const domain = options.domain ?? (baseUrl === undefined ? undefined : new URL(baseUrl).host);
  if (domain === undefined)
    throw new InvalidOption("assistant.domain must name the site, since the address of the site is not known");
  if (!/^[\w.:-]{1,255}$/.test(domain))
    throw new InvalidOption(
      `assistant.domain is "${domain}"; it must be an identifier or a host, such as docs.example.com`,
    );
  const asked = questions.map((question) => question.trim()).filter((question) => question !== "");
  if (asked.length > mostQuestions)
    throw new InvalidOption(`assistant.questions has more than ${mostQuestions} questions`);
  return { url: address.href.replace(/\/+$/, ""), domain, key, questions: asked };
}
