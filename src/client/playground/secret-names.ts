export const secretNames = /auth|token|secret|passw|cookie|api[-_ ]?key|credential|session/i;

/** What is shown in the place of a secret. */
export const maskText = "••••••••";

/** Whether it may be a credential, wherever it is written. */
export const mayBeSecret = (name: string): boolean => secretNames.test(name);
