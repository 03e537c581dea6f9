import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ModelRequest, textOf } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSchemaDataset } from '../schemas/load-schema-dataset.ts';
import { type BuildRequirementsOptions, buildRequirements } from './build-requirements.ts';
import { loadSchemaSources } from './load-schema-sources.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'askema-requirements-'));
  mkdirSync(path.join(folder, 'schemas'));
  write('schemas/garden.sql', 'CREATE TABLE plot (plot_id INTEGER PRIMARY KEY, size FLOAT);');
  write('schemas/more.jsonl', `${JSON.stringify({ id: 'pond', answer: { Pond: { Attributes: ['Pond ID'] } } })}\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const lines = (name: string): Record<string, unknown>[] =>
  read(name)
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const textOfRequest = (request: ModelRequest): string =>
  request.messages.map(({ content }) => textOf(content)).join('\n');
const isWriting = (text: string): boolean => text.includes('You write requirements');
const isRefining = (text: string): boolean => text.includes('Refine this pair');
const isLast = (text: string): boolean => text.includes('decide last');

/** Writes, refines and accepts everything; the pond gets a key; `reply` may answer otherwise. */
function gardener(reply: (text: string) => object | undefined = () => undefined, asked: string[] = []) {
  return scriptedModel((request) => {
    const text = textOfRequest(request);
    asked.push(text);
    const other = reply(text);
    if (other !== undefined) return other as never;
    if (isWriting(text))
      return {
        json: { scenario: 'A park.', domain: ['parks'], requirement: text.includes('Pond') ? 'Ponds.' : 'Plots.' },
      };
    if (!isRefining(text)) return { json: { remarks: 'fine', verdict: 'accept' } };
    const pond = [{ name: 'Pond', attributes: ['Pond ID'], primaryKey: ['Pond ID'], foreignKeys: [] }];
    const isPond = text.includes('Ponds.');
    return {
      json: {
        remarks: 'done',
        requirement: isPond ? 'Ponds have ids.' : 'Plots have sizes.',
        tables: isPond ? pond : null,
      },
    };
  });
}

async function build(model = gardener(), more: Partial<BuildRequirementsOptions> = {}) {
  return buildRequirements({
    schemas: await loadSchemaSources(path.join(folder, 'schemas')),
    out: path.join(folder, 'set'),
    writer: { model, label: 'gardener' },
    reviewer: { model, label: 'reviewer' },
    ...more,
  });
}

describe('buildRequirements, with a model as reviewer', () => {
  it('writes, refines, reviews, and leaves a data set that can be measured on', async () => {
    const summary = await build();
    expect(summary).toMatchObject({ samples: 2, states: { accepted: 2 }, agreed: 2, calls: 10, failures: [] });
    const { items } = await loadSchemaDataset(path.join(folder, 'set'));
    expect(items.map(({ id, requirement, domain }) => [id, requirement, domain])).toEqual([
      ['garden', 'Plots have sizes.', ['parks']],
      ['pond', 'Ponds have ids.', ['parks']],
    ]);
    expect(items[0]?.gold.relations[0]).toMatchObject({
      primaryKey: ['plot_id'],
      attributes: [{}, { type: 'NUMERIC' }],
    });
    expect(items[1]?.gold.relations[0]?.primaryKey).toEqual(['Pond ID']);
  });

  it('asks the refiner again, with the opinion, until the other annotator agrees', async () => {
    const asked: string[] = [];
    let crossed = 0;
    const model = gardener((text) => {
      if (!text.includes('another annotator than')) return undefined;
      crossed += 1;
      return { json: { remarks: 'No sizes of ponds.', verdict: crossed === 1 ? 'revise' : 'accept' } };
    }, asked);
    await build(model);
    const refinements = asked.filter(isRefining);
    expect(refinements).toHaveLength(3);
    expect(refinements.filter((text) => text.includes('cross, revise: No sizes of ponds.'))).toHaveLength(1);
  });

  it('deletes what the expert refuses, whatever the annotator says', async () => {
    const model = gardener((text) =>
      isLast(text) && text.includes('Ponds') ? { json: { remarks: 'too small', verdict: 'revise' } } : undefined,
    );
    expect(await build(model)).toMatchObject({ states: { accepted: 1, deleted: 1 }, agreed: 1 });
    expect(lines('set/requirements.jsonl').map(({ id }) => id)).toEqual(['garden']);
  });

  it('goes on after a failure or a stop, and asks nothing twice', async () => {
    const stop = new AbortController();
    const asked: string[] = [];
    const model = gardener((text) => {
      if (isRefining(text)) stop.abort();
      return undefined;
    }, asked);
    const stopped = await build(model, { signal: stop.signal });
    expect(stopped.states.accepted).toBe(0);
    const before = lines('set/results.jsonl').length;
    // What was written when the process died is no step.
    writeFileSync(path.join(folder, 'set/results.jsonl'), `${read('set/results.jsonl')}{"schemaVersion":1,"id":"po`);
    const again: string[] = [];
    const failed = await build(gardener((text) => (isLast(text) ? { text: 'no' } : undefined), again));
    expect(failed.failures.map(({ id, message }) => [id, message.split(':')[0]])).toEqual([
      ['garden', 'expert'],
      ['pond', 'expert'],
    ]);
    const done = await build();
    expect(done.states.accepted).toBe(2);
    expect(lines('set/results.jsonl')).toHaveLength(10);
    expect(again.filter(isWriting).length + asked.filter(isWriting).length).toBe(2);
    expect(before).toBeGreaterThan(0);
    const last: string[] = [];
    await build(gardener(undefined, last));
    expect(last).toEqual([]);
  });
});

