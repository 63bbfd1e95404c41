/** Names of what may be a credential, wherever it is written. */
export const mayBeSecret = (name: string): boolean =>
  /auth|token|secret|passw|cookie|api[-_ ]?key|credential|session/i.test(name);
