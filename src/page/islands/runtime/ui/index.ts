/**
 * Our components in live islands: the same elements and classes as those of pages, so that the style sheets and the
 * scripts of the page fit. Code has no colours, and words are English.
 */
import type { Tables } from "../registry.js";
import { createCard } from "./Card.js";
import { createCode } from "./Code.js";
import { CardGroup, Column, Columns } from "./Columns.js";
import { Expandable } from "./Expandable.js";
import { createIcon } from "./Icon.js";

/** By the names of `uiNames`. */
export const createUi = ({ icons }: Tables) => ({
  Card: createCard(icons),
  CardGroup,
  ...createCode(icons),
  Column,
  Columns,
  Expandable,
  Icon: createIcon(icons),
});
