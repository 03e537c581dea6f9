import { openLeague } from '../../packages/lexical/src/testing/league.ts';
const l = openLeague();
const chain = process.argv[2] ?? '';
for (let i = 0; i < 2; i++) { const s = process.cpuUsage(); await l.ask(chain); const e = process.cpuUsage(s); console.log((e.user + e.system) / 1000, 'ms cpu'); }
