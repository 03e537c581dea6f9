import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loopbackModelServer } from '@askema/testkit';
import { afterAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'askema-flows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const questions = join(folder, 'questions.jsonl');

const SQL = 'SELECT COUNT(*) FROM customers';
writeFileSync(questions, `${JSON.stringify({ question: 'How many customers are there?', sql: SQL })}\n`);

const SYSTEMS = {
  'act-sql': [{ chain: [], sql: SQL }],
  'din-sql': [
    { reasoning: '', links: [], values: [] },
    { reasoning: '', kind: 'easy', sub_questions: [] },
    { sql: SQL },
    { problems: '', sql: SQL },
  ],
  'mac-sql': [
    { reasoning: '', relations: ['customers'] },
    { steps: [], sql: SQL },
  ],
  'spider-agent': [{ thought: '', action: 'answer', sql: SQL }],
};

it.each(Object.entries(SYSTEMS))('askema eval run --flow %s measures it over the wire', async (flow, replies) => {
  await using server = await loopbackModelServer();
  server.reply(...replies.map((json) => ({ kind: 'answer', answer: { text: JSON.stringify(json) } }) as const));
  const out = join(folder, flow);
  const command = ['packages/cli/src/main.ts', 'eval', 'run', questions];
  const flags = ['--database', 'store', '--config', 'examples/askema.config.ts', '--flow', flow, '--out', out];
  await promisify(execFile)(
    process.execPath,
    ['--conditions=@askema/source', ...command, ...flags, '--model', 'openai-chat:scripted'],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: folder, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${server.origin}/v1` },
    },
  );
  const [result] = readFileSync(join(out, 'results.jsonl'), 'utf8').trimEnd().split('\n');
  expect(JSON.parse(result ?? '')).toMatchObject({ verdict: 'right', calls: replies.length });
});
