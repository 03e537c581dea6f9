import { attributeId, type DataType, finishCatalog, indexSchema, relationId } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { flagCandidates, flagValues } from './flag-cells.ts';
import { questionMentions } from './question-mentions.ts';

const COLUMNS: Readonly<Record<string, DataType>> = {
  id: 'NUMERIC',
  is_active: 'TEXT',
  vegan_flg: 'TEXT',
  sold_out: 'NUMERIC',
  opened: 'DATETIME',
};
const shops = relationId(['shops']);
const attributes = Object.keys(COLUMNS).map((name) => attributeId(shops, name));
const catalog = finishCatalog({
  schemaVersion: 1,
  dialect: 'sqlite',
  name: 'flags',
  nameComparison: 'insensitive',
  schema: {
    relations: [{ id: shops, name: 'shops' }],
    attributes: Object.entries(COLUMNS).map(([name, type]) => ({
      id: attributeId(shops, name),
      relation: shops,
      name,
      type,
    })),
    primaryKeys: [{ relation: shops, attributes: attributes.slice(0, 1) }],
    foreignKeys: [],
    domainConstraints: [],
  },
  relations: { [shops]: { nameParts: { relation: 'shops' }, kind: 'table', rowCount: 2 } },
  attributes: Object.fromEntries(attributes.map((id, place) => [id, { position: place + 1, nativeType: '' }])),
  uniqueKeys: [],
  checks: [],
  families: [],
  keyStanding: {},
  incomplete: [],
});

describe('flagCandidates', () => {
  it.each<[question: string, name: string, named: string[], opposite: string[]]>([
    ['active shops', 'is_active', ['active'], []],
    ['Inactive shops', 'is_active', [], ['Inactive']],
    ['vegan food', 'vegan_flg', ['vegan'], []],
    ['which is sold out?', 'sold_out', ['sold out'], []],
  ])('%s', (question, name, named, opposite) => {
    expect(flagCandidates(catalog, indexSchema(catalog), [shops], question, questionMentions(question))).toEqual([
      { attribute: attributeId(shops, name), relation: shops, named, opposite },
    ]);
  });

  it('takes neither keys nor dates', () => {
    const question = 'id of what opened';
    expect(flagCandidates(catalog, indexSchema(catalog), [shops], question, questionMentions(question))).toEqual([]);
  });
});

describe('flagValues', () => {
  it.each<[cells: unknown[], values: ReturnType<typeof flagValues>]>([
    [['0', '1'], { yes: '1', no: '0' }],
    [['No', 'Yes'], { yes: 'Yes', no: 'No' }],
    [['T'], { yes: 'T', no: undefined }],
    [['1'], undefined],
    [['Y', 'N', 'maybe'], undefined],
    [['2', '1'], undefined],
    [[], undefined],
  ])('%j', (cells, values) => {
    expect(flagValues(cells)).toEqual(values);
  });
});
