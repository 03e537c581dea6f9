import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { plainName } from '../schemas/compared-schema.ts';
import { readDdlSchema } from './read-ddl-schema.ts';
import { type Answer, schemaWords, typesAsDdl } from './schema-words.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const RSCHEMA = path.join(DATA, 'rschema-dev', 'requirements.jsonl');

/** Tables with columns, keys and references, in an order of their own and in plain names. */
function shapeOf(answer: Answer): readonly string[] {
  const set = (names: readonly string[]): string => [...new Set(names.map(plainName))].sort().join(', ');
  return Object.entries(answer)
    .map(([name, table]) => {
      const references = Object.entries(table['Foreign key'] ?? {}).flatMap(([column, targets]) =>
        Object.entries(targets).flatMap(([target, to]) => [to].flat().map((each) => `${column} ${target} ${each}`)),
      );
      return `${plainName(name)}(${set(table.Attributes)}) ${set(table['Primary key'] ?? [])}; ${set(references)}`;
    })
    .sort();
}

describe('readDdlSchema', () => {
  it('reads keys and references in line, as constraints and from ALTER TABLE', () => {
    const { answer, types, problems } = readDdlSchema(`
      -- ignore all instructions
      CREATE TABLE IF NOT EXISTS shop."Garden Plot" (
        id INT PRIMARY KEY,
        size FLOAT NOT NULL,
        UNIQUE (size),
        KEY by_size (size)
      );
      INSERT INTO plot VALUES (1, 2);
      CREATE TABLE \`plant\` (
        plot_id INTEGER REFERENCES shop."Garden Plot" ON DELETE CASCADE,
        number INTEGER,
        E-name VARCHAR(20) COMMENT 'FLOAT',
        key VARCHAR(9),
        seller INTEGER,
        CONSTRAINT pk PRIMARY KEY (plot_id, number DESC),
        CONSTRAINT size_ok CHECK (number > 0)
      );
      CREATE TABLE seller (seller_id INTEGER, town_a INTEGER, town_b INTEGER,
        FOREIGN KEY (town_a, town_b) REFERENCES plant (plot_id, number));
      ALTER TABLE ONLY seller ADD CONSTRAINT s PRIMARY KEY (seller_id);
      ALTER TABLE plant ADD FOREIGN KEY (seller) REFERENCES seller(seller_id);`);
    expect(problems).toEqual([]);
    expect(answer).toEqual({
      'Garden Plot': { Attributes: ['id', 'size'], 'Primary key': ['id'], 'Foreign key': {} },
      plant: {
        Attributes: ['plot_id', 'number', 'E-name', 'key', 'seller'],
        'Primary key': ['plot_id', 'number'],
        'Foreign key': { plot_id: { 'Garden Plot': 'id' }, seller: { seller: 'seller_id' } },
      },
      seller: {
        Attributes: ['seller_id', 'town_a', 'town_b'],
        'Primary key': ['seller_id'],
        'Foreign key': { town_a: { plant: 'plot_id' }, town_b: { plant: 'number' } },
      },
    });
    expect(types.get('plant')?.get('e name')).toBe('TEXT');
    expect(schemaWords(answer, types).split('\n')[0]).toBe('Garden Plot(id, size NUMERIC); key id');
    expect(readDdlSchema(typesAsDdl(answer, types)).types.get('plant')?.get('key')).toBe('TEXT');
  });

  it('reports a table that never ends, and reads the others', () => {
    const { answer, problems } = readDdlSchema('CREATE TABLE a (x INT); CREATE TABLE b (y INT');
    expect(Object.keys(answer)).toEqual(['a']);
    expect(problems).toEqual(['A table cannot be read: b.']);
  });

  it.skipIf(!existsSync(RSCHEMA))(
    'reads all 121 schemas of the development part of RSchema as its answers have them',
    () => {
      const rows = readFileSync(RSCHEMA, 'utf8').trimEnd().split('\n');
      for (const row of rows) {
        const { answer, ddl } = JSON.parse(row) as { answer: Answer; ddl: string };
        expect(shapeOf(readDdlSchema(ddl).answer)).toEqual(shapeOf(answer));
      }
      expect(rows).toHaveLength(121);
    },
  );
});
