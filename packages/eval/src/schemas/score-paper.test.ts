import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compared } from './fixtures/compared.ts';
import { loadSchemaDataset, STRUCTURAL_DEFECTS } from './load-schema-dataset.ts';
import { embedNames } from './name-ports.ts';
import { scorePaper } from './score-paper.ts';
import { openWordNet } from './wordnet.ts';

const OWN = fileURLToPath(new URL('./fixtures', import.meta.url));
const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const RSCHEMA = path.join(DATA, 'rschema-dev');

const similarity = (pairs: Readonly<Record<string, number>>) => ({
  name: 'scripted',
  of: (a: string, b: string) => pairs[`${a}~${b}`] ?? 0,
});

describe('scorePaper', () => {
  it('aligns names by synonyms, by similarity above 0.6, and by more than three quarters of the longer name', async () => {
    const synonyms = await openWordNet({ directory: path.join(OWN, 'wordnet') });
    const gold = compared({ 'Client Purchase': 'a*', Staff: 'b*', Registration: 'c*', Room: 'd*' });
    const predicted = compared({ 'customer buy': 'a*', Employee: 'b*', Registrations: 'c*', Chamber: 'd*' });
    const ports = { synonyms, similarity: similarity({ 'Staff~Employee': 0.61, 'Room~Chamber': 0.6 }) };
    expect(scorePaper(gold, predicted, ports).match.tables.map((pair) => [pair.gold, pair.predicted])).toEqual([
      ['Client Purchase', 'customer buy'],
      ['Staff', 'Employee'],
      ['Registration', 'Registrations'],
    ]);
    expect(scorePaper(gold, predicted).match.tables.map((pair) => pair.gold)).toEqual(['Registration']);
  });

  it('computes formulas 1 to 3, exact keys, and types with zeros for what is unmatched', () => {
    const gold = compared({
      Reader: 'Reader ID* NUMERIC, Name TEXT',
      Loan: 'Reader ID* NUMERIC > Reader.Reader ID, Day* DATETIME, Fee NUMERIC, Note TEXT',
      Shelf: 'Shelf ID* NUMERIC',
    });
    const predicted = compared({
      Reader: 'Reader ID* NUMERIC, Name NUMERIC',
      Loan: 'Reader ID* NUMERIC > Reader.Reader ID, Day DATETIME, Fine NUMERIC',
      Fountain: 'x*',
    });
    expect(scorePaper(gold, predicted).score).toEqual({
      tableF1: 2 / 3,
      tableAccuracy: 0,
      attributeF1: (1 + (2 * 2) / (4 + 3)) / 3,
      attributeAccuracy: 1 / 3,
      attributeSchemaAccuracy: 0,
      primaryKeyAccuracy: 1 / 3,
      primaryKeySchemaAccuracy: 0,
      foreignKeyF1: 1,
      foreignKeyAccuracy: 2 / 3,
      foreignKeySchemaAccuracy: 0,
      typeAccuracy: 3 / 7,
    });
  });

  it('never counts one table for two', () => {
    const gold = compared({ Customer: 'a*', Client: 'a*' });
    const synonyms = { name: 'all', areSynonyms: () => true };
    expect(scorePaper(gold, compared({ Customer: 'a*' }), { synonyms }).score.tableF1).toBeCloseTo(2 / 3);
  });

  it('gives gold 1 against itself, but for rows that break their own rules', async () => {
    for (const place of existsSync(RSCHEMA) ? [OWN, RSCHEMA] : [OWN]) {
      for (const { id, gold, defects } of (await loadSchemaDataset(place)).items) {
        if (defects.some((defect) => STRUCTURAL_DEFECTS.includes(defect.kind))) continue;
        expect([id, Math.min(...Object.values(scorePaper(gold, gold).score))]).toEqual([id, 1]);
      }
    }
  });
});

describe('embedNames', () => {
  it('asks for each name once, and measures angles, not lengths', async () => {
    const asked: string[][] = [];
    const vectors: Readonly<Record<string, readonly number[]>> = { a: [1, 0], b: [3, 3], c: [0, 2] };
    const model = {
      provider: 'scripted',
      modelId: 'two-dimensions',
      async embed(texts: readonly string[]) {
        asked.push([...texts]);
        return { vectors: texts.map((text) => Float32Array.from(vectors[text] ?? [0, 0])), usage: {} };
      },
    };
    const known = new Map<string, Float32Array>();
    const first = await embedNames(['a', 'b', 'a'], model, { known });
    const second = await embedNames(['a', 'c'], model, { known });
    expect(asked).toEqual([['a', 'b'], ['c']]);
    expect(first.of('a', 'b')).toBeCloseTo(Math.SQRT1_2);
    expect(second.of('a', 'c')).toBeCloseTo(0);
    expect(second.of('a', 'nobody')).toBe(0);
    expect(first.name).toBe('scripted:two-dimensions');
  });
});
