import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Adapter, fromModel, type KnowledgeBasis, resolveAdapter } from '@askema/core';
import { type ScriptedReply, scriptedModel } from '@askema/testkit';
import { bindKnowledge } from '../../bind/bind-knowledge.ts';
import { sqliteSpec } from '../../check/test-support/check-sqlite.ts';
import { loadKnowledge } from '../../folder/load-knowledge.ts';
import { makeFolder } from '../../folder/test-support/make-folder.ts';
import { usableKnowledge } from '../../folder/usable-knowledge.ts';
import { writeOssie } from '../../formats/ossie/write-ossie.ts';
import { bindShop, openShop, shopKnowledge } from '../../reader/test-support/shop.ts';
import { correct } from '../correct.ts';
import { answered } from './answered.ts';

export const MODEL = writeOssie(shopKnowledge().models[0] as never).files[0]?.text ?? '';
export const QUERIES = {
  'sql/total.md': '---\nnl: What is the revenue?\nsql: SELECT SUM(amount) FROM orders\nverified_by: kim\n---\n',
  'sql/metric.md': '---\nnl: Turnover of it all?\nsql: SELECT metric(revenue)\n---\n',
  'sql/plain.md': '---\nnl: Stores?\nsql: SELECT COUNT(*) FROM stores\n---\n',
};
export const { catalog, dialect } = bindShop();

export const shopAdapter = (): Adapter => resolveAdapter(sqliteSpec(openShop()));

export async function teach(
  words: string,
  replies: readonly ScriptedReply[] | undefined,
  folder = makeFolder({ 'models/shop.ossie.yaml': MODEL, ...QUERIES }),
) {
  const { knowledge } = usableKnowledge(await loadKnowledge(folder));
  const bound = bindKnowledge(knowledge, { catalog, dialect });
  const model = scriptedModel(replies ?? []);
  const basedOn = [
    { kind: 'metric', name: 'revenue', definition: 'SUM(orders.amount)', state: 'accepted' } satisfies KnowledgeBasis,
    { kind: 'relation', name: 'main.orders' } as never,
  ];
  const outcome = answered(
    'What is the revenue in Berlin?',
    "SELECT SUM(amount) FROM orders WHERE city = 'Berlin-cell'",
    { basedOn },
  );
  const options = { by: 'ann', bound, at: new Date('2026-01-02T03:04:05Z') };
  const corrected = await correct(folder, outcome, words, {
    ...options,
    ...(replies === undefined ? {} : { model: { solver: fromModel(model), adapter: shopAdapter() } }),
  });
  const prompts = model.requests.map(({ messages }) =>
    messages.map(({ content }) => JSON.stringify(content)).join('\n'),
  );
  return { folder, corrected, prompts, text: readFileSync(join(folder, corrected.file), 'utf8') };
}

export const reply = (more: object = {}): ScriptedReply => ({
  json: {
    kind: 'metric',
    name: 'revenue',
    expression: 'SUM(orders.amount)',
    filter: '',
    time: '',
    synonyms: [],
    about: [],
    ...more,
  },
});
