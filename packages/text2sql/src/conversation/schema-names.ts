import { type Catalog, countTokensRoughly, indexSchema, oneLine } from '@askema/core';

const MAX_NAME_CHARACTERS = 60;

/**
 * The names of a schema, a relation a line with its attributes; relations alone where that is above the budget, and
 * the first of them where even those are. Prompt text, to be fenced.
 */
export function schemaNames(catalog: Catalog, maxTokens: number): string {
  const index = indexSchema(catalog);
  const short = (name: string): string => oneLine(name, MAX_NAME_CHARACTERS);
  const relations = catalog.schema.relations.map(({ id, name }) => ({ id, name: short(name) }));
  const whole = relations.map(({ id, name }) => {
    const attributes = index.attributesOf(id).map((attribute) => short(attribute.name));
    return `${name}(${attributes.join(', ')})`;
  });
  if (withinTokens(whole, '\n', maxTokens).length === whole.length) return whole.join('\n');
  const names = relations.map(({ name }) => name);
  const shown = withinTokens(names, ', ', maxTokens);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** The first parts that fit. */
function withinTokens(parts: readonly string[], between: string, maxTokens: number): readonly string[] {
  let tokens = 0;
  const above = parts.findIndex((part) => {
    tokens += countTokensRoughly(`${part}${between}`);
    return tokens > maxTokens;
  });
  return above < 0 ? parts : parts.slice(0, above);
}
