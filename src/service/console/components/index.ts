/** What the pages of the console are made of. */
export { type Bar, Chart } from "./chart.js";
export { Action, Button, Field, type FieldErrors, Form } from "./form.js";
export {
  Badge,
  Command,
  EmptyState,
  Icon,
  type IconName,
  Notice,
  PageHead,
  Section,
  StatusBadge,
  Time,
} from "./page.js";
export { type Column, EventTable, Facts, Pager, Table } from "./table.js";
