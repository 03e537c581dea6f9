/** A row of a table of model names: the first row whose `pattern` matches decides. */
export interface TraitRow<Traits> {
  /** A case-insensitive regular expression source, matched at the start of the name. */
  readonly pattern: string;
  readonly traits: Partial<Traits>;
  /** The vendor's page, or another document, that says so. */
  readonly source: string;
}

/**
 * What is known of a model by its name. A leading `vendor/` (gateways) and `ft:` (fine-tuned models) do not count. What
 * no row says comes from `defaults`; what the caller says in `overrides` wins.
 */
export function traitsOf<Traits extends object>(
  modelId: string,
  table: readonly TraitRow<Traits>[],
  defaults: Traits,
  overrides: Partial<Traits> = {},
): Traits {
  const name = modelId.slice(modelId.lastIndexOf('/') + 1).replace(/^ft:/, '');
  const row = table.find(({ pattern }) => new RegExp(`^(?:${pattern})`, 'i').test(name));
  return { ...defaults, ...row?.traits, ...definedOnly(overrides) };
}

function definedOnly<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
