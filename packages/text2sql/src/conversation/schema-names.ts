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
  const whole = relations.map(
    ({ id, name }) =>
      `${name}(${index
        .attributesOf(id)
        .map((attribute) => short(attribute.name))
        .join(', ')})`,
  );
  return (
    withinTokens(whole, '\n', maxTokens) ??
    withinTokens(
      relations.map(({ name }) => name),
      ', ',
      maxTokens,
    ) ??
    firstNames(
      relations.map(({ name }) => name),
      maxTokens,
    )
  );
}

function withinTokens(parts: readonly string[], between: string, maxTokens: number): string | undefined {
  let tokens = 0;
  for (const part of parts) {
    tokens += countTokensRoughly(`${part}${between}`);
    if (tokens > maxTokens) return undefined;
  }
  return parts.join(between);
}

function firstNames(names: readonly string[], maxTokens: number): string {
  const shown: string[] = [];
  let tokens = 0;
  for (const name of names) {
    tokens += countTokensRoughly(`${name}, `);
    if (tokens > maxTokens) break;
    shown.push(name);
  }
  return `${shown.join(', ')} and ${names.length - shown.length} more`;
}
