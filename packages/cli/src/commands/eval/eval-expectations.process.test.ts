import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const table = (Attributes: readonly string[], key: readonly string[]) => ({ Attributes, 'Primary key': key });
const REQUIREMENTS = [
  { id: 'kiln', question: 'A pottery fires pots in kilns.', answer: { Kiln: table(['Kiln ID'], ['Kiln ID']) } },
  { id: 'berth', question: 'A harbour has berths.', answer: { Berth: table(['Berth ID'], ['Berth ID']) } },
];

/**
 * Lists 13 facts, 4 events and 3 refusals; `lazy` not for the harbour. Designs a relation with the strategy's size. As a
 * judge, `strict` lets a schema with `big` in it meet everything and another one only facts.
 */
const CONFIG = `
  import { scriptedModel } from '@askema/testkit';
  const kinds = [...Array(13).fill('fact'), ...Array(4).fill('event'), ...Array(3).fill('refusal')];
  const list = kinds.map((kind, at) => ({
    kind, certainty: 'said', quote: at === 0 ? 'pots in kilns' : at === 1 ? 'pots in ovens' : '', says: kind + ' ' + at,
  }));
  const lister = (isLazy) => (request) =>
    isLazy && JSON.stringify(request.messages).includes('harbour')
      ? { text: 'no' }
      : { json: { expectations: list } };
  const designer = (size) => () => ({ json: { relations: [{ name: size,
    attributes: [{ name: 'id', type: 'NUMERIC' }], primaryKey: ['id'], foreignKeys: [] }] } });
  const judge = (request) => {
    const text = request.messages.map(({ content }) => content.map((part) => part.text).join('')).join('\\n');
    if (/agent|plain|people/.test(text)) return { text: 'A name is shown.' };
    const schemas = [...text.matchAll(/<<<data schema ([A-H]) [^>]*>>>\\n([\\s\\S]*?)\\n<<<end/g)];
    const big = schemas.filter(([, , schema]) => schema.includes('big')).map(([, letter]) => letter);
    const small = schemas.map(([, letter]) => letter).filter((letter) => !big.includes(letter));
    return { json: { expectations: kinds.map((kind, at) => ({ number: at + 1,
      fails: kind === 'fact' ? [] : [{ designs: small, reason: 'no ' + kind }],
      stated: [],
      holds: kind === 'fact' ? [...big, ...small] : big })) } };
  };
  export default {
    models: {
      lister: () => scriptedModel(lister(false), { modelId: 'lister' }),
      lazy: () => scriptedModel(lister(true), { modelId: 'lister' }),
      big: () => scriptedModel(designer('big'), { modelId: 'big' }),
      small: () => scriptedModel(designer('small'), { modelId: 'small' }),
      judge: () => scriptedModel(judge, { modelId: 'judge' }),
    },
  };
`;

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.write('askema.config.ts', CONFIG);
  project.write('set/requirements.jsonl', REQUIREMENTS.map((row) => JSON.stringify(row)).join('\n'));
});
afterEach(() => project.remove());
const run = (...parameters: readonly string[]) => runInProcess(['eval', ...parameters], { cwd: project.folder });
const linesOf = (name: string) =>
  readFileSync(project.path(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; expectations: { quote: string; certainty: string }[] });

const list = (...more: readonly string[]) =>
  run('list-expectations', 'set', '--model', 'lister', '--out', 'out/expected.jsonl', ...more);
const judge = (...more: readonly string[]) =>
  run(
    ...['judge-expectations', '--expectations', 'out/expected.jsonl', '--designs', 'plain=small', 'agent=big'],
    ...['--gold', 'people=set', '--model', 'judge', '--out', 'out/verdicts.jsonl', ...more],
  );

describe('askema eval list-expectations, judge-expectations, expectations', { timeout: 60_000 }, () => {
  it('lists, goes on after a failure and a torn line, and judges without names', async () => {
    const lazy = await run('list-expectations', 'set', '--model', 'lazy', '--out', 'out/expected.jsonl');
    expect(lazy.code).toBe(1);
    expect(lazy.stdout).toMatch(/Failed, to be tried again at the next start: 1\n {2}berth: /);
    writeFileSync(project.path('out/expected.jsonl'), '{"schemaVersion":1,"id":"be', { flag: 'a' });
    const { code, stdout } = await list();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 of 2 requirements\n/);
    expect(stdout).toMatch(/^fact +1 +25$/m);
    expect(linesOf('out/expected.jsonl').map(({ id }) => id)).toEqual(['kiln', 'berth']);
    expect(linesOf('out/expected.jsonl')[0]?.expectations.slice(0, 2)).toMatchObject([
      { number: 1, quote: 'pots in kilns', certainty: 'said' },
      { number: 2, quote: '', certainty: 'implied' },
    ]);

    for (const size of ['small', 'big'])
      await run('design', 'set', '--strategy', 'one-shot', '--model', size, '--out', size);
    const judged = await judge();
    expect(judged.stderr).toContain('scripted:judge');
    expect(judged.stdout).toMatch(/^2 of 2 requirements\n/);
    expect(judged.code).toBe(0);
    expect(linesOf('out/verdicts.jsonl')[0]?.expectations[19]).toMatchObject({
      kind: 'refusal',
      designs: {
        plain: { verdict: 'fails', reason: 'no refusal' },
        agent: { verdict: 'holds' },
        people: { verdict: 'fails' },
      },
    });
    expect(JSON.parse((await judge('--json')).stdout)).toMatchObject({ done: 2, calls: 2 });
    const report = await run('expectations', 'out/verdicts.jsonl', '--baseline', 'plain');
    expect(report.code).toBe(0);
    expect(report.stdout).toMatch(/^agent +said or implied +2 +100\.0 % of 40 +100\.0 % of 26 /m);
    expect(report.stdout).toMatch(/^plain +said +2 +100\.0 % of 1 /m);
    expect(report.stdout).toMatch(/^agent +events +implied +2 +\+100\.0 /m);
    expect(report.stdout).toMatch(/^people +all +said or implied +2 +0\.0 /m);
    const json = await run('expectations', 'out/verdicts.jsonl', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ requirements: 2, differences: [] });
    expect((await judge('--seed', '2')).stderr).toMatch(/the seed was 1 and is 2/);
  });

  it.each([
    [['list-expectations', 'set', '--model', 'lister'], /--out is missing/],
    [['list-expectations', 'set', '--model', 'lister', '--out', 'x', '--ids', 'kilm'], /kilm.*kiln/],
    [['expectations', 'nowhere'], /There is no .*nowhere/],
    [['judge-expectations', '--out', 'x'], /--expectations is missing/],
    [['judge-expectations', '--expectations', 'x', '--out', 'y', '--designs', 'small'], /must be NAME=DIR/],
    [
      ['judge-expectations', '--expectations', 'nowhere', '--out', 'y', '--gold', 'a=set', '--model', 'judge'],
      /nowhere/,
    ],
    [['judge-expectations', '--expectations', 'x', '--out', 'y', '--model', 'judge'], /0 designs/],
  ])('%j exits with 2', async (parameters, message) => {
    const { code, stderr } = await run(...parameters);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
