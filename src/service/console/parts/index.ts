/** What the pages of the console are made of. */
export { type Bar, Chart } from "./chart.js";
export { EventTable } from "./event-table.js";
export { Facts } from "./facts.js";
export { Action, Button, Field, type FieldErrors, Form } from "./form.js";
export { Icon, type IconName } from "./icon.js";
export { Badge, Command, EmptyState, Notice, PageHead, Section, StatusBadge, Time } from "./page-parts.js";
export { type Column, Pager, Table } from "./table.js";
