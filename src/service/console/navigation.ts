import type { Role } from "../jobs/index.js";
import type { IconName } from "./parts/index.js";

export interface NavigationEntry {
  /** Below `/console`. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly role: Role;
  /** Begins a group. */
  readonly group?: string;
}

/** The menu, in order. */
export const navigation: readonly NavigationEntry[] = [
  { path: "", title: "Overview", icon: "home", role: "reader" },
  { path: "/jobs", title: "Jobs", icon: "jobs", role: "reader" },
  { path: "/agent", title: "Agent", icon: "agent", role: "reader" },
  { path: "/sites", title: "Sites", icon: "sites", role: "reader" },
  { path: "/views", title: "Views", icon: "views", role: "reader", group: "Readers" },
  { path: "/questions", title: "Questions", icon: "questions", role: "editor" },
  { path: "/keys", title: "API keys", icon: "keys", role: "owner", group: "Settings" },
  { path: "/credentials", title: "Credentials", icon: "lock", role: "owner" },
  { path: "/people", title: "People", icon: "people", role: "owner" },
  { path: "/log", title: "Audit log", icon: "log", role: "owner" },
];
