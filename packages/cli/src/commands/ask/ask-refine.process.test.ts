import { mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

/** A model that answers by task; thread 1 (of 0 to 2) writes another statement. */
const CONFIG = `
  import { defineConfig } from 'askema';
  import { scriptedModel } from '@askema/testkit';
  const replies = {
    'text2sql_expect-format': () => ({ reading: 'who', columns: [{ name: 'name', type: 'text', meaning: 'name', open: false }], rows: 0, record: 'a customer', notes: [] }),
    'text2sql_explore-columns': () => ({ relevant: [], probes: [] }),
    'text2sql_refine-sql': (sample) => ({ thinking: '', outcome: 'sql', explanation: 'Scripted.', not_understood: [], other_readings: [], format_departs: '', expand: [],
      sql: sample === 1 ? 'SELECT city FROM customer' : 'SELECT name FROM customer WHERE id = 1' }),
    'text2sql_review-result': () => ({ would_refute: '', assessment: '', problems: [], is_right: true, sql: '', other_readings: [], check: '' }),
  };
  export default defineConfig({
    models: { scripted: () => scriptedModel((request) => ({ json: replies[request.output.name](request.sample) })) },
    defaults: { model: 'scripted' },
  });
`;

/** Names a column that is not there, until it is told so. */
const CARELESS = CONFIG.replace(
  "sample === 1 ? 'SELECT city FROM customer' :",
  "!told ? 'SELECT nmae FROM customer WHERE id = 1' :",
)
  .replace('(sample) => ({ thinking', '(sample, told, messages) => ({ thinking')
  .replace("explanation: 'Scripted.'", "explanation: 'Asked by ' + messages + ' messages.'")
  .replace(
    '(request.sample)',
    "(request.sample, JSON.stringify(request.messages).includes('nmae'), request.messages.length)",
  );

let project: TemporaryProject;
let config = '';
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  config = project.write('config-refine.ts', CONFIG);
});
afterAll(() => project.remove());

const ask = (...flags: readonly string[]) =>
  runInProcess(['ask', 'shop.sqlite', 'Who is first?', '--config', config, ...flags], { cwd: project.folder });

// The first question loads everything.
describe('askema ask --flow refine', { timeout: 30_000 }, () => {
  it('answers by vote; the footer says how far to trust it', async () => {
    const { code, stdout, stderr } = await ask('--flow', 'refine');
    expect([code, stdout]).toEqual([0, 'name\n----\nAda\n(1 row)\n']);
    expect(stderr).toMatch(/· refine · .*· confidence \d+ % of the votes/);
    expect(stderr).not.toContain('SELECT city');
  });

  it('with a trace, shows what was tried and why it was dropped', async () => {
    const { stderr } = await ask('--flow', 'refine', '--trace');
    expect(stderr).toContain('rejected (thread 2: another answer was chosen):\nSELECT city FROM customer');
  });

  it('in json, carries confidence and candidates', async () => {
    const { stdout } = await ask('--flow', 'refine', '--preset', 'v5', '--threads', '1', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'answered',
      confidence: { value: 0.5, from: 'votes' },
      sure: false,
      candidates: [{ sql: 'SELECT name FROM customer WHERE id = 1', status: 'chosen' }],
    });
  });

  it('leaves stages out', async () => {
    const { code, stderr } = await ask(
      '--flow',
      'refine',
      '--without',
      'format,exploration',
      '--without',
      'consistency',
    );
    expect(code).toBe(0);
    // One statement a thread and nothing else: two threads disagree, the third decides.
    expect(stderr).toContain('3 model calls');
  });

  it('with --inspect, sends a wrong statement back before it runs', async () => {
    const careless = project.write('config-careless.ts', CARELESS);
    const executions = async (...flags: readonly string[]): Promise<unknown> => {
      const all = [
        '--flow',
        'refine',
        '--threads',
        '1',
        '--without',
        'profile,consistency',
        '--format',
        'json',
        ...flags,
      ];
      const { stdout } = await ask('--config', careless, ...all);
      const outcome = JSON.parse(stdout) as { readonly type: string; readonly executions: number };
      return [outcome.type, outcome.executions];
    };
    expect(await executions()).toEqual(['answered', 2]);
    expect(await executions('--inspect')).toEqual(['answered', 1]);
  });

  it('with --conversation, goes on in one chat after a statement that failed', async () => {
    const careless = project.write('config-chat.ts', CARELESS);
    const explained = async (...flags: readonly string[]): Promise<string> => {
      const { stdout } = await ask('--config', careless, '--flow', 'refine', '--format', 'json', ...flags);
      return (JSON.parse(stdout) as { readonly explanation: string }).explanation;
    };
    expect(await explained()).toBe('Asked by 2 messages.');
    expect(await explained('--conversation')).toBe('Asked by 4 messages.');
  });

  it.each([
    [['--preset', 'paper'], 'Add --flow refine'],
    [['--threads', '2', '--flow', 'react'], 'Add --flow refine'],
    [['--flow', 'refine', '--preset', 'papre'], 'Did you mean'],
    [['--flow', 'refine', '--threads', 'x'], '--threads'],
    [['--without', 'format', '--flow', 'plain'], '--without format belongs to'],
    [['--flow', 'refine', '--without', 'profil'], 'Did you mean `profile`?'],
    [['--flow', 'refine', '--without', 'cte', '--cte-only'], 'contradict'],
    [['--inspect', '--flow', 'plain'], '--inspect belongs to'],
    [['--conversation', '--flow', 'plain'], '--conversation belongs to'],
    [['--flow', 'refine', '--write', '--yes'], 'only reads'],
    [['--flow', 'refine', '--no-samples'], 'shows it results'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await ask(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('askema eval run --flow refine', { timeout: 30_000 }, () => {
  const evaluate = (...flags: readonly string[]) =>
    runInProcess(['eval', 'run', 'set', '--out', 'run', '--config', config, '--flow', 'refine', ...flags], {
      cwd: project.folder,
    });

  it('measures it, and does not mix two presets in one folder', async () => {
    mkdirSync(project.path('set/databases'), { recursive: true });
    project.database('set/databases/shop.sqlite', SHOP_SQL);
    const question = { id: 'q1', db_id: 'shop', question: 'Who is first?', category: 'c', difficulty: 'easy' };
    const gold_sql = 'SELECT name FROM customer WHERE id = 1';
    project.write('set/questions.jsonl', `${JSON.stringify({ ...question, gold_sql })}\n`);
    const { code, stderr } = await evaluate('--preset', 'paper', '--threads', '1');
    expect([code, stderr]).toEqual([0, expect.stringContaining('· refine ·')]);
    const line = readFileSync(project.path('run/results.jsonl'), 'utf8');
    expect(JSON.parse(line)).toMatchObject({ id: 'q1', verdict: 'right' });
    const other = await evaluate('--preset', 'v5', '--threads', '1');
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain('preset');
  });
});
