/**
 * A statement that changes data, with a person in between. Writing is granted twice: to the adapter and to the
 * pipeline; `approve` sees the statement before it runs. It works on a copy of the store, and the model is a script;
 * put a real one in its place.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import { createText2Sql } from '@askema/text2sql';

const folder = mkdtempSync(join(tmpdir(), 'askema-example-'));
const file = join(folder, 'store.sqlite');
copyFileSync('examples/store.sqlite', file);

const says = (sql: string) => ({ json: { outcome: 'sql', sql, explanation: '', not_understood: [] } });
const model = scriptedModel([
  says('UPDATE products SET discontinued = 1 WHERE stock = 0'),
  says('DELETE FROM customers'),
  says('SELECT COUNT(*) FROM customers'),
]);

const store = createText2Sql({
  adapter: sqlite({ file, access: 'write' }),
  model,
  access: 'write',
  // Here a rule decides; in an application, a person.
  approve: async (sql) => {
    const isFine = /\bWHERE\b/i.test(sql);
    console.log(`${isFine ? 'approved' : 'refused '}: ${sql}`);
    return isFine;
  },
});
try {
  const update = await store.ask('Mark everything that is out of stock as discontinued.');
  if (update.type !== 'answered') throw new Error(`the update was not done: ${update.type}`);
  console.log(`${update.result.affectedRows} products changed`);

  const removal = await store.ask('Remove all customers.');
  if (removal.type !== 'refused') throw new Error(`the removal was not refused: ${removal.type}`);

  // A statement that reads needs no approval.
  const count = await store.ask('How many customers are there?');
  if (count.type === 'answered') console.log(`${count.result.rows[0]?.[0]} customers are still there`);
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
