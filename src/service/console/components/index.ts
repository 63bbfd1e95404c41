/** The building blocks of the console's pages. */
export { Chart } from "./chart.js";
export * from "./form.js";
export * from "./page.js";
export { type Column, EventTable, Facts, listAddress, Pager, RowText, Segments, SiteFilter, Table } from "./table.js";
