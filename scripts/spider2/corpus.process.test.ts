import { compress } from '@askema/grounding';
import { describe, expect, it } from 'vitest';
import { decode } from '../../packages/grounding/src/compress/test-support/decode.ts';
import {
  differences,
  expectedRelations,
} from '../../packages/grounding/src/compress/test-support/expected-relations.ts';
import { CORPORA, hasCorpora, readCorpus } from './read-corpus.ts';
import { readDdl } from './read-ddl.ts';
import { CORPUS_DIALECTS } from './warehouse-dialects.ts';

const isThere = hasCorpora();
if (!isThere) console.warn('SKIPPED: spider2 is not there. Set ASKEMA_DATA to the folder that holds it.');

describe.skipIf(!isThere)('the compressed schemas of Spider 2.0', () => {
  it.each(CORPORA)(
    '%s: read back, every relation, column and type is there, and no other',
    (corpus) => {
      // Every ninth database: `pnpm bars:compress` goes through all.
      for (const { db, catalog } of readCorpus(corpus).filter((_, index) => index % 9 === 0)) {
        const dialect = CORPUS_DIALECTS[catalog.dialect]!;
        const { text, omitted, omittedAttributes } = compress(catalog, { dialect, countTokens: () => 0 });
        expect({ db, omitted, omittedAttributes }).toEqual({ db, omitted: [], omittedAttributes: [] });
        expect(differences(expectedRelations(catalog, dialect), decode(text)).slice(0, 5)).toEqual([]);
      }
    },
    120_000,
  );
});

describe('readDdl', () => {
  it('reads what the three engines write', () => {
    const { columns } = readDdl(
      'CREATE TABLE `p.d.t`\n(\n  a ARRAY<STRUCT<b STRING OPTIONS(description="one, \\"two\\""), c NUMERIC(3, 1)>> NOT NULL OPTIONS(description="it\'s")\n)\nPARTITION BY a;',
    );
    expect(columns).toEqual([
      {
        name: 'a',
        type: 'ARRAY<STRUCT<b STRING, c NUMERIC(3, 1)>>',
        comment: "it's",
        notNull: true,
        unique: false,
        fields: [
          { path: ['[]', 'b'], type: 'STRING', comment: 'one, "two"' },
          { path: ['[]', 'c'], type: 'NUMERIC(3, 1)', comment: undefined },
        ],
      },
    ]);
    const keys = readDdl(
      'CREATE TABLE [x y] (id INTEGER PRIMARY KEY, "a ""b" TEXT DEFAULT \'x,y\', FOREIGN KEY (id) REFERENCES z (k));',
    );
    expect(keys.columns.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'INTEGER'],
      ['a "b', 'TEXT'],
    ]);
    expect(keys).toMatchObject({ primaryKey: ['id'], foreignKeys: [{ from: ['id'], target: 'z', to: ['k'] }] });
  });
});
