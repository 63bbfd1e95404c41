/** The building blocks of the console's pages. */
export { Chart } from "./chart.js";
export {
  Action,
  Button,
  type FieldErrors,
  type FieldProps,
  Form,
  KindChoices,
  LinkButton,
  Options,
  passwordField,
} from "./form.js";
export {
  Badge,
  Command,
  Copyable,
  EmptyState,
  Icon,
  type IconName,
  Notice,
  PageHead,
  Section,
  StatusBadge,
  Time,
} from "./page.js";
export { type Column, EventTable, Facts, listAddress, Pager, RowText, Segments, SiteFilter, Table } from "./table.js";
