import { maxPasswordLength, minPasswordLength } from "../password.js";

/** What is wrong with a new password; undefined: nothing. */
export function passwordFault(password: string, email: string): string | undefined {
  const { length } = [...password];
  if (length < minPasswordLength) return `Take ${minPasswordLength} characters or more; these are ${length}.`;
  if (length > maxPasswordLength) return `Take ${maxPasswordLength} characters or fewer; these are ${length}.`;
  if (new Set(password).size < 5) return "Take more than a few different characters.";
  if (email !== "" && password.toLowerCase().includes(email.toLowerCase())) return "Take more than your own address.";
  return undefined;
}
