import { fileURLToPath } from 'node:url';
import type { JsonValue } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { describeFlow } from '@askema/testkit';
import { createText2Sql, type Text2SqlFlow } from '@askema/text2sql';
import { actSql } from './act-sql.ts';
import { dinSql } from './din-sql.ts';
import { macSql } from './mac-sql.ts';
import { spiderAgent } from './spider-agent.ts';

const file = fileURLToPath(new URL('../store.sqlite', import.meta.url));
const GOOD = 'SELECT COUNT(*) FROM customers';
const BAD = 'SELECT COUNT(*) FROM custmers';

/** What a flow passes that others are to use: resumed, broken off, with replies that are nonsense or hostile. */
const describeSystem = (flow: Text2SqlFlow, reply: (task: string, prompt: string) => JsonValue): void =>
  describeFlow(flow.flow.name, (setup) => createText2Sql({ ...setup, flow }), {
    adapter: () => sqlite({ file }),
    question: 'How many customers are there?',
    reply: ({ output, messages }) => ({ json: reply(output?.name ?? '', JSON.stringify(messages)) }),
  });

describeSystem(actSql(), () => ({ chain: [{ phrase: 'customers', uses: 'customers' }], sql: GOOD }));

describeSystem(dinSql(), (task) => {
  if (task === 'din-sql_link-schema') return { reasoning: '', links: ['customers.customer_id'], values: [] };
  if (task === 'din-sql_classify') return { reasoning: '', kind: 'nested', sub_questions: ['Who is a customer?'] };
  if (task === 'din-sql_proofread') return { problems: '', sql: GOOD };
  return { parts: [], outline: '', sql: BAD };
});

describeSystem(macSql(), (task, prompt) => {
  if (task === 'mac-sql_select') return { reasoning: '', relations: ['customers'] };
  if (task === 'mac-sql_decompose') return { steps: [], sql: BAD };
  return { cause: '', sql: prompt.includes('no such table') ? GOOD : BAD };
});

describeSystem(spiderAgent({ maxTurns: 4 }), (_task, prompt) =>
  prompt.includes('no such table')
    ? { thought: 'Mend it.', action: 'answer', sql: GOOD }
    : { thought: 'Look.', action: 'run_sql', sql: BAD },
);
