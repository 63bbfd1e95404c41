import type { Input } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface MigrateArguments {
  readonly data?: string;
  readonly check: boolean;
}

export const migrateOptions = { ...texts.migrate, ...texts.data };

export const parseMigrate = ({ values }: Input<typeof migrateOptions>): MigrateArguments => ({
  data: values.data,
  check: values.check ?? false,
});
