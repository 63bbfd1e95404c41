export const llamaAddon: string | undefined;
export function installLlama(): void;
