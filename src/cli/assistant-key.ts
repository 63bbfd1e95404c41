import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fileOf = (dataFolder: string): string => join(dataFolder, "assistant-key");

/** The assistant key that the service has put into its data folder, for questions from this machine. */
export function readAssistantKey(dataFolder: string): string | undefined {
  const file = fileOf(dataFolder);
  return existsSync(file) ? readFileSync(file, "utf8").trim() || undefined : undefined;
}

export const writeAssistantKey = (dataFolder: string, key: string): void =>
  writeFileSync(fileOf(dataFolder), `${key}\n`, { mode: 0o600 });
