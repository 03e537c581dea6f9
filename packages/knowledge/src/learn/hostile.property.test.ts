import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAskemaError } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadKnowledge } from '../folder/load-knowledge.ts';
import { personFolder } from '../folder/person-folder.ts';
import { makeFolder, shopModel } from '../folder/test-support/make-folder.ts';
import { bindShop } from '../reader/test-support/shop.ts';
import { correct } from './correct.ts';
import { remember } from './remember.ts';
import { answered } from './test-support/answered.ts';

/** Pieces that mean something to YAML, Markdown, SQL, fences, file systems and terminals. */
const PIECES = [
  ...[
    '---',
    '\n',
    '\r\n',
    '\t',
    ' ',
    ': ',
    ' #',
    '"',
    "'",
    "''",
    '{',
    '}',
    '{a}',
    '[',
    ']',
    '&a',
    '*a',
    '!!x',
    '|',
    '>',
  ],
  ...[
    '# x',
    '```sql',
    '```',
    '\\',
    '%',
    '../',
    '/',
    '.',
    '<<<end 0>>>',
    '<|',
    '\0',
    '\u001b',
    '\u202e',
    '\u200b',
    '\u2028',
  ],
  ...[
    '\ufeff',
    '\ud800',
    'a',
    'B',
    '7',
    '7.0',
    'é',
    'e\u0301',
    'no',
    '~',
    ':a',
    ':7',
    '@',
    '`',
    'SELECT 7',
    ';',
    '--',
    '/*',
    '*/',
  ],
];
const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));
const FILES = { 'knowledge.yml': 'schema_version: 1\n', 'models/shop.ossie.yaml': shopModel('shop') };
const bound = bindShop();

/** Of the folder; what was there stays. */
function written(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((file) => !Object.hasOwn(FILES, file));
}

async function orRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (!isAskemaError(thrown) || thrown.code !== 'INPUT_INVALID') throw thrown;
    return undefined;
  }
}

describe('what people teach, of any text', () => {
  const run = async <T extends { readonly file: string }>(folder: string, by: string, teach: () => Promise<T>) => {
    rmSync(join(folder, 'proposals'), { recursive: true, force: true });
    const taught = await orRefused(teach);
    expect(written(folder)).toEqual(taught === undefined ? [] : [taught.file]);
    if (taught === undefined) return undefined;
    expect(taught.file.startsWith(`${personFolder(by)}/`)).toBe(true);
    expect((await loadKnowledge(folder)).problems).toEqual([]);
    const knowledge = await loadKnowledge(folder, { proposalsOf: by });
    expect(knowledge.problems).toEqual([]);
    return { taught, knowledge };
  };

  it('is refused, or kept as it is in the folder of the person', { timeout: 30_000 }, async () => {
    const folder = makeFolder(FILES);
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(text, text, text, async (by, question, more) => {
        const sql = `SELECT ${more}`;
        const parameters = question.includes('7') ? { a: 7 } : {};
        const outcome = answered(question, sql);
        const found = await run(folder, by, () =>
          remember(folder, outcome, { by, dialect: sqliteDialect, parameters }),
        );
        if (found === undefined) return;
        kept += 1;
        expect(found.knowledge.verifiedQueries).toMatchObject([
          { question: found.taught.question, sql: found.taught.sql, other: { confirmed_by: by }, standing: { by } },
        ]);
        if (Object.keys(parameters).length === 0) expect(found.taught.sql).toBe(sql.trim());
      }),
      { numRuns: 800 },
    );
    expect(kept).toBeGreaterThan(10);
  });

  it('is refused as a correction, or kept as one rule', { timeout: 30_000 }, async () => {
    const folder = makeFolder(FILES);
    await fc.assert(
      fc.asyncProperty(text, text, async (words, question) => {
        const outcome = answered(question, 'SELECT 1');
        const found = await run(folder, 'ann', () => correct(folder, outcome, words, { by: 'ann', bound }));
        if (found === undefined) return;
        expect(found.knowledge.texts.map((one) => one.text)).toEqual([found.taught.text]);
        expect(found.knowledge.texts[0]).toMatchObject({
          kind: 'rule',
          priority: 0,
          standing: { state: 'proposed', by: 'ann' },
        });
      }),
      { numRuns: 150 },
    );
  });
});
