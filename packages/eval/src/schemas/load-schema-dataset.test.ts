import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSchemaDataset, type SchemaItem } from './load-schema-dataset.ts';

const OWN = fileURLToPath(new URL('./fixtures', import.meta.url));
const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const RSCHEMA = path.join(DATA, 'rschema-dev');

const folder = mkdtempSync(path.join(tmpdir(), 'askema-schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, lines: readonly string[]): string => {
  const file = path.join(folder, name);
  writeFileSync(file, lines.join('\n'));
  return file;
};
const item = async (id: string): Promise<SchemaItem | undefined> =>
  (await loadSchemaDataset(OWN)).items.find((each) => each.id === id);

describe('loadSchemaDataset', () => {
  it('reads requirements with their schemas, keys and the types of the DDL', async () => {
    const dataset = await loadSchemaDataset(OWN);
    expect(dataset.items.map(({ id, defects }) => [id, defects.length > 0])).toEqual([
      ['lending-library', false],
      ['bicycle-workshop', false],
      ['choir', false],
      ['bee-keepers', true],
      ['ferry', true],
    ]);
    expect(dataset.name).toBe('fixtures');
    expect((await item('bicycle-workshop'))?.gold.relations[1]).toEqual({
      name: 'Order',
      attributes: [
        { name: 'Order ID', type: 'NUMERIC' },
        { name: 'Customer ID', type: 'NUMERIC' },
        { name: 'Bicycle', type: 'TEXT' },
        { name: 'Check-in Date', type: 'DATETIME' },
        { name: 'Price', type: 'NUMERIC' },
        { name: 'Paid', type: 'BOOL' },
      ],
      primaryKey: ['Order ID'],
      foreignKeys: [{ attributes: ['Customer ID'], target: 'Customer', targetAttributes: ['Customer ID'] }],
    });
  });

  it('says of each defect the row, the table and what is wrong, and keeps the row', async () => {
    const [bees, ferry] = [await item('bee-keepers'), await item('ferry')];
    expect(bees?.defects.map(({ line, kind, message }) => `${line} ${kind}: ${message}`)).toEqual([
      '4 duplicate-attribute: Keeper lists the attribute Name twice.',
      '4 foreign-key-two-targets: Hive.Owner references Keeper.Keeper ID and Hive.Hive ID.',
      '4 key-column-missing: The primary key of Inspection names Hive ID, Day, which it does not have.',
      '4 type-missing: The DDL gives Inspection.Weight no type.',
      '4 foreign-key-column-missing: A foreign key of Inspection is Inspector, which it does not have.',
    ]);
    expect(bees?.gold.relations).toHaveLength(3);
    expect(ferry?.defects.map(({ kind, table, message }) => `${kind} ${table ?? '-'}: ${message}`)).toEqual([
      'ddl-unreadable -: A quote that never ends in table Trip.',
      'ddl-differs Trip: The DDL has no table Trip.',
      'ddl-differs Ticket: The DDL has no table Ticket.',
      'foreign-key-to-part-of-key Ticket: Ticket.Route references Trip.Route, a part of the key (Route, Departure).',
      'foreign-key-target-missing Ticket: Ticket.Passenger ID references Passenger, which there is not.',
    ]);
    expect(ferry?.gold.relations[0]?.attributes[0]?.type).toBeUndefined();
  });

  it('reports lines that are no requirement, and ids that come twice', async () => {
    const good = JSON.stringify({ id: 'a', question: 'Q', answer: { T: { Attributes: ['x'] } } });
    const { items, problems } = await loadSchemaDataset(
      write('mixed.jsonl', [good, '{', '', good, JSON.stringify({ id: 'b', question: ' ', answer: {} })]),
    );
    expect(items.map(({ id, gold }) => [id, gold.relations[0]?.primaryKey])).toEqual([['a', []]]);
    expect(problems.map(({ line, id }) => [line, id])).toEqual([
      [2, undefined],
      [4, 'a'],
      [5, 'b'],
    ]);
    expect(problems[1]?.message).toBe('Line 4 repeats the id a of line 1.');
  });

  it('refuses a place without a usable line', async () => {
    await expect(loadSchemaDataset(path.join(folder, 'nowhere.jsonl'))).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringContaining('There is no'),
    });
    await expect(loadSchemaDataset(write('empty.jsonl', []))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
    await expect(loadSchemaDataset(write('bad.jsonl', ['[]']))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });
});

describe.runIf(existsSync(RSCHEMA))('the development part of RSchema', () => {
  it('is read whole, and its known defects are named', async () => {
    const { items, problems } = await loadSchemaDataset(RSCHEMA);
    expect([items.length, problems.length]).toEqual([121, 0]);
    const defects = items.flatMap((each) => each.defects.map(({ line, kind }) => `${line} ${kind}`));
    expect([...new Set(defects)]).toEqual([
      '52 foreign-key-two-targets',
      '59 foreign-key-to-part-of-key',
      '68 key-column-missing',
      '117 type-missing',
    ]);
  });
});
