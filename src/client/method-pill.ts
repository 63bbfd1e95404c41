import { create } from "./dom.js";

/** The method next to the name of an endpoint, as the sidebar shows it. */
export const methodPill = (marker: string): HTMLElement =>
  create("span", { class: "method-nav-pill", "data-method": marker }, marker === "DELETE" ? "DEL" : marker);
