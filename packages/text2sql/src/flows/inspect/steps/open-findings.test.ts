import { attributeId, finishCatalog, type InspectionFinding, relationId, type Severity } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { shopCatalog } from '../../../fixtures/scripted-adapter.ts';
import type { ClauseAction } from '../clauses/clause-action.ts';
import type { InspectTry } from '../state/inspect-state.ts';
import { valueChanges } from './choose-try.ts';
import { bestTry, blockingFindings, findingKey } from './open-findings.ts';
import { triedAttributes, withoutAttributes } from './revise-actions.ts';

const found = (severity: Severity, more: Partial<InspectionFinding> = {}): InspectionFinding => ({
  code: 'syntax',
  severity,
  message: '',
  advice: '',
  span: { start: 0, end: 6 },
  ...more,
});
const tried = (findings: readonly InspectionFinding[], more: Partial<InspectTry> = {}): InspectTry => ({
  actions: [],
  answers: {},
  unread: [],
  sql: 'SELECT 1',
  findings,
  kept: [],
  decisions: [],
  explanation: null,
  ...more,
});
const WARNINGS = { reviseFrom: 'warning' } as const;

describe('bestTry', () => {
  it.each([
    ['the first among equals', [tried([found('error')]), tried([found('error')])], 0],
    ['the least severe', [tried([found('error')]), tried([found('warning'), found('warning')])], 1],
    ['the fewest', [tried([found('warning'), found('warning')]), tried([found('warning')])], 1],
    ['one without a statement last', [tried([found('warning')], { sql: '' }), tried([found('error')])], 1],
    ['one that the database refused last', [tried([], { failed: true }), tried([found('error')])], 1],
    ['kept findings and notes as none', [tried([found('error'), found('note')], { kept: [0] }), tried([])], 0],
  ])('takes %s', (_name, tries, best) => {
    expect(bestTry(tries, WARNINGS)).toBe(best);
  });

  it('gives nothing where nothing was tried', () => {
    expect(bestTry([], WARNINGS)).toBeUndefined();
  });
});

describe('blockingFindings', () => {
  it('goes by the severity that is asked for', () => {
    const one = tried([found('error'), found('warning'), found('note')]);
    const counts = (['error', 'warning', 'note'] as const).map(
      (reviseFrom) => blockingFindings(one, { reviseFrom }).length,
    );
    expect(counts).toEqual([1, 2, 3]);
  });
});

describe('findingKey', () => {
  it('is the same wherever the same text stands, and goes by column and value where there are such', () => {
    const at = (start: number) => found('error', { span: { start, end: start + 3 } });
    expect(findingKey(at(0), 'abc x')).toBe(findingKey(at(2), 'x Abc'));
    const value = (sql: string) => findingKey(found('error', { column: 'a.b', value: 'v' }), sql);
    expect(value('SELECT 1')).toBe(value('SELECT 2'));
  });
});

describe('triedAttributes', () => {
  const catalog = shopCatalog();
  const relation = relationId(['customer']);
  const notFound = (column: string) => [found('error', { code: 'value-not-found', column })];

  it('are those of conditions whose value was not found; keys and what is shown stay', () => {
    const hidden = (column: string, actions: readonly ClauseAction[] = []) => [
      ...triedAttributes([tried(notFound(column), { actions })], catalog, sqliteDialect),
    ];
    expect(hidden('customer.name')).toEqual([attributeId(relation, 'name')]);
    expect(hidden('customer.id')).toEqual([]);
    const select: ClauseAction = { action: 'add_select', distinct: false, items: [{ expression: 'UPPER(Name)' }] };
    expect(hidden('customer.name', [select])).toEqual([]);
    const note = [found('note', { code: 'value-not-found', column: 'customer.name' })];
    expect(triedAttributes([tried(note)], catalog, sqliteDialect)).toEqual(new Set());
  });

  it('are nowhere in the catalog of the prompt, whose keys stay whole', () => {
    const id = attributeId(relation, 'name');
    const unique = finishCatalog({ ...catalog, uniqueKeys: [{ relation, attributes: [id] }] });
    const without = withoutAttributes(unique, new Set([id]));
    expect(JSON.stringify([without.schema, without.attributes, without.uniqueKeys])).not.toContain(id);
    expect(without.schema.primaryKeys).toEqual(catalog.schema.primaryKeys);
  });
});

describe('valueChanges', () => {
  const sequence = (left: string, ...values: string[]): readonly ClauseAction[] => [
    { action: 'add_from', relation: 'painting', alias: 'p', joins: [] },
    ...values.map(
      (value): ClauseAction => ({ action: 'add_where', left, operator: '=', right: [{ kind: 'text', value }] }),
    ),
  ];
  const changes = (before: readonly ClauseAction[], after: readonly ClauseAction[]) =>
    valueChanges([tried([], { actions: before }), tried([], { actions: after })], 1);

  it('tell what was replaced, moved and dropped', () => {
    expect(changes(sequence('p.title', 'mil', 'dune'), sequence('p.title', 'Mill'))).toEqual([
      { type: 'replaced', value: 'mil', by: 'Mill', column: 'painting.title' },
      { type: 'dropped', value: 'dune', column: 'painting.title' },
    ]);
    expect(changes(sequence('p.title', 'Mill'), sequence('p.place', 'Mill'))).toEqual([
      { type: 'moved', value: 'Mill', column: 'painting.title', to: 'painting.place' },
    ]);
  });

  it('are none where only the alias differs, or nothing', () => {
    const alone: readonly ClauseAction[] = [
      { action: 'add_from', relation: 'painting', joins: [] },
      { action: 'add_where', left: 'title', operator: '=', right: [{ kind: 'text', value: 'Mill' }] },
    ];
    expect(changes(sequence('p.title', 'Mill'), alone)).toEqual([]);
    expect(valueChanges([tried([], { actions: alone })], 0)).toEqual([]);
  });
});
