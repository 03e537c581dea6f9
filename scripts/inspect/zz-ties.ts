import { DatabaseSync } from 'node:sqlite';
import { BUSINESSES } from '../questions/businesses.ts';
import { seededRandom } from './seeded-random.ts';
for (const b of BUSINESSES) {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA foreign_keys=OFF;' + b.ddl);
  for (const [t, rows] of Object.entries(b.rows(seededRandom(17)))) for (const r of rows) db.prepare(`INSERT INTO "${t}" VALUES (${r.map(() => '?').join(',')})`).run(...(r as any));
  for (const [q, g = ''] of b.questions) {
    const m = /ORDER BY (.*?)( DESC)?\s*LIMIT (\d+)/is.exec(g);
    if (!m) continue;
    const n = Number(m[3]);
    const rows = db.prepare(g.replace(/^SELECT /, `SELECT ${m[1]} AS kk, `).replace(/LIMIT \d+/, `LIMIT ${n + 1}`)).all() as any[];
    console.log(b.name, q, rows.map((r) => r.kk).join(' '), rows[n - 1]?.kk === rows[n]?.kk ? 'TIE' : '');
  }
}
