import { attributeId, relationId } from '@askema/core';
import { expect, it } from 'vitest';
import { compared } from '../schemas/fixtures/compared.ts';
import { tupleOf } from '../schemas/fixtures/scripted-design.ts';
import { schemaLines } from './schema-lines.ts';

const garden = compared({
  Gardener: 'Gardener ID* NUMERIC, Name TEXT',
  Plot: 'Plot ID* NUMERIC, Name TEXT, Gardener ID NUMERIC > Gardener.Gardener ID',
});

it('writes constraints at the attribute they belong to, where the key does not say them', () => {
  const name = attributeId(relationId(['Plot']), 'Name');
  const key = attributeId(relationId(['Plot']), 'Plot ID');
  const schema = {
    ...tupleOf(garden),
    domainConstraints: [
      { attribute: name, constraint: 'unique' as const },
      { attribute: name, constraint: 'not null' as const },
      { attribute: key, constraint: 'not null' as const },
    ],
  };
  expect(schemaLines(schema).split('\n')).toEqual([
    'Gardener(Gardener ID NUMERIC, Name TEXT)',
    '  key: Gardener ID',
    'Plot(Plot ID NUMERIC, Name TEXT unique not null, Gardener ID NUMERIC)',
    '  key: Plot ID',
    '  Gardener ID references Gardener(Gardener ID)',
  ]);
});

it('writes what people made in the same form, without types where there are none', () => {
  expect(schemaLines(garden)).toBe(schemaLines(tupleOf(garden)));
  expect(schemaLines(compared({ Plot: 'Size' }))).toBe('Plot(Size)\n  key: none');
});