describe('buildRequirements, with a person as reviewer', () => {
  /** What a person does in the file, by the review. */
  const edit = (change: (review: Record<string, unknown>) => object): void => {
    const edited = lines('set/reviews.jsonl').map((review) => JSON.stringify({ ...review, ...change(review) }));
    write('set/reviews.jsonl', `${edited.join('\n')}\n`);
  };
  const person = (model = gardener()) => build(model, { reviewer: undefined });

  it('waits for verdicts in reviews.jsonl, and takes text and schema of the refinement from there', async () => {
    expect(await person()).toMatchObject({ states: { primary: 2 }, waiting: 2, calls: 2 });
    expect(lines('set/reviews.jsonl')).toMatchObject([
      { id: 'garden/2', review: 'refine', verdict: '', requirement: 'Plots.' },
      { id: 'pond/2', findings: [] },
    ]);
    edit(({ sample }) =>
      sample === 'garden' ? { verdict: 'accept', requirement: 'Plots with sizes.' } : { remarks: 'hm' },
    );
    const asked: string[] = [];
    expect(await person(gardener(undefined, asked))).toMatchObject({ states: { primary: 1, refined: 1 }, waiting: 2 });
    expect(asked).toEqual([]);
    expect(lines('set/reviews.jsonl')).toMatchObject([
      { review: 'cross', verdict: '', requirement: 'Plots with sizes.' },
      { review: 'refine', remarks: 'hm' },
    ]);
    for (let round = 0; round < 4; round += 1) {
      edit(() => ({ verdict: 'accept' }));
      await person();
    }
    expect(lines('set/requirements.jsonl').map(({ question }) => question)).toEqual(['Plots with sizes.', 'Ponds.']);
  });

  it('keeps what was begun of samples that a start leaves out', async () => {
    await person();
    edit(({ sample }) => (sample === 'pond' ? { remarks: 'half done' } : { verdict: 'accept' }));
    await build(gardener(), { reviewer: undefined, limit: 1 });
    expect(lines('set/reviews.jsonl')).toMatchObject([{ sample: 'garden', review: 'cross' }, { remarks: 'half done' }]);
  });

  it('leaves the file as it is where a line is broken, and says which', async () => {
    await person();
    write('set/reviews.jsonl', `${read('set/reviews.jsonl')}{"id": oops\n`);
    const before = read('set/reviews.jsonl');
    const { problems } = await person();
    expect(problems).toMatchObject([{ id: 'reviews.jsonl', message: expect.stringContaining('Line 3 is no JSON') }]);
    expect(read('set/reviews.jsonl')).toBe(before);
  });
});

describe('buildRequirements overwrites nothing', () => {
  it('refuses a folder with other files, other models, and an edited data set', async () => {
    mkdirSync(path.join(folder, 'set'));
    write('set/notes.txt', 'mine');
    await expect(build()).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/notes\.txt/),
    });
    expect(existsSync(path.join(folder, 'set/run.json'))).toBe(false);
    rmSync(path.join(folder, 'set'), { recursive: true });
    await build();
    await expect(build(gardener(), { reviewer: undefined })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    write('set/requirements.jsonl', `${read('set/requirements.jsonl')}\n`);
    await expect(build()).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/was edited/),
    });
  });

  it('goes on where it was killed between the data set and its summary', async () => {
    await build();
    rmSync(path.join(folder, 'set/summary.json'));
    expect(await build()).toMatchObject({ states: { accepted: 2 } });
  });
});

it('says what of the sources cannot be used', async () => {
  write('schemas/empty.sql', '-- nothing');
  write('schemas/broken.jsonl', '{"id": "x"}\n');
  const { sources, problems } = await loadSchemaSources(path.join(folder, 'schemas'));
  expect(sources.map(({ id }) => id)).toEqual(['garden', 'pond']);
  expect(problems.map(({ message }) => message).join('\n')).toMatch(/answer[\s\S]*empty has no table/);
  await expect(loadSchemaSources(path.join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
});
