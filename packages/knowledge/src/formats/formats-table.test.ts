import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportDbt } from './dbt/export/export-dbt.ts';
import { readOssie } from './ossie/read-ossie.ts';
import { writeOssie } from './ossie/write-ossie.ts';
import { exportSnowflake } from './snowflake/export-snowflake.ts';
import { everyPart } from './test-support/every-part.ts';

const GUIDE = new URL('../../../../docs/guide/knowledge-formats.md', import.meta.url);

/** By the first column of the table: what an exporter says that it loses where it cannot write the part. */
const LOSSES: Readonly<Record<string, RegExp>> = {
  table: /^dataset trips(: (schema|database.*))?$/,
  'query in place of a table': /^dataset drivers$/,
  'key of several columns': /^dataset stops: key/,
  'join over several columns': /^relationship trip_stop$/,
  'type of a field': /^field trips\.state: type$/,
  'label of a field': /^field trips\.state: label$/,
  'unit of a field': /^field trips\.fare: unit$/,
  'grain of a time': /^field trips\.started_at: time grain$/,
  'values of a field': /^field trips\.state: values$/,
  'meanings of values': /^field trips\.state: meanings/,
  synonyms: /^dataset trips: synonyms$/,
  'instructions of a dataset': /^dataset trips: instructions$/,
  'hidden field': /^field trips\.state: hidden$/,
  'hidden metric': /^metric hidden: hidden$/,
  'filter with a name': /^filter done$/,
  'default filter': /^(dataset|metric) .*: default filter|^metric many_stops$/,
  'what a row is, certified': /^dataset trips: grain$/,
  'metric over one dataset': /^metric income$/,
  'metric over several datasets': /^metric two_facts$/,
  'metric with a filter': /^metric filtered$/,
  'ratio, arithmetic over metrics': /^metric (share|rest)$/,
  'value of a time before': /^metric growth$/,
  'running value': /^metric running$/,
  'not to be added up over time': /^metric balance$/,
  '0 in place of NULL': /^metric zero/,
  'time of a metric': /^metric timed/,
  'time spine': /time spine/,
  'verified query': /^query logical$/,
  'verified query with parameters': /^query holes$/,
  rule: /^rule money/,
  'what a text applies to': /^caveat gap(: applies to)?$/,
  'extension of another tool': /^dataset trips: extension OTHER$/,
};

const [, , ...rows] = tableOf(readFileSync(GUIDE, 'utf8'));

describe('the table of docs/guide/knowledge-formats.md', () => {
  it('has a row for each part', () => {
    expect(rows.map(([part]) => part)).toEqual(Object.keys(LOSSES));
  });

  it.each([
    ['dbt', 3, exportDbt(everyPart)],
    ['Snowflake', 4, exportSnowflake(everyPart)],
  ] as const)('says what the exporter for %s loses', (_, column, { lost }) => {
    const written = rows.map((row) => [row[0], row[column]?.split(' / ')[1]]);
    const seen = rows.map((row) => {
      const [part = ''] = row;
      const word = row[column]?.split(' / ')[1];
      const isLost = lost.some(({ what }) => LOSSES[part]?.test(what));
      return [part, isLost ? (word === 'part' ? 'part' : 'no') : 'yes'];
    });
    expect(seen).toEqual(written);
  });

  it.each(['flat', '0.1.1'] as const)('says that all comes back from Ossie, %s', (version) => {
    const [model] = everyPart.models;
    if (model === undefined) throw new Error('no model');
    const [file] = writeOssie(model, { version }).files;
    const again = readOssie(file?.text ?? '', 'fleet.ossie.yaml');
    expect(again.problems).toEqual([]);
    expect(again.models.map((one) => plain(one))).toEqual([plain(model)]);
  });
});

/** The cells of the rows of the longest table. */
function tableOf(markdown: string): string[][] {
  const tables = markdown.split(/\n{2,}/).filter((block) => block.startsWith('|'));
  const longest = tables.sort((a, b) => b.length - a.length)[0] ?? '';
  return longest.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'standing' ? undefined : inner)));
}
