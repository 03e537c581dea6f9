import { defineStep, type StepContext } from '@askema/core';
import { viewResultOf } from '../../steps/view-result-of.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { RefineThreadState } from '../refine-state.ts';
import { settleLast } from './cte-trace.ts';
import type { CteProbe } from './cte-work.ts';

/** Runs what the model wants to see before it judges a step: few statements, each one that reads, each cut to a view. */
export const probeCte = defineStep<RefineThreadState, Text2SqlDeps>()({
  name: 'probe-cte',
  prep: (state) => state.cte?.wantedProbes ?? [],
  exec: async (wanted, context): Promise<readonly CteProbe[]> => {
    const probes: CteProbe[] = [];
    for (const sql of wanted) probes.push(await probe(sql, context));
    return probes;
  },
  post: (state, wanted, probes) => {
    state.executions += wanted.length;
    if (state.cte === undefined) return;
    state.cte = { ...state.cte, probes: [...state.cte.probes, ...probes], wantedProbes: [] };
    state.cteTrace = settleLast(state.cteTrace, { probes: state.cte.probes.map(({ sql }) => sql) });
  },
});

async function probe(sql: string, context: StepContext<Text2SqlDeps>): Promise<CteProbe> {
  const viewed = await viewResultOf(sql, context);
  return viewed.type === 'view' ? { sql, view: viewed.view } : { sql, error: viewed.error.message };
}
