import type english from "./locales/en.json";

/** Every text of the page around its content, by name. `fill` puts a value in place of `%`. */
export type Messages = Readonly<typeof english.page>;

/** The texts that only the playground has. */
export type PlaygroundMessages = Readonly<typeof english.playground>;

/** The texts that only the panel of the assistant has. */
export type AssistantMessages = Readonly<typeof english.assistant>;

/** The fixed texts of an assistant without a language model. */
export type AnswerMessages = Readonly<typeof english.answers>;

/** The content of a file in `locales/`. */
export interface Locale {
  readonly page: Messages;
  readonly playground: PlaygroundMessages;
  readonly assistant: AssistantMessages;
  readonly answers: AnswerMessages;
}
