import type { Range } from "./line.js";

const groupSigns = /\$(\d+)|\$\{(\d+):\/(downcase|upcase)\}/g;

/** The scopes a rule gives to its match: names separated by blanks, in which `$1` is the text of a group. */
export class ScopeName {
  /** Numbers of the groups it uses. */
  readonly groups: readonly number[];
  private readonly written: string | undefined;

  constructor(written: unknown) {
    this.written = typeof written === "string" && written !== "" ? written : undefined;
    this.groups = this.written?.includes("$")
      ? Array.from(this.written.matchAll(groupSigns), ([, plain, changed]) => Number(plain ?? changed))
      : [];
  }

  in(text: string, groups: readonly Range[]): string | undefined {
    if (this.groups.length === 0) return this.written;
    return this.written!.replace(
      groupSigns,
      (whole, plain: string | undefined, changed: string, change: string | undefined) => {
        const group = groups[Number(plain ?? changed)];
        if (!group) return whole;
        const found = text.slice(group.start, group.end).replace(/^\.+/, "");
        return change === "downcase" ? found.toLowerCase() : change === "upcase" ? found.toUpperCase() : found;
      },
    );
  }
}
