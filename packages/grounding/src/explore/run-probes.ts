import type { Clock } from '@askema/core';
import { systemRuntime } from '@askema/core';
import { afterEvent, finishRun, nextAction, type ProbeRules } from './next-action.ts';
import type { Probe, ProbeAction, ProbeEvent, ProbeRun, StopReason } from './probe-run.ts';
import { distinctProbes, startProbeRun } from './probe-run.ts';

type ActionOf<Type extends ProbeAction['type']> = Extract<ProbeAction, { type: Type }>;
type EventOf<Type extends ProbeEvent['type']> = Extract<ProbeEvent, { type: Type }>;

/** Who runs statements and answers for the model. What they reject with ends the run. */
export interface ProbeHost {
  readonly execute: (action: ActionOf<'execute'>) => Promise<EventOf<'result' | 'failed' | 'refused'>>;
  /** Absent: nothing is corrected, and the queue is not revised. */
  readonly correct?: ((action: ActionOf<'correct'>) => Promise<EventOf<'corrected'>>) | undefined;
  readonly revise?: ((action: ActionOf<'revise'>) => Promise<EventOf<'revised'>>) | undefined;
  readonly clock?: Clock | undefined;
  /** Looked at before each action; true ends the run. */
  readonly isStopped?: (() => boolean) | undefined;
}

/** A run that is over. */
export interface ProbesDone extends ProbeRun {
  readonly reason: StopReason;
  /** Probes that were never begun: behind the end of the run, or beyond `maxProbes`. */
  readonly notRun: readonly Probe[];
}

/**
 * Runs probes one after another (ReFoRCE, Algorithm 1): executes, corrects what failed, carries what was learned over
 * to the rest of the queue, and stops by the rules of the limits. Each loop does one action, and each probe has a
 * bounded number of them.
 */
export async function runProbes(probes: readonly Probe[], rules: ProbeRules, host: ProbeHost): Promise<ProbesDone> {
  const { clock = systemRuntime().clock } = host;
  let databaseMs = 0;
  let run = startProbeRun(probes, rules.limits.maxProbes);
  const cut = distinctProbes(probes).slice(run.queue.length);
  for (;;) {
    if (host.isStopped?.() === true) run = { ...run, stopped: 'stopped' };
    const action = nextAction(run, rules, databaseMs);
    if (action.type === 'end') return { ...finishRun(run), reason: action.reason, notRun: [...run.queue, ...cut] };
    const startedAt = clock.now();
    run = afterEvent(run, rules, await act(action, host));
    // Waiting for a slow model says nothing about the database; calls of the model have a limit of their own.
    if (action.type === 'execute') databaseMs += clock.now() - startedAt;
  }
}

async function act(action: Exclude<ProbeAction, { type: 'end' }>, host: ProbeHost): Promise<ProbeEvent> {
  switch (action.type) {
    case 'execute':
      return host.execute(action);
    case 'correct':
      return (await host.correct?.(action)) ?? { type: 'corrected', sql: undefined, calls: 0 };
    case 'revise':
      return (await host.revise?.(action)) ?? { type: 'revised', probes: undefined, calls: 0 };
  }
}
