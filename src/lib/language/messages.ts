import type english from "./locales/en.json";

/** Every text of the page around its content, by name. `%` is the place of a value: `fill` puts it in. */
export type Messages = Readonly<typeof english.page>;

/** The texts of the playground alone. */
export type PlaygroundMessages = Readonly<typeof english.playground>;

/** What a file in `locales/` holds. */
export interface Locale {
  readonly page: Messages;
  readonly playground: PlaygroundMessages;
}
