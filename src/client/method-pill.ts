import { create } from "./dom.js";

/** The pill beside the name of an endpoint, as the sidebar has it. */
export const methodPill = (marker: string): HTMLElement =>
  create("span", { class: "method-nav-pill", "data-method": marker }, marker === "DELETE" ? "DEL" : marker);
