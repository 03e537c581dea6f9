import { DatabaseSync } from 'node:sqlite';
import { BUSINESSES } from '../questions/businesses.ts';
import { seededRandom } from './seeded-random.ts';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { createText2Sql } from '@askema/text2sql';
import { lexical } from '../../packages/lexical/src/index.ts';
import { rmSync } from 'node:fs';
const [name, ...qs] = process.argv.slice(2);
const b = BUSINESSES.find((x) => x.name === name)!;
rmSync('/tmp/zz.sqlite', { force: true });
const db = new DatabaseSync('/tmp/zz.sqlite');
db.exec('PRAGMA foreign_keys=OFF;BEGIN;' + b.ddl);
for (const [t, rows] of Object.entries(b.rows(seededRandom(17)))) for (const r of rows) db.prepare(`INSERT INTO "${t}" VALUES (${r.map(() => '?').join(',')})`).run(...(r as any));
db.exec('COMMIT'); db.close();
const t = createText2Sql({ adapter: sqlite({ file: '/tmp/zz.sqlite' }), model: lexical({ maxCost: 3, margin: 0 }) });
for (const q of qs) { const o: any = await t.ask(q, { today: '2025-06-18' }); console.log(q, '\n  ', o.type, o.sql ?? o.explanation ?? o.reason, o.assumptions?.map((a: any) => a.text).join(' | ')); }
await t.close();
