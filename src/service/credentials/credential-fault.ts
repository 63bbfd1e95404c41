/** Why a credential cannot be added or used. The message is for clients: it contains no secret. */
export class CredentialFault extends Error {
  override readonly name = "CredentialFault";
}
