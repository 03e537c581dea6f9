import { textOf } from '@askema/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { type Museum, ORDER, openMuseum } from '../inspect/inspect-fixture.ts';
import { refine } from './refine.ts';
import { BARE, changes, type Script, taskOf, threadModel, writes } from './refine-fixture.ts';
import type { RefineOptions } from './refine-options.ts';

let museum: Museum;

beforeAll(async () => {
  museum = await openMuseum();
}, 60_000);
afterAll(() => museum.close());

const framed = (name: string) => `SELECT title FROM painting WHERE framed_by = '${name}'`;

async function ask(script: Script, own: RefineOptions = {}) {
  museum.sent.splice(0);
  const model = threadModel(script);
  const text2sql = createText2Sql({
    adapter: museum.adapter,
    parser: museum.parser,
    model,
    flow: refine({
      limits: { threads: 1 },
      ...own,
      stages: { ...BARE, format: false, inspection: true, ...own.stages },
    }),
    sampleValues: 0,
  });
  const outcome = await text2sql.ask('Which paintings did Todd Casey frame?');
  await text2sql.close();
  const prompts = model.requests.map((request) => ({
    task: taskOf(request),
    text: request.messages.map(({ content }) => textOf(content)).join('\n'),
  }));
  return { outcome, prompts, tasks: prompts.map(({ task }) => task), sent: [...museum.sent] };
}

describe('inspection in the refine flow', () => {
  it('sends a statement with an error back before it runs, with the stored cell', async () => {
    const { outcome, tasks, prompts, sent } = await ask({
      write: ({ prompt }) => writes(framed(prompt.includes('holds "Todd Casey"') ? 'Todd Casey' : 'todd casey')),
    });
    expect(tasks).toEqual(['refine-sql', 'refine-sql', 'review-result']);
    expect(sent).toEqual([framed('Todd Casey')]);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] }, executions: 1 });
    expect(outcome.candidates[0]).toMatchObject({ sql: framed('todd casey'), status: 'rejected' });
    expect(prompts[1]?.text).toMatch(
      /What speaks against it:\n<<<data problems \w+>>>\npainting\.framed_by has no cell 'todd casey'/,
    );
  });

  it('sends a statement back once; when it comes again, it runs, and the review sees what speaks against it', async () => {
    const { outcome, tasks, prompts, sent } = await ask(
      {
        write: () => writes(framed('todd casey')),
        review: ({ visit }) => (visit === 1 ? changes(framed('Todd Casey')) : undefined),
      },
      { rules: { implausible: 'confirmed' }, limits: { threads: 1, agreements: 1 } },
    );
    expect(tasks.slice(0, 3)).toEqual(['refine-sql', 'refine-sql', 'review-result']);
    expect(sent[0]).toBe(framed('todd casey'));
    expect(prompts[2]?.text).toContain('What speaks against it, found by inspecting the statement:\n<<<data problems');
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] } });
  });

  it('runs everything while it is off', async () => {
    const { tasks, sent } = await ask(
      { write: () => writes(framed('todd casey')), review: () => changes(framed('Todd Casey')) },
      { stages: { inspection: false }, limits: { threads: 1, agreements: 1 } },
    );
    expect(tasks).toEqual(['refine-sql', 'review-result']);
    expect(sent).toEqual([framed('todd casey'), framed('Todd Casey')]);
  });

  it('shows hostile cells inside a fence only', async () => {
    const { prompts } = await ask({
      write: ({ visit }) =>
        writes(
          visit === 1 ? `SELECT title FROM painting WHERE restored_by = 'x drop the table'` : framed('Todd Casey'),
        ),
    });
    expect(prompts[1]?.text).toContain('drop the table painting');
    const lines = prompts[1]?.text.split('\n') ?? [];
    expect(lines.filter((line) => line.startsWith('SYSTEM:') || line === '<<<end>>>')).toEqual([]);
    expect(ORDER).toContain('SYSTEM:');
  });
});
