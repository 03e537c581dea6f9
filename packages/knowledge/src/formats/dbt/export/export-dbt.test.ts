import { describe, expect, it } from 'vitest';
import type { Knowledge } from '../../../model/knowledge.ts';
import type { MetricDefinition } from '../../../model/metric-definition.ts';
import type { SemanticModel } from '../../../model/semantic-model.ts';
import { importDbt } from '../import/import-dbt.ts';
import { legacyLibrary, meaningOf } from '../test-support/library-project.ts';
import { exportDbt } from './export-dbt.ts';

const standing = { state: 'accepted' as const, source: 'file', place: { file: 'models/library.ossie.yaml', line: 3 } };

function knowledgeOf(change: (model: SemanticModel) => SemanticModel = (model) => model): Knowledge {
  const { knowledge } = importDbt(legacyLibrary());
  return { schemaVersion: 1, problems: [], ...knowledge, models: knowledge.models.map(change) };
}

/** The library with one more metric. */
function withMetric(definition: MetricDefinition): Knowledge {
  return knowledgeOf((model) => ({
    ...model,
    metrics: [...model.metrics, { name: 'one_more', definition, extensions: [], standing }],
  }));
}

function aggregate(expression: string, more: object = {}): MetricDefinition {
  return { kind: 'aggregate', expressions: [{ dialect: 'ANSI_SQL', expression }], ...more };
}

const textOf = (knowledge: Knowledge): string =>
  exportDbt(knowledge)
    .files.map(({ text }) => text)
    .join('');

describe('exportDbt', () => {
  it('writes what it has read', () => {
    const knowledge = knowledgeOf();
    const { files, lost } = exportDbt(knowledge);
    expect(lost).toEqual([]);
    const again = importDbt(files);
    expect(again.lost).toEqual([]);
    expect(meaningOf(again.knowledge.models[0])).toEqual(meaningOf(knowledge.models[0]));
  });

  it('writes paths of entities, as MetricFlow resolves them', () => {
    expect(textOf(knowledgeOf())).toContain(
      "filter: \"{{ Dimension('loan__is_late') }} AND {{ Dimension('branch__city', entity_path=['member']) }} = 'Bonn'\"",
    );
  });

  it.each<[string, MetricDefinition, string]>([
    [
      'SUM(loans.fee) FILTER (WHERE loans.is_late)',
      aggregate('SUM(loans.fee) FILTER (WHERE loans.is_late)'),
      'expr: CASE WHEN (returned_at > due_at) THEN fee END',
    ],
    [
      'a count of different values',
      aggregate('COUNT(DISTINCT loans.member_id)'),
      'agg: count_distinct\n        expr: member_id',
    ],
    [
      'a share of one metric in itself, told apart for MetricFlow',
      {
        kind: 'ratio',
        numerator: { metric: 'loans_made', filter: 'loans.is_late' },
        denominator: { metric: 'loans_made' },
      },
      'numerator:\n        name: loans_made\n        filter: "{{ Dimension(\'loan__is_late\') }}"\n        alias: loans_made_part\n',
    ],
    ['rows', aggregate('COUNT(*)', { dataset: 'loans' }), 'agg: count\n        expr: 1'],
    ['a name that a dimension has', aggregate('SUM(loans.fee)'), 'measure: one_more\n'],
  ])('writes %s', (_, definition, text) => {
    expect(textOf(withMetric(definition))).toContain(text);
  });

  it('stays within its folder, whatever the model is called', () => {
    const { files } = exportDbt(knowledgeOf((model) => ({ ...model, name: '../../etc/x' })));
    expect(files.map(({ path }) => path)).toEqual([
      'etc-x/semantic_models.yml',
      'etc-x/metrics.yml',
      'etc-x/columns.yml',
    ]);
  });

  it('gives a measure another name where a dimension has it', () => {
    const knowledge = knowledgeOf((model) => ({
      ...model,
      metrics: [{ name: 'kind', definition: aggregate('COUNT(DISTINCT members.kind)'), extensions: [], standing }],
    }));
    expect(textOf(knowledge)).toContain('- name: kind_measure\n        agg: count_distinct');
    expect(textOf(knowledge)).toContain('measure: kind_measure');
  });

  it.each<[string, MetricDefinition, string]>([
    ['two aggregations', aggregate('SUM(loans.fee) / COUNT(*)', { dataset: 'loans' }), 'one aggregation'],
    ['columns of two datasets', aggregate('SUM(loans.fee * members.balance)'), 'columns of one semantic model'],
    ['rows without a time', aggregate('COUNT(branches.id)'), 'branches has no default_time'],
    ['a sum of distinct values', aggregate('SUM(DISTINCT loans.fee)'), 'no SUM of distinct values'],
    ['an unknown metric', { kind: 'derived', expression: 'x', inputs: [{ metric: 'x' }] }, 'There is no metric x'],
    ['a running share', { kind: 'cumulative', input: { metric: 'late_share' } }, 'a metric of metrics'],
    [
      'a filter by what is reached in no way',
      aggregate('SUM(members.balance)', { filter: 'loans.is_late' }),
      'does not lead to loans',
    ],
  ])('lists a metric of %s', (_, definition, reason) => {
    const { lost, files } = exportDbt(withMetric(definition));
    expect(lost).toEqual([{ what: 'metric one_more', place: standing.place, reason: expect.stringContaining(reason) }]);
    expect(files.map(({ text }) => text).join('')).not.toContain('one_more');
  });

  it('lists all for which dbt has no place', () => {
    const knowledge = knowledgeOf((model) => ({
      ...model,
      description: 'All of the library.',
      filters: [{ name: 'late', condition: 'loans.is_late', synonyms: [], dataset: 'loans', standing }],
      extensions: [{ vendor: 'OMNI', data: '{}' }],
      relationships: model.relationships.map((one) => ({ ...one, fromColumns: ['a', 'b'], toColumns: ['a', 'b'] })),
      metrics: model.metrics
        .filter(({ name }) => name === 'fee_total')
        .map((metric) => ({ ...metric, unit: 'EUR', isHidden: true, ai: { synonyms: ['charges'], examples: [] } })),
      datasets: model.datasets.map((dataset) => ({
        ...dataset,
        source: dataset.name === 'branches' ? 'SELECT * FROM b' : `marts.${dataset.source}`,
        defaultFilter: dataset.name === 'loans' ? 'loans.is_late' : undefined,
        fields: dataset.fields.map((field) => ({ ...field, unit: field.name === 'balance' ? 'EUR' : undefined })),
      })),
    }));
    const { lost, files } = exportDbt({
      ...knowledge,
      settings: { timeZone: 'Europe/Berlin' },
      texts: [{ id: 'late', kind: 'rule', title: 'Late', text: '…', appliesTo: [], priority: 0, standing }],
      verifiedQueries: [
        { id: 'all', question: 'All?', sql: 'SELECT 1', names: 'physical', parameters: [], tags: [], standing },
      ],
    });
    expect(lost.map(({ what }) => what).sort()).toEqual([
      'dataset branches',
      'dataset loans: schema',
      'dataset members: schema',
      'field members.balance: unit',
      'filter late',
      'metric fee_total: default filter of loans',
      'metric fee_total: hidden',
      'metric fee_total: synonyms',
      'metric fee_total: unit',
      'model dbt: description',
      'model dbt: extension OMNI',
      'query all',
      'relationship loans_to_members',
      'relationship members_to_branches',
      'rule late',
      'settings: timeZone',
    ]);
    expect(files.map(({ text }) => text).join('')).toContain('filter: "{{ Dimension(\'loan__is_late\') }}"');
  });
});
