import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ModelRequest, textOf } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compared } from '../schemas/fixtures/compared.ts';
import { outcomeOf, tupleOf } from '../schemas/fixtures/scripted-design.ts';
import { designResult, storedDesignRun } from '../schemas/fixtures/stored-design-run.ts';
import { loadSchemaDataset } from '../schemas/load-schema-dataset.ts';
import type { ExpectationsLine, VerdictsLine } from './expectation.ts';
import { type JudgeExpectationsOptions, judgeExpectations } from './judge-expectations.ts';
import { listExpectations } from './list-expectations.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'askema-expectations-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
const linesOf = <Line>(name: string): Line[] =>
  readFileSync(at(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const textOfRequest = (request: ModelRequest): string =>
  request.messages.map(({ content }) => textOf(content)).join('\n');

const kinds = [
  ...Array<string>(13).fill('fact'),
  ...Array<string>(4).fill('event'),
  ...Array<string>(3).fill('refusal'),
];

/** Lists 20 expectations; the first has this quote. */
function lister(quote: string, asked: string[] = []) {
  return scriptedModel((request) => {
    asked.push(textOfRequest(request));
    return {
      json: {
        expectations: kinds.map((kind, number) => ({
          kind,
          quote: number === 0 ? quote : '',
          says: `${kind} ${number}`,
          certainty: 'said',
        })),
      },
    };
  });
}

async function list(requirements: Readonly<Record<string, string>>, model = lister('Plots'), label = 'lister') {
  const rows = Object.entries(requirements).map(([id, question]) => ({
    id,
    question,
    answer: { Plot: { Attributes: ['Size'] } },
  }));
  writeFileSync(at('set.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  return listExpectations({
    dataset: await loadSchemaDataset(at('set.jsonl')),
    out: at('expected.jsonl'),
    lister: { model, label },
  });
}

describe('listExpectations', () => {
  it.each([
    ['plots have\n  sizes', 'said'],
    ['Plots … sizes', 'said'],
    ['Plots have owners', 'implied'],
    ['…', 'implied'],
  ])('takes %j as %s', async (quote, certainty) => {
    await list({ garden: 'Plots have sizes.' }, lister(quote));
    const [line] = linesOf<ExpectationsLine>('expected.jsonl');
    expect(line?.expectations[0]).toMatchObject({ number: 1, certainty, quote: certainty === 'said' ? quote : '' });
  });

  it('asks again only for a requirement whose text has changed', async () => {
    const asked: string[] = [];
    await list({ garden: 'Plots.', pond: 'Ponds.' }, lister('', asked));
    expect(await list({ garden: 'Plots.', pond: 'Deep ponds.' }, lister('', asked))).toMatchObject({
      requirements: 2,
      done: 2,
      calls: 2,
    });
    expect(asked).toHaveLength(3);
    expect(asked[2]).toContain('Deep ponds.');
  });

  it('refuses a file of another model, a broken one, and a link', async () => {
    await list({ garden: 'Plots.' });
    await expect(list({ garden: 'Plots.' }, lister(''), 'other')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('lister listed, now other would'),
    });
    writeFileSync(at('expected.jsonl'), 'oops\n{"schemaVersion":1}\n');
    await expect(list({ garden: 'Plots.' })).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
    rmSync(at('expected.jsonl'));
    symlinkSync(at('set.jsonl'), at('expected.jsonl'));
    await expect(list({ garden: 'Plots.' })).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
    expect(readFileSync(at('set.jsonl'), 'utf8')).toContain('Plots.');
  });
});

describe('judgeExpectations', () => {
  /** Schemas by the size of a plot; no size: no schema. */
  const runOf = (name: string, sizes: Readonly<Record<string, string | undefined>>, more: object = {}) => ({
    name,
    designs: storedDesignRun(
      name,
      Object.entries(sizes).map(([id, size]) => {
        const schema = size === undefined ? undefined : tupleOf(compared({ Plot: `Plot ID*, ${size}` }));
        return designResult(id, 1, {
          outcome: { ...outcomeOf({ requirement: `Plots of ${id}.`, runId: id, schema }), ...more },
        });
      }),
    ),
  });
  const ids = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];
  const sizes = (size: string) => Object.fromEntries(ids.map((id) => [id, size]));

  /** What is Large holds; with assumptions it is stated; else it fails. */
  function judge(asked: string[] = []) {
    return scriptedModel((request) => {
      const text = textOfRequest(request);
      asked.push(text);
      const shown = [...text.matchAll(/<<<data schema ([A-H]) [^>]*>>>\n([\s\S]*?)\n<<<end/g)];
      const those = (verdict: string) =>
        shown
          .filter(
            ([, , schema = '']) =>
              verdict ===
              (schema.includes('Large') ? 'holds' : schema.includes('Assumptions:\n- x') ? 'stated' : 'fails'),
          )
          .map(([, letter = '']) => letter);
      const failing = those('fails');
      return {
        json: {
          expectations: kinds.map((_, number) => ({
            number: number + 1,
            fails: failing.length === 0 ? [] : [{ designs: failing, reason: 'too small' }],
            stated: those('stated'),
            holds: those('holds'),
          })),
        },
      };
    });
  }
  const judgeAll = (
    designs: JudgeExpectationsOptions['designs'],
    { model = judge(), seed }: { readonly model?: ReturnType<typeof judge>; readonly seed?: number } = {},
  ) =>
    judgeExpectations({
      expectations: at('expected.jsonl'),
      designs,
      out: at('verdicts.jsonl'),
      judge: { model, label: 'judge' },
      seed,
    });
  const verdicts = () => linesOf<VerdictsLine>('verdicts.jsonl');

  beforeEach(async () => {
    await list(Object.fromEntries(ids.map((id) => [id, `Plots of ${id}.`])));
  });

  it('gives each verdict to the design it was said of, in an order that differs by requirement', async () => {
    const asked: string[] = [];
    const designs = [
      runOf('agent', sizes('Large')),
      runOf('plain', sizes('Small')),
      runOf('asking', sizes('Tiny'), { assumptions: ['x'] }),
    ];
    expect(await judgeAll(designs, { model: judge(asked) })).toMatchObject({ done: 6, failures: [], problems: [] });
    for (const { expectations } of verdicts())
      expect(expectations[7]).toMatchObject({
        number: 8,
        kind: 'fact',
        says: 'fact 7',
        designs: {
          agent: { verdict: 'holds' },
          plain: { verdict: 'fails', reason: 'too small' },
          asking: { verdict: 'stated' },
        },
      });
    expect(new Set(verdicts().map(({ order }) => order[0])).size).toBeGreaterThan(1);
    for (const text of asked) expect(text).not.toMatch(/agent|plain|asking/);
  });

  it('draws another order by another seed, the same by the same, whatever the order of the runs', async () => {
    const designs = [runOf('a', sizes('Large')), runOf('b', sizes('Small')), runOf('c', sizes('Tiny'))];
    const orders = async (seed: number, given = designs) => {
      rmSync(at('verdicts.jsonl'), { force: true });
      await judgeAll(given, { seed });
      return verdicts().map(({ order }) => order.join(''));
    };
    const first = await orders(1);
    expect(await orders(1, designs.toReversed())).toEqual(first);
    expect(await orders(2)).not.toEqual(first);
  });

  it('fails a design without a schema unseen, and leaves out what a run lacks or designed by other words', async () => {
    const asked: string[] = [];
    const summary = await judgeAll(
      [
        runOf('agent', { ...sizes('Large'), r1: undefined }),
        runOf('plain', { r1: undefined, r2: 'Small', r3: 'Small', r4: 'Small', r5: 'Small' }),
        runOf('other', sizes('Small'), {}),
      ].map((design) => (design.name === 'other' ? withOtherWords(design, 'r5') : design)),
      { model: judge(asked) },
    );
    expect(summary).toMatchObject({
      requirements: 6,
      done: 4,
      problems: [
        { id: 'r5', message: expect.stringContaining('other was designed by another text') },
        { id: 'r6', message: 'plain has no result.' },
      ],
    });
    expect(asked[0]?.match(/<<<data schema/g)).toHaveLength(1);
    expect(verdicts()[0]?.expectations[0]?.designs).toMatchObject({
      agent: { verdict: 'fails', reason: 'There is no schema.' },
      other: { verdict: 'fails', reason: 'too small' },
    });
  });

  function withOtherWords(design: ReturnType<typeof runOf>, id: string): ReturnType<typeof runOf> {
    const results = design.designs.results.map((result) =>
      result.id === id && result.outcome !== undefined
        ? { ...result, outcome: { ...result.outcome, requirement: 'Ponds.' } }
        : result,
    );
    return { ...design, designs: { ...design.designs, results } };
  }

  it('judges anew only where a design has changed, and refuses other names', async () => {
    const asked: string[] = [];
    await judgeAll([runOf('agent', sizes('Large'))], { model: judge(asked) });
    await judgeAll([runOf('agent', { ...sizes('Large'), r3: 'Small' })], { model: judge(asked) });
    expect(asked).toHaveLength(7);
    expect(verdicts().at(-1)).toMatchObject({ id: 'r3' });
    await expect(judgeAll([runOf('plain', sizes('Large'))])).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('the designs were agent and are plain'),
    });
  });

  it.each([
    ['two of one name', ['a', 'a'], /Two designs are called a/],
    ['nine', [...'abcdefghi'], /9 designs cannot/],
    ['a name that is none', ['__proto__'], /"__proto__" is no name/],
  ])('refuses %s', async (_, names, message) => {
    await expect(judgeAll(names.map((name) => runOf(name, {})))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(message),
    });
  });
});
