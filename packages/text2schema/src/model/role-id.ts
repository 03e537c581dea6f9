/** The six roles of SchemaAgent (section 4.1), in the forward order of its workflow. */
export const ROLE_IDS = [
  'product-manager',
  'conceptual-designer',
  'conceptual-reviewer',
  'logical-designer',
  'qa-engineer',
  'test-executor',
] as const;

/** A role of {@link ROLE_IDS}. */
export type SchemaRole = (typeof ROLE_IDS)[number];
