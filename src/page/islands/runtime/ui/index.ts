/**
 * Our components in live islands: the same elements and classes as those of pages, so that the style sheets and the
 * scripts of the page fit. Code has no colours.
 */
import type { Tables } from "../registry.js";
import { createCard } from "./Card.js";
import { createCode } from "./Code.js";
import { CardGroup, Column, Columns } from "./Columns.js";
import { createExpandable } from "./Expandable.js";
import { createIcon } from "./Icon.js";
import { createSay } from "./words.js";

/** By the names of `uiNames`. */
export function createUi({ icons, words }: Tables) {
  const say = createSay(words);
  return {
    Card: createCard(icons),
    CardGroup,
    ...createCode(icons, say),
    Column,
    Columns,
    Expandable: createExpandable(say),
    Icon: createIcon(icons),
  };
}
