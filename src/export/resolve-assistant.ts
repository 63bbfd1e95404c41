import type { AssistantSettings } from "../lib/service-settings.js";
import type { AssistantOptions } from "./export-options.js";
import { InvalidOption, readServiceDomain, readServiceUrl } from "./service-address.js";

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
  const { key, questions = [] } = options;
  const url = readServiceUrl("assistant.url", options.url);
  // Pages show it to everyone, so the key of an administrator must never get into one.
  if (!/^svc_dsc_[\w-]{1,200}$/.test(key))
    throw new InvalidOption("assistant.key must be the key of an assistant, which begins with svc_dsc_");
  const domain = readServiceDomain("assistant.domain", options.domain, baseUrl);
  const asked = questions.map((question) => question.trim()).filter((question) => question !== "");
  if (asked.length > mostQuestions)
    throw new InvalidOption(`assistant.questions has more than ${mostQuestions} questions`);
  return { url, domain, key, questions: asked };
}
