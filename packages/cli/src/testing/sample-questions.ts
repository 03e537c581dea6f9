import { symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { type TemporaryProject, temporaryProject } from './temporary-project.ts';

const EXAMPLES = resolve(import.meta.dirname, '../../../../examples');

/** Names the packaged questions and their database, from a folder that `sampleProject` made. */
export const SAMPLE = ['examples/store-questions', '--database', 'examples/store.sqlite'] as const;

/** A folder of its own in which `examples/` is that of the repository; nothing may be written there. */
export function sampleProject(): TemporaryProject {
  const project = temporaryProject();
  symlinkSync(EXAMPLES, project.path('examples'), 'dir');
  return project;
}

/**
 * A configuration whose models know answers of the packaged questions: `good` all of them, `poor` only those of counts.
 * Each call has 1,000 tokens in and 100 out, and is noted in `calls.txt`, as is what was asked of it.
 */
export const SAMPLE_CONFIG = `
  import { appendFileSync, readFileSync } from 'node:fs';
  import { scriptedModel } from '@askema/testkit';
  const file = new URL('examples/store-questions/questions.jsonl', import.meta.url);
  const questions = readFileSync(file, 'utf8').trimEnd().split('\\n').map((line) => JSON.parse(line));
  const model = (modelId, knows) => () => scriptedModel((request) => {
    const text = JSON.stringify(request.messages.at(-1));
    const asked = questions.find(({ question }) => text.includes(question));
    appendFileSync(new URL('calls.txt', import.meta.url), asked.id + '\\n');
    const sql = knows(asked) ? asked.gold_sql : 'SELECT 1';
    return {
      json: { outcome: 'sql', sql, explanation: '', not_understood: [] },
      usage: { inputTokens: 1_000, outputTokens: 100 },
    };
  }, { modelId });
  export default {
    models: {
      good: model('good', () => true),
      poor: model('poor', ({ category }) => category === 'count'),
    },
    // A call of \`good\` costs 0.01 dollars.
    prices: { 'scripted:good': { input: 8, output: 20 } },
  };
`;
