/** The parts of an API that have pages, for anchors of other documentation systems. Addresses start at the overview. */
export interface AnchorTable {
  readonly operations: readonly (readonly [href: string, operationId: string, method: string, path: string])[];
  readonly tags: readonly (readonly [name: string, href: string])[];
  readonly schemas: readonly (readonly [name: string, href: string])[];
}
