/** Two questions of one open instance, and what they took, as JSON: `ask-twice.ts FILE lexical|plain`. */
import { setTimeout } from 'node:timers/promises';
import type { Solver } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { createText2Sql, plain } from '@askema/text2sql';
import { scriptedModel } from '../harness/scripted-model.ts';

interface Taken {
  readonly ms: number;
  readonly processorMs: number;
}

export interface Asked {
  readonly first: Taken;
  readonly second: Taken;
  readonly memoryMb: number;
}

const SQL = "SELECT full_name FROM customers WHERE city = 'Malmo'";

async function builtReader(): Promise<Solver> {
  const file = new URL('../../packages/lexical/dist/index.js', import.meta.url);
  const { lexical } = (await import(file.href)) as { readonly lexical: () => Solver };
  return lexical();
}

const [file = '', way] = process.argv.slice(2);
const text2sql = createText2Sql({
  adapter: sqlite({ file }),
  model: way === 'lexical' ? await builtReader() : scriptedModel(() => SQL),
  flow: plain(),
});

async function ask(question: string): Promise<Taken> {
  const before = performance.now();
  const used = process.cpuUsage();
  const outcome = await text2sql.ask(question);
  const { user, system } = process.cpuUsage(used);
  if (outcome.type !== 'answered') throw new Error(`${question}: ${JSON.stringify(outcome).slice(0, 500)}`);
  return { ms: performance.now() - before, processorMs: (user + system) / 1_000 };
}

/** A person needs longer than this. In the meantime V8 frees what the first question left behind. */
const PAUSE_MS = 500;

const first = await ask('List the full name of the customers in Lisbon.');
await setTimeout(PAUSE_MS);
const second = await ask('List the full name of the customers in Malmo.');
const memoryMb = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(JSON.stringify({ first, second, memoryMb } satisfies Asked));
await text2sql.close();
