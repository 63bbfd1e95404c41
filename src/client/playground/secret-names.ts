export const secretNames = /auth|token|secret|passw|cookie|api[-_ ]?key|credential|session/i;

/** Whether it may be a credential, wherever it is written. */
export const mayBeSecret = (name: string): boolean => secretNames.test(name);
