import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Knowledge } from '../../model/knowledge.ts';
import type { FieldType, Metric, SemanticModel } from '../../model/semantic-model.ts';
import { exportSnowflake } from './export-snowflake.ts';
import { importSnowflake } from './import-snowflake.ts';

const standing = { state: 'proposed', source: 'snowflake', place: { file: 'model.yaml' } } as const;

/** Texts that YAML might take for something else are among them. */
const prose = fc.oneof(
  fc.constantFrom('on', 'no', '1e3', '~', '- a', 'a: b', '# c', '"', "it's", '{x}', 'two\nlines', ' blank '),
  fc.string({ minLength: 1 }),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const name = fc
  .stringMatching(/^[a-z][a-z0-9_]{0,6}[a-z]$/)
  .filter((word) => !/^(sum|count|over|select|end)$/.test(word));
const names = (maxLength: number) =>
  fc.uniqueArray(name, { minLength: 1, maxLength, selector: (one) => one.toLowerCase() });
const synonyms = fc.array(prose, { maxLength: 2 });
const types: FieldType[] = ['String', 'Integer', 'Decimal', 'Float', 'Boolean', 'Date', 'DateTime', 'DateTimeTz'];

/** What a view can say: whatever is drawn must come back. */
const knowledge: fc.Arbitrary<Knowledge> = names(3).chain((tables) =>
  fc
    .record({
      description: maybe(prose),
      datasets: fc.tuple(...tables.map((table) => dataset(table))),
      metrics: fc.uniqueArray(
        fc.record({ name, table: fc.constantFrom(...tables), description: maybe(prose), isHidden: fc.boolean() }),
        { maxLength: 4, selector: (one) => one.name },
      ),
      filters: fc.uniqueArray(fc.record({ name, synonyms }), { maxLength: 2, selector: (one) => one.name }),
      pairs: fc.integer({ min: 1, max: 3 }),
      isOneToOne: fc.boolean(),
      questions: fc.uniqueArray(name, { maxLength: 2 }),
      seconds: fc.integer({ min: 0, max: 4e9 }),
      rule: maybe(prose.filter((text) => text.trim() === text && text !== '')),
    })
    .map((drawn): Knowledge => {
      const [first = ''] = tables;
      const columns = Array.from({ length: drawn.pairs }, (_, at) => `c${at}`);
      const model: SemanticModel = {
        name: 'model',
        description: drawn.description,
        datasets: drawn.datasets,
        relationships: tables.slice(1).map((to) => ({
          name: `to_${to}`,
          from: first,
          to,
          fromColumns: columns,
          toColumns: columns,
          isOneToOne: drawn.isOneToOne ? true : undefined,
          extensions: [],
          standing,
        })),
        metrics: drawn.metrics.map(
          (one): Metric => ({
            name: one.name,
            description: one.description,
            definition: {
              kind: 'aggregate',
              dataset: one.table,
              expressions: [{ dialect: 'ANSI_SQL', expression: `SUM(${one.table}.amount)` }],
            },
            isHidden: one.isHidden ? true : undefined,
            extensions: [],
            standing,
          }),
        ),
        filters: drawn.filters.map((one) => ({ ...one, dataset: first, condition: "status = 'on'", standing })),
        extensions: [],
        standing,
      };
      return {
        schemaVersion: 1,
        settings: {},
        models: [model],
        verifiedQueries: drawn.questions.map((id) => ({
          id: id.replaceAll('_', '-').replace(/-+/g, '-'),
          question: `What of ${id}?`,
          sql: `SELECT ${first}.amount FROM ${first}`,
          dialect: 'snowflake',
          names: 'logical',
          parameters: [],
          verifiedAt: new Date(drawn.seconds * 1000).toISOString(),
          tags: [],
          other: { name: id },
          standing,
        })),
        texts:
          drawn.rule === undefined || drawn.rule.startsWith('## ') || drawn.rule.includes('\n## ')
            ? []
            : [
                {
                  id: 'model-instructions',
                  kind: 'rule',
                  title: 'SQL generation',
                  text: drawn.rule,
                  appliesTo: [],
                  priority: 0,
                  standing,
                },
              ],
        problems: [],
      };
    }),
);

function dataset(table: string) {
  return fc
    .record({
      synonyms: synonyms.filter((list) => list.length > 0),
      description: maybe(prose),
      key: names(2),
      fields: fc.uniqueArray(
        fc.record({
          name,
          kind: fc.constantFrom('dimension', 'time', 'fact'),
          type: fc.constantFrom(...types),
          description: maybe(prose),
          synonyms,
          texts: fc.array(prose, { maxLength: 2 }),
          numbers: fc.array(fc.oneof(fc.integer(), fc.constant(0.5)), { maxLength: 2 }),
        }),
        { maxLength: 4, selector: (one) => one.name },
      ),
    })
    .map((drawn) => ({
      name: table,
      source: `DB.PUBLIC.${table}`,
      primaryKey: drawn.key,
      uniqueKeys: [['other', ...drawn.key]],
      description: drawn.description,
      ai: { synonyms: drawn.synonyms, examples: [] },
      fields: drawn.fields.map((field) => ({
        name: field.name,
        expressions: [{ dialect: 'SNOWFLAKE', expression: `INITCAP(${field.name})` }],
        dimension: field.kind === 'fact' ? undefined : field.kind === 'time' ? { isTime: true } : {},
        description: field.description,
        type: field.type,
        ai: { synonyms: field.synonyms, examples: [] },
        values: field.kind === 'dimension' ? valuesOf(field).map((value) => ({ value, synonyms: [] })) : [],
        extensions: [],
      })),
      extensions: [],
      standing,
    }));
}

function valuesOf(field: { type: FieldType; texts: string[]; numbers: number[] }): (string | number | boolean)[] {
  if (field.type === 'Boolean') return field.numbers.map((one) => one > 0);
  return ['Integer', 'Decimal', 'Float'].includes(field.type) ? field.numbers : field.texts;
}

describe('a semantic view', () => {
  it('gives back what was written', () => {
    fc.assert(
      fc.property(knowledge, (drawn) => {
        const exported = exportSnowflake(drawn);
        expect(exported.lost).toEqual([]);
        const imported = importSnowflake(exported.files);
        expect(imported.lost).toEqual([]);
        const { problems: _, schemaVersion: __, ...written } = drawn;
        expect(comparable(imported.knowledge)).toEqual(comparable(written));
      }),
      { numRuns: 60 },
    );
  });

  it('has values as texts, and as a list of all of them for dimensions alone', () => {
    const column = (name: string, isTime: boolean, value: string | number) => ({
      name,
      expressions: [{ dialect: 'ANSI_SQL', expression: name }],
      dimension: { isTime },
      type: isTime ? ('Date' as const) : ('Integer' as const),
      values: [{ value, synonyms: [] }],
      extensions: [],
    });
    const fields = [column('size', false, 7), column('day', true, '2024-01-01')];
    const table = { name: 't', source: 'D.P.T', primaryKey: [], uniqueKeys: [], fields, extensions: [], standing };
    const model = {
      name: 'm',
      datasets: [table],
      relationships: [],
      metrics: [],
      filters: [],
      extensions: [],
      standing,
    };
    const none = { settings: {}, verifiedQueries: [], texts: [], problems: [] };
    const { files, lost } = exportSnowflake({ schemaVersion: 1, models: [model], ...none });
    expect(files[0]?.text).toContain('sample_values:\n          - "7"\n        is_enum: true');
    expect(files[0]?.text).toMatch(/sample_values:\n {10}- "2024-01-01"\n(?! *is_enum)/);
    expect(lost.map(({ what }) => what)).toEqual(['field t.day: that there are no other values']);
  });
});

/** Without lines. Lists that a view keeps apart by kind or table are sorted. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (key === 'place') return undefined;
      if (key !== 'metrics' && key !== 'fields') return inner;
      return [...(inner as { name: string }[])].sort((a, b) => (a.name < b.name ? -1 : 1));
    }),
  );
}
