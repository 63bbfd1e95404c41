import type { ApiConfig, NavEntry, Navigation, SpecRef } from "../config/index.js";

/** Specifications that `api` and the visible containers of the navigation name, in the order written. */
export function findSpecRefs(
  api: ApiConfig,
  navigation: Navigation,
  kind: "openapi" | "asyncapi" | "arazzo",
): readonly SpecRef[] {
  const found = [...api[kind], ...navigation[kind]];
  const stack: NavEntry[] = navigation.children.toReversed();
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    if (entry.kind === "page") continue;
    if (!entry.hidden) found.push(...(entry[kind] ?? []));
    stack.push(...entry.children.toReversed());
  }
  return found;
}
