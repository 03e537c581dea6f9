import { type GenerateSqlInput, indexSchema, type Message, qualifiedName } from '@askema/core';
import { bigqueryDialect, duckdbDialect, postgresDialect, snowflakeDialect } from '@askema/dialects';
import { compress } from '@askema/grounding';
import { describe, expect, it } from 'vitest';
import { twoSchemas } from './fixtures/two-schemas.ts';
import { generateSqlTask } from './flows/plain/tasks/generate-sql.ts';

const textOf = (messages: readonly Message[]): string => JSON.stringify(messages);

describe.each([[postgresDialect], [duckdbDialect], [snowflakeDialect], [bigqueryDialect]])(
  'relations of one name in two schemas on $displayName',
  (dialect) => {
    const catalog = twoSchemas(dialect);
    const names = Object.values(catalog.relations).map(({ nameParts }) => qualifiedName(nameParts, dialect));

    it('stand in the schema text under names of their own, with what each query needs', () => {
      const { text } = compress(catalog, { dialect });
      for (const name of names) expect(text).toContain(`CREATE TABLE ${name} `);
      expect(text).toMatch(/every query must filter on it/);
    });

    it('stay apart in a short text, too', () => {
      const { text } = compress(catalog, { dialect, maxTokens: 60, question: 'archived orders' });
      expect(names.filter((name) => text.includes(name)).length).toBeGreaterThan(0);
      expect(text).not.toMatch(/^CREATE TABLE "?orders/im);
    });

    it('are told apart in prompts: values by their whole place, and the hints of the dialect', () => {
      const city = indexSchema(catalog).attributesNamed(
        dialect.identifiers.unquotedFolding === 'upper' ? 'CITY' : 'city',
      )[0];
      const input: GenerateSqlInput = {
        question: 'How many orders in Rome?',
        catalog,
        dialect,
        schemaText: compress(catalog, { dialect }).text,
        values: [{ mention: 'Rome', attribute: city?.id ?? '', value: 'Rome', score: 1 }],
        today: '2024-06-15',
        allowWrite: false,
      };
      const text = textOf(generateSqlTask.render(input)).toLowerCase();
      expect(text).toContain(`${names[0]}.city = 'rome'`.toLowerCase());
      expect(text).toContain(JSON.stringify(dialect.hints[0]).slice(1, -1).toLowerCase());
    });
  },
);
