import { createCallContext, type ModelRequest } from '@askema/core';
import { lexical } from '@askema/lexical';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { resolveModel } from '../../model/resolve-model.ts';
import { chooseReportFormat } from './deliver-report.ts';
import { openQueue } from './open-queue.ts';
import { readRateLimit, readShard, readSpending } from './read-eval-flags.ts';

const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'INPUT_INVALID', message: expect.stringMatching(message) });

describe('readShard', () => {
  it('reads which part of how many', () => {
    expect([readShard(undefined), readShard('2/3'), readShard(' 1/1 ')]).toEqual([
      undefined,
      { index: 2, of: 3 },
      { index: 1, of: 1 },
    ]);
  });

  it.each(['0/3', '4/3', '1', '1/0', 'a/b', '1/3/5', '-1/3', '1.5/2', ''])('refuses %j', (text) => {
    expect(() => readShard(text)).toThrow(invalid(/--shard .*from 1: 1\/3/));
  });
});

describe('readSpending', () => {
  const model = { label: 'openai:gpt-6', model: scriptedModel([]) };
  const none = { file: undefined, config: {} };
  const priced = {
    file: 'askema.config.ts',
    config: { prices: { 'openai:gpt-6': { input: 1, output: 4, cachedInput: 0.1 }, house: { input: 0, output: 0 } } },
  };

  it('knows no cost where nobody said a price', () => {
    expect(readSpending({}, model, none)).toEqual({ prices: undefined, budgetUsd: undefined });
  });

  it('takes the flags before the configuration, and there the model with or without its provider', () => {
    expect(readSpending({ priceInput: '0.25', priceOutput: '2' }, model, priced).prices).toEqual({
      inputPerMillion: 0.25,
      outputPerMillion: 2,
    });
    expect(readSpending({ budgetUsd: '5' }, model, priced)).toEqual({
      prices: { inputPerMillion: 1, outputPerMillion: 4, cachedInputPerMillion: 0.1 },
      budgetUsd: 5,
    });
    expect(readSpending({}, { ...model, label: 'local:house' }, priced).prices).toMatchObject({ inputPerMillion: 0 });
  });

  it('refuses a budget that cannot be kept, and says how to name the price', () => {
    expect(() => readSpending({ budgetUsd: '5' }, model, none)).toThrow(
      invalid(/no price for `openai:gpt-6`.*--price-input and --price-output.*prices: \{ 'openai:gpt-6'/),
    );
    expect(() => readSpending({ budgetUsd: '5' }, { label: 'lexical', model: lexical() }, none)).toThrow(
      invalid(/`lexical` calls no model/),
    );
  });

  it.each([
    [{ priceInput: '1' }, /--price-output is missing/],
    [{ priceOutput: '1' }, /--price-input is missing/],
    [{ priceInput: '-1', priceOutput: '1' }, /--price-input "-1" is no amount/],
    [{ priceInput: '1e3', priceOutput: '1' }, /--price-input "1e3" is no amount/],
    [{ budgetUsd: '0' }, /--budget-usd 0 would ask nothing/],
    [{ budgetUsd: 'five' }, /--budget-usd "five" is no amount/],
  ])('refuses %j', (flags, message) => {
    expect(() => readSpending(flags, model, none)).toThrow(invalid(message));
  });
});

describe('chooseReportFormat', () => {
  it('takes the ending of the file, unless a format was asked for', () => {
    const of = (out?: string) => chooseReportFormat({ out }, '--out');
    expect([of(), of('a.HTML'), of('b.htm'), of('c.md'), of('d.txt')]).toEqual([
      'text',
      'html',
      'html',
      'markdown',
      'text',
    ]);
    expect(chooseReportFormat({ out: 'page.md', format: 'html' }, '--out')).toBe('html');
    expect(() => of('report.pdf')).toThrow(invalid(/--out "report.pdf".*\.html, \.md or \.txt, or give --format/));
  });
});

describe('openQueue', () => {
  const run = { folder: '/tmp/runs/gpt 6', fingerprint: 'f', configuration: { model: 'm' }, metrics: [] };
  const nameOf = (changed: Partial<typeof run> = {}) =>
    openQueue('postgres://me@host/queue', { ...run, ...changed }).options.runId;

  it('names the run by the last part of its folder and by what is measured', () => {
    expect(nameOf()).toMatch(/^gpt_6-[0-9a-f]{12}$/);
    expect(nameOf({ folder: '/elsewhere/gpt 6' })).toBe(nameOf());
    const others = [
      nameOf({ folder: '/tmp/runs/again' }),
      nameOf({ fingerprint: 'g' }),
      nameOf({ configuration: { model: 'n' } }),
    ];
    expect(new Set([nameOf(), ...others]).size).toBe(4);
  });

  it.each([
    ['mysql://host/queue', /--queue "mysql:.*must be the address of a PostgreSQL database/],
    ['queue.sqlite', /must be the address of a PostgreSQL database/],
    ['postgres://me:secret@host/queue', /PGPASSWORD/],
  ])('refuses %s without repeating what is secret', (address, message) => {
    const attempt = () => openQueue(address, run);
    expect(attempt).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
    );
    expect(attempt).not.toThrow(/secret@/);
  });
});

it('lets calls of a named model wait for their turn, and stops waiting at Ctrl-C', async () => {
  const inner = scriptedModel(['one', 'two']);
  const loaded = { file: 'askema.config.ts', config: { models: { mine: inner } } };
  const wrap = readRateLimit({ requestsPerMinute: '1' });
  const { model, label } = await resolveModel({ flag: 'mine', loaded, env: {}, wrap });
  expect(label).toBe('scripted:scripted');
  if (!('generate' in model)) throw new Error('not a language model');
  const controller = new AbortController();
  const request: ModelRequest = {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    sample: 0,
    context: createCallContext({ signal: controller.signal }),
  };
  await model.generate(request);
  const second = model.generate(request);
  controller.abort();
  await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
  expect(inner.requests).toHaveLength(1);
});

it('does nothing where no limit is given', () => {
  expect(readRateLimit({})).toBeUndefined();
});
