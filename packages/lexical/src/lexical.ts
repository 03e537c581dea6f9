import {
  AskemaError,
  type CallContext,
  type Catalog,
  GENERATE_SQL_TASK_ID,
  type GenerateSqlInput,
  type GenerateSqlOutput,
  indexSchema,
  type Solved,
  type Solver,
  type Task,
  throwIfAborted,
} from '@askema/core';
import { readingsOf } from './compose/choose.ts';
import { readQuestion } from './interpret/question.ts';
import { createReader } from './interpret/reader.ts';
import { createLattice, linkCatalog, type LinkedCatalog } from './link/lattice.ts';

export function lexical(): Solver & { readonly debug: (input: GenerateSqlInput) => unknown } {
  const catalogs = new WeakMap<Catalog, LinkedCatalog>();
  const linkedOf = (catalog: Catalog): LinkedCatalog => {
    let linked = catalogs.get(catalog);
    if (linked === undefined) {
      linked = linkCatalog(catalog, indexSchema(catalog));
      catalogs.set(catalog, linked);
    }
    return linked;
  };
  const answer = (input: GenerateSqlInput): GenerateSqlOutput => {
    const linked = linkedOf(input.catalog);
    const lattice = createLattice(input.question, input.values, linked);
    const reader = createReader(lattice, input.today);
    const frames = readQuestion(reader);
    if (frames.length === 0) {
      return {
        outcome: 'unanswerable',
        sql: '',
        explanation: `stuck at: ${lattice.tokens.slice(reader.furthest).map((token) => token.text).join(' ')}`,
        not_understood: [],
      };
    }
    const { readings, problem } = readingsOf(frames, lattice, linked, input.dialect);
    const [best, second] = readings;
    if (best === undefined) return { outcome: 'unanswerable', sql: '', explanation: `no reading: ${problem}`, not_understood: [] };
    if (second !== undefined && second.cost - best.cost < 0.08)
      return { outcome: 'needs_clarification', sql: '', explanation: `1) ${best.sql} ${best.cost}\n2) ${second.sql} ${second.cost}`, not_understood: [] };
    return { outcome: 'sql', sql: best.sql, explanation: `${best.explanation} cost ${best.cost.toFixed(2)} next ${second?.cost.toFixed(2)}`, not_understood: [] };
  };
  return {
    name: 'lexical',
    needs: ['values'],
    supports: (taskId) => taskId === GENERATE_SQL_TASK_ID,
    debug: (input) => readingsOf(readQuestion(createReader(createLattice(input.question, input.values, linkedOf(input.catalog)), input.today)), createLattice(input.question, input.values, linkedOf(input.catalog)), linkedOf(input.catalog), input.dialect),
    async solve<In, Out>(task: Task<In, Out>, input: In, context: CallContext): Promise<Solved<Out>> {
      throwIfAborted(context.signal, 'lexical');
      if (task.id !== GENERATE_SQL_TASK_ID) throw new AskemaError('TASK_UNSUPPORTED', `lexical ${task.id}`);
      const value = answer(input as unknown as GenerateSqlInput) as unknown as Out;
      return { value, usage: {}, calls: 0, solvedBy: 'lexical', warnings: [] };
    },
  };
}
