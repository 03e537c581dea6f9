import type { AdapterSpec, Solver, StepContext } from '@askema/core';
import type { DesignArtefacts } from './model/index.ts';
import type { RoleSolvers } from './role-solvers.ts';
import { createSpent, meteredSolver, type Spent } from './spending.ts';
import type { DesignPhase, OnQuestion, Text2SchemaOptions } from './text2schema-options.ts';

/** Everything that is not data: what the steps of a design work with. New for each run. */
export interface DesignDeps {
  readonly solvers: RoleSolvers;
  readonly scratch: (() => AdapterSpec | Promise<AdapterSpec>) | undefined;
  readonly onQuestion: OnQuestion | undefined;
  readonly onPhase: Text2SchemaOptions['onPhase'];
  /** What steps that are not finished have spent. */
  readonly open: Set<Spent>;
}

/** What a step found, and what it spent on it. */
export interface Metered<Value> {
  readonly value: Value;
  readonly spent: Spent;
}

/**
 * Does the work of a step with a solver whose cost is counted. What a step that breaks off has spent stays in
 * `deps.open`.
 */
export async function withMeter<Value>(
  context: StepContext<DesignDeps>,
  solver: Solver,
  work: (solver: Solver) => Promise<Value>,
): Promise<Metered<Value>> {
  const spent = createSpent();
  const { open } = context.deps;
  open.add(spent);
  const value = await work(meteredSolver(solver, spent));
  open.delete(spent);
  return { value, spent };
}

/**
 * Shows a phase to whoever wants to see it, once in a run, and gives back what is to go on: the same, or what was
 * returned in its place.
 */
export async function showPhase(
  context: StepContext<DesignDeps>,
  phase: DesignPhase,
  artefacts: DesignArtefacts,
): Promise<DesignArtefacts> {
  const { onPhase } = context.deps;
  if (onPhase === undefined) return artefacts;
  const edited = await context.memo(`phase-${phase}`, async () => (await onPhase(phase, artefacts)) ?? null);
  return edited ?? artefacts;
}
